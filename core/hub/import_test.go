package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/review"
	"winnow/core/session"
)

// bench is an import under test: a folder, a store and the importer.
type bench struct {
	t     *testing.T
	dir   string
	store *memStore
	im    *Importer
}

func newBench(t *testing.T) *bench {
	s := newMemStore(t)
	return &bench{t, t.TempDir(), s, &Importer{Store: s, Clock: time.Now, Agent: "default", Jobs: 2}}
}

func (b *bench) write(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	// The clock of a file system is coarse; a changed file must look changed.
	b.store.nextID++
	stamp := time.Unix(1_700_000_000+int64(b.store.nextID), 0)
	if err := os.Chtimes(path, stamp, stamp); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) load() Report {
	b.t.Helper()
	r, err := b.im.Import(context.Background(), []string{b.dir}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.store.verify()
	return r
}

func (b *bench) session(path string) *memSession {
	b.t.Helper()
	m := b.store.sessions["default "+path]
	if m == nil {
		b.t.Fatalf("no session %s", path)
	}
	return m
}

// line is one recorded message.
func line(role, text string) string { return fmt.Sprintf("{\"role\":%q,\"content\":%q}\n", role, text) }

// talk is a session of n messages of about size bytes each.
func talk(n, size int) string {
	var b strings.Builder
	for i := range n {
		text := fmt.Appendf(nil, "message %d ", i+1)
		for len(text) < size {
			text = append(strconv.AppendInt(text, int64(len(text)*(i+7)*7919), 16), ' ')
		}
		b.WriteString(line([...]string{"user", "assistant"}[i%2], string(text)))
	}
	return b.String()
}

// longTalk is 18 MB: several commits.
var longTalk = sync.OnceValue(func() string { return talk(900, 20000) })

func TestImportCountsEveryLine(t *testing.T) {
	b := newBench(t)
	b.write("a.jsonl", line("user", "hi")+"\n"+"not json\n"+line("assistant", "hello"))
	b.write("sub/b.jsonl", line("user", "q"))
	b.write("empty.jsonl", "")
	r := b.load()
	want := session.Counts{Read: 3, Skipped: 1, Bad: 1}
	if r.Sources != 3 || r.New != 2 || r.Messages != 3 || r.Lines != want {
		t.Fatalf("%+v", r)
	}
	if len(r.Nothing) != 1 || r.Nothing[0].Reason == "" {
		t.Fatalf("the empty file is not explained: %+v", r.Nothing)
	}
	again := b.load()
	if again.New != 0 || again.Updated != 0 || again.Unchanged != 3 || again.Bytes != 0 || again.Lines != want || again.Messages != 3 {
		t.Fatalf("second import: %+v", again)
	}
}

func TestGrowingFileIsReadOn(t *testing.T) {
	b := newBench(t)
	first := line("user", "one") + line("assistant", "two")
	third, fourth := line("user", "three"), line("assistant", "four")
	path := b.write("s.jsonl", first)
	b.load()
	id := b.session(path).Segments[0].ID
	for _, step := range []struct {
		text     string
		messages int
		lines    session.Counts
	}{
		{first + third + fourth[:20], 3, session.Counts{Read: 3, Pending: 1}},
		{first + third + fourth, 4, session.Counts{Read: 4}},
	} {
		b.write("s.jsonl", step.text)
		r := b.load()
		if r.New != 0 || r.Updated != 1 || r.Lines != step.lines || r.Messages != step.messages {
			t.Fatalf("%+v", r)
		}
		if r.Bytes >= int64(len(step.text)) {
			t.Errorf("%d of %d bytes were read again", r.Bytes, len(step.text))
		}
	}
	m := b.session(path)
	if len(m.messages) != 4 || len(b.store.sessions) != 1 || len(m.Segments) != 1 || m.Segments[0].ID != id {
		t.Fatalf("%d messages, segments %+v", len(m.messages), m.Segments)
	}
	if issues := b.store.issues[1]; len(issues) != 0 {
		t.Fatalf("issues stay: %+v", issues)
	}
}

func TestApprovedSegmentStaysWhenItsFileGrows(t *testing.T) {
	b := newBench(t)
	path := b.write("s.jsonl", talk(2, 20))
	b.load()
	b.session(path).Segments[0].Verdict = review.Approved
	before := b.session(path).Segments[0]
	b.write("s.jsonl", talk(5, 20))
	b.load()
	m := b.session(path)
	if len(m.Segments) != 2 || !reflect.DeepEqual(m.Segments[0], before) || m.Segmented {
		t.Fatalf("segments %+v, segmented %v", m.Segments, m.Segmented)
	}
	if s := m.Segments[1]; s.CutBy != review.CutProvisional || s.Start != 3 || s.End != 5 {
		t.Fatalf("behind it: %+v", s)
	}
}

func TestLongerFileWithAnotherMiddleCountsAsRewritten(t *testing.T) {
	b := newBench(t)
	text := talk(100, 3000)
	path := b.write("s.jsonl", text)
	b.load()
	middle := len(text) / 2
	other := text[:middle] + strings.Replace(text[middle:], "a", "b", 1) + line("user", "more")
	b.write("s.jsonl", other)
	r := b.load()
	if r.Bytes < int64(len(other)) || r.Messages != 101 || r.Updated != 1 {
		t.Fatalf("not read again: %+v", r)
	}
	if m := b.session(path); len(m.messages) != 101 {
		t.Fatalf("%d messages", len(m.messages))
	}
}

func TestLargeFileIsSampled(t *testing.T) {
	b := newBench(t)
	text := talk(600, 10000) // beyond wholeMax
	path := b.write("s.jsonl", text)
	b.load()
	b.write("s.jsonl", text+line("user", "more"))
	if r := b.load(); r.Bytes > 1000 || r.Messages != 601 {
		t.Fatalf("append: %+v", r)
	}
	b.write("s.jsonl", text[:len(text)-10]+`x"}`+"\n")
	if r := b.load(); r.Bytes < 1<<20 || len(b.session(path).messages) != 600 {
		t.Fatalf("rewrite: %+v", r)
	}
}

// TestMovedFileKeepsItsSession: also beside a moved file that it begins with,
// whichever of them is read first.
func TestMovedFileKeepsItsSession(t *testing.T) {
	b := newBench(t)
	b.im.Jobs = 1
	path := b.write("s.jsonl", talk(4, 50))
	short := b.write("a.jsonl", talk(3, 50))
	b.load()
	b.session(path).Segments[0].Verdict = review.Approved
	id := b.session(path).ID
	// The longer one is met first now, and begins with all of the shorter.
	moved := filepath.Join(b.dir, "b.jsonl")
	for from, to := range map[string]string{path: moved, short: filepath.Join(b.dir, "z.jsonl")} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(moved, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, line("user", "and it grew"))
	f.Close()
	r := b.load()
	m := b.session(moved)
	if r.New != 0 || len(b.store.sessions) != 2 || m.ID != id || m.Segments[0].Verdict != review.Approved || len(m.messages) != 5 {
		t.Fatalf("%+v, sessions %d", r, len(b.store.sessions))
	}
}

func TestInterruptedImportGoesOn(t *testing.T) {
	text := longTalk()
	whole := newBench(t)
	wholePath := whole.write("s.jsonl", text)
	whole.load()

	for _, failAt := range []int{1, 2, 4} {
		b := newBench(t)
		path := b.write("s.jsonl", text)
		b.store.failAt = failAt
		if _, err := b.im.Import(context.Background(), []string{b.dir}, nil); !errors.Is(err, errFull) {
			t.Fatalf("error %v", err)
		}
		b.store.failAt = 0
		r := b.load()
		if failAt > 1 && r.Bytes >= int64(len(text)) {
			t.Errorf("failed at write %d: everything was read again", failAt)
		}
		if r.Lines.Read != 900 || !reflect.DeepEqual(b.session(path).messages, whole.session(wholePath).messages) {
			t.Errorf("failed at write %d: %+v", failAt, r)
		}
		if got, want := b.session(path).Segments[0].Digest, whole.session(wholePath).Segments[0].Digest; got != want {
			t.Errorf("digest %v, want %v", got, want)
		}
	}
}

func TestCancelledImportKeepsWhatWasStored(t *testing.T) {
	b := newBench(t)
	b.write("s.jsonl", longTalk())
	ctx, cancel := context.WithCancel(context.Background())
	_, err := b.im.Import(ctx, []string{b.dir}, func(p Progress) {
		if p.Messages > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if r := b.load(); r.Lines.Read != 900 {
		t.Fatalf("%+v", r)
	}
}

func TestFolderWithLoopsAndOddFiles(t *testing.T) {
	b := newBench(t)
	b.write("a/s.jsonl", talk(2, 10))
	b.write("a/image.jsonl", "\x89PNG\r\n\x1a\n\x00\x00\x00")
	if err := os.Symlink(b.dir, filepath.Join(b.dir, "a", "loop")); err != nil {
		return // a system where making links takes a privilege
	}
	if err := os.Symlink(filepath.Join(b.dir, "a", "s.jsonl"), filepath.Join(b.dir, "z.jsonl")); err != nil {
		t.Fatal(err)
	}
	r := b.load()
	if r.Sources != 2 || r.New != 1 || len(r.Nothing) != 1 || r.Nothing[0].Reason != "binary data" {
		t.Fatalf("%+v", r)
	}
	if _, err := b.im.Import(context.Background(), []string{filepath.Join(b.dir, "missing")}, nil); err != nil {
		t.Fatal(err)
	}
}

// TestFoldersWithoutFilesAreNamed: a path that was asked for and holds no file
// is told; one that was walked through before is not.
func TestFoldersWithoutFilesAreNamed(t *testing.T) {
	b := newBench(t)
	b.write("full/s.jsonl", talk(2, 10))
	full, empty := filepath.Join(b.dir, "full"), filepath.Join(b.dir, "full", "empty")
	if err := os.MkdirAll(filepath.Join(empty, "deeper"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ paths, want []string }{
		{[]string{empty}, []string{empty}},
		{[]string{empty, full}, []string{empty}},
		{[]string{full, full, empty, filepath.Join(full, "s.jsonl")}, nil},
		{[]string{filepath.Join(b.dir, "missing")}, nil}, // is refused instead
	} {
		r, err := b.im.Import(context.Background(), c.paths, nil)
		if err != nil || !slices.Equal(r.Empty, c.want) {
			t.Errorf("%q: empty %q, want %q, %v", c.paths, r.Empty, c.want, err)
		}
	}
}

func TestStandardInputIsImportedOnce(t *testing.T) {
	b := newBench(t)
	for i, want := range []int{1, 0} {
		r, err := b.im.ImportReader(context.Background(), strings.NewReader(talk(3, 10)), nil)
		if err != nil || r.New != want || r.Messages != 3 {
			t.Fatalf("import %d: %+v, %v", i, r, err)
		}
	}
}

func TestMetadataBeforeTheFirstMessageIsNotLost(t *testing.T) {
	b := newBench(t)
	meta := `{"_type":"metadata","key":"cli:1","title":"The title"}` + "\n"
	path := b.write("s.jsonl", meta)
	if r := b.load(); r.New != 0 || len(r.Nothing) != 1 {
		t.Fatalf("%+v", r)
	}
	b.write("s.jsonl", meta+talk(3, 10))
	b.load()
	if m := b.session(path); m.NativeID != "cli:1" || m.Title != "The title" {
		t.Fatalf("%+v", m.Session)
	}
}
