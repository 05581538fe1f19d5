package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/export/unfinished"
)

func TestAFolderIsReplacedWhole(t *testing.T) {
	for name, cannot := range map[string]bool{"in one step": false, "in two steps": true} {
		parent := t.TempDir()
		opts := Options{Path: filepath.Join(parent, "set") + "/", Splits: halves, ShardSize: 1}
		if _, err := written(t, opts, "hf", 4); err != nil {
			t.Fatal(name, err)
		}
		if _, err := written(t, opts, "hf", 2); !errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
		opts.Force, opts.Splits, opts.ShardSize = true, nil, 0
		out, err := newOutput(&opts, &emitters[0])
		if err != nil {
			t.Fatal(name, err)
		}
		if cannot {
			out.(*dataset).exchange = func(string, string) error { return errors.ErrUnsupported }
		}
		if err := out.add(destination{}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
			t.Fatal(name, err)
		}
		if _, err := out.commit(&opts, &Report{}); err != nil {
			t.Fatal(name, err)
		}
		out.abort()
		if got := folder(t, filepath.Join(parent, "set", "data")); got != "train-00000-of-00001.jsonl" || folder(t, parent) != "set" {
			t.Errorf("%s: %s beside %s", name, got, folder(t, parent))
		}
	}
}

func TestAnEmptyFolderIsFilled(t *testing.T) {
	dir := t.TempDir()
	if _, err := written(t, Options{Path: dir}, "hf", 1); err != nil {
		t.Fatal(err)
	}
	if got := folder(t, dir); !strings.Contains(got, "data") {
		t.Error(got)
	}
}

func TestTheWorkingFolderIsFilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if _, err := written(t, Options{Path: "."}, "hf", 1); err != nil {
		t.Fatal(err)
	}
	if got := folder(t, filepath.Join(dir, "data")); got != "train-00000-of-00001.jsonl" || folder(t, filepath.Dir(dir)) != "set" {
		t.Error(got)
	}
}

func TestWhatIsNoExportIsNeverReplaced(t *testing.T) {
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), []byte("years"), 0o600); err != nil {
		t.Fatal(err)
	}
	added := t.TempDir()
	if _, err := written(t, Options{Path: added}, "hf", 1); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(added, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(added, ".git", "HEAD"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{foreign: "is no export", added: "HEAD was not written", file + "/": "name another"} {
		before := ""
		if path != file+"/" {
			before = fmt.Sprint(tree(t, path))
		}
		if _, err := written(t, Options{Path: path, Force: true}, "hf", 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
		if before != "" && fmt.Sprint(tree(t, path)) != before {
			t.Errorf("%s changed", path)
		}
	}
}

func TestAFolderMovedAwayByAKilledExportComesBack(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "set")
	if _, err := written(t, Options{Path: path + "/"}, "hf", 1); err != nil {
		t.Fatal(err)
	}
	want := tree(t, path)
	// This is how it is left between the two steps.
	if err := os.Rename(path, filepath.Join(parent, ".set"+unfinished.Mark+"old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(parent, ".set"+unfinished.Mark+"1-0"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := written(t, Options{Path: path + "/"}, "hf", 1); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	if got := tree(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if _, err := written(t, Options{Path: path + "/", Force: true}, "hf", 1); err != nil || folder(t, parent) != "set" {
		t.Errorf("left %s: %v", folder(t, parent), err)
	}
}

func TestAFailedFolderLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	opts := Options{Path: filepath.Join(parent, "set") + "/"}
	out, err := newOutput(&opts, &emitters[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := out.add(destination{}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
		t.Fatal(err)
	}
	if err := out.add(destination{split: "none"}, &record{}); err == nil {
		t.Error("a split that is not there was taken")
	}
	out.abort()
	if got := folder(t, parent); got != "" {
		t.Errorf("left %s", got)
	}
}
