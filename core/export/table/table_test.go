package table

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// table writes lines as a table and reads them back.
func table(t *testing.T, columns []Column, lines string) (back string, file []byte) {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, columns)
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
	r, err := NewReader(f, columns)
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

var allKinds = []Column{
	{Name: "z"}, {Name: "a", Kind: JSON}, {Name: "b", Kind: Bool}, {Name: "i", Kind: Integer}, {Name: "n", Kind: Number},
	{Name: "o", Kind: Object, Fields: []Column{{Name: "x"}, {Name: "l", Kind: Texts}}},
	{Name: "l", Kind: Objects, Fields: []Column{
		{Name: "t"}, {Name: "c", Kind: Objects, Fields: []Column{{Name: "k"}, {Name: "v", Kind: JSON}}}, {Name: "w", Kind: Texts},
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
		w := NewWriter(io.Discard, allKinds)
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
