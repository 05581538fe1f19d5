package tui

import (
	"strings"
	"testing"

	"winnow/tui/keys"
	"winnow/tui/screens/pipeline/pipelinetest"
	"winnow/tui/screens/training/trainingtest"
)

// withRuns has the scene tell of runs, and train.
func withRuns(s *scene, o *Options) {
	f := pipelinetest.Sample(someday, s.say)
	pipelinetest.Train(f, someday, s.say)
	t := trainingtest.Sample(someday, s.say)
	o.Pipeline, o.Training, o.Trainer = f, t, t
}

// toRuns are the keys that lead to the runs.
const toRuns = "P J J "

func trainingStates() []state {
	return []state{
		{name: "runs", with: withRuns, do: pressing(toRuns + "j")},
		{name: "run", with: withRuns, do: pressing(toRuns + "enter")},
		{name: "run-other-curve", with: withRuns, do: pressing(toRuns + "enter tab J j")},
		{name: "run-failed", with: withRuns, do: pressing(toRuns + "j enter j")},
		{name: "run-done", with: withRuns, do: pressing(toRuns + "j j enter J")},
		{name: "run-evaluated", with: withRuns, do: pressing(toRuns + "j j enter J J J")},
		{name: "run-samples", with: withRuns, do: pressing(toRuns + "j j enter J J J J J j")},
		{name: "run-new", with: withRuns, do: pressing(toRuns + "j j j enter")},
		{name: "run-loading", with: withRuns, do: func(x *harness, _ *scene) {
			x.press(toRuns)
			x.hold = true
			x.press("enter")
		}},
		{name: "run-plan", with: withRuns, do: pressing("P e")},
		{name: "run-plan-failed", with: func(s *scene, o *Options) {
			withRuns(s, o)
			o.Trainer = &trainingtest.Fake{Fail: errDisk(s)}
		}, do: pressing("P e")},
	}
}

func startRuns(t *testing.T, with ...func(*Options)) (*harness, *trainingtest.Fake) {
	t.Helper()
	f := pipelinetest.Sample(someday, plain)
	pipelinetest.Train(f, someday, plain)
	runs := trainingtest.Sample(someday, plain)
	return startPipeline(t, f, 120, 40, append([]func(*Options){func(o *Options) { o.Training, o.Trainer = runs, runs }}, with...)...), runs
}

// TestRunStandsOverThePipeline: esc leads from a run to the pipeline, a sample into the
// list, and a run that was begun to its screen.
func TestRunStandsOverThePipeline(t *testing.T) {
	x, f := startRuns(t)
	x.press(toRuns + "enter")
	x.wants("run 8")
	x.press("esc")
	if x.app.in(keys.InRun) != nil || x.app.in(keys.InPipeline) == nil {
		t.Fatal("not back in the pipeline")
	}
	x.press("e enter")
	if x.app.in(keys.InPlan) != nil || x.app.in(keys.InRun) == nil || strings.Join(f.Did, " ") != "begin full" {
		t.Errorf("did %q", f.Did)
	}
	x.press("G enter")
	if x.app.in(keys.InRun) != nil || x.app.in(keys.InPipeline) != nil {
		t.Error("the list is not shown")
	}
}

// TestRunsOfAReadOnlyDatabase: nothing is begun, stopped or resumed there.
func TestRunsOfAReadOnlyDatabase(t *testing.T) {
	x, f := startRuns(t, func(o *Options) { o.ReadOnly = true })
	x.press(toRuns + "e")
	if x.app.in(keys.InPlan) != nil {
		t.Error("a run is planned")
	}
	x.press("enter x x")
	x.wants("read-only")
	x.press("esc j enter =")
	x.wants("read-only")
	if len(f.Did) != 0 {
		t.Errorf("did %q", f.Did)
	}
}

// TestRunsWithoutATrainer: what only commands do is said.
func TestRunsWithoutATrainer(t *testing.T) {
	x, _ := startRuns(t, func(o *Options) { o.Trainer = nil })
	x.press(toRuns + "e")
	x.wants("winnow train begins runs")
	x.press("enter x")
	x.wants("winnow runs stop 8 does that")
}
