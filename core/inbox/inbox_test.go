package inbox

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/export/unfinished"
)

func open(t *testing.T, dir string) *Box {
	t.Helper()
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// put uploads a text; the offset is Whole for all of it.
func put(t *testing.T, b *Box, u Upload, text string) (Put, error) {
	t.Helper()
	s, err := b.Spool()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if u.Agent == "" {
		u.Agent = "a"
	}
	return b.Put(u, s)
}

// TestOutcomes goes through what a body can be to what is stored.
func TestOutcomes(t *testing.T) {
	const none = "-"
	for _, c := range []struct {
		name, stored, body string
		offset             int64
		replace            bool
		outcome            Outcome // "" is an error
		left               string  // what is stored then
		size               int64   // that an error tells
	}{
		{"nothing stored", none, "ab\n", Whole, false, New, "ab\n", 0},
		{"equal", "ab\n", "ab\n", Whole, false, Unchanged, "ab\n", 0},
		{"begins with all that is stored", "ab\n", "ab\ncd\n", Whole, false, Grown, "ab\ncd\n", 0},
		{"the beginning of what is stored", "ab\ncd\n", "ab\n", Whole, false, "", "ab\ncd\n", 6},
		{"the beginning, to replace", "ab\ncd\n", "ab\n", Whole, true, Rewritten, "ab\n", 0},
		{"other", "ab\ncd\n", "xy\n", Whole, false, Rewritten, "xy\n", 0},
		{"other of the same size", "ab\n", "xy\n", Whole, false, Rewritten, "xy\n", 0},
		{"a first piece", none, "ab", 0, false, New, "ab", 0},
		{"a piece at the end", "ab\n", "cd", 3, false, Grown, "ab\ncd", 0},
		{"a piece with an overlap", "ab\n", "b\ncd", 1, false, Grown, "ab\ncd", 0},
		{"a piece from the beginning", "ab\n", "ab\ncd", 0, false, Grown, "ab\ncd", 0},
		{"a piece that is there", "ab\ncd\n", "b\nc", 1, false, Unchanged, "ab\ncd\n", 0},
		{"an empty piece", "ab\n", "", 3, false, Unchanged, "ab\n", 0},
		{"a piece after the end", "ab\n", "cd", 4, false, "", "ab\n", 3},
		{"a piece of nothing", none, "cd", 4, false, "", none, 0},
		{"an overlap that differs", "ab\n", "x\ncd", 1, false, "", "ab\n", 3},
		{"a piece within that differs", "ab\ncd\n", "x", 1, false, "", "ab\ncd\n", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, filepath.Join(t.TempDir(), "inbox"))
			path := filepath.Join(b.Dir(), "a", "s.jsonl")
			if c.stored != none {
				if _, err := put(t, b, Upload{Session: "s", Offset: Whole}, c.stored); err != nil {
					t.Fatal(err)
				}
			}
			p, err := put(t, b, Upload{Session: "s", Offset: c.offset, Replace: c.replace}, c.body)
			var offset *OffsetError
			var shorter *ShorterError
			switch {
			case c.outcome != "":
				if err != nil || p.Outcome != c.outcome || p.Size != int64(len(c.left)) || p.Path != path {
					t.Errorf("%+v, %v", p, err)
				}
			case errors.As(err, &offset):
				if offset.Size != c.size || c.offset == Whole {
					t.Errorf("%v", err)
				}
			case !errors.As(err, &shorter) || shorter.Size != c.size:
				t.Errorf("%v", err)
			}
			left, err := os.ReadFile(path)
			if c.left == none && err == nil || c.left != none && string(left) != c.left {
				t.Errorf("left %q, %v", left, err)
			}
			spooled, err := os.ReadDir(filepath.Join(b.Dir(), spoolDir))
			if err != nil || len(spooled) > 0 {
				t.Errorf("in the spool: %v, %v", spooled, err)
			}
		})
	}
}

// TestPiecesAddUp sends a text in random pieces, some of them again, and whole in
// between: it is always the beginning of the text that is stored.
func TestPiecesAddUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 3*blockSize)
	for i := range text {
		text[i] = byte(rnd.Uint32())
	}
	b := open(t, t.TempDir())
	var path string
	for sent := 0; sent < len(text); {
		from := max(0, sent-rnd.IntN(blockSize/2))
		to := min(len(text), from+1+rnd.IntN(blockSize))
		u := Upload{Session: "s", Offset: int64(from)}
		if rnd.IntN(5) == 0 && to > sent {
			u.Offset, from = Whole, 0
		}
		p, err := put(t, b, u, string(text[from:to]))
		if err != nil {
			t.Fatal(err)
		}
		sent = max(sent, to)
		path = p.Path
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text[:sent]) || p.Size != int64(sent) {
			t.Fatalf("%d bytes stored, %v; %d sent", len(got), err, sent)
		}
	}
}

// TestCheckKeepsWhatIsStored checks that a body that is not taken changes nothing.
func TestCheckKeepsWhatIsStored(t *testing.T) {
	b := open(t, t.TempDir())
	if _, err := put(t, b, Upload{Session: "s", Offset: Whole}, "ab\n"); err != nil {
		t.Fatal(err)
	}
	no := errors.New("no")
	u := Upload{Session: "s", Offset: Whole, Hints: Hints{Model: "m"}, Check: func(io.Reader, Hints) error { return no }}
	if _, err := put(t, b, u, "xy\n"); err != no {
		t.Fatal(err)
	}
	files, err := b.Files()
	if err != nil || len(files) != 1 || files[0].Model != "" {
		t.Fatalf("%+v, %v", files, err)
	}
	if text, err := os.ReadFile(files[0].Path); err != nil || string(text) != "ab\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestNames checks that names are those of files, that none is like another one, and
// that agents are found again.
func TestNames(t *testing.T) {
	names := []string{
		"a", "A", ".", "..", "../x", "a/b", `a\b`, "a.b", ".agent", spoolDir, "a%2Fb", "a~b", "日本", "con:1", " ", "a b",
		strings.Repeat("x", mostAgent), strings.Repeat("%", mostAgent), strings.Repeat("/", mostAgent), strings.Repeat("/", mostAgent-1) + "~",
	}
	b := open(t, t.TempDir())
	for _, fold := range []bool{false, true} {
		seen := map[string]string{}
		for _, name := range names {
			file := escaped(name, fold)
			key := file
			if fold {
				key = strings.ToLower(file)
			}
			if other, there := seen[key]; there || len(file) > mostName || strings.ContainsAny(file, `/\: `) || strings.HasPrefix(file, ".") {
				t.Errorf("%q is %q, like %q", name, file, other)
			}
			seen[key] = name
		}
	}
	for _, name := range names {
		if _, err := put(t, b, Upload{Agent: name, Session: name, Offset: Whole, Hints: Hints{Format: "f"}}, "x"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	files, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range files {
		found[f.Agent] = f.Format == "f" && filepath.Dir(filepath.Dir(f.Path)) == b.Dir()
	}
	for _, name := range names {
		if !found[name] {
			t.Errorf("%q is not found again", name)
		}
	}
	for _, name := range []string{"", " ", "\u2003 \u00a0", "a\nb", "a\x00", "\x1b[2J", "a\xff", strings.Repeat("x", mostAgent+1)} {
		if CheckAgent(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// TestOneServerHasAnInbox checks the lock, and that what was unfinished is removed.
func TestOneServerHasAnInbox(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "inbox")
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Spool(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "another winnow serve has this inbox: end that one, or name another with --inbox") {
		t.Errorf("opened twice: %v", err)
	}
	b.Close()
	lock, err := unfinished.Path(dir, "lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(lock, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "cannot be locked") {
		t.Errorf("opened without a lock: %v", err)
	}
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if left, err := os.ReadDir(filepath.Join(dir, spoolDir)); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestEntriesAreOnTheDisk checks which folders are synced before an upload is answered.
func TestEntriesAreOnTheDisk(t *testing.T) {
	b := open(t, t.TempDir())
	var synced []string
	sync := b.sync
	b.sync = func(folder string) { synced = append(synced, filepath.Base(folder)); sync(folder) }
	box := filepath.Base(b.Dir())
	for _, c := range []struct {
		name, agent, text string
		offset            int64
		model             string
		want              string
	}{
		{"an agent's first", "a", "ab", Whole, "", box + " a"},
		{"another session", "a", "abc", Whole, "", "a"},
		{"a piece", "a", "d", 3, "", ""},
		{"a piece with a hint", "a", "e", 4, "m", "a"},
		{"a folder that another upload made and did not sync yet", "b", "ab", Whole, "", box + " b"},
	} {
		if c.agent == "b" {
			if err := os.Mkdir(filepath.Join(b.Dir(), "b"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		synced = nil
		if _, err := put(t, b, Upload{Agent: c.agent, Session: "s", Offset: c.offset, Hints: Hints{Model: c.model}}, c.text); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := strings.Join(synced, " "); got != c.want {
			t.Errorf("%s: synced %q, want %q", c.name, got, c.want)
		}
	}
}

// TestContentIsOnTheDisk checks that what came is on the disk before an upload is
// answered, and that nothing has changed where that fails.
func TestContentIsOnTheDisk(t *testing.T) {
	b := open(t, t.TempDir())
	var saved []string // what the files held then
	errFull := errors.New("no room")
	var full error
	b.save = func(f *os.File) error {
		text, err := os.ReadFile(f.Name())
		saved = append(saved, string(text))
		return errors.Join(err, full)
	}
	for _, c := range []struct {
		name, text string
		offset     int64
		full       error
		want       string // is saved
		stored     string
	}{
		{"no room for the first", "ab", Whole, errFull, "ab", ""},
		{"the first", "ab", Whole, nil, "ab", "ab"},
		{"all of it again", "ab", Whole, nil, "", "ab"},
		{"no room for a piece", "bc", 1, errFull, "abc", "ab"},
		{"a piece", "bc", 1, nil, "abc", "abc"},
		{"no room for another one", "xy", Whole, errFull, "xy", "abc"},
		{"another one", "xy", Whole, nil, "xy", "xy"},
	} {
		saved, full = nil, c.full
		if _, err := put(t, b, Upload{Agent: "a", Session: "s", Offset: c.offset}, c.text); !errors.Is(err, c.full) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := strings.Join(saved, " "); got != c.want {
			t.Errorf("%s: saved %q, want %q", c.name, got, c.want)
		}
		text, err := os.ReadFile(b.Path("a", "s"))
		if string(text) != c.stored || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q is stored, want %q; %v", c.name, text, c.stored, err)
		}
	}
}
