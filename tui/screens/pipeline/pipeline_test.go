package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/cycle"
	"winnow/core/filter"
	"winnow/core/lease"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/pipeline"
	"winnow/tui/screens/pipeline/pipelinetest"
)

// program is a program without jobs.
type program struct {
	jobs    []pipeline.Job
	stopped []string
	filter  filter.Node
	seen    int
	locked  string
	ran     []int64
	planned int
}

func (p *program) Run(id int64)   { p.ran = append(p.ran, id) }
func (p *program) Plan()          { p.planned++ }
func (p *program) NoPlan() string { return p.locked }

func (p *program) Jobs() []pipeline.Job                     { return p.jobs }
func (p *program) Stop(name string)                         { p.stopped = append(p.stopped, name) }
func (p *program) Narrow(n filter.Node, _ *pipeline.Screen) { p.filter = n }
func (p *program) Seen()                                    { p.seen++ }
func (p *program) NoChange() string                         { return p.locked }

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func plain(s string) string { return s }

func start(t *testing.T, w, h int, f *pipelinetest.Fake) (*screentest.Run, *program) {
	t.Helper()
	p := &program{}
	return screentest.Start(t, w, h, pipeline.Rows(), func(s screen.Seat) *pipeline.Screen { return pipeline.New(s, p, f, nil) }), p
}

// TestRetry: one thing is tried again, all that failed in a step, or everything; and
// not where nothing waits, nor in a database that is read-only.
func TestRetry(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	x, p := start(t, 120, 40, f)
	x.Press("=")
	if x.Said != "nothing of it waits" || len(f.Retried) != 0 {
		t.Errorf("said %q, retried %q", x.Said, f.Retried)
	}
	x.Press("j j =") // the step that judges
	if x.Said != "the next cycle tries 2 things again" || strings.Join(f.Retried, " ") != "judge/" {
		t.Errorf("said %q, retried %q", x.Said, f.Retried)
	}
	x.Press("J j =") // the only thing that is left
	if x.Said != "the next cycle tries 1 thing again" || f.Retried[1] != "segment/9f2c41d0-0001" {
		t.Errorf("said %q, retried %q", x.Said, f.Retried)
	}
	x.Press("A")
	if x.Said != "nothing waits to be tried again" {
		t.Errorf("said %q", x.Said)
	}
	*f = *pipelinetest.Sample(now, plain)
	x.Press("ctrl+l A")
	if x.Said != "the next cycle tries 3 things again" || f.Retried[0] != "/" {
		t.Errorf("said %q, retried %q", x.Said, f.Retried)
	}
	*f = *pipelinetest.Sample(now, plain)
	p.locked = "read-only"
	x.Press("ctrl+l A")
	if x.Said != "read-only" || len(f.Retried) != 0 {
		t.Errorf("said %q, retried %q", x.Said, f.Retried)
	}
}

// TestCursorStaysOnItsRow: what comes meanwhile does not move the cursor to another row,
// and the first row of a section is shown with its title.
func TestCursorStaysOnItsRow(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	x, _ := start(t, 100, 20, f)
	x.Press("J J J j j")
	if got := strings.Join(x.Marked(), "\n"); !strings.Contains(got, "fix-parser-2") {
		t.Fatalf("on %q", got)
	}
	first := f.State.Uploads[0]
	first.ID, first.Session = "new", "new-one"
	f.State.Uploads = append(f.State.Uploads[:0:0], first, f.State.Uploads[0], f.State.Uploads[1], f.State.Uploads[2])
	x.Press("ctrl+l")
	if got := strings.Join(x.Marked(), "\n"); !strings.Contains(got, "fix-parser-2") {
		t.Errorf("moved to %q", got)
	}
	x.Press("K K K K K g")
	if got := strings.Join(x.Marked(), "\n"); !strings.Contains(got, "import") {
		t.Errorf("the first row is %q", got)
	}
}

// TestSectionsAreShownWithTheirTitles: who goes to a section above sees what it is.
func TestSectionsAreShownWithTheirTitles(t *testing.T) {
	x, _ := start(t, 100, 8, pipelinetest.Sample(now, plain))
	x.Press("G K K")
	if lines := x.Lines(); strings.TrimSpace(lines[1]) != "uploads" || len(x.Marked()) != 1 {
		t.Errorf("shows\n%s", x.Screen())
	}
}

// TestWhereRowsLead: to the segments of an upload or an agent, to what failed.
func TestWhereRowsLead(t *testing.T) {
	for pressed, want := range map[string]string{
		"J J enter":     "agent:ci",
		"J J J j enter": `agent:laptop file:laptop/fix-parser-1.jsonl`,
		"J j j j enter": "session:9f2c41d0-0001",
	} {
		x, p := start(t, 120, 40, pipelinetest.Sample(now, plain))
		x.Press(pressed)
		if !x.Left || p.filter == nil || filter.Print(p.filter) != want {
			t.Errorf("%s: left %v, filter %s", pressed, x.Left, filter.Print(p.filter))
		}
	}
	x, _ := start(t, 120, 40, pipelinetest.Sample(now, plain))
	x.Press("J j enter")
	if x.WentTo != "a1b2c3d4-0001" {
		t.Errorf("went to %q", x.WentTo)
	}
}

// checkLines checks what is drawn against the size of the screen.
func checkLines(t *testing.T, x *screentest.Run) {
	t.Helper()
	lines := x.Lines()[1:] // the first one is the header
	if len(lines) != x.Frame.Height {
		t.Fatalf("%d lines in %+v", len(lines), x.Frame)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > x.Frame.Width || strings.ContainsAny(l, "\x1b\u202e") {
			t.Fatalf("%+v: %d cells: %q", x.Frame, w, l)
		}
	}
	if len(x.Marked()) != 1 {
		t.Fatalf("%+v: no cursor in\n%s", x.Frame, x.Screen())
	}
}

// TestFits: at any size nothing is drawn that is too wide, and no hostile name reaches the
// terminal; steps that wait say why.
func TestFits(t *testing.T) {
	hostile := func(s string) string { return s + "\x1b[31m\u202e" + strings.Repeat("長い名前", 40) }
	for _, say := range []func(string) string{plain, hostile} {
		for w := 20; w <= 200; w += 9 * slower {
			for _, h := range []int{4, 10, 22, 58} {
				x, _ := start(t, w, h, pipelinetest.Sample(now, say))
				checkLines(t, x)
				for _, key := range strings.Fields("j j J j G g J J J j j j j j K k pgup") {
					x.Press(key)
					checkLines(t, x)
				}
			}
		}
	}
	x, p := start(t, 120, 30, &pipelinetest.Fake{})
	if text := x.Screen(); !strings.Contains(text, "nothing came in yet: winnow serve") || !strings.Contains(text, "no cycle was run yet") {
		t.Errorf("shows\n%s", text)
	}
	if p.seen == 0 {
		t.Error("what came is not seen")
	}
	x.Press("j J K G g")
	x, _ = start(t, 120, 30, &pipelinetest.Fake{State: pipeline.State{Cycles: []cycle.Cycle{{ID: 1, Steps: []cycle.Step{{Name: "judge", Status: cycle.Waiting, Note: "today's budget of $2.00 is used"}}}}}})
	if text := x.Screen(); strings.Count(text, "today's budget of $2.00 is used") != 2 {
		t.Errorf("shows\n%s", text)
	}
}

// TestLostCycle: of a cycle whose program was killed nothing runs, nor takes longer and
// longer.
func TestLostCycle(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	f.State.Leases = nil
	cycle.Settle(f.State.Cycles, nil, now)
	x, _ := start(t, 120, 40, f)
	text := x.Screen()
	for _, no := range []string{"running", "since", "88 s", "1 min"} {
		if i := strings.Index(text, "waiting"); strings.Contains(text[:i], no) {
			t.Errorf("%q in\n%s", no, text)
		}
	}
	if !strings.Contains(text, "ended without a word") || strings.Count(text, "the program ended") != 2 {
		t.Errorf("shows\n%s", text)
	}
}

// TestNothingToDo: a step that had nothing to do says so, as "winnow run" does.
func TestNothingToDo(t *testing.T) {
	f := &pipelinetest.Fake{State: pipeline.State{Cycles: []cycle.Cycle{{ID: 1, Began: now, Ended: now, Steps: []cycle.Step{{Name: "import", Status: cycle.Done, Began: now, Ended: now}}}}}}
	x, _ := start(t, 80, 22, f)
	if text := x.Screen(); !strings.Contains(text, "import") || !strings.Contains(text, "nothing to do") || strings.Contains(text, "0 s") {
		t.Errorf("shows\n%s", text)
	}
}

// TestRuns: runs are told with their last loss or what went wrong, and open; the next
// one is planned from there, unless nothing can be changed.
func TestRuns(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	pipelinetest.Train(f, now, plain)
	x, p := start(t, 140, 40, f)
	x.Press("J J")
	x.Wants("due: 120 new samples", "step 340 · loss 0.8312", "promoted", "qwen3-8b → ours-6", "CUDA out of memory")
	x.Press("enter j enter e")
	if fmt.Sprint(p.ran, p.planned) != "[8 7] 1" {
		t.Errorf("ran %v, planned %d", p.ran, p.planned)
	}
	f.State.Leases = append(f.State.Leases, lease.Lease{Name: "train:8", Holder: "winnow runs work", Until: now.Add(time.Minute)})
	x.Press("ctrl+l J K K j j j j enter")
	if len(p.ran) != 3 || p.ran[2] != 8 {
		t.Errorf("ran %v: %s", p.ran, x.Screen())
	}
	x.Press("x")
	x.Wants("enter opens run 8, which is stopped there")
	x.Press("=")
	x.Wants("run 8 has not ended")
	p.locked = "read-only"
	x.Press("e")
	if x.Said != "read-only" || p.planned != 1 {
		t.Errorf("said %q", x.Said)
	}
	p.locked = ""
	for keys, want := range map[string]string{
		"x": "enter opens run 8, which is stopped there", "=": "run 8 has not ended", "j x": "run 7 has ended", "j =": "enter opens run 7, which is resumed there", "j j =": "run 6 succeeded",
	} {
		x.Press("g J J") // the first run
		x.Press(keys)
		x.Wants(want)
	}
	f.State.Runs = nil
	x.Press("ctrl+l")
	x.Wants("none yet: docs/training-runs.md", "due: 120")
}

// TestOnlyWhatSucceededHasAResult: where a result would have come is not shown as one,
// and of a long path the end is.
func TestOnlyWhatSucceededHasAResult(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	pipelinetest.Train(f, now, plain)
	for i := range f.State.Runs {
		r := &f.State.Runs[i]
		r.Model = fmt.Sprintf("/home/ann/.local/share/winnow/runs/%d/out", r.ID)
	}
	x, _ := start(t, 80, 60, f)
	x.Wants("runs/6/out", "…")
	x, _ = start(t, 200, 60, f)
	if text := x.Screen(); strings.Count(text, "/out") != 1 {
		t.Errorf("shows\n%s", text)
	}
}

// TestDueIsCountedRarely: what is due keeps nothing else waiting, is asked again only
// after a while, longer where it takes long, and given up when one goes back.
func TestDueIsCountedRarely(t *testing.T) {
	f := pipelinetest.Sample(now, plain)
	pipelinetest.Train(f, now, plain)
	hold := func(x *screentest.Run) { x.Hold = true }
	x := screentest.Start(t, 120, 60, pipeline.Rows(), func(s screen.Seat) *pipeline.Screen { return pipeline.New(s, &program{}, f, nil) }, hold)
	held := x.Held
	x.Held, x.Hold = nil, false
	if len(held) != 2 {
		t.Fatalf("%d questions are open", len(held))
	}
	x.Take(held[0])
	x.Wants("qwen3-8b", "counting what is due")
	x.Passed = 2 * time.Second
	x.Take(held[1])
	x.Wants("due: 120 new samples")
	counted := func(want int, after time.Duration) {
		t.Helper()
		x.Passed = after
		x.Tick()
		if n := len(f.Counted); n != want {
			t.Errorf("counted %d times after %s, want %d", n, after, want)
		}
	}
	counted(1, 21*time.Second)
	f.Due = "nothing new"
	counted(2, 22*time.Second)
	x.Wants("nothing new")
	counted(2, 26*time.Second)
	x.Hold = true
	counted(2, 27*time.Second)
	x.Hold = false
	x.Press("q")
	x.Release()
	if n := len(f.Counted); n != 3 || f.Counted[2].Err() == nil {
		t.Errorf("counted %d times, for nobody", n)
	}
}
