package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/store/sqlite"
)

// Rescue never destroys what may hold verdicts, and never its source, whatever
// is named as the new database.
func TestRescueDestroysNothing(t *testing.T) {
	path, _ := judgedLibrary(t, 2)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(from, n int) []byte {
		b := bytes.Clone(sound)
		clear(b[from:][:n])
		return b
	}
	for _, c := range []struct {
		name     string
		from, to string
		there    map[string][]byte // files beside the source
		refused  string            // with force
		unasked  string            // without
		kept     map[string]string // names of files, and of what became of them
	}{
		{"nothing there", "a.db", "b.db", nil, "", "", nil},
		{"a database", "a.db", "b.db", map[string][]byte{"b.db": sound}, "", "is there already", map[string]string{"b.db": "b.db.old"}},
		{"another kept before", "a.db", "b.db", map[string][]byte{"b.db": sound, "b.db.old": {1}}, "", "is there already",
			map[string]string{"b.db": "b.db.old.2", "b.db.old": "b.db.old"}},
		{"a text", "a.db", "b.db", map[string][]byte{"b.db": []byte(strings.Repeat("a text\n", 9999))}, "", "is there already", map[string]string{"b.db": "b.db.old"}},
		{"a log without its database", "a.db", "b.db", map[string][]byte{"b.db-wal": {1, 2, 3}}, "", "is there already", map[string]string{"b.db-wal": "b.db.old-wal"}},
		{"a database whose first page is lost", "a.db", "b.db", map[string][]byte{"b.db": damaged(0, sqlite.PageSize)}, "is a damaged winnow database", "is there already",
			map[string]string{"b.db": "b.db"}},
		{"a damaged database", "a.db", "b.db", map[string][]byte{"b.db": damaged(5*sqlite.PageSize, sqlite.PageSize)}, "is a damaged winnow database", "is there already",
			map[string]string{"b.db": "b.db"}},
		{"itself", "a.db", "a.db", nil, "is the damaged database itself", "is the damaged database itself", nil},
		{"its log", "a.db", "a.db-wal", map[string][]byte{"a.db-wal": {1}}, "is the damaged database itself", "is the damaged database itself", nil},
		{"the name of one under way", "a.half", "a", nil, "is the damaged database itself", "is the damaged database itself", nil},
		{"a log as the source", "a-wal", "a", nil, "is the damaged database itself", "is the damaged database itself", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			write := func(name string, b []byte) {
				if err := os.WriteFile(at(name), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(c.from, sound)
			for name, b := range c.there {
				write(name, b)
			}
			rescue := func(force bool) (*Rescued, string) {
				out, err := Rescue(t.Context(), at(c.from), at(c.to), force, Options{Clock: newClock().Now}, nil)
				if b, err := os.ReadFile(at(c.from)); err != nil || !bytes.Equal(b, sound) {
					t.Errorf("the source was changed: %v", err)
				}
				if err != nil {
					return nil, err.Error()
				}
				return out, ""
			}
			if c.unasked != "" {
				if _, text := rescue(false); !strings.Contains(text, c.unasked) {
					t.Errorf("without force: %q", text)
				}
				for name, b := range c.there {
					if is, err := os.ReadFile(at(name)); err != nil || !bytes.Equal(is, b) {
						t.Errorf("%s was changed: %v", name, err)
					}
				}
			}
			out, text := rescue(true)
			if c.refused != "" && !strings.Contains(text, c.refused) || c.refused == "" && text != "" {
				t.Errorf("with force: %q", text)
			}
			for name, now := range c.kept {
				if is, err := os.ReadFile(at(now)); err != nil || !bytes.Equal(is, c.there[name]) {
					t.Errorf("%s is not kept as %s: %v", name, now, err)
				}
			}
			if out != nil && len(c.there) > 0 && !strings.HasPrefix(filepath.Base(out.Kept), c.to+".old") {
				t.Errorf("kept as %q", out.Kept)
			}
			if out != nil && out.Verdicts == 0 {
				t.Error("no verdicts came out")
			}
		})
	}
}
