package export

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/export/table"
	"winnow/core/review"
)

// TestEveryFormatHasATable writes samples of all kinds as lines and as tables.
func TestEveryFormatHasATable(t *testing.T) {
	for _, e := range Emitters() {
		if len(e.columns) == 0 {
			if _, err := codingOf(&Options{Parquet: true}, &e); err == nil {
				t.Errorf("%s: a table without columns", e.Name)
			}
			continue
		}
		dir := t.TempDir()
		l := good(3)
		l.add(withTools, user("u"), says("a"))
		l.add(nil, user("w"), says("a"))
		l.add(rejected, user("w"), says("b"))
		l.add(withTools, sys("s"), user("v"), calls("1"), result("1", "x"), says("a"))
		l.add(func(s *review.Segment, sess *review.Session) { rejected(s, sess); withTools(s, sess) }, sys("s"), user("v"), calls("1"), result("1", "x"), calls("2"))
		plain, asTable := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.parquet")
		report := run(t, l, Options{Path: plain, As: e.Name, KeepNoReasoning: true})
		run(t, l, Options{Path: asTable, As: e.Name, KeepNoReasoning: true})
		for _, f := range report.Files {
			want := read(t, f.Path)
			name := strings.Replace(strings.TrimSuffix(f.Path, ".jsonl"), "/a", "/b", 1) + ".parquet"
			in, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := table.NewReader(in, e.columns)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || unspaced(t, string(got)) != unspaced(t, want) {
				t.Errorf("%s: %v: read back\n%s\nwritten\n%s", e.Name, err, got, want)
			}
			r.Close()
			in.Close()
		}
	}
}

// unspaced cuts the white space between the parts of lines of JSON: tables
// have none.
func unspaced(t *testing.T, lines string) string {
	t.Helper()
	var out []byte
	for line := range strings.Lines(lines) {
		v := jsontext.Value(line)
		if err := v.Compact(); err != nil {
			t.Fatal(err)
		}
		out = append(append(out, v...), '\n')
	}
	return string(out)
}
