package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/review"
)

func startPreview(t *testing.T, f *fakePreviewing, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := start(t, sampleLibrary(), w, h, append([]func(*Options){func(o *Options) { o.Previewing = f }}, with...)...)
	x.press("p")
	return x
}

func TestPreviewScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, samplePreview(), 80, 24).screen())
}

func TestPreviewScreen160x45(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, samplePreview(), 160, 45).screen())
}

func TestPreviewScreen40x10(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, samplePreview(), 40, 10).screen())
}

func TestPreviewScreenASCII(t *testing.T) {
	x := startPreview(t, samplePreview(), 80, 24, func(o *Options) { o.ASCII = true })
	x.wantsASCII()
	golden.RequireEqual(t, x.screen())
}

func TestPreviewScreenNoColor(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, samplePreview(), 80, 24).uncoloured())
}

func TestPreviewLeftOut80x24(t *testing.T) {
	f := samplePreview()
	f.report = export.Report{LeftOut: []export.LeftOut{{Finding: export.Finding{Check: "unanswered_call", Message: 4, Detail: "terminal is called and not answered"}, More: 1}}}
	golden.RequireEqual(t, startPreview(t, f, 80, 24).screen())
}

func TestPreviewLoadsAndFails(t *testing.T) {
	f := samplePreview()
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Previewing = f })
	x.hold = true
	x.press("p")
	x.wants("making the record", "< hf >")
	x.release()
	x.wants("4,120 tokens (chars/4)")
	f.err = errorText("read /x: input/output error")
	x.press("right")
	x.wants("The record could not be made.", "input/output error", "ctrl+l tries again")
	f.err = nil
	x.press("ctrl+l")
	x.wants("4,120 tokens", "< openai >")
}

// A verdict given above the record goes on to the record of the next segment.
func TestVerdictsGoOnToTheNextRecord(t *testing.T) {
	f := samplePreview()
	x := startPreview(t, f, 100, 30)
	first := x.app.list.Selected().ID
	x.wants("the flaky test of " + first)
	x.press("a")
	next := x.app.list.Selected().ID
	if next == first || x.app.preview == nil || f.of[len(f.of)-1] != next {
		t.Fatalf("asked for %v, %s is selected", f.of, next)
	}
	x.wants("the flaky test of " + next)
	x.press("u")
	x.wants("the flaky test of " + first)
	if len(x.lib.journal) != 0 {
		t.Error("u does not undo")
	}
	x.press("n")
	x.write("keep")
	x.press("enter")
	if x.app.list.Selected().Note != "keep" {
		t.Error("n writes no note")
	}
}

func TestFormatOfTheRecordIsChosenAndRemembered(t *testing.T) {
	f := samplePreview()
	x := startPreview(t, f, 100, 30, func(o *Options) { o.PreviewFormat = "sharegpt" })
	x.wants("< sharegpt >")
	for range export.Emitters() {
		x.press("right")
	}
	x.wants("< sharegpt >")
	x.press("left")
	x.wants("< openai >")
	x.press("esc")
	if x.app.preview != nil {
		t.Fatal("esc does not close the record")
	}
	x.press("p")
	x.wants("< openai >")
	x.press("p")
	if x.app.preview != nil {
		t.Fatal("p does not close the record")
	}
	asked := len(f.asked)
	x.press("j k")
	if len(f.asked) != asked {
		t.Error("a closed record is asked for")
	}
}

// The record is made with the options of the screen of exports, and in its
// format until another one is chosen.
func TestRecordIsMadeAsTheExportIsSetUp(t *testing.T) {
	f := samplePreview()
	x := start(t, approvedLibrary(), 120, 40, func(o *Options) { o.Previewing, o.Exporting, o.PreviewFormat = f, sampleExport(), "openai" })
	x.press("e")
	x.option("format")
	x.press("right right")
	x.option("train")
	x.press("right")
	x.option("counted by")
	x.press("right")
	x.press("esc p")
	o := f.asked[0]
	if o.As != "sharegpt" || o.Train != export.TrainLast || o.Counter == nil || o.Path != "" {
		t.Errorf("asked with %+v", o)
	}
	x.wants("(" + o.Counter.Name() + ")")
}

// What is not waited for any more is cancelled, and its answer dropped.
func TestRecordsNobodyWaitsForAreGivenUp(t *testing.T) {
	f := samplePreview()
	x := start(t, sampleLibrary(), 100, 30, func(o *Options) { o.Previewing = f })
	x.hold = true
	x.press("p right right")
	x.release()
	if f.cancelled != 2 || len(f.asked) != 3 {
		t.Errorf("%d of %d were cancelled", f.cancelled, len(f.asked))
	}
	x.wants("< sharegpt >", `"format": "sharegpt"`)
}

func TestRecordIsReadAndSearched(t *testing.T) {
	f := samplePreview()
	f.records = func(review.Segment, export.Options) string {
		return `{"messages":[` + strings.Repeat(`{"role":"user","content":"one\ntwo\nthree"},`, 50) + `{"role":"assistant","content":"the needle"}]}`
	}
	x := startPreview(t, f, 100, 30)
	x.press("ctrl+g")
	x.write("needle")
	x.press("enter")
	x.wants("the needle", "1 of 1")
	x.press("esc")
	if x.app.preview == nil || x.app.preview.pane.Status().FindQuery != "" {
		t.Fatal("esc does not end the find first")
	}
	x.press("g J J z")
	x.wants(`one\n…" (3 lines)`)
	x.press("G K k j pgup ctrl+u home end")
	x.wants("the needle")
}

func TestFindingLeadsToItsMessage(t *testing.T) {
	f := samplePreview()
	x := startPreview(t, f, 160, 45)
	x.press("enter")
	if x.app.preview != nil || x.app.focus != onReader || x.pane.calls[len(x.pane.calls)-1] != "show 2" {
		t.Errorf("focus %v, calls %v", x.app.focus, x.pane.calls)
	}
	f.report.Secrets = nil
	x.press("p enter")
	x.wants("no finding names a message")
}

func TestRecordIsCopied(t *testing.T) {
	x := startPreview(t, samplePreview(), 120, 30)
	x.press("y")
	x.wants("copied the record")
	if text, _ := x.app.copiedRecord(); !strings.HasPrefix(text, `{"format":"hf","messages":[`) {
		t.Errorf("copied %q", text)
	}
}

func TestGiantRecordSaysWhatIsNotShown(t *testing.T) {
	f := samplePreview()
	f.records = func(review.Segment, export.Options) string {
		return `{"content":"` + strings.Repeat("long line\\n", 200_000) + `"}`
	}
	x := startPreview(t, f, 120, 40)
	x.wants("MB of long texts are not shown here", "long line")
}

func TestHostileRecordsAreHarmless(t *testing.T) {
	for _, p := range payloads {
		payload := p.text
		f := samplePreview()
		f.records = func(review.Segment, export.Options) string {
			quoted := string(chat.AppendString(nil, payload))
			return "{" + quoted + ":" + quoted + `,"b":[` + quoted + "]}\n" + payload
		}
		f.report.Secrets = []export.Secret{{Message: 1, Where: payload, Rule: payload, Shown: payload}}
		f.report.Repairs = []export.RepairCount{{Done: payload}}
		lib := sampleLibrary()
		lib.segments[0].Topic, lib.segments[0].SessionFile, lib.segments[0].Note = payload, payload, payload
		x := start(t, lib, 120, 30, func(o *Options) { o.Previewing = f })
		x.press("p")
		x.harmless()
		x.press("z G")
		x.harmless()
		f.report.LeftOut = []export.LeftOut{{Finding: export.Finding{Check: payload, Detail: payload}}}
		x.press("right")
		x.harmless()
		f.report.LeftOut, f.err = nil, errorText(payload)
		x.press("right")
		x.harmless()
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }

// harmless fails the test if the screen holds anything but text and colours, or
// a line too many or too long.
func (x *harness) harmless() {
	x.t.Helper()
	checkBytes(x.t, x.app.View().Content)
	checkSize(x.t, x, x.app.w, x.app.h)
}

func TestPreviewAtAnySize(t *testing.T) {
	x := startPreview(t, samplePreview(), 80, 24)
	for w := 1; w < 200; w += 7 {
		for h := 1; h < 50; h += 3 {
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
			checkSize(t, x, w, h)
		}
	}
}
