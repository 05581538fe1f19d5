package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/unfinished"
)

func TestAnExistingFileNeedsForce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), good(1), Options{Path: path}, nil)
	if !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("error %v", err)
	}
	if read(t, path) != "old" || folder(t, dir) != "out.jsonl" {
		t.Errorf("changed: %s", folder(t, dir))
	}
	run(t, good(1), Options{Path: path, Force: true})
	if read(t, path) == "old" || folder(t, dir) != "out.jsonl" {
		t.Errorf("not replaced: %s", folder(t, dir))
	}
}

func TestBadTargets(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none", "out.jsonl"): "is not there: make it first", os.DevNull: "not a regular file",
	} {
		if _, err := Run(t.Context(), good(1), Options{Path: path, Force: true}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Run(t.Context(), good(1), Options{Path: filepath.Join(dir, "x"), As: "nope"}, nil); !errors.Is(err, ErrNoEmitter) {
		t.Error(err)
	}
}

func TestLeftoversOfAKilledExportAreRemoved(t *testing.T) {
	dir := t.TempDir()
	keep := ".other.jsonl" + unfinished.Mark + "1-0"
	for _, name := range []string{".out.jsonl" + unfinished.Mark + "1-0", ".out.notools.jsonl" + unfinished.Mark + "1-0", keep} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, good(1), Options{Path: filepath.Join(dir, "out.jsonl"), As: "openai"})
	if got := folder(t, dir); got != keep+" out.jsonl" {
		t.Error(got)
	}
}

// What an export in another format has written beside the target is of the data
// set that is replaced.
func TestFilesOfAnotherFormatAreReplaced(t *testing.T) {
	for shard, want := range map[int64]string{0: "out.jsonl", 1 << 20: "out-00000-of-00001.jsonl"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out.jsonl")
		run(t, late(), Options{Path: path, As: "hermes", ShardSize: shard})
		first := filepath.Join(dir, want)
		if err := os.Remove(first); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), late(), Options{Path: path, As: "sft", ShardSize: shard}, nil); !errors.Is(err, ErrExists) {
			t.Errorf("%s beside others of it: %v", want, err)
		}
		run(t, late(), Options{Path: path, As: "sft", ShardSize: shard, Force: true})
		if got := folder(t, dir); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A conversion writes one file: what lies beside it is no part of it.
func TestAConversionLeavesItsNeighboursAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	run(t, late(), Options{Path: path})
	source := `{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}`
	done, err := Convert(t.Context(), strings.NewReader(source), Conversion{As: "sft", Path: path, Force: true}, func(LintFinding) {})
	if got := folder(t, filepath.Dir(path)); err != nil || done.Entries != 1 || got != "out.jsonl out.notools.jsonl" {
		t.Errorf("%s: %+v, %v", got, done, err)
	}
}

func TestNothingIsLeftBehindByAFailedExport(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := good(9)
	reads := 0
	cancelled.onRead = func() {
		if reads++; reads == 5 {
			cancel()
		}
	}
	missing := good(9)
	delete(missing.messages, 5)
	missing.messages[5] = []chat.Message{user("one of two")}
	gone := good(9)
	delete(gone.sessions, "session-5")
	for name, c := range map[string]struct {
		l    *library
		ctx  context.Context
		want string
	}{
		"cancelled":        {cancelled, ctx, "context canceled"},
		"messages missing": {missing, t.Context(), "1 of 2 messages"},
		"session missing":  {gone, t.Context(), "not found"},
	} {
		_, err := Run(c.ctx, c.l, Options{Path: path, Force: true}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got := folder(t, dir); got != "out.jsonl" || read(t, path) != "old" {
			t.Errorf("%s: left %s", name, got)
		}
	}
}

// link makes a symbolic link; where the system allows none there is nothing to
// test.
func link(t *testing.T, to, path string) bool {
	t.Helper()
	return os.Symlink(to, path) == nil
}

func TestALinkStaysAndItsFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"data", "here/deep"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	realFile, path := filepath.Join(dir, "data", "real.jsonl"), filepath.Join(dir, "link.jsonl")
	if !link(t, filepath.Join("here", "deep"), filepath.Join(dir, "way")) ||
		!link(t, filepath.Join("..", "..", "data", "real.jsonl"), filepath.Join(dir, "here", "deep", "second.jsonl")) ||
		!link(t, filepath.Join("way", "second.jsonl"), path) {
		return
	}
	for _, before := range []string{"nothing", "file"} { // a link that leads nowhere yet, one to a file
		_, err := Run(t.Context(), good(1), Options{Path: path}, nil)
		if before == "file" && !errors.Is(err, ErrExists) || before == "nothing" && err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		if before == "file" {
			if err := os.WriteFile(realFile, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, good(1), Options{Path: path, Force: true})
		}
		if got := read(t, realFile); got == "old" || got != read(t, path) {
			t.Errorf("%s: the file holds %q", before, got)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone: %v, %v", before, info, err)
		}
	}
	if got := folder(t, filepath.Join(dir, "data")); got != "real.jsonl" {
		t.Error(got)
	}
}

func TestPartsLieBesideTheFileOfALink(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "link.jsonl")
	if !link(t, filepath.Join(data, "real.jsonl"), path) {
		return
	}
	l := good(1)
	l.add(withTools, user("u"), says("a"))
	run(t, l, Options{Path: path, As: "openai"})
	if got := folder(t, data); got != "real.jsonl real.notools.jsonl" {
		t.Error(got)
	}
}

func TestALinkToItselfIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if !link(t, "a.jsonl", path) {
		return
	}
	if _, err := Run(t.Context(), good(1), Options{Path: path, Force: true}, nil); err == nil || !strings.Contains(err.Error(), "leads to itself") {
		t.Error(err)
	}
}
