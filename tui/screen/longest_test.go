package screen_test

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// Library is what the screen needs of the database: rows.Library has it.
type Library interface {
	Segments(ctx context.Context, q review.Query) (review.Page, error)
}

// Screen shows the longest segments.
type Screen struct {
	screen.Seat
	lib     Library
	longest screen.Question[[]review.Segment]
	rows    list.Span[review.Segment]
}

// New opens the screen.
func New(seat screen.Seat, lib Library) *Screen { return &Screen{Seat: seat, lib: lib} }

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "go to the segment", "look", (*Screen).look, (*Screen).noRow),
		screen.Key("q esc", keys.Back, "go back to the list", "back", (*Screen).Back, nil),
	}
}

// Follow sizes the list and asks for the rows.
func (s *Screen) Follow(f screen.Frame) {
	s.rows.Resize(f.Height)
	if !s.longest.Asked() {
		s.Reload()
	}
}

// Awaits has keys wait for the rows.
func (s *Screen) Awaits() bool { return s.longest.Awaited() }

// Reload asks for the rows, which gives up an answer that is awaited.
func (s *Screen) Reload() {
	lib := s.lib
	s.longest.Ask(&s.Seat, func(ctx context.Context) ([]review.Segment, error) {
		p, err := lib.Segments(ctx, review.Query{Order: review.Longest, Limit: 10})
		return p.Segments, err
	}, func(rows []review.Segment, _ error) { s.rows.Put(rows) })
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.rows.Move(m) }

func (s *Screen) look() {
	id := s.rows.Selected().ID
	s.Leave()
	s.GoTo(id)
}

func (s *Screen) noRow() string { return keys.Reason(s.rows.Selected() == nil, "there is no segment") }

// Header names the screen.
func (s *Screen) Header(int) []draw.Part {
	return []draw.Part{{Text: s.Ink.Text.On("the longest segments"), Worth: 8}}
}

// Lines draws the rows, or why there are none.
func (s *Screen) Lines(w, height int) []string {
	switch {
	case s.longest.Err != nil:
		return s.Centred(w, height, s.Unread(w, "The segments could not be read.", s.longest.Err))
	case s.longest.Awaited():
		return s.Centred(w, height, []string{s.Ink.Muted.On("loading")})
	}
	var lines []string
	for i, row := range s.rows.Visible() {
		k, mark := s.Row(s.rows.Top+i == s.rows.Cur)
		number, topic := draw.Right(draw.Grouped(row.End-row.Start+1), 9), clean.Line(draw.Head(row.Topic))
		lines = append(lines, mark+k.Muted.On(number+" ")+k.Text.On(draw.Fit(cmp.Or(topic, "no topic yet"), w-11, s.G.More)))
	}
	return s.Filled(lines, w, height)
}

// library has segments of so many messages.
type library struct {
	lengths []int
	fails   error
}

func (l *library) Segments(_ context.Context, q review.Query) (p review.Page, err error) {
	if l.fails != nil {
		return p, l.fails
	}
	for i, n := range l.lengths[:min(len(l.lengths), q.Limit)] {
		p.Segments = append(p.Segments, review.Segment{ID: string(rune('a' + i)), Start: 1, End: n})
	}
	return p, nil
}

// TestLongest: a screen that is made of what the contract says.
func TestLongest(t *testing.T) {
	lib := &library{lengths: []int{1200, 30, 4}}
	open := func(seat screen.Seat) *Screen { return New(seat, lib) }
	x := screentest.Start(t, 40, 4, Rows(), open)
	x.Wants("the longest segments", "1,200 no topic yet")
	x.Press("j j enter")
	if x.WentTo != "c" || !x.Left {
		t.Errorf("went to %q", x.WentTo)
	}
	lib.fails = errors.New("disk full")
	x = screentest.Start(t, 60, 8, Rows(), open)
	x.Wants("could not be read", "disk full", "ctrl+l tries again")
	x.Press("enter")
	x.Wants("there is no segment")
	lib.fails = nil
	x.Press("ctrl+l")
	x.Wants("1,200 no topic yet")
}
