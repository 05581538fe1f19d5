// Package reasons is the box that tells why a segment has its score: a row for
// each metric, the worst one first, with the messages that decided, which one can
// go to. It needs of the program to read such a message and to know the room
// beside the reader (Program). Its tests are beside it; how it looks is in the
// goldens of tui.
package reasons

import (
	"context"

	"winnow/core/clean"
	"winnow/core/learn"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the box needs of the program.
type Program interface {
	// Beside is how many cells are left of the reader, 0 if the list is not
	// beside it.
	Beside() int
	// Read goes to a message of the segment with the id, if it is still selected.
	Read(segment string, message int)
}

// Cursor is what is chosen in the box. It outlives it: opened again for the same
// segment, the box has the same choice.
type Cursor struct {
	segment   string // id
	row, cite int
}

// Screen is the box.
type Screen struct {
	screen.Seat
	program Program
	head    string // score and type of task
	by      string // who scored
	summary string // what the judge says, or what was measured
	flags   string
	likely  screen.Question[string] // how likely it would be approved, and why
	rows    []row
	at      *Cursor
	frame   screen.Frame
	top     int // the first line of the metrics that is drawn
}

// row is one metric; its name and reason are clean.
type row struct {
	metric.Reason
	cites []metric.Cite // of messages of the segment: others are text like any other
}

// Likely says why a segment is as likely to be approved as it is; ok is false if
// nothing is known.
type Likely interface {
	WhyLikely(ctx context.Context, id string) (why learn.Reasons, ok bool, err error)
}

// New shows the reasons in an analysis of a segment, and what likely says of it
// unless that is nil. Numbers in reasons are those
// of the time when it was made: the segment may have moved since.
func New(seat screen.Seat, program Program, likely Likely, of *review.Segment, a *metric.Analysis, at *Cursor) *Screen {
	s := &Screen{Seat: seat, program: program, head: seat.ScoreAndTask(of, a.Summary.Evidence), by: "measured", summary: shown(a.ReasonFor(of.Start)), at: at}
	if a.Scorer == metric.Judged {
		s.by = "judged by " + shown(a.Model)
	}
	for _, m := range a.Reasons(of.Start) {
		m.Metric, m.Reason = shown(m.Metric), shown(m.Reason)
		r := row{Reason: m}
		for _, c := range metric.Cites(m.Reason) {
			if c.N >= of.Start && c.N <= of.End {
				r.cites = append(r.cites, c)
			}
		}
		s.rows = append(s.rows, r)
	}
	for i, f := range a.Flags {
		if i > 0 {
			s.flags += ", "
		}
		s.flags += shown(string(f))
	}
	if r := s.current(); at.segment != of.ID || r == nil || at.cite >= max(1, len(r.cites)) {
		*at = Cursor{segment: of.ID}
	}
	if id := of.ID; likely != nil {
		s.likely.Ask(&s.Seat, func(ctx context.Context) (string, error) {
			why, ok, err := likely.WhyLikely(ctx, id)
			if !ok {
				return "", err
			}
			return shown(why.String()), err
		}, nil)
	}
	return s
}

// shown is a recorded text as a line.
func shown(text string) string { return clean.Line(draw.Head(text)) }

// current is the row under the cursor, nil if there is none.
func (s *Screen) current() *row {
	if s.at.row >= len(s.rows) {
		return nil
	}
	return &s.rows[s.at.row]
}

// Rows returns the keys of the box.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "go-to-message", "go to the message that the reason names", "go there", (*Screen).goToCite, (*Screen).noCite),
		screen.Key("tab", "next-cite", "choose the next message that the reason names", "next message", func(s *Screen) { s.stepCite(+1) }, (*Screen).noCite),
		screen.Key("shift+tab", "previous-cite", "choose the previous message that it names", "", func(s *Screen) { s.stepCite(-1) }, (*Screen).noCite),
		screen.Key("q esc i", keys.Back, "close the reasons", "back", (*Screen).Back, nil),
	}
}

func (s *Screen) noCite() string {
	if r := s.current(); r == nil || len(r.cites) == 0 {
		return "this reason names no message"
	}
	return ""
}

// stepCite chooses another message of those that the reason names.
func (s *Screen) stepCite(by int) {
	n := len(s.current().cites)
	s.at.cite = (s.at.cite + by + n) % n
}

// goToCite reads the message that is chosen. The next time, the one after it is.
func (s *Screen) goToCite() {
	message := s.current().cites[s.at.cite].N
	s.stepCite(+1)
	s.Leave()
	s.program.Read(s.at.segment, message)
}

// Move chooses another reason.
func (s *Screen) Move(way keys.Motion) {
	if to := way.Among(s.at.row, len(s.rows)); to != s.at.row {
		s.at.row, s.at.cite = to, 0
	}
}

// Copied is the reason under the cursor.
func (s *Screen) Copied() (text, what string) {
	if r := s.current(); r != nil {
		return r.Reason.Reason, "the reason of " + r.Metric
	}
	return s.summary, "the summary"
}
