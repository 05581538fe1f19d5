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
	seq     int                // number of the last question
	stop    context.CancelFunc // ends it
	answer[T]
}

// answer is what came of a question.
type answer[T any] struct {
	seq   int
	came  bool
	err   error
	about T
	text  *reader.Text // nil for none
	copy  string       // the text as y copies it, unless it is more than terminals take
}

func newPage[T any](s screen.Seat, p Program) page[T] {
	return page[T]{Seat: s, program: p, reader: reader.New(reader.Options{Styles: p.Styles(), ASCII: s.ASCII}), stop: func() {}}
}

// show makes a text of what was read, unless nobody waits for it any more.
func (m *answer[T]) show(ctx context.Context, raw []byte, ascii bool) {
	if m.err != nil || ctx.Err() != nil {
		return
	}
	if m.text = reader.TextOf(raw, ascii); len(raw) <= screen.MostCopied {
		m.copy = string(raw)
	}
}

// giveUp ends the question under way, and forgets what came of the last one.
func (p *page[T]) giveUp() {
	p.stop()
	p.seq++
	p.answer = answer[T]{}
}

// ask asks for another text.
func (p *page[T]) ask(read func(context.Context, *answer[T])) tea.Cmd {
	p.giveUp()
	ctx, stop := context.WithCancel(p.Ctx)
	p.stop = stop
	m := answer[T]{seq: p.seq, came: true}
	return func() tea.Msg {
		read(ctx, &m)
		return m
	}
}

// open shows the answer to the last question. Nobody waits for other answers any
// more; what is no answer is for the reader.
func (p *page[T]) open(msg tea.Msg, folded bool) tea.Cmd {
	m, ok := msg.(answer[T])
	switch {
	case !ok:
		return p.reader.Update(msg)
	case m.seq != p.seq:
		return nil
	}
	if p.answer = m; m.text == nil {
		return nil
	}
	return p.reader.OpenText(m.text, folded)
}

// Searched implements screen.Searcher.
func (p *page[T]) Searched() *reader.Reader { return p.reader }

// Back ends the find, or leaves.
func (p *page[T]) Back() tea.Cmd {
	if p.reader.Status().FindQuery != "" {
		return p.reader.ClearFind()
	}
	return p.Seat.Back()
}

// Move scrolls the text.
func (p *page[T]) Move(m keys.Motion) tea.Cmd { return p.reader.Move(m) }

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
	case p.err != nil:
		none = p.Failed(w, failed, p.err, p.Key(keys.Reload)+" tries again")
	case !p.came:
		none = []string{p.Ink.Muted.On(awaited)}
	case p.text != nil && room > 0:
		return append(head, strings.Split(p.reader.View(w, room), "\n")...)
	}
	return append(head, p.Centred(w, room, none)...)[:height]
}
