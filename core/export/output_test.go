package export

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/export/unfinished"
)

// tree lists the files of a folder with their sums.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, name))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// written is an export of n small samples that go to the splits in turn.
func written(t *testing.T, opts Options, emitter string, n int) ([]File, error) {
	t.Helper()
	e, err := Find(emitter)
	if err != nil {
		t.Fatal(err)
	}
	out, err := newOutput(&opts, e)
	if err != nil {
		return nil, err
	}
	defer out.abort()
	names := splitNames(&opts)
	r := &Report{LeftOut: []LeftOut{{Segment: "left", SessionFile: "/home/ann/s.jsonl", Finding: Finding{Check: "last", Message: 2, Detail: "why"}}}, Candidates: n + 1, Written: n, Rows: n}
	for i := range n {
		line := fmt.Sprintf(`{"id":"%d","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","train":true}],"provenance":"{}"}`+"\n", i)
		rec := &record{lines: []byte(line), rows: 1, tokens: i, origin: lineage.Origin{Segment: fmt.Sprint("segment-", i), Sample: fmt.Sprint(i), Source: "/home/ann/s.jsonl", Messages: []int{1, 2}}}
		if err := out.add(destination{split: names[i%len(names)], part: 0}, rec); err != nil {
			return nil, err
		}
	}
	return out.commit(&opts, r)
}

var halves = []Split{{Name: "train", Share: 0.5}, {Name: "validation", Share: 0.5}}

func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct {
		path string
		opts Options
		want string
	}{
		{"a.jsonl", Options{}, "a.jsonl"},
		{"a", Options{}, "a"},
		{".hidden", Options{Splits: halves}, ".hidden .hidden.validation"},
		{"a.jsonl", Options{Splits: halves}, "a.jsonl a.validation.jsonl"},
		{"a.jsonl.gz", Options{Splits: halves}, "a.jsonl.gz a.validation.jsonl.gz"},
		{"a.jsonl", Options{ShardSize: 260}, "a-00000-of-00002.jsonl a-00001-of-00002.jsonl"},
		{"a.jsonl", Options{ShardSize: 1}, "a-00000-of-00004.jsonl a-00001-of-00004.jsonl a-00002-of-00004.jsonl a-00003-of-00004.jsonl"},
		{"a.parquet", Options{Splits: halves, ShardSize: 1 << 20}, "a-00000-of-00001.parquet a.validation-00000-of-00001.parquet"},
	} {
		dir := t.TempDir()
		c.opts.Path = filepath.Join(dir, c.path)
		files, err := written(t, c.opts, "hf", 4)
		if got := folder(t, dir); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.want, got, err)
		}
		for _, f := range files {
			data := read(t, f.Path)
			if f.Bytes != int64(len(data)) || f.SHA256 != fmt.Sprintf("%x", sha256.Sum256([]byte(data))) {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestAFolderHasOneNameForEachSplit(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{}, "train-00000-of-00001.jsonl"},
		{Options{Splits: halves}, "train-00000-of-00001.jsonl validation-00000-of-00001.jsonl"},
		{Options{Splits: halves, ShardSize: 1, Gzip: true}, "train-00000-of-00002.jsonl.gz train-00001-of-00002.jsonl.gz validation-00000-of-00002.jsonl.gz validation-00001-of-00002.jsonl.gz"},
		{Options{Parquet: true}, "train-00000-of-00001.parquet"},
	} {
		dir := filepath.Join(t.TempDir(), "set")
		c.opts.Path = dir + string(filepath.Separator)
		files, err := written(t, c.opts, "hf", 4)
		if err != nil {
			t.Fatal(err)
		}
		if got := folder(t, filepath.Join(dir, "data")); got != c.want {
			t.Error(got)
		}
		rows := 0
		for _, f := range files {
			data := read(t, f.Path)
			rows += f.Rows
			if f.Bytes != int64(len(data)) || f.SHA256 != fmt.Sprintf("%x", sha256.Sum256([]byte(data))) {
				t.Errorf("%+v", f)
			}
		}
		if got := folder(t, filepath.Dir(dir)); got != "set" || rows != 4 {
			t.Errorf("beside: %s, %d rows", got, rows)
		}
	}
}

func TestGzipHoldsTheSameLinesAndNoTime(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	for _, opts := range []Options{{Path: plain}, {Path: packed, Gzip: true}, {Path: packed + ".gz"}} {
		if _, err := written(t, opts, "hf", 9); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, packed) != read(t, packed+".gz") {
		t.Error("two files of the same records differ")
	}
	r, err := gzip.NewReader(strings.NewReader(read(t, packed)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil || string(text) != read(t, plain) || r.Name != "" || !r.ModTime.IsZero() {
		t.Errorf("%v, name %q, time %v, the same text: %v", err, r.Name, r.ModTime, string(text) == read(t, plain))
	}
}

func TestContradictingCodings(t *testing.T) {
	for _, opts := range []Options{{Path: "a.parquet", Gzip: true}, {Path: "a.jsonl.gz", Parquet: true}, {Path: "a/", Parquet: true, Gzip: true}} {
		opts.Path = t.TempDir() + "/" + opts.Path
		if _, err := written(t, opts, "hf", 1); err == nil || !strings.Contains(err.Error(), "gzip") {
			t.Error(err)
		}
	}
}

func TestVerifyReadsWhatWasWritten(t *testing.T) {
	for _, path := range []string{"a.jsonl", "a.jsonl.gz", "a.parquet", "a/"} {
		opts := Options{Path: t.TempDir() + "/" + path, Splits: halves, ShardSize: 1}
		out, err := newOutput(&opts, &emitters[0])
		if err != nil {
			t.Fatal(err)
		}
		line := `{"id":"secret"}` + "\n"
		for _, split := range []string{"train", "validation", "train"} {
			if err := out.add(destination{split: split}, &record{lines: []byte(line), rows: 1}); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		err = out.verify(func(r io.Reader) error {
			text, err := io.ReadAll(r)
			if n++; err != nil || string(text) != line {
				t.Errorf("%s: %q, %v", path, text, err)
			}
			return nil
		})
		if n != 3 || err != nil {
			t.Errorf("%s: %d files, %v", path, n, err)
		}
		if err := out.verify(func(io.Reader) error { return errLimit }); !errors.Is(err, errLimit) {
			t.Error(err)
		}
		out.abort()
	}
}

func TestARunningExportKeepsItsFiles(t *testing.T) {
	for _, path := range []string{"set/", "a.jsonl"} {
		parent := t.TempDir()
		opts := Options{Path: filepath.Join(parent, "x") + path}
		first, err := newOutput(&opts, &emitters[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := first.add(destination{}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := written(t, opts, "hf", 1); err == nil || !strings.Contains(err.Error(), "another export") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := first.commit(&opts, &Report{}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		first.abort()
		if got := folder(t, parent); strings.Contains(got, unfinished.Mark) {
			t.Errorf("left %s", got)
		}
	}
}

// sideBy is an emitter with a file beside.
func sideBy(data func(files []File) string) *Emitter {
	e := emitters[0]
	e.beside = func(files []File) []SideFile { return []SideFile{{"info.json", []byte(data(files))}} }
	return &e
}

func TestFilesBesideKeepTheEntriesOfOthers(t *testing.T) {
	dir := t.TempDir()
	info := filepath.Join(dir, "info.json")
	put := func(path string, force bool) error {
		e := sideBy(func(files []File) string { return fmt.Sprintf(`{"mine":{"file":%q}}`, files[0].Path) })
		opts := Options{Path: filepath.Join(dir, path), Force: force}
		out, err := newOutput(&opts, e)
		if err != nil {
			t.Fatal(err)
		}
		defer out.abort()
		if err := out.add(destination{}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
			t.Fatal(err)
		}
		_, err = out.commit(&opts, &Report{})
		return err
	}
	if err := os.WriteFile(info, []byte(`{ "other": {"file": "b", "n": 1.0} }`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put("a.jsonl", false); err != nil {
		t.Fatal(err)
	}
	const want = "{\n  \"other\": {\n    \"file\": \"b\",\n    \"n\": 1.0\n  },\n  \"mine\": {\n    \"file\": \"a.jsonl\"\n  }\n}\n"
	if got := read(t, info); got != want {
		t.Error(got)
	}
	if err := put("b.jsonl", false); err == nil || !strings.Contains(err.Error(), "--force") || read(t, info) != want {
		t.Error(err)
	}
	if err := put("b.jsonl", true); err != nil || !strings.Contains(read(t, info), "b.jsonl") || !strings.Contains(read(t, info), "other") {
		t.Error(err, read(t, info))
	}
	if err := os.WriteFile(info, []byte("[1]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put("c.jsonl", true); err == nil || read(t, info) != "[1]" {
		t.Error(err)
	}
	if got := folder(t, dir); got != "a.jsonl b.jsonl info.json" {
		t.Error(got)
	}
}

func TestASideFileInAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	e := sideBy(func(files []File) string { return files[0].Path })
	opts := Options{Path: dir + "/"}
	out, err := newOutput(&opts, e)
	if err != nil {
		t.Fatal(err)
	}
	defer out.abort()
	if err := out.add(destination{}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err = out.commit(&opts, &Report{}); err != nil || read(t, filepath.Join(dir, "info.json")) != "data/train-00000-of-00001.jsonl" {
		t.Error(err)
	}
}

func TestPartsWithNamesOfTheirOwn(t *testing.T) {
	e := emitters[0]
	e.lacks, e.folderNames = nil, []string{"good", "bad"}
	for path, want := range map[string]string{"set/": "bad.jsonl good.jsonl", "a.jsonl": "a.jsonl"} {
		dir := t.TempDir()
		opts := Options{Path: filepath.Join(dir, path)}
		if strings.HasSuffix(path, "/") {
			opts.Path += "/"
			dir = filepath.Join(dir, path)
		}
		out, err := newOutput(&opts, &e)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			if err := out.add(destination{part: i % 2}, &record{lines: []byte("{}\n"), rows: 1}); err != nil {
				t.Fatal(err)
			}
		}
		files, err := out.commit(&opts, &Report{})
		out.abort()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(folder(t, dir), "README.md", ""), "recipes", "")), " ")
		if strings.TrimPrefix(got, ".lineage ") != want || path == "a.jsonl" && files[0].Rows != 4 {
			t.Errorf("%s: %s, %+v", path, got, files)
		}
	}
}

func TestEqualExportsHaveEqualBytes(t *testing.T) {
	var trees []map[string]string
	for range 2 {
		l := good(20)
		l.add(withTools, user("u"), says("a"))
		l.add(nil, user("u"), chat.Message{Role: chat.Tool, ToolCallID: "x"}, says("a")) // left out
		dir := filepath.Join(t.TempDir(), "set")
		run(t, l, Options{Path: dir + "/", ShardSize: 500, Program: "winnow 1"})
		trees = append(trees, tree(t, dir))
	}
	if len(trees[0]) < 5 || fmt.Sprint(trees[0]) != fmt.Sprint(trees[1]) {
		t.Errorf("%v\n%v", trees[0], trees[1])
	}
	var sums bytes.Buffer
	for name := range trees[0] {
		sums.WriteString(name)
	}
	if strings.Contains(sums.String(), "unfinished") || strings.Contains(sums.String(), "samples") {
		t.Error(trees[0])
	}
}
