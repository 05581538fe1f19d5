package record

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library makes training records without writing them. It may take long and is
// called from commands only.
type Library interface {
	// Preview returns the records that a segment becomes, exactly as an export
	// with these options would write them, whatever its verdict, and none if it
	// would be left out. It adds what the options do not know, as exports do.
	Preview(ctx context.Context, s review.Segment, o export.Options) (records []byte, r export.Report, err error)
}

// Form is what the curator asks of exports.
type Form interface {
	Options() (export.Options, error)
	// Format is the name of the format that was chosen, "" for none.
	Format() string
	// Counter names what counts tokens.
	Counter() string
}

// Format is the format in which records are shown. It outlives the screen.
type Format struct {
	Chosen  string // on the screen, "" for none
	Default string // unless one was chosen, here or for exports
}

// Preview shows the training record that the selected segment becomes.
type Preview struct {
	page[export.Report]
	lib    Library
	form   Form
	format *Format
	of     source // of what is asked for, or shown
}

// source is what a record depends on.
type source struct {
	id         string
	start, end int
	body       int64
	digest     chat.Digest
	masked     string
	format     string
}

// NewPreview shows the record of what is selected.
func NewPreview(s screen.Seat, p Program, lib Library, form Form, format *Format) *Preview {
	return &Preview{page: newPage[export.Report](s, p), lib: lib, form: form, format: format}
}

// PreviewRows returns the keys of the training record.
func PreviewRows() []keys.Row[*Preview] {
	return []keys.Row[*Preview]{
		screen.Key("right", "next-format", "show the record in the next format", "format", func(p *Preview) { p.turn(+1) }, nil),
		screen.Key("left", "previous-format", "show it in the previous format", "", func(p *Preview) { p.turn(-1) }, nil),
		screen.Key("enter", "go-to-finding", "go to the message that the first finding names", "go there", (*Preview).goToNamed, (*Preview).noNamed),
		screen.Key("z", "fold-texts", "fold each text to a row, or show all of it", "fold", (*Preview).foldTexts, (*Preview).noRecord),
		screen.Key("J", "next-item", "go to the next message of the record", "", func(p *Preview) { p.Read(p.reader.NextItem()) }, (*Preview).noRecord),
		screen.Key("K", "previous-item", "go to the previous message", "", func(p *Preview) { p.Read(p.reader.PrevItem()) }, (*Preview).noRecord),
		screen.Key("q esc p", keys.Back, "close the find, else go back to the reader", "back", (*Preview).Back, nil),
	}
}

// formatName is the format that is shown: the one chosen last, else that of the
// export, else the default.
func (p *Preview) formatName() string {
	names := export.Names()
	for _, name := range []string{p.format.Chosen, p.form.Format(), p.format.Default} {
		if slices.Contains(names, name) {
			return name
		}
	}
	return names[0]
}

// turn shows another format.
func (p *Preview) turn(by int) {
	names := export.Names()
	at := slices.Index(names, p.formatName())
	p.format.Chosen = names[(at+by+len(names))%len(names)]
}

// Follow asks for the record of what is selected, if another is shown, and tells
// the text its size.
func (p *Preview) Follow(f screen.Frame) {
	var of source
	s := p.program.Segment()
	if s != nil {
		of = source{s.ID, s.Start, s.End, s.Body, s.Digest, review.MaskText(s.Masked), p.formatName()}
	}
	switch {
	case of == p.of:
	case s == nil:
		p.giveUp()
	default:
		p.askRecord(*s, of.format)
	}
	p.of = of
	p.Read(p.reader.Resize(f.Width, max(1, f.Height-len(p.head(f.Width, f.Height)))))
}

// askRecord asks for the record with the options of exports, in another format. It
// is folded if the last one was.
func (p *Preview) askRecord(s review.Segment, format string) {
	o, fails := p.form.Options()
	o.As, o.Path = format, ""
	lib, ascii := p.lib, p.ASCII
	p.ask(func(ctx context.Context) (text[export.Report], error) {
		if fails != nil {
			return text[export.Report]{}, fails
		}
		records, about, err := lib.Preview(ctx, s, o)
		if err != nil || len(records) == 0 {
			return text[export.Report]{about: about}, err
		}
		return textOf(ctx, about, records, ascii), nil
	}, true)
}

// Reload has Follow ask anew.
func (p *Preview) Reload() { p.of = source{} }

// Copied is the record as an export writes it.
func (p *Preview) Copied() (text, what string) { return p.text.Got.copy, "the record" }

// named returns the first message that what was found names, 0 for none.
func (p *Preview) named() int {
	if p.text.Err != nil {
		return 0
	}
	for i := range p.text.Got.about.LeftOut {
		if n := p.text.Got.about.LeftOut[i].Message; n > 0 {
			return n
		}
	}
	for i := range p.text.Got.about.Secrets {
		if n := p.text.Got.about.Secrets[i].Message; n > 0 {
			return n
		}
	}
	return 0
}

// goToNamed reads the message that what was found names.
func (p *Preview) goToNamed() {
	p.Leave()
	p.program.Read(p.named())
}

// Why keys of the training record do nothing.

func (p *Preview) noNamed() string {
	if p.named() == 0 {
		return "no finding names a message"
	}
	return ""
}

func (p *Preview) noRecord() string {
	if p.text.Got.shown == nil {
		return "there is no record"
	}
	return ""
}
