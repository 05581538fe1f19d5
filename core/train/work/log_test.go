package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// A log has each line once, as a terminal would show it in the end, none of any length,
// and nothing that is no text.
func TestALogIsWhatATerminalWouldShow(t *testing.T) {
	long := strings.Repeat("é", mostLine)
	in := "one\n\ntwo\r\nloading 1%\rloading 50%\rloading 100%\n\xff\xfe\n" + long + "\nlast, without an end"
	var seen []string
	path := filepath.Join(t.TempDir(), "log.txt")
	for range 2 { // it is written on at its end
		l, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		seen = nil
		l.copyFrom(iotest.OneByteReader(strings.NewReader(in)), func(s string) { seen = append(seen, s) })
		if l.last != "last, without an end" {
			t.Errorf("%q is the last line", l.last)
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "one\n\ntwo\nloading 100%\n\ufffd\n" + strings.Repeat("é", mostLine/2) + "…\nlast, without an end\n"
	if string(got) != want+want {
		t.Errorf("%.300q", got)
	}
	if len(seen) != 8 || seen[2] != "loading 1%" {
		t.Errorf("seen: %.300q", seen)
	}
}

func TestALogDoesNotFillTheDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.txt")
	l, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	l.size = mostLog - 10
	for range 5 {
		l.write("a line of a trainer")
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "a line of a trainer\nwinnow: the log is full: nothing more is kept of it\n" || l.last == "" {
		t.Errorf("%q, %v", text, err)
	}
}

// What a trainer puts in the place of its files neither hangs a worker nor has no end.
func TestFilesOfTrainersAreFiles(t *testing.T) {
	dir := t.TempDir()
	var p points
	for _, path := range []string{dir, "/dev/zero", "/dev/tty"} {
		link := filepath.Join(t.TempDir(), "metrics.jsonl")
		if err := os.Symlink(path, link); err != nil {
			t.Skip(err)
		}
		p.read(link, true)
	}
	path := filepath.Join(dir, "metrics.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.read(path, false)
	}
	write("{\"loss\":1,\"step\":10}\n{\"loss\":2,\"step\":20}\n{\"lo")
	write("{\"loss\":3,\"step\":1}\n") // anew
	if list, _ := p.taken(); len(list) != 3 || list[2].Step != 1 || list[1].Step != 20 {
		t.Errorf("%+v", list)
	}
}
