package record

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	"winnow/tui/screen"
)

// Program is what the screens need of the program.
type Program interface {
	// Styles are those of the theme that is worn.
	Styles() themes.Styles
	// Segment is the one that is selected, nil for none. Title says in w cells
	// which it is, Read shows one of its messages in the reader.
	Segment() *review.Segment
	Title(w int) string
	Read(n int)
	// Message is the one that is current in the reader. Step goes on by so many,
	// and says why if there are no more.
	Message() ledger.Message
	Step(by int) (notice string)
}

// page is a text that is asked for, and a reader of its own that shows it.
type page[T any] struct {
	screen.Seat
	program Program
	reader  *reader.Reader
	text    screen.Question[text[T]] // what it got is shown
}

// text is what is known of a text, and the text itself.
type text[T any] struct {
	about T
	shown *reader.Text // nil for none
	copy  string       // as y copies it, unless it is more than terminals take
}

func newPage[T any](s screen.Seat, p Program) page[T] {
	return page[T]{Seat: s, program: p, reader: reader.New(reader.Options{Styles: p.Styles(), ASCII: s.ASCII})}
}

// textOf makes a text of what was read, unless nobody waits for it any more.
func textOf[T any](ctx context.Context, about T, raw []byte, ascii bool) text[T] {
	m := text[T]{about: about}
	if ctx.Err() == nil {
		if m.shown = reader.TextOf(raw, ascii); len(raw) <= screen.MostCopied {
			m.copy = string(raw)
		}
	}
	return m
}

// giveUp ends the question under way, and forgets what came of the last one.
func (p *page[T]) giveUp() {
	p.text.GiveUp()
	p.text.Err, p.text.Got = nil, text[T]{}
}

// ask asks for another text. It is folded if the one before was and folds is set.
func (p *page[T]) ask(read func(context.Context) (text[T], error), folds bool) {
	p.giveUp()
	p.text.Ask(&p.Seat, read, func(m text[T], err error) {
		if err == nil && m.shown != nil {
			p.Read(p.reader.OpenText(m.shown, folds && p.reader.TextFolded()))
		}
	})
}

// Awaits has keys wait for the first text.
func (p *page[T]) Awaits() bool { return p.text.Awaited() }

// Read and Searched implement screen.Searcher.
func (p *page[T]) Read(cmd tea.Cmd)         { p.Run(screen.For(p.Ctx, p.reader.Update, cmd)) }
func (p *page[T]) Searched() *reader.Reader { return p.reader }

// Back ends the find, or leaves.
func (p *page[T]) Back() {
	if p.reader.Status().FindQuery != "" {
		p.Read(p.reader.ClearFind())
		return
	}
	p.Leave()
}

// Move scrolls the text.
func (p *page[T]) Move(m keys.Motion) { p.Read(p.reader.Move(m)) }

// foldTexts folds each text to a row, or shows all of it.
func (p *page[T]) foldTexts() { p.Read(p.reader.FoldText()) }

// Footer is what the reader has to say.
func (p *page[T]) Footer() []string {
	if notice := p.reader.Status().Notice; notice != "" {
		return []string{notice}
	}
	return nil
}

// Header is that of the list.
func (p *page[T]) Header(int) []draw.Part { return nil }

// lines draw the text below its head, or in its place that it is awaited, why it
// could not be read, or that there is none.
func (p *page[T]) lines(head []string, w, height int, awaited, failed string, none []string) []string {
	room := max(0, height-len(head))
	switch {
	case p.text.Err != nil:
		none = p.Unread(w, failed, p.text.Err)
	case p.text.Open:
		none = []string{p.Ink.Muted.On(awaited)}
	case p.text.Got.shown != nil && room > 0:
		return append(head, strings.Split(p.reader.View(w, room), "\n")...)
	}
	return append(head, p.Centred(w, room, none)...)[:height]
}
