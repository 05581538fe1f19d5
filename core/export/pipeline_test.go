package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// The order, the bytes and the report are the same whatever the number of
// workers.
func TestWorkersChangeNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	l := &library{}
	for i := range 200 {
		said := fmt.Sprintf("answer %d, as asked by ann%d@uni-%d.edu, and some more words", i, i%9, i%4)
		if i%7 == 0 {
			said = string(make([]byte, 1<<16)) // left out, after a while
		}
		l.add(func(seg *review.Segment, _ *review.Session) { seg.TaskType = []string{"code", "data", "qa"}[i%3] },
			user(fmt.Sprint("question ", i)), says(said))
	}
	all := Options{
		Dedupe: DedupeNear, Balance: Balance{Most: 40}, Splits: []Split{{Name: "train", Share: 0.7}, {Name: "validation", Share: 0.3}}, Redact: &Redaction{}, ShardSize: 4 << 10,
	}
	for name, opts := range map[string]Options{"file": {}, "checked": {Check: true}, "limited": {Selection: Selection{Limit: 50}}, "all": all} {
		var first map[string]string
		var report Report
		var lines string
		for _, n := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(n)
			dir := t.TempDir()
			opts.Path = filepath.Join(dir, "out.jsonl")
			if name == "all" {
				opts.Path = filepath.Join(dir, "out") + "/"
			}
			r := run(t, l, opts)
			for i := range r.Files {
				r.Files[i].Path = strings.TrimPrefix(r.Files[i].Path, dir)
			}
			files := tree(t, dir)
			if name == "file" {
				lines = read(t, opts.Path)
			}
			if first == nil {
				first, report = files, r
			}
			if !maps.Equal(files, first) || !reflect.DeepEqual(r, report) {
				t.Errorf("%s: differs with %d workers", name, n)
			}
		}
		if name == "file" {
			if report.Written != 171 || len(report.LeftOut) != 29 {
				t.Errorf("%d written, %d left out", report.Written, len(report.LeftOut))
			}
			if got := order(lines); !slices.IsSortedFunc(got, func(a, b string) int { return len(a) - len(b) }) {
				t.Errorf("order %v", got)
			}
		}
		if name == "all" && (len(report.Secrets) == 0 || len(report.Files) < 3 || report.Written == 0) {
			t.Errorf("%+v", report)
		}
	}
}

// candidatesOf reads all that a library holds.
func candidatesOf(l *library) func(context.Context, func(job) error) error {
	return func(ctx context.Context, yield func(job) error) error {
		return candidates(ctx, l, &hf, &Options{}, func(c candidate) error { return yield(&sampling{candidate: c}) })
	}
}

// An error of one sample ends the export when it is that one's turn.
func TestTheFirstErrorInOrderEndsTheExport(t *testing.T) {
	broken := errors.New("broken")
	var taken []int
	p := pipeline{
		read:  candidatesOf(good(50)),
		first: func(*work) {}, between: func(*work) {},
		second: func(w *work) {
			if w.job.(*sampling).segment.Body >= 20 {
				w.err = fmt.Errorf("%d: %w", w.job.(*sampling).segment.Body, broken)
			}
		},
		take: func(w *work) error {
			taken = append(taken, int(w.job.(*sampling).segment.Body))
			return nil
		},
	}
	if err := p.run(t.Context()); err == nil || err.Error() != "20: broken" {
		t.Error(err)
	}
	if len(taken) != 20 || !slices.IsSorted(taken) {
		t.Errorf("took %v", taken)
	}
}

// Where the reading fails, all before it were taken.
func TestAnErrorOfTheReadingComesInOrder(t *testing.T) {
	l := good(30)
	delete(l.messages, 17)
	taken := 0
	_, err := Run(t.Context(), l, Options{Path: filepath.Join(t.TempDir(), "out.jsonl")}, func(Report) { taken++ })
	if err == nil || !strings.Contains(err.Error(), "0 of 2 messages") || taken != 17 {
		t.Errorf("%d taken, %v", taken, err)
	}
}

// stages is a format that tells where an export is.
func stages(at func(stage string)) *Emitter {
	e := hf
	e.lacks = nil
	e.folderOf = func(*Sample) int { at("work"); return 0 }
	e.finish = func(dst, lines []byte, index int, tools []string) []byte {
		at("place")
		return fmt.Appendf(append(dst, lines[:len(lines)-2]...), ",\"index\":%d,\"tools\":%q}\n", index, tools)
	}
	return &e
}

// export runs a format that is not in the registry.
func export(ctx context.Context, l *library, e *Emitter, opts Options, progress func(Report)) (Report, error) {
	w := newExporter(e, &opts, progress)
	err := w.run(ctx, l, nil, true)
	return w.report, err
}

func TestCancelInEveryStageLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, check := range []bool{false, true} {
		for _, stage := range []string{"read", "work", "take", "place"} {
			dir := t.TempDir()
			path := filepath.Join(dir, "out.jsonl")
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var met atomic.Int32
			at := func(now string) {
				if now == stage && met.Add(1) == 10 {
					cancel()
				}
			}
			l := good(40)
			l.onRead = func() { at("read") }
			r, err := export(ctx, l, stages(at), Options{Path: path, Force: true, Check: check}, func(Report) { at("take") })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, %+v", stage, err, r)
			}
			if got := folder(t, dir); got != "out.jsonl" || read(t, path) != "old" {
				t.Errorf("%s: left %s", stage, got)
			}
			if got := folder(t, os.TempDir()); got != "" {
				t.Errorf("%s: left %s", stage, got)
			}
			cancel()
		}
	}
}

// A format may write what it knows of all samples only.
func TestRecordsAreFinishedWithAllKnown(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(dir, "out.jsonl")
	l := good(2)
	l.add(nil, user("left out"))
	l.add(nil, user("question 2"), calls("1"), result("1", "ok"), says("a"))
	l.add(nil, user("question 3"), with(calls("2"), func(m *chat.Message) { m.ToolCalls[0].Name = "ls" }), result("2", "ok"), says("a"))
	e := stages(func(string) {})
	var told []int
	r, err := export(t.Context(), l, e, Options{Path: path}, func(r Report) { told = append(told, r.Written) })
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, path)
	if got := order(text); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("order %v", got)
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if want := fmt.Sprintf(`,"index":%d,"tools":["ls" "sh"]}`, i); !strings.HasSuffix(line, want) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if want := []int{1, 2, 2, 3, 4, 1, 2, 3, 4}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if r.Written != 4 || r.Rows != 4 || r.Bytes != int64(len(text)) || r.Candidates != 5 || len(r.LeftOut) != 1 {
		t.Errorf("%+v", r)
	}
	if want := []Group{{"ls", 1, r.Tools[0].Tokens}, {"sh", 1, r.Tools[1].Tokens}}; !slices.Equal(r.Tools, want) {
		t.Errorf("tools %+v", r.Tools)
	}
	if got := folder(t, dir); got != "out.jsonl" {
		t.Errorf("left %s", got)
	}
	checked, err := export(t.Context(), l, e, Options{Check: true}, nil)
	if r.Files = []File{}; err != nil || fmt.Sprint(checked) != fmt.Sprint(r) {
		t.Errorf("checked: %+v, %v, written: %+v", checked, err, r)
	}
	if got := folder(t, os.TempDir()); got != "" {
		t.Errorf("left %s", got)
	}
	r, err = export(t.Context(), l, e, Options{Path: path, Force: true, Selection: Selection{Limit: 2}}, nil)
	if err != nil || r.Written != 2 || r.Candidates != 2 {
		t.Errorf("with a limit: %+v, %v", r, err)
	}
}

// What decides with all samples known leaves nothing uncounted.
func TestCheckTellsWhatIsWritten(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	l := good(30)
	l.add(nil, user("left out"))
	for _, opts := range []Options{
		{}, {Dedupe: DedupeExact}, {Splits: []Split{{Name: "train", Share: 0.5}, {Name: "validation", Share: 0.5}}}, {Selection: Selection{Limit: 7}},
		{Selection: Selection{Limit: 7}, Dedupe: DedupeExact}, {As: "openai", Splits: []Split{{Name: "train", Share: 1}}},
	} {
		opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
		written := run(t, l, opts)
		opts.Check = true
		checked := run(t, l, opts)
		written.Files = []File{}
		if !reflect.DeepEqual(written, checked) {
			t.Errorf("%+v:\nwrites %+v\nchecks %+v", opts, written, checked)
		}
		if opts.Limit == 0 && written.Written+len(written.LeftOut) != written.Candidates {
			t.Errorf("%+v: %d + %d of %d", opts, written.Written, len(written.LeftOut), written.Candidates)
		}
		if opts.Limit == 0 && written.Candidates != 31 {
			t.Errorf("%+v: %d candidates", opts, written.Candidates)
		}
	}
	if got := folder(t, os.TempDir()); got != "" {
		t.Errorf("left %s", got)
	}
}

// Samples larger than all that may be on its way at once go one by one.
func TestGiantSamples(t *testing.T) {
	l := &library{}
	giant := strings.Repeat("x", mostBytes/slower+1)
	for i := range 12 {
		said := "a"
		if i%5 == 1 {
			said = giant
		}
		l.add(nil, user(fmt.Sprint("question ", i)), says(said))
	}
	path := filepath.Join(t.TempDir(), "out.jsonl")
	if r := run(t, l, Options{Path: path}); r.Written != 12 || r.Bytes < 3*int64(len(giant)) {
		t.Errorf("%d written, %d bytes", r.Written, r.Bytes)
	}
	if got := order(read(t, path)); !slices.IsSortedFunc(got, func(a, b string) int { return len(a) - len(b) }) || len(got) != 12 {
		t.Errorf("order %v", got)
	}
}

// What waits for its turn is bounded by what is written, not by what is read.
func TestRecordsThatRepeatWeighMore(t *testing.T) {
	c := candidate{session: &review.Session{Tools: "1234"}, prompt: []chat.Message{sys("12")}}
	for range 3 {
		c.messages = append(c.messages, user("123"), says("1"))
	}
	if once, rows := c.size(false), c.size(true); once != 18 || rows != 10+14+18 || !steps.repeats {
		t.Errorf("%d bytes at once, %d in steps", once, rows)
	}
}
