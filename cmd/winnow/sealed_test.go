package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/export"
	"winnow/store"
)

// redactedRuns are sessions of which one is redacted, and others say the same: as it
// stands, in a run that begins alike, in front of a branch, as a system message, and
// after what a format writes.
const redactedRuns = `{"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"Hello Ann Zebedee"},{"role":"user","content":"add 1 and 1"},{"role":"assistant","content":"2"}]}
{"messages":[{"role":"user","content":"I am Ann Zebedee."},{"role":"assistant","content":"Hello"},{"role":"user","content":"add 1 and 1"},{"role":"assistant","content":"3"}]}
{"messages":[{"role":"user","content":"something else"},{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"say","arguments":"{\"to\":\"her\"}"}}]},{"role":"tool","tool_call_id":"c","content":"Hello Ann Zebedee"},{"role":"assistant","content":"Hello Ann Zebedee"}]}
{"messages":[{"role":"user","content":"nothing of it"},{"role":"assistant","content":"here"},{"role":"user","content":"who are you?"},{"role":"assistant","content":"Hello Ann Zebedee"},{"role":"user","content":"add 1 and 1"},{"role":"assistant","content":"4"}]}
{"messages":[{"role":"user","content":"nothing of it"},{"role":"assistant","content":"not here"}]}
`

// TestNothingRedactedIsExported: what a redaction took out is in no byte that an
// export or a preview writes or prints, in any format, on policy or not, whoever says it.
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
		target := filepath.Join(b.vars["HOME"], "out", e.Name)
		ways := map[string][]string{
			"folder": {"-o", target + "/", "--json", "--redact", "--any-verdict"},
			"check":  {"--check", "--json"},
			"stream": {"-o", target + ".jsonl"},
		}
		if slices.Contains(export.OnPolicy(), e.Name) {
			ways["folder on policy"] = []string{"-o", target + "-exact/", "--json", "--redact", "--any-verdict", "--policy", "on", "--gaps", "all"}
			ways["check on policy"] = []string{"--check", "--json", "--policy", "on", "--gaps", "all"}
			ways["stream on policy"] = []string{"-o", target + "-exact.jsonl", "--policy", "on", "--gaps", "all"}
			ways["only check on policy"] = []string{"--check", "--policy", "on"}
		}
		for name, args := range ways {
			if e.Name == "kto" || e.Pairs() {
				args = without(args, "--any-verdict")
			}
			if e.Tree() {
				args = append(without(without(args, "--gaps"), "all"), "--gaps", "all")
			}
			b.run(append([]string{"export", "--as", e.Name}, args...)...)
			said := b.stdout.String() + b.stderr.String()
			if strings.Contains(said, secret) {
				t.Errorf("%s, %s prints it: %s", e.Name, name, said)
			}
			if !e.Pairs() && !strings.Contains(said, "sealed") && !strings.HasPrefix(name, "only") {
				t.Errorf("%s, %s names nothing as sealed: %s", e.Name, name, said)
			}
		}
	}
	previews(t, b, ids, secret)
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
	if err != nil || files < 60 {
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

// previews looks for a secret in the records that segments would become.
func previews(t *testing.T, b *bench, ids []string, secret string) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	gaps, err := export.ParseGaps("all")
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for _, id := range ids {
		seg, err := s.Segment(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range export.Emitters() {
			for _, exact := range []bool{false, true} {
				opts := export.Options{As: e.Name, OnPolicy: exact}
				if exact && opts.Exact(&e) != nil {
					continue
				}
				if exact || e.Tree() {
					opts.Gaps = gaps
				}
				text, report, err := export.Preview(t.Context(), s, &seg, opts)
				if err != nil {
					t.Fatalf("%s: %v", e.Name, err)
				}
				if told := string(text) + fmt.Sprint(report); strings.Contains(told, secret) {
					t.Errorf("the preview of %s as %s, on policy %v, has it: %s", id, e.Name, exact, told)
				}
				records += len(text)
			}
		}
	}
	if records == 0 {
		t.Error("no preview has a record")
	}
}
