package record_test

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/export"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/record"
	"winnow/tui/screens/record/recordtest"
)

// program has a segment selected, and a reader of three messages.
type program struct {
	segment *review.Segment
	read    int // message that was gone to
	current int
}

func (p *program) Styles() themes.Styles    { return themes.Styles{} }
func (p *program) Segment() *review.Segment { return p.segment }
func (p *program) Title(int) string         { return "title of " + p.segment.ID }
func (p *program) Read(n int)               { p.read = n }
func (p *program) Message() ledger.Message {
	return ledger.Message{Session: "s", Body: 7, N: p.current}
}
func (p *program) Step(by int) string {
	if n := p.current + by; n >= 1 && n <= 3 {
		p.current = n
		return ""
	}
	return "no further message"
}

// form is how exports are set up.
type form struct{ format string }

func (f form) Options() (export.Options, error) {
	return export.Options{As: f.format, Path: "out"}, nil
}
func (f form) Format() string  { return f.format }
func (f form) Counter() string { return "chars/4" }

// preview opens the record of a segment.
func preview(t *testing.T, lib *recordtest.Library, f form, format *record.Format) (*screentest.Run, *program) {
	t.Helper()
	p := &program{segment: &review.Segment{ID: "one"}}
	return screentest.Start(t, 80, 24, record.PreviewRows(), func(s screen.Seat) *record.Preview {
		return record.NewPreview(s, p, lib, f, format)
	}), p
}

// raw opens the first message.
func raw(t *testing.T, lib *recordtest.Sources) (*screentest.Run, *program) {
	t.Helper()
	p := &program{current: 1}
	return screentest.Start(t, 80, 24, record.RawRows(), func(s screen.Seat) *record.Raw { return record.NewRaw(s, p, lib) }), p
}

func TestPreviewLoadsAndFails(t *testing.T) {
	lib := recordtest.SampleLibrary()
	x, _ := preview(t, lib, form{}, &record.Format{})
	x.Hold = true
	x.Press("right")
	x.Wants("making the record", "< openai >")
	x.Release()
	x.Wants("4,120 tokens (chars/4)", "< openai >")
	lib.Err = errors.New("read /x: input/output error")
	x.Press("right")
	x.Wants("The record could not be made.", "input/output error", "ctrl+l tries again")
	x.Press("enter")
	x.Wants("no finding names a message")
	x.Press("z")
	x.Wants("there is no record")
	lib.Err = nil
	x.Press("ctrl+l")
	x.Wants("4,120 tokens", "< sharegpt >")
}

// The format is the one that was chosen here, also before, else that of exports,
// else the default, if there is one of that name.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		form   form
		format record.Format
		want   string
	}{
		{form{}, record.Format{}, "< hf >"},
		{form{}, record.Format{Default: "xml"}, "< hf >"},
		{form{}, record.Format{Default: "sharegpt"}, "< sharegpt >"},
		{form{"openai"}, record.Format{Default: "sharegpt"}, "< openai >"},
		{form{"openai"}, record.Format{Chosen: "hf", Default: "sharegpt"}, "< hf >"},
	} {
		lib := recordtest.SampleLibrary()
		x, _ := preview(t, lib, c.form, &c.format)
		x.Wants(c.want)
		if o := lib.Asked[0]; "< "+o.As+" >" != c.want || o.Path != "" {
			t.Errorf("%+v: asked with %+v", c, o)
		}
		x.Press("right left esc")
		if !x.Left || "< "+c.format.Chosen+" >" != c.want {
			t.Errorf("%+v: left %t, %q is remembered", c, x.Left, c.format.Chosen)
		}
	}
}

// What is not waited for any more is cancelled, and its answer dropped.
func TestRecordsNobodyWaitsForAreGivenUp(t *testing.T) {
	lib := recordtest.SampleLibrary()
	x, p := preview(t, lib, form{}, &record.Format{})
	x.Hold = true
	x.Press("right right")
	x.Release()
	if lib.Cancelled != 1 || len(lib.Asked) != 3 {
		t.Errorf("%d of %d were cancelled", lib.Cancelled, len(lib.Asked))
	}
	x.Wants("< sharegpt >", `"format": "sharegpt"`)
	x.Hold = true
	x.Press("ctrl+l")
	p.segment = nil
	x.Press("g")
	x.Release()
	x.Wants("There is no segment.")
	if lib.Cancelled != 2 {
		t.Error("a record of nothing is waited for")
	}
}

func TestSegmentOfTheRecordChanges(t *testing.T) {
	lib := recordtest.SampleLibrary()
	x, p := preview(t, lib, form{}, &record.Format{})
	x.Press("z j")
	x.Wants("title of one", "the flaky test of one", `(2 lines)`)
	p.segment = &review.Segment{ID: "two"}
	x.Press("j")
	x.Wants("title of two", "the flaky test of two", `(2 lines)`)
	p.segment.Masked = []int{2}
	x.Press("j")
	p.segment.End++
	x.Press("j j")
	if len(lib.Asked) != 4 {
		t.Errorf("asked %d times", len(lib.Asked))
	}
	x.Press("enter")
	if p.read != 2 || !x.Left {
		t.Errorf("message %d is read, left %t", p.read, x.Left)
	}
}

func TestSegmentIsLeftOut(t *testing.T) {
	lib := recordtest.SampleLibrary()
	lib.Report = export.Report{LeftOut: []export.LeftOut{{Finding: export.Finding{Check: "unanswered_call", Message: 4, Detail: "not answered"}}}}
	x, p := preview(t, lib, form{}, &record.Format{})
	x.Wants("There is no record.", "enter goes to message 4")
	if text, _ := x.Layer.(screen.Copier).Copied(); text != "" {
		t.Errorf("copied %q", text)
	}
	x.Press("enter")
	if p.read != 4 {
		t.Errorf("message %d is read", p.read)
	}
}

// A giant record says what is not shown, and is not kept to be copied.
func TestGiantRecord(t *testing.T) {
	lib := recordtest.SampleLibrary()
	lib.Records = func(review.Segment, export.Options) string {
		return `{"content":"` + strings.Repeat("long line\\n", 200_000) + `"}`
	}
	x, _ := preview(t, lib, form{}, &record.Format{})
	x.Wants("MB of long texts are not shown here", "long line")
	if text, _ := x.Layer.(screen.Copier).Copied(); text != "" {
		t.Errorf("%d bytes are copied", len(text))
	}
}

func TestRawLoadsStepsAndFails(t *testing.T) {
	lib := recordtest.SampleSources()
	x, p := raw(t, lib)
	x.Wants("message 1 as recorded", "~/sessions/2026-05-01-parser.jsonl:12", "one run in ten")
	if text, what := x.Layer.(screen.Copier).Copied(); text != string(lib.Rec.Text) || what != "message 1" {
		t.Errorf("copied %s, %q", what, text)
	}
	x.Hold = true
	x.Press("J J")
	x.Wants("message 3", "reading the source")
	x.Release()
	x.Press("J")
	x.Wants("message 3", "one run in ten", "no further message")
	lib.Err = errors.New("read /x: input/output error")
	x.Press("K")
	x.Wants("message 2", "The message could not be read.", "input/output error", "ctrl+l tries again")
	lib.Err, lib.Rec.Stored = nil, "the file is gone"
	x.Press("ctrl+l")
	x.Wants("message 2 as stored", "the file is gone")
	if got := lib.Asked[len(lib.Asked)-1]; got != (ledger.Message{Session: "s", Body: 7, N: 2}) || p.current != 2 {
		t.Errorf("asked for %+v", got)
	}
	x.Press("w")
	if !x.Left {
		t.Error("w does not go back")
	}
}
