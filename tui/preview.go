package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/reader"
)

// Previewing makes training records without writing them. It may take long and
// is called from commands only.
type Previewing interface {
	// Preview returns the records that a segment becomes, exactly as an export
	// with these options would write them, whatever its verdict, and none if it
	// would be left out. It adds what the options do not know, as Exporting does.
	Preview(ctx context.Context, s review.Segment, o export.Options) (records []byte, r export.Report, err error)
}

// previewScreen shows the training record that the selected segment becomes.
type previewScreen struct {
	pane *textPane
	of   previewKey // what is asked for, or shown
	stop context.CancelFunc

	came   bool
	err    error
	report export.Report
	text   *reader.Text // nil if there is no record
	copy   []byte       // the record, unless it is more than terminals copy
	folded bool         // strings take a row each
	find   string       // goes on from segment to segment
}

// previewKey is what a record depends on.
type previewKey struct {
	id         string
	start, end int
	body       int64
	digest     chat.Digest
	masked     string
	format     string
	again      int // counts reloads
}

// previewCame answers with a record.
type previewCame struct {
	screen *previewScreen
	of     previewKey
	report export.Report
	text   *reader.Text
	copy   []byte
	err    error
}

// togglePreview shows the training record in place of the reader, or the reader
// again.
func (a *App) togglePreview() tea.Cmd {
	if a.preview != nil {
		a.closePreview()
		return nil
	}
	a.preview = &previewScreen{pane: a.newTextPane(), stop: func() {}}
	return nil
}

func (a *App) closePreview() {
	a.preview.stop()
	a.preview = nil
}

// backFromPreview ends the find, or closes the record.
func (a *App) backFromPreview() tea.Cmd {
	p := a.preview
	if p.pane.Status().FindQuery != "" {
		p.find = ""
		return p.pane.ClearFind()
	}
	a.closePreview()
	return nil
}

// formats names the formats of records, in their order.
func formats() (names []string) {
	for _, e := range export.Emitters() {
		names = append(names, e.Name)
	}
	return names
}

// previewFormatName is the format that is shown: the one chosen last, else that
// of the export screen, else the one that was configured or exported last.
func (a *App) previewFormatName() string {
	if a.previewFormat != "" {
		return a.previewFormat
	}
	if name := a.exports.form.Format(); name != "" {
		return name
	}
	if slices.Contains(formats(), a.previewDefault) {
		return a.previewDefault
	}
	return formats()[0]
}

// turnFormat shows another format.
func (a *App) turnFormat(by int) func() tea.Cmd {
	return func() tea.Cmd {
		names := formats()
		at := slices.Index(names, a.previewFormatName())
		a.previewFormat = names[(at+by+len(names))%len(names)]
		return nil
	}
}

// previewOptions are the options of the export screen, in the format shown.
func (a *App) previewOptions() (export.Options, error) {
	o, err := a.exports.form.Options()
	o.As, o.Path = a.previewFormatName(), ""
	return o, err
}

// followPreview asks for the record of what is selected, if another is shown,
// and tells the text its size.
func (a *App) followPreview() tea.Cmd {
	p := a.preview
	if p == nil || a.tooSmall() {
		return nil
	}
	size := p.pane.run(p.pane.Resize(a.asideWidth(a.w), a.previewRoom()))
	s := a.list.Selected()
	if s == nil {
		p.stop()
		p.of, p.came = previewKey{}, false
		return size
	}
	key := previewKey{
		id: s.ID, start: s.Start, end: s.End, body: s.Body, digest: s.Digest, masked: review.MaskText(s.Masked),
		format: a.previewFormatName(), again: a.previewAgain,
	}
	if key == p.of {
		return size
	}
	return tea.Batch(size, a.askPreview(*s, key))
}

// askPreview asks for a record; an older question is given up.
func (a *App) askPreview(s review.Segment, key previewKey) tea.Cmd {
	p := a.preview
	p.stop()
	p.of, p.came, p.err, p.text = key, false, nil, nil
	var ctx context.Context
	ctx, p.stop = context.WithCancel(a.ctx)
	o, err := a.previewOptions()
	m := previewCame{screen: p, of: key, err: err}
	lib, ascii := a.previewing, a.ASCII
	return func() tea.Msg {
		if m.err != nil {
			return m
		}
		var records []byte
		if records, m.report, m.err = lib.Preview(ctx, s, o); m.err == nil && len(records) > 0 && ctx.Err() == nil {
			m.text = reader.TextOf(records, ascii)
			if len(records) <= clipMost {
				m.copy = records
			}
		}
		return m
	}
}

// tookPreview takes a record, unless another one is wanted by now.
func (a *App) tookPreview(m previewCame) tea.Cmd {
	p := a.preview
	if p != m.screen || m.of != p.of || errors.Is(m.err, context.Canceled) {
		return nil
	}
	if p.came && p.pane.Status().FindQuery != "" {
		p.find = p.pane.Status().FindQuery
	}
	p.came, p.err, p.report, p.text, p.copy = true, m.err, m.report, m.text, m.copy
	if p.text == nil {
		return nil
	}
	return p.pane.run(p.pane.OpenText(p.text, p.folded))
}

// copiedRecord is what y copies: the record as an export writes it.
func (a *App) copiedRecord() (text, what string) {
	if p := a.preview; p.came && p.text != nil {
		return string(p.copy), "the record"
	}
	return "", ""
}

// foldPreview folds the strings of the record, of the next ones too.
func (a *App) foldPreview() tea.Cmd {
	p := a.preview
	p.folded = !p.folded
	return p.pane.run(p.pane.FoldText())
}

// stepItem goes to the next message of a record, or to the one before.
func (a *App) stepItem(by int) func() tea.Cmd {
	return func() tea.Cmd {
		p := a.textPane()
		if by < 0 {
			return p.run(p.PrevItem())
		}
		return p.run(p.NextItem())
	}
}

// named returns the first message that what was found names, 0 for none.
func (p *previewScreen) named() int {
	if !p.came || p.err != nil {
		return 0
	}
	for i := range p.report.LeftOut {
		if n := p.report.LeftOut[i].Message; n > 0 {
			return n
		}
	}
	for i := range p.report.Secrets {
		if n := p.report.Secrets[i].Message; n > 0 {
			return n
		}
	}
	return 0
}

// goToNamed reads the message that what was found names.
func (a *App) goToNamed() tea.Cmd {
	n, s := a.preview.named(), a.list.Selected()
	a.closePreview()
	a.focus = onReader
	if a.opened.ID == s.ID {
		return a.reader.Show(n)
	}
	a.landing = landing{s.ID, n}
	return nil
}

func previewKeys() []keyRow {
	return []keyRow{
		keys.Key("p", "preview", "the training record that the segment becomes, with its tokens and what the checks find", "record", keys.InSegment, (*App).togglePreview, (*App).noPreview),
		keys.Key("right", "next-format", "the record in the next format", "format", keys.InPreview, with((*App).turnFormat, +1), nil),
		keys.Key("left", "previous-format", "in the format before", "", keys.InPreview, with((*App).turnFormat, -1), nil),
		keys.Key("enter", "go-to-finding", "go to the message that the first finding names", "go there", keys.InPreview, (*App).goToNamed, (*App).noNamed),
		keys.Key("z", "fold-texts", "a row for each text, or all of it", "fold", keys.InPreview, (*App).foldPreview, (*App).noRecord),
		keys.Key("J", "next-item", "the next message of the record", "", keys.InPreview, with((*App).stepItem, +1), (*App).noRecord),
		keys.Key("K", "previous-item", "the message before", "", keys.InPreview, with((*App).stepItem, -1), (*App).noRecord),
		keys.Key("q esc p", keys.Back, "end the find, else back to the reader", "back", keys.InPreview, (*App).back, nil),
	}
}

func (a *App) noPreview() string {
	if a.previewing == nil {
		return "there is no export here"
	}
	return a.noVerdict()
}

func (a *App) noNamed() string {
	if a.preview.named() == 0 {
		return "no finding names a message"
	}
	return ""
}

func (a *App) noRecord() string {
	if p := a.preview; p != nil && p.text == nil {
		return "there is no record"
	}
	return ""
}
