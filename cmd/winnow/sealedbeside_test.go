package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/export"
)

// besideRun is a session that says a name in its messages, and in what is kept beside
// them.
const besideRun = `{"id":"Zebedee 1","title":"for Zebedee","metadata":{"user":"Z\u0065bedee","n":1},"tools":[{"type":"function","function":{"name":"say","description":"says Zebedee","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"Hello Ann Zebedee"}]}
{"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"no"}]}
`

// TestNothingRedactedIsExportedBesideMessages: what a redaction took out of messages is
// in no byte of an export either where topics, tags, tools, metadata and paths say it.
func TestNothingRedactedIsExportedBesideMessages(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("by-Zebedee.jsonl", besideRun))
	var ids []string
	for _, row := range strings.Split(b.ok("list", "--json"), "\n") {
		if _, rest, found := strings.Cut(row, `"id":"`); found {
			ids = append(ids, rest[:8])
		}
	}
	if len(ids) != 2 {
		t.Fatalf("%d segments", len(ids))
	}
	b.ok("topic", ids[0], "what Zebedee asked")
	b.ok("note", ids[0], "Zebedee again")
	b.ok("tag", ids[0], "--add", "why:Zebedee")
	b.ok("approve", ids[0])
	b.ok("reject", ids[1])
	b.ok("redact", "--find", "Zebedee", "--with", "[name]", "--yes", "--note", "no Zebedee")
	b.file("out/.keep", "")
	const secret = "Zebedee"
	for _, e := range export.Emitters() {
		out := filepath.Join(b.vars["HOME"], "out", e.Name)
		for _, args := range [][]string{
			{"-o", out + "/", "--json", "--filter", "Zebedee or id:" + ids[0]}, {"--check", "--json"}, {"-o", out + ".jsonl"}, {"-o", "-"},
			{"-o", out + "-all/", "--json", "--any-verdict"}, {"-o", out + "-on/", "--json", "--policy", "on", "--gaps", "all"},
		} {
			if e.Name == "kto" || e.Pairs() {
				args = without(args, "--any-verdict")
			}
			b.run(append([]string{"export", "--as", e.Name}, args...)...)
			// The filter is what was typed just now.
			if said := strings.ReplaceAll(b.stdout.String()+b.stderr.String(), `"Zebedee or`, ""); strings.Contains(said, secret) {
				t.Errorf("%s %q prints it: %s", e.Name, args, said)
			}
		}
	}
	files := 0
	err := filepath.WalkDir(filepath.Join(b.vars["HOME"], "out"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) || strings.Contains(string(text), `\u0065bedee`) {
			t.Errorf("%s has it: %s", path, text)
		}
		return err
	})
	if err != nil || files < 60 {
		t.Errorf("%d files, %v", files, err)
	}
	if text, err := os.ReadFile(filepath.Join(b.vars["HOME"], "out", "dpo.jsonl")); err != nil || !strings.Contains(string(text), "says [redacted]") {
		t.Errorf("%s, %v", text, err)
	}
	text, err := os.ReadFile(filepath.Join(b.vars["HOME"], "out", "hf.jsonl"))
	if err != nil || !strings.Contains(string(text), "what [redacted] asked") || !strings.Contains(string(text), `I am Ann [name].`) {
		t.Errorf("%s, %v", text, err)
	}
}
