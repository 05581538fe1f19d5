package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/inbox"
	"winnow/tui/keys"
	"winnow/tui/screens/pipeline/pipelinetest"
)

// withPipeline has the scene tell what comes in.
func withPipeline(s *scene, o *Options) { o.Pipeline = pipelinetest.Sample(someday, s.say) }

func pipelineStates() []state {
	return []state{
		{name: "pipeline", with: withPipeline, do: pressing("P")},
		{name: "pipeline-waiting", with: withPipeline, do: pressing("P J j")},
		{name: "pipeline-end", with: withPipeline, do: pressing("P G")},
		{name: "pipeline-loading", with: withPipeline, do: unanswered("P")},
		{name: "pipeline-failed", with: func(s *scene, o *Options) { o.Pipeline = &pipelinetest.Fake{Fail: errDisk(s)} }, do: pressing("P")},
		{name: "pipeline-nothing", lib: noSegments, with: func(_ *scene, o *Options) { o.Pipeline = &pipelinetest.Fake{} }, do: pressing("P")},
		{name: "arrivals", with: func(s *scene, o *Options) {
			o.Pipeline = &pipelinetest.Fake{To: 3, News: []inbox.News{{Agent: s.say("ci"), Messages: 3}, {Agent: s.say("laptop"), Messages: 1200}}}
		}, do: func(x *harness, _ *scene) {
			x.app.came.since = 1
			x.send(pollTick{})
		}},
	}
}

func startPipeline(t *testing.T, f *pipelinetest.Fake, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	return start(t, sampleLibrary(), w, h, append([]func(*Options){func(o *Options) { o.Pipeline = f }}, with...)...)
}

func TestPipeline80x24(t *testing.T) {
	x := startPipeline(t, pipelinetest.Sample(someday, plain), 80, 24)
	x.press("P")
	golden.RequireEqual(t, x.screen())
}

func TestPipeline200x60(t *testing.T) {
	x := startPipeline(t, pipelinetest.Sample(someday, plain), 200, 60)
	x.press("P")
	golden.RequireEqual(t, x.screen())
}

// TestHeaderTellsWhatCame: new messages are counted by agent in the header, until a
// while has passed or the pipeline was looked at; what was there before tells nothing.
func TestHeaderTellsWhatCame(t *testing.T) {
	now := someday
	f := &pipelinetest.Fake{To: 5, News: []inbox.News{{Agent: "old", Messages: 7}}}
	x := startPipeline(t, f, 120, 24, func(o *Options) { o.Now = func() time.Time { return now } })
	came := func(news ...inbox.News) {
		f.News = news
		f.To++
		x.send(pollTick{})
	}
	x.send(pollTick{})
	lacks(t, x, "⇣")
	came(inbox.News{Agent: "laptop\x1b[2J", Messages: 12})
	x.wants("⇣ laptop␛[2J +12")
	x.send(pollTick{})
	x.wants("⇣ laptop␛[2J +12")
	came(inbox.News{Agent: "ci", Messages: 3})
	x.wants("⇣ ci and 1 other +15")
	now = now.Add(newsFor + time.Second)
	x.send(pollTick{})
	lacks(t, x, "⇣")
	came(inbox.News{Agent: "ci", Messages: 1})
	x.wants("⇣ ci +1")
	x.press("P q")
	lacks(t, x, "⇣")
	came(inbox.News{Agent: "ci", Messages: 2})
	x.wants("⇣ ci +2")
}

// TestPipelineStopsJobs: a job of the program is stopped from there.
func TestPipelineStopsJobs(t *testing.T) {
	x, report, finish := follower(t, small(3))
	x.app.opt.Pipeline = pipelinetest.Sample(someday, plain)
	report(Progress{Files: 1, AllFiles: 3})
	x.press("P")
	x.progress()
	x.wants("this program", "1 of 3 files")
	x.press("x")
	finish()
	lacks(t, x, "this program")
	x.press("x")
	x.wants("only a job of this program")
}

// TestPipelineGoesToTheList: what a row is about is shown in the list.
func TestPipelineGoesToTheList(t *testing.T) {
	x := startPipeline(t, pipelinetest.Sample(someday, plain), 120, 40)
	x.press("P J J enter")
	if x.app.in(keys.InPipeline) != nil || !strings.Contains(x.app.Room.Filter.Pretty, "agent") {
		t.Errorf("the list is filtered by %q", x.app.Room.Filter.Pretty)
	}
	x.press("q") // the way back
	if x.app.in(keys.InPipeline) == nil || x.app.Room.Filter.Node != nil {
		t.Errorf("back at a list that is filtered by %q", x.app.Room.Filter.Pretty)
	}
	for i := range x.lib.segments {
		x.lib.segments[i].AgentID = "ci"
	}
	x.press("enter tab esc a esc") // where one was, and back from the reader and a verdict
	if x.app.in(keys.InPipeline) == nil || x.app.Room.Filter.Node != nil {
		t.Errorf("back at a list that is filtered by %q", x.app.Room.Filter.Pretty)
	}
	x.press("enter")
	x.typed("status:pending")
	x.press("enter esc") // one's own filter stays
	if x.wants("nothing to close"); x.app.in(keys.InPipeline) != nil || x.app.Room.Filter.Key != "status:pending" {
		t.Errorf("a list that is filtered by %q", x.app.Room.Filter.Pretty)
	}
	x.press("0 P J G enter") // an earlier cycle
	x.wants("there is nothing in the list")
}
