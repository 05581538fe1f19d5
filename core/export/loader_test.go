package export

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
)

// refusedBy returns the first thing that the loader refuses a file for, if it
// knows the columns from so many bytes.
func refusedBy(file string, block int) string {
	l := loader{block: block}
	for line := range strings.Lines(file) {
		if wrong := l.row(jsontext.Value(strings.TrimSuffix(line, "\n"))); wrong != "" {
			return wrong
		}
	}
	return ""
}

func TestLoaderTakesColumnsFromTheBeginning(t *testing.T) {
	for _, c := range []struct{ first, later, wrong string }{
		{`{"a":"x"}`, `{"a":"y"}`, ""},
		{`{"a":"x","b":1}`, `{"a":"y"}`, ""},
		{`{"a":"x"}`, `{"a":"y","b":1}`, `the key "b" is new`},
		{`{"a":"x"}`, `{"a":null}`, ""},
		{`{"a":null}`, `{"a":"x"}`, `"a" is a text, where the beginning has nothing`},
		{`{"a":[]}`, `{"a":["x"]}`, `"a[]" is a text, where the beginning has nothing`},
		{`{"a":1}`, `{"a":1.5}`, `"a" is a number, where the beginning has a whole number`},
		{`{"a":1.5}`, `{"a":1}`, ""},
		{`{"a":"x"}`, `{"a":1}`, ""},
		{`{"a":1}`, `{"a":"x"}`, `"a" is a text`},
		{`{"a":"2026-05-03T12:00:01Z"}`, `{"a":"2026-05-03T12:00:01.5Z"}`, `"a" is a text, where the beginning has a time`},
		{`{"a":{"b":1}}`, `{"a":{"b":1,"c":2}}`, `the key "a.c" is new`},
		{`{"a":[{"b":1},{"c":1}]}`, `{"a":[{"d":"x"}]}`, ""},
		{`{"a":{}}`, `{"a":{"b":1}}`, ""},
		{`{"a":[1,"x",{}]}`, `{"a":[true]}`, ""},
	} {
		got := refusedBy(c.first+"\n"+c.later+"\n", len(c.first))
		if !strings.Contains(got, c.wrong) || c.wrong == "" && got != "" {
			t.Errorf("%s then %s: %q, want %q", c.first, c.later, got, c.wrong)
		}
		if got := refusedBy(c.first+"\n"+c.later+"\n", loaderBlock); got != "" {
			t.Errorf("%s and %s in one block: %q", c.first, c.later, got)
		}
	}
}

// late is a library of sessions of which the first knows nothing but its
// messages, and later ones tell more.
func late() *library {
	l := &library{}
	yes, no := true, false
	for set := range 32 {
		l.add(func(seg *review.Segment, s *review.Session) {
			if set%3 == 1 {
				seg.Verdict = review.Rejected // for formats that take both
			}
			if set&1 != 0 {
				s.Tools = toolsRecorded
			}
			if set&2 != 0 {
				s.Completed = &yes
			}
			if set&6 == 6 {
				s.Completed = &no
			}
			if set&8 != 0 {
				s.Started, s.Model = "2026-05-03T12:00:01Z", "m"
			}
			if set&16 != 0 {
				s.Metadata = `{"toolsets_used":["web"]}`
			}
		}, user(fmt.Sprint("u", set)), with(calls("1"), func(m *chat.Message) { m.Reasoning = "r" }), result("1", "x"), says("a"))
	}
	return l
}

// However late a session tells of its tools, its end or its model: all rows of
// a file have the columns of the first.
func TestRowsOfAFileShareColumns(t *testing.T) {
	l := late()
	for i := range ofSamples() {
		e := &ofSamples()[i]
		for _, folder := range []string{"", "set/"} {
			dir := t.TempDir()
			path := filepath.Join(dir, "out.jsonl")
			if folder != "" {
				path = dir + "/" + folder
			}
			r := run(t, l, Options{As: e.Name, Path: path})
			rows := 0
			for _, f := range r.Files {
				text := read(t, f.Path)
				if wrong := refusedBy(text, 2000); wrong != "" {
					t.Errorf("%s: %s: %s", e.Name, f.Path, wrong)
				}
				if wrong := wrongIn(e, text); wrong != "" {
					t.Errorf("%s: %s: %s", e.Name, f.Path, wrong)
				}
				n, err := e.Validate(strings.NewReader(text))
				if rows += n; err != nil {
					t.Errorf("%s: %s: %v", e.Name, f.Path, err)
				}
			}
			if rows != r.Rows || r.Written == 0 {
				t.Errorf("%s: %d of %d rows in the files", e.Name, rows, r.Rows)
			}
			if folder == "" {
				continue
			}
			card, err := os.ReadFile(filepath.Join(path, cardName))
			if err != nil || len(e.columns) > 0 != strings.Contains(string(card), "\ndataset_info:\n") {
				t.Errorf("%s: %v\n%s", e.Name, err, card)
			}
		}
	}
}

// A file is found whose later rows bring what its beginning has not.
func TestLintFindsLateColumns(t *testing.T) {
	row := func(more string) string {
		return `{"id":"x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","train":true}],"provenance":"{}"` + more + "}\n"
	}
	plain := row("")
	file := strings.Repeat(plain, loaderBlock/len(plain)/64) // with a smaller block
	count := 0
	l := linter{emitter: &hf, loader: loader{block: len(file)}, refused: map[string]bool{}, found: func(f LintFinding) {
		count++
		if f.Check != "columns" || !strings.Contains(f.Detail, `"tools" is new`) {
			t.Errorf("%+v", f)
		}
	}}
	at := 0
	for line := range strings.Lines(file + row(`,"tools":"[]"`) + row(`,"tools":"[]"`) + plain) {
		at++
		l.line(t.Context(), at, []byte(strings.TrimSuffix(line, "\n")))
	}
	if count != 1 {
		t.Errorf("%d findings", count)
	}
}
