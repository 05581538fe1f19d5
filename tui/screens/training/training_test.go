package training_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/train"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/training"
	"winnow/tui/screens/training/trainingtest"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func plain(s string) string { return s }

// program is a program that goes where it is told.
type program struct {
	looked string
	shown  int64
	locked string
}

func (p *program) Look(segment string) { p.looked = segment }
func (p *program) Show(run int64)      { p.shown = run }
func (p *program) NoChange() string    { return p.locked }

func start(t *testing.T, w, h int, f *trainingtest.Fake, trainer training.Trainer, id int64) (*screentest.Run, *program) {
	t.Helper()
	p := &program{}
	return screentest.Start(t, w, h, training.Rows(), func(s screen.Seat) *training.Screen { return training.New(s, p, f, trainer, id) }), p
}

// TestRun: what there is of a run is on its screen, and nothing that others wrote
// reaches the terminal as it is.
func TestRun(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, _ := start(t, 120, 100, f, f, 6)
	x.Wants("run 6  promoted", "begun by winnow run", "qwen3-8b → ours-6", "1,108 samples · 1,108 new · 123 held back · 4.1M tokens", "$1.20", "train_loss=0.4127",
		"step 1 ", "19991", "pass", "0.41", "0.62", "+0.21", "31.2", "withdrawn since  3 of 1,231 samples would train no more, 2 are shown",
		"␛[31mwarning", "winnow runs log 6 prints all of it", "validation")
	x, _ = start(t, 80, 22, f, f, 7)
	x.Wants("failed", "CUDA out of memory", "␛[2J")
	for _, l := range x.Lines() {
		if strings.ContainsAny(l, "\x1b\x07\u202e") {
			t.Errorf("%q", l)
		}
	}
	x, _ = start(t, 120, 60, f, f, 5)
	x.Wants("queued", "no values yet", "nothing was printed", "nothing was exported")
	x, _ = start(t, 120, 60, f, f, 4)
	x.Wants("The run could not be read.", train.ErrNoRun.Error())
}

// TestCurves: the loss is drawn first, and the others by a key.
func TestCurves(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, _ := start(t, 120, 60, f, f, 6)
	x.Wants(" loss  ")
	x.Press("tab")
	x.Wants(" eval_loss  ")
	x.Press("tab")
	x.Wants(" loss  ")
	x, _ = start(t, 120, 60, f, f, 7)
	x.Press("tab")
	x.Wants("there is no other curve")
}

// TestSamplesArePaged: samples are read as the cursor comes near their end, each once,
// and one is shown in the list.
func TestSamplesArePaged(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, p := start(t, 100, 30, f, f, 6)
	for range 60 {
		x.Press("G")
	}
	x.Wants("a1b2c3d4")
	x.Press("enter")
	if p.looked != "a1b2c3d4-1231" {
		t.Errorf("looked at %q", p.looked)
	}
	x.Press("K j enter")
	if p.looked != "a1b2c3d4-0002" {
		t.Errorf("looked at %q: %s", p.looked, x.Screen())
	}
	x.Wants("rejected")
	x.Press("g enter")
	x.Wants("only samples are in the list")
}

// TestStopAndResume: a run is stopped by a key that is pressed twice, and goes on;
// neither where it makes no sense, nor where only commands do it, nor read-only.
func TestStopAndResume(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, p := start(t, 120, 60, f, f, 8)
	x.Press("=")
	x.Wants("the run has not ended")
	x.Press("x")
	if x.Wants("again stops run 8"); len(f.Did) != 0 {
		t.Errorf("did %q", f.Did)
	}
	x.Press("x")
	x.Wants("run 8 was stopped", "run 8  cancelled")
	x.Press("x")
	x.Wants("the run has ended")
	f.Fail = errors.New("the worker has not ended")
	x.Press("=")
	x.Wants("the worker has not ended")
	f.Fail = nil
	x.Press("ctrl+l =")
	x.Wants("run 8 is running")
	if got := fmt.Sprint(f.Did); got != "[stop 8 resume 8 resume 8]" {
		t.Errorf("did %s", got)
	}
	p.locked = "read-only"
	x.Press("x")
	x.Wants("read-only")
	x, _ = start(t, 120, 60, f, f, 6)
	x.Press("=")
	x.Wants("the run succeeded")
	f.Resumes = train.Failed
	x, _ = start(t, 120, 60, f, f, 7)
	x.Press("=")
	x.Wants("run 7 failed: torch.OutOfMemoryError")
	x, _ = start(t, 120, 60, f, nil, 8)
	x.Press("x")
	x.Wants("winnow runs stop 8 does that")
	x, _ = start(t, 120, 60, f, nil, 7)
	x.Press("=")
	x.Wants("winnow runs resume 7 does that", "resume      winnow runs resume 7")
}

// TestItFollows: what becomes of a run is shown by itself.
func TestItFollows(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, _ := start(t, 120, 60, f, f, 8)
	st := f.States[8]
	st.Run.Status, st.Log = train.Succeeded, append(st.Log, "saved")
	f.States[8] = st
	x.Tick()
	x.Wants("run 8  succeeded", "saved")
}

// TestPlan: a plan says what a run would do; nothing begins before enter is pressed.
func TestPlan(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	p := &program{}
	open := func() *screentest.Run {
		return screentest.Start(t, 100, 30, training.PlanRows(), func(s screen.Seat) *training.PlanScreen { return training.NewPlan(s, p, f) })
	}
	x := open()
	x.Wants("1,204 samples · 96 of them new · 133 held back", "4,530,000", "96 of 100 new samples", "swift sft --model {parent_or_base}", "12 by checks", "everything that is approved")
	x.Press("tab")
	x.Wants("only what no run had", "the result of run 6", "96 samples")
	if len(f.Did) != 0 {
		t.Errorf("did %q", f.Did)
	}
	f.Fail = errors.New("run 7 has not ended")
	x.Press("enter")
	x.Wants("no run: run 7 has not ended")
	f.Fail = nil
	x.Press("enter")
	if fmt.Sprint(f.Did) != "[begin new begin new]" || p.shown != 8 || !x.Left {
		t.Errorf("did %q, shown %d, left %v", f.Did, p.shown, x.Left)
	}
	f.Next.Samples = 0
	x = open()
	x.Wants("there is nothing to train on")
	if strings.Contains(x.Screen(), "begins it") {
		t.Error("a run of nothing is offered")
	}
	x.Press("enter")
	x.Wants("there is nothing to train on")
	f.Next = trainingtest.Sample(now, plain).Next
	p.locked = "read-only"
	x = open()
	x.Press("enter")
	x.Wants("read-only")
	f.Fail = errors.New("no trainer is configured")
	x = open()
	x.Wants("No run can be planned.", "no trainer is configured", "ctrl+l tries again; a changed configuration needs a new start")
	x.Press("tab tab")
	f.Fail = nil
	x.Press("ctrl+l tab")
	f.Fail = errors.New("no run has succeeded yet")
	x.Press("ctrl+l")
	x.Wants("tab plans one with everything")
	f.Fail = nil
	x.Press("tab")
	x.Wants("everything that is approved, from")
	if len(f.Did) != 2 {
		t.Errorf("did %q", f.Did)
	}
}

// TestTheLogIsItsEnd: of a long log the last lines are shown, and that there are more.
func TestTheLogIsItsEnd(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	st := f.States[8]
	st.Log = nil
	for i := range 200 {
		st.Log = append(st.Log, fmt.Sprintf("line %03d", i))
	}
	f.States[8] = st
	x, _ := start(t, 120, 90, f, f, 8)
	x.Wants("line 199", "line 155", "winnow runs log 8 prints all of it")
	if strings.Contains(x.Screen(), "line 154") {
		t.Error("more than half a screen of it is shown")
	}
}

// TestWhyItFailed: of a run that failed the error stands on the smallest usual screen in
// full, and the end of the log with it; where a result would have come is not shown.
func TestWhyItFailed(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	st := f.States[7]
	st.Points, st.Log = trainingtest.Falling("loss", 90), nil
	for i := range 200 {
		st.Log = append(st.Log, fmt.Sprintf("line %03d", i))
	}
	st.Run.Error = "the trainer ended with 1: " + strings.Repeat("CUDA out of memory, ", 12) + "tried to allocate 2.00 GiB"
	st.Run.Model = "/runs/7/out"
	f.States[7] = st
	x, _ := start(t, 80, 22, f, f, 7)
	x.Wants("the trainer ended with 1", "allocate 2.00 GiB", "line 199", "line 197")
	if text := x.Screen(); strings.Contains(text, "/runs/7/out") || strings.Contains(text, "…") {
		t.Errorf("shows\n%s", text)
	}
	x.Press("J J")
	x.Wants(" loss  ")
}

// TestPointsAreNoCurves: a metric with one value is not drawn, and told all the same.
func TestPointsAreNoCurves(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	st := f.States[8]
	st.Points = append(trainingtest.Falling("a_loss", 1), trainingtest.Falling("token_acc", 7)...)
	f.States[8] = st
	x, _ := start(t, 120, 60, f, f, 8)
	x.Wants(" token_acc  ", "a_loss")
	x.Press("tab")
	x.Wants("there is no other curve")
	st.Points = trainingtest.Falling("a_loss", 1)
	f.States[8] = st
	x.Press("ctrl+l")
	x.Wants(" values", "a_loss")
	if strings.Contains(x.Screen(), "└") {
		t.Errorf("a curve of a point is drawn:\n%s", x.Screen())
	}
	st.Points = trainingtest.Falling("\x1b[31m"+strings.Repeat("evil", 40), 7)
	f.States[8] = st
	x.Press("ctrl+l")
	x.Wants("␛[31mevil", "evilev… 0.", " ␛[31mevilevilevilevilevilev…  ")
}

// TestNarrow: on a small screen the status stands whole, and beside it what matters most:
// the curve, or the end of the log of what failed. The whole error is there.
func TestNarrow(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	x, _ := start(t, 40, 10, f, f, 8)
	if x.Wants("running · for 18 min", " loss", "└"); strings.Contains(x.Screen(), "…") {
		t.Errorf("something is cut:\n%s", x.Screen())
	}
	st := f.States[7]
	st.Run.Error = "the trainer ended with 1: " + strings.Repeat("CUDA out of memory, ", 12) + "tried to allocate 2.00 GiB"
	f.States[7] = st
	x, _ = start(t, 40, 10, f, f, 7)
	x.Wants("failed", "the trainer ended with 1", "flash-attn")
	x.Press("J J j j j j j j j")
	x.Wants("the whole error", "tried to allocate")
	f.Many[8], f.Title = 1, "Fix the flaky parser test of the old server"
	x, _ = start(t, 40, 10, f, f, 8)
	x.Press("G G")
	x.Wants("flaky parser test of the old  ")
}

// TestPromote: a run that succeeded is promoted by a key that is pressed twice.
func TestPromote(t *testing.T) {
	f := trainingtest.Sample(now, plain)
	st := f.States[6]
	st.Run.Promoted = time.Time{}
	f.States[6] = st
	x, _ := start(t, 120, 60, f, f, 6)
	x.Press("p")
	if x.Wants("p again promotes run 6"); len(f.Did) != 0 {
		t.Errorf("did %q", f.Did)
	}
	f.Fail = errors.New("it gains nothing: --force promotes it all the same")
	x.Press("p")
	x.Wants("it gains nothing: --force promotes")
	f.Fail = nil
	x.Press("p p")
	x.Wants("run 6 is promoted", "run 6  promoted")
	if got := fmt.Sprint(f.Did); got != "[promote 6 false promote 6 false]" {
		t.Errorf("did %s", got)
	}
	x, _ = start(t, 120, 60, f, f, 7)
	x.Press("p")
	x.Wants("only a run that succeeded is promoted")
	x, _ = start(t, 120, 60, f, f, 6)
	x.Press("p")
	if x.Wants("the run is promoted already"); strings.Contains(x.Screen(), "p promote") {
		t.Error("promoting is offered for what is promoted")
	}
	st.Run.Promoted = time.Time{}
	f.States[6] = st
	x, _ = start(t, 120, 60, f, nil, 6)
	x.Press("p")
	x.Wants("winnow runs promote 6 does that")
}
