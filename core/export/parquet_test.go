package export

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// table writes lines as a table and reads them back.
func table(t *testing.T, columns []column, lines string) (back string, file []byte) {
	t.Helper()
	var out bytes.Buffer
	w, err := newTableWriter(&out, columns)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines) {
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := newTableReader(f, columns)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), out.Bytes()
}

var allKinds = []column{
	{name: "z"}, {name: "a", kind: jsonColumn}, {name: "b", kind: boolColumn}, {name: "i", kind: integerColumn}, {name: "n", kind: numberColumn},
	{name: "o", kind: objectColumn, fields: []column{{name: "x"}, {name: "l", kind: textsColumn}}},
	{name: "l", kind: objectsColumn, fields: []column{
		{name: "t"}, {name: "c", kind: objectsColumn, fields: []column{{name: "k"}, {name: "v", kind: jsonColumn}}}, {name: "w", kind: textsColumn},
	}},
}

func TestATableHoldsWhatItsLinesSay(t *testing.T) {
	lines := []string{
		`{}`,
		`{"z":"","a":{"b":[1,null],"a":12345678901234567890},"b":true,"i":-7,"n":1.5,"o":{"x":"ü<&>\n","l":["a","","b"]},"l":[{"t":"1"}]}`,
		`{"o":{},"l":[]}`,
		`{"o":{"l":[]},"l":[{},{"t":"2","c":[],"w":[]},{"c":[{}]},{"c":[{"k":"a"},{"v":null},{"k":"b","v":"text"}],"w":["x","y"]},{"w":["z"]}]}`,
		`{"a":[],"b":false,"i":9007199254740993,"n":0.1}`,
		`{"z":"last"}`,
	}
	want := strings.Join(lines, "\n") + "\n"
	got, file := table(t, allKinds, want)
	if got != want {
		t.Errorf("read back\n%s\nwritten\n%s", got, want)
	}
	if _, again := table(t, allKinds, want); !bytes.Equal(file, again) {
		t.Error("the same lines gave other bytes")
	}
}

func TestATableRefusesWhatItHasNoColumnFor(t *testing.T) {
	for _, line := range []string{
		`{"other":1}`, `{"z":1}`, `{"b":"true"}`, `{"i":1.5}`, `{"i":12345678901234567890}`, `{"o":[]}`, `{"l":{}}`, `{"l":["a"]}`, `{"o":{"l":[1]}}`, `{"z":null}`, `[]`, `{`,
	} {
		w, err := newTableWriter(io.Discard, allKinds)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(line + "\n")); err == nil {
			t.Errorf("%s was taken", line)
		}
	}
}

func TestALargeTableHasRowGroups(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, `{"z":"%d %s"}`+"\n", i, strings.Repeat("x", 1<<20))
	}
	if got, _ := table(t, allKinds, lines.String()); got != lines.String() {
		t.Errorf("%d of %d bytes came back", len(got), lines.Len())
	}
}

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
			r, err := newTableReader(in, e.columns)
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
