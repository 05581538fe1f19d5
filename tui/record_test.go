package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/export"
	"winnow/core/ledger"
	"winnow/core/rawjson"
	"winnow/core/review"
	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/screens/record/recordtest"
)

func startPreview(t *testing.T, f *recordtest.Library, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := start(t, sampleLibrary(), w, h, append([]func(*Options){func(o *Options) { o.Previewing = f }}, with...)...)
	x.press("p")
	return x
}

func TestPreviewScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, recordtest.SampleLibrary(), 80, 24).screen())
}

func TestPreviewScreen160x45(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, recordtest.SampleLibrary(), 160, 45).screen())
}

func TestPreviewScreen40x10(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, recordtest.SampleLibrary(), 40, 10).screen())
}

func TestPreviewScreenASCII(t *testing.T) {
	x := startPreview(t, recordtest.SampleLibrary(), 80, 24, func(o *Options) { o.ASCII = true })
	x.wantsASCII()
	golden.RequireEqual(t, x.screen())
}

func TestPreviewScreenNoColor(t *testing.T) {
	golden.RequireEqual(t, startPreview(t, recordtest.SampleLibrary(), 80, 24).uncoloured())
}

func TestPreviewLeftOut80x24(t *testing.T) {
	f := recordtest.SampleLibrary()
	f.Report = export.Report{LeftOut: []export.LeftOut{{Finding: export.Finding{Check: "unanswered_call", Message: 4, Detail: "terminal is called and not answered"}, More: 1}}}
	golden.RequireEqual(t, startPreview(t, f, 80, 24).screen())
}

// A verdict given above the record goes on to the record of the next segment.
func TestVerdictsGoOnToTheNextRecord(t *testing.T) {
	f := recordtest.SampleLibrary()
	x := startPreview(t, f, 100, 30)
	first := x.app.List.Selected().ID
	x.wants("the flaky test of " + first)
	x.press("a")
	next := x.app.List.Selected().ID
	if next == first || x.app.in(keys.InPreview) == nil || f.Of[len(f.Of)-1] != next {
		t.Fatalf("asked for %v, %s is selected", f.Of, next)
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
	if x.app.List.Selected().Note != "keep" {
		t.Error("n writes no note")
	}
}

func TestFormatOfTheRecordIsChosenAndRemembered(t *testing.T) {
	f := recordtest.SampleLibrary()
	x := startPreview(t, f, 100, 30, func(o *Options) { o.PreviewFormat = "sharegpt" })
	x.wants("< sharegpt >")
	for range export.Emitters() {
		x.press("right")
	}
	x.wants("< sharegpt >")
	x.press("left")
	x.wants("< openai >")
	x.press("esc")
	if x.app.in(keys.InPreview) != nil {
		t.Fatal("esc does not close the record")
	}
	x.press("p")
	x.wants("< openai >")
	x.press("p")
	if x.app.in(keys.InPreview) != nil {
		t.Fatal("p does not close the record")
	}
	asked := len(f.Asked)
	x.press("j k")
	if len(f.Asked) != asked {
		t.Error("a closed record is asked for")
	}
}

// The record is made with the options of the screen of exports, and in its
// format until another one is chosen.
func TestRecordIsMadeAsTheExportIsSetUp(t *testing.T) {
	f := recordtest.SampleLibrary()
	x := start(t, approvedLibrary(), 120, 40, func(o *Options) { o.Previewing, o.Exporting, o.PreviewFormat = f, sampleExport(), "openai" })
	x.press("e")
	x.option("format")
	x.press("right right")
	x.option("train")
	x.press("right")
	x.option("counted by")
	x.press("right")
	x.press("esc p")
	o := f.Asked[0]
	if o.As != "sharegpt" || o.Train != export.TrainLast || o.Counter == nil || o.Path != "" {
		t.Errorf("asked with %+v", o)
	}
	x.wants("(" + o.Counter.Name() + ")")
}

func TestRecordIsReadAndSearched(t *testing.T) {
	f := recordtest.SampleLibrary()
	f.Records = func(review.Segment, export.Options) string {
		return `{"messages":[` + strings.Repeat(`{"role":"user","content":"one\ntwo\nthree"},`, 50) + `{"role":"assistant","content":"the needle"}]}`
	}
	x := startPreview(t, f, 100, 30)
	x.press("ctrl+g")
	x.write("needle")
	x.press("enter")
	x.wants("the needle", "1 of 1")
	x.press("esc")
	if x.app.in(keys.InPreview) == nil || x.app.findStatus().FindQuery != "" {
		t.Fatal("esc does not end the find first")
	}
	x.press("g J J z")
	x.wants(`one\n…" (3 lines)`)
	x.press("G K k j pgup ctrl+u home end")
	x.wants("the needle")
}

func TestFindingLeadsToItsMessage(t *testing.T) {
	f := recordtest.SampleLibrary()
	x := startPreview(t, f, 160, 45)
	x.press("enter")
	if x.app.in(keys.InPreview) != nil || x.app.Focus != room.OnReader || x.pane.calls[len(x.pane.calls)-1] != "show 2" {
		t.Errorf("focus %v, calls %v", x.app.Focus, x.pane.calls)
	}
	f.Report.Secrets = nil
	x.press("p enter")
	x.wants("no finding names a message")
}

func TestRecordIsCopied(t *testing.T) {
	x := startPreview(t, recordtest.SampleLibrary(), 120, 30)
	x.press("y")
	x.wants("copied the record")
	if !strings.HasPrefix(x.clipboard, `{"format":"hf","messages":[`) {
		t.Errorf("copied %q", x.clipboard)
	}
}

func TestHostileRecordsAreHarmless(t *testing.T) {
	for _, p := range payloads {
		payload := p.text
		f := recordtest.SampleLibrary()
		f.Records = func(review.Segment, export.Options) string {
			quoted := string(rawjson.AppendString(nil, payload))
			return "{" + quoted + ":" + quoted + `,"b":[` + quoted + "]}\n" + payload
		}
		f.Report.Secrets = []export.Secret{{Message: 1, Where: payload, Rule: payload, Shown: payload}}
		f.Report.Repairs = []export.RepairCount{{Done: payload}}
		lib := sampleLibrary()
		lib.segments[0].Topic, lib.segments[0].SessionFile, lib.segments[0].Note = payload, payload, payload
		x := start(t, lib, 120, 30, func(o *Options) { o.Previewing = f })
		x.press("p")
		x.harmless()
		x.press("z G")
		x.harmless()
		f.Report.LeftOut = []export.LeftOut{{Finding: export.Finding{Check: payload, Detail: payload}}}
		x.press("right")
		x.harmless()
		f.Report.LeftOut, f.Err = nil, errorText(payload)
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
	checkSize(x.t, x, x.app.W, x.app.H)
}

func TestPreviewAtAnySize(t *testing.T) {
	x := startPreview(t, recordtest.SampleLibrary(), 80, 24)
	for w := 1; w < 200; w += 7 {
		for h := 1; h < 50; h += 3 {
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
			checkSize(t, x, w, h)
		}
	}
}

// startRaw starts a screen with the real reader and opens the recorded message.
func startRaw(t *testing.T, f *recordtest.Sources, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	lib := sampleLibrary()
	lib.messages = conversation()
	x := prepare(t, lib, append([]func(*Options){func(o *Options) { o.Sources = f }}, with...)...)
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	x.press("tab w")
	return x
}

func TestRawScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startRaw(t, recordtest.SampleSources(), 80, 24).screen())
}

func TestRawScreen160x45(t *testing.T) {
	golden.RequireEqual(t, startRaw(t, recordtest.SampleSources(), 160, 45).screen())
}

func TestRawStored80x24(t *testing.T) {
	f := recordtest.SampleSources()
	f.Rec.Stored = "/home/ann/sessions/2026-05-01-parser.jsonl is not there any more: this is the message as winnow keeps it"
	f.Rec.Part = "messages[3]"
	golden.RequireEqual(t, startRaw(t, f, 80, 24, func(o *Options) {
		o.ShortPath = func(path string) string { return strings.Replace(path, "/home/ann", "~", 1) }
	}).screen())
}

func TestRawMessageIsReadSteppedAndClosed(t *testing.T) {
	f := recordtest.SampleSources()
	x := startRaw(t, f, 100, 30)
	x.press("ctrl+g")
	x.write("parser")
	x.press("enter")
	x.wants("1 of 1")
	x.press("esc z")
	x.wants("(2 lines)")
	x.press("J")
	x.wants("message 2")
	x.press("K K")
	x.wants("message 1", "first message")
	if got := f.Asked[len(f.Asked)-1]; got.N != 1 || got.Body != x.app.Opened.Body {
		t.Errorf("asked for %+v", got)
	}
	x.press("y")
	if x.clipboard != string(f.Rec.Text) {
		t.Errorf("y copies %q", x.clipboard)
	}
	x.press("w")
	if x.app.in(keys.InRaw) != nil {
		t.Error("w does not close it")
	}
	x.press("w esc")
	if x.app.in(keys.InRaw) != nil || x.app.Focus != room.OnReader {
		t.Error("esc does not go back to the reader")
	}
}

func TestSourceIsOpenedInTheEditor(t *testing.T) {
	f := recordtest.SampleSources()
	x := startRaw(t, f, 80, 24)
	x.press("esc J O")
	if len(f.Edited) != 1 || f.Edited[0].N != 2 || f.Edited[0].Session != x.app.Opened.SessionID {
		t.Errorf("edited %+v", f.Edited)
	}
	x.press("w O")
	if len(f.Edited) != 2 || f.Edited[1].N != 2 {
		t.Errorf("edited %+v", f.Edited)
	}
	x.run(x.app.editorClosed("vim", nil))
	x.wants("show after its next import")
	x.run(x.app.editorClosed("vim", errors.New("exit status 1")))
	x.wants("vim: exit status 1")
	f.Err = errors.New("no editor is set: name one in VISUAL or EDITOR, as in EDITOR=vim")
	x.press("O")
	x.wants("the source was not opened", "no editor is set")
}

func TestWithoutSourcesTheKeysSaySo(t *testing.T) {
	x := startWhole(t, 120, 24)
	x.press("tab w")
	x.wants("no sources here")
	x.press("O")
	x.wants("no sources here")
	x.press("p")
	x.wants("no exports here")
}

func TestHostileRawMessagesAreHarmless(t *testing.T) {
	for _, p := range payloads {
		payload := p.text
		f := recordtest.SampleSources()
		quoted := string(rawjson.AppendString(nil, payload))
		for _, text := range []string{`{"a":` + quoted + "," + quoted + ":1}", payload} {
			f.Rec = ledger.Recorded{Text: []byte(text), Place: payload, Part: payload, Stored: payload}
			x := startRaw(t, f, 100, 30)
			x.harmless()
			x.press("G z")
			x.harmless()
			f.Err = errorText(payload)
			x.press("J O")
			x.harmless()
			f.Err = nil
		}
	}
}

// The text wears the theme of the program, also one that is put on while it is
// open.
func TestRecordWearsTheTheme(t *testing.T) {
	x := startPreview(t, recordtest.SampleLibrary(), 80, 24)
	line := func() string {
		for l := range strings.SplitSeq(x.app.View().Content, "\n") {
			if strings.Contains(l, "hf") && strings.Contains(l, "format") {
				return l
			}
		}
		t.Fatal(x.screen())
		return ""
	}
	dark := line()
	x.press("T j enter")
	if light := line(); light == dark {
		t.Errorf("%q", light)
	}
}
