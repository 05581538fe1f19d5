package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/export"
)

// redactedRuns are sessions of which one is redacted, and others say the same: as it
// stands, in a run that begins alike, in front of a branch, as a system message, and
// after what a format writes.
const redactedRuns = `{"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"Hello Ann Zebedee"},{"role":"user","content":"add 1 and 1"},{"role":"assistant","content":"2"}]}
{"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"Hello"},{"role":"user","content":"add 1 and 1"},{"role":"assistant","content":"3"}]}
{"messages":[{"role":"user","content":"something else"},{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"say","arguments":"{\"to\":\"Ann Zebedee\"}"}}]},{"role":"tool","tool_call_id":"c","content":"Hello Ann Zebedee"},{"role":"assistant","content":"Hello Ann Zebedee"}]}
{"messages":[{"role":"user","content":"nothing of it"},{"role":"assistant","content":"here"}]}
{"messages":[{"role":"user","content":"nothing of it"},{"role":"assistant","content":"not here"}]}
`

// TestNothingRedactedIsExported: what a redaction took out is in no byte that an
// export writes or prints, in any format, whoever says it.
func TestNothingRedactedIsExported(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("runs.jsonl", redactedRuns))
	var ids []string
	for _, row := range strings.Split(b.ok("list", "--json"), "\n") {
		if _, rest, found := strings.Cut(row, `"id":"`); found {
			ids = append(ids, rest[:8])
		}
	}
	if len(ids) != 5 {
		t.Fatalf("%d segments", len(ids))
	}
	b.ok("approve", "--filter", "messages>0", "--yes")
	b.ok("reject", ids[1], ids[4])
	clean := b.file("clean.txt", "I am [name].")
	b.ok("edit", ids[0], "1", "--text", clean, "--why", "redact")
	b.ok("edit", ids[0], "2", "--text", clean, "--why", "redact")
	b.file("out/.keep", "")
	const secret = "Zebedee"
	for _, e := range export.Emitters() {
		for name, args := range map[string][]string{
			"folder": {"-o", filepath.Join(b.vars["HOME"], "out", e.Name) + "/", "--json", "--redact", "--any-verdict"},
			"check":  {"--check", "--json"},
			"stream": {"-o", filepath.Join(b.vars["HOME"], "out", e.Name+".jsonl")},
		} {
			if e.Name == "kto" || e.Pairs() {
				args = without(args, "--any-verdict")
			}
			b.run(append([]string{"export", "--as", e.Name}, args...)...)
			said := b.stdout.String() + b.stderr.String()
			if strings.Contains(said, secret) {
				t.Errorf("%s, %s prints it: %s", e.Name, name, said)
			}
			if !e.Pairs() && !strings.Contains(said, "sealed") {
				t.Errorf("%s, %s names nothing as sealed: %s", e.Name, name, said)
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
		if strings.Contains(string(text), secret) {
			t.Errorf("%s has it", path)
		}
		return err
	})
	if err != nil || files < 40 {
		t.Errorf("%d files, %v", files, err)
	}
	out, err := os.ReadFile(filepath.Join(b.vars["HOME"], "out", "hf.jsonl"))
	if err != nil || !strings.Contains(string(out), "I am [name].") {
		t.Errorf("the redacted session is not written: %s, %v", out, err)
	}
}

func without(args []string, one string) (kept []string) {
	for _, a := range args {
		if a != one {
			kept = append(kept, a)
		}
	}
	return kept
}
