// Package recheck is the second look: segments that were decided are judged once
// more by somebody who does not see the verdicts. Blind hides them from the list;
// once all is answered, the screen tells how it came out, and the answers that are
// not the verdict can take its place. It needs of the program to write, to name
// segments and to quit (Program). Its tests are beside it; those of a recheck from
// its beginning to its end are in tui.
package recheck

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the screen needs of the program.
type Program interface {
	// Title names a segment that has no topic.
	Title(*review.Segment) string
	// Write does something once all that was to be written before it is written,
	// and tells what became of it.
	Write(do func(context.Context) error, done func(error))
	// Quit ends the program.
	Quit()
}

// Screen tells how a recheck came out.
type Screen struct {
	screen.Seat
	program       Program
	blind         *Blind
	agreement     review.Agreement
	disagreements []disagreement
	cur           int
}

// disagreement is a segment on which the curator said something else than before.
type disagreement struct {
	review.Recheck
	segment *review.Segment // as it was
	taken   bool            // the answer is its verdict now
}

// New tells how a recheck came out.
func New(seat screen.Seat, program Program, b *Blind) *Screen {
	list := b.results()
	s := &Screen{Seat: seat, program: program, blind: b, agreement: review.AgreementOf(list)}
	for _, r := range list {
		if !r.Agreed() {
			s.disagreements = append(s.disagreements, disagreement{Recheck: r, segment: b.hidden[r.Segment]})
		}
	}
	return s
}

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter a", "take-answer", "make the new answer the verdict", "take the new one", (*Screen).takeAnswer, (*Screen).noAnswer),
		screen.Key("u", "undo", "bring back the verdict that was replaced last", "undo", (*Screen).undoAnswer, (*Screen).noneTaken),
		screen.Key("q esc", keys.Back, "leave; verdicts you did not replace stay", "leave", (*Screen).Back, nil),
	}
}

// current is the disagreement under the cursor, nil if there is none.
func (s *Screen) current() *disagreement {
	if s.cur >= len(s.disagreements) {
		return nil
	}
	return &s.disagreements[s.cur]
}

func (s *Screen) noAnswer() string {
	switch d := s.current(); {
	case d == nil:
		return "every answer agrees with its verdict"
	case d.taken:
		return "it is already the verdict"
	}
	return ""
}

func (s *Screen) noneTaken() string {
	if !slices.ContainsFunc(s.disagreements, func(d disagreement) bool { return d.taken }) {
		return "no verdict was replaced"
	}
	return ""
}

// takeAnswer gives the segment under the cursor the new verdict.
func (s *Screen) takeAnswer() {
	d, lib := s.current(), s.blind.lib
	d.taken = true
	s.cur = min(s.cur+1, len(s.disagreements)-1)
	j := review.Judgement{
		Curator: s.blind.curator, IDs: []string{d.Segment}, Verdict: d.Answer, Seen: map[string]chat.Digest{d.Segment: d.segment.Digest},
	}
	s.program.Write(func(ctx context.Context) error {
		_, err := lib.Judge(ctx, j)
		return err
	}, func(err error) {
		d.taken = err == nil
		s.failed(err)
	})
}

// undoAnswer takes back the last one that was taken.
func (s *Screen) undoAnswer() {
	lib, curator, undone := s.blind.lib, s.blind.curator, ""
	s.program.Write(func(ctx context.Context) error {
		e, err := lib.Undo(ctx, curator)
		if err == nil && len(e.Changes) == 1 {
			undone = e.Changes[0].Segment
		}
		return err
	}, func(err error) {
		if i := slices.IndexFunc(s.disagreements, func(d disagreement) bool { return d.Segment == undone }); i >= 0 {
			s.cur, s.disagreements[i].taken = i, false
		}
		s.failed(err)
	})
}

func (s *Screen) failed(err error) {
	if errors.Is(err, review.ErrNotFound) {
		err = errors.New("it was cut again meanwhile")
	}
	s.Fail("not taken", err)
}

// Follow has nothing to follow.
func (s *Screen) Follow(screen.Frame) {}

// Move goes to another disagreement.
func (s *Screen) Move(m keys.Motion) { s.cur = m.Among(s.cur, len(s.disagreements)) }

// Back quits: the recheck is over.
func (s *Screen) Back() { s.program.Quit() }

// Header says how many segments were decided.
func (s *Screen) Header(int) []draw.Part {
	return []draw.Part{
		{Text: s.Ink.Text.On("recheck"), Worth: 8},
		{Text: s.Ink.Muted.On(draw.Plural(len(s.blind.sample.Decided), "decided segment")), Worth: 5},
	}
}

// Lines draws how it came out: the agreement, and below it what the curator says
// something else of now.
func (s *Screen) Lines(w, height int) []string {
	muted := func(text string) string { return " " + s.Ink.Muted.On(draw.Fit(text, w-1, s.G.More)) }
	answered, _ := s.agreement.Counts()
	title := s.agreement.String()
	lines := []string{"", " " + s.Ink.Name.On(draw.Fit(strings.ToUpper(title[:1])+title[1:], w-1, s.G.More))}
	if n := len(s.blind.sample.Decided); answered < n {
		lines = append(lines, muted(draw.Plural(n-answered, "segment")+" not answered"))
	}
	for _, text := range s.agreement.Lines() {
		lines = append(lines, "   "+s.Ink.Text.On(draw.Fit(text, w-3, s.G.More)))
	}
	lines = append(lines, "")
	if len(s.disagreements) > 0 {
		lines = append(lines, muted("You answered differently here. The verdicts stay unless you take the new ones:"), "")
	}
	room := max(1, height-len(lines))
	for i := max(0, s.cur-room+1); i < len(s.disagreements); i++ {
		lines = append(lines, s.line(i, w))
	}
	return s.Filled(lines, w, height)
}

// line draws a segment: its verdict, the answer, and which of them stands.
func (s *Screen) line(i, w int) string {
	d := &s.disagreements[i]
	k, mark := s.Row(i == s.cur)
	topic := cmp.Or(clean.Line(draw.Head(d.segment.Topic)), s.program.Title(d.segment))
	before, after := review.Segment{Verdict: d.Was}, review.Segment{Verdict: d.Answer}
	state := string(d.Was) + " stays"
	if d.taken {
		state = string(d.Answer) + " taken"
	}
	const stateWidth = 16 // the longest: "approved stays"
	lead := k.Text.On(" ") + k.Verdict(&before).On(s.G.State(&before)) + k.Muted.On(" "+s.G.Arrow+" ") + k.Verdict(&after).On(s.G.State(&after)) +
		k.Text.On("  ") + draw.Score(k, s.G, d.segment.Score) + k.Text.On("  ")
	return mark + lead + k.Text.On(draw.Fit(topic, max(1, w-1-14-stateWidth-len(s.G.Arrow)+1), s.G.More)) + k.Text.On("  ") + k.Muted.On(draw.Fit(state, stateWidth, ""))
}

// Footer says what was said of the segment before.
func (s *Screen) Footer() []string {
	d := s.current()
	if d == nil {
		return nil
	}
	said := []string{"was " + string(d.Was) + " by " + clean.Line(draw.Head(d.WasBy))}
	if at := d.segment.ReviewedAt; !at.IsZero() {
		said[0] += " on " + at.In(s.Now().Location()).Format("2 Jan 2006")
	}
	if note := clean.Line(draw.Head(d.segment.Note)); note != "" {
		said = append(said, s.G.Note+" "+draw.Cut(note, 40, s.G.More))
	}
	return said
}
