package reader

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/reader/over"
)

// Edits tell which messages curators changed, and what was recorded in their place. It
// may take long and is called from commands only.
type Edits interface {
	// EditedBy returns what is changed of messages from..to, inclusive.
	EditedBy(ctx context.Context, body int64, from, to int) ([]review.EditedBy, error)
	// RecordedMessages returns messages from..to, inclusive, as they were recorded,
	// EachRecorded calls f for each of them.
	RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
}

// View is which messages are shown.
type View uint8

const (
	Current  View = iota // as curators edited them
	Recorded             // as they were recorded
	Both                 // what is edited beside what was recorded
)

// Views is what others need of a reader that shows several views.
type Views interface {
	// ToggleView shows what was recorded, then both, then what is current.
	ToggleView() tea.Cmd
	// Current reads the current message again: its number alone does not tell it.
	Current() Reading
}

// ToggleView implements Views. The current message stays where it is.
func (r *Reader) ToggleView() tea.Cmd {
	switch {
	case !r.act() || r.page != nil:
		return nil
	case r.over == nil:
		r.notice = "not loaded yet"
		return nil
	case r.over.None():
		r.notice = "nothing is edited here: it shows what was recorded"
		return nil
	}
	view := (r.view + 1) % (Both + 1)
	row := max(0, slices.IndexFunc(r.shown(), func(p place) bool { return p.n == r.lineOf(r.cursor) }))
	seg, stance, at := r.seg, r.stance, r.spot
	r.reset()
	r.seg, r.stance, r.spot, r.view = seg, stance, at, view
	clear(r.folds) // blocks have other numbers in another view
	r.shelf.drop(seg.Body, seg.Start)
	r.anchor = anchor{place: place{n: r.cursor, part: headPart}, row: row}
	r.notice = [...]string{"the current view", "the recorded view: without any edit", "both: before and after"}[view]
	return tea.Batch(r.askSince(), r.markTexts(), r.need())
}

// run returns the dropped messages among which message n is, in views without them.
func (r *Reader) run(n int) (over.Run, bool) { return runIn(r.view, r.over, n) }

func (q request) run(n int) (over.Run, bool) { return runIn(q.view, q.over, n) }

func runIn(v View, o *over.Edits, n int) (over.Run, bool) {
	if v == Recorded {
		return over.Run{}, false
	}
	return o.Run(n)
}

// edited returns what is changed of the segment.
func (q request) edited() (*over.Edits, error) {
	if q.edits == nil {
		return &over.Edits{}, nil
	}
	from := q.seg.Start
	if from == 1 {
		from = 0 // what stands in front of the first
	}
	list, err := q.edits.EditedBy(q.ctx, q.seg.Body, from, q.seg.End)
	if err != nil {
		return nil, err
	}
	return over.Of(list, q.seg.Start, q.seg.End), nil
}

// learnEdits has the request know what is changed of its segment.
func (q *request) learnEdits() (err error) {
	if q.over == nil {
		q.over, err = q.edited()
	}
	return err
}

// each calls f for messages as they are in the view.
func (q request) each(from, to int, f func(*chat.Message) error) error {
	if q.view == Recorded {
		return q.edits.EachRecorded(q.ctx, q.seg.Body, from, to, f)
	}
	return q.fetch.EachMessage(q.ctx, q.seg.Body, from, to, f)
}

// messages returns messages as they are in the view.
func (q request) messages(from, to int) ([]chat.Message, error) {
	if q.view == Recorded {
		return q.edits.RecordedMessages(q.ctx, q.seg.Body, from, to)
	}
	return q.fetch.Messages(q.ctx, q.seg.Body, from, to)
}

// index returns index entries of messages as they are in the view.
func (q request) index(from, to int) ([]review.Head, error) {
	heads, err := q.fetch.Heads(q.ctx, q.seg.Body, from, to)
	if err != nil || q.view != Recorded || q.over.None() {
		return heads, err
	}
	known, err := q.recordedHeads(from, to)
	if err != nil {
		return nil, err
	}
	var recorded []review.Head
	i := 0
	for n := from; n <= to; n++ {
		for ; i < len(heads) && (heads[i].N < n || heads[i].Part > 0); i++ {
		}
		if h, ok := known[n]; ok {
			recorded = append(recorded, h)
		} else if i < len(heads) && heads[i].N == n && !q.editedAt(n) {
			recorded = append(recorded, heads[i])
		}
	}
	return recorded, nil
}

// recordedHeads returns index entries of the edited messages among from..to as they were
// recorded. Edited messages that stand near each other are read together: a read unpacks
// what is stored beside them anyway.
func (q request) recordedHeads(from, to int) (map[int]review.Head, error) {
	known := map[int]review.Head{}
	take := func(m *chat.Message) error {
		if q.editedAt(m.N) {
			known[m.N] = review.HeadOf(m)
		}
		return nil
	}
	for n := from; n <= to; n++ {
		if !q.editedAt(n) {
			continue
		}
		last := n
		for k := n + 1; k <= min(to, last+runMessages); k++ {
			if q.editedAt(k) {
				last = k
			}
		}
		if err := q.edits.EachRecorded(q.ctx, q.seg.Body, n, last, take); err != nil {
			return nil, err
		}
		n = last
	}
	return known, nil
}

// editedAt reports whether an edit is in force over message n itself.
func (q request) editedAt(n int) bool {
	e, ok := q.over.At(n, 0)
	return ok && !e.Clash
}

// Notes at the rules of edited messages.
const clashNote = "recorded text changed"

// editNote says of a message who changed it, "" of one that is as recorded.
func (r *Reader) editNote(n, part int) string {
	if r.over == nil {
		return ""
	}
	return r.over.Note(n, part, r.glyphs.edited, clashNote)
}

// tellStand tells of the message under the cursor.
func (r *Reader) tellStand(s *Status) {
	s.View, s.Place = r.view, [2]int{r.cursor, 0}
	if h, known := r.head(r.cursor); known {
		s.Role = h.Role
	}
	if r.told(r.cursor) {
		return
	}
	d := r.document(r.lineOf(r.cursor))
	if i := r.standing(d); i >= 0 && d.stands[i].part > 0 {
		at := &d.stands[i]
		s.Role, s.Place = at.role, [2]int{at.n, at.part}
		return
	}
	if r.view == Recorded {
		if _, gone := r.over.Run(r.cursor); gone {
			s.Dropped = 1 // in the current view
		}
	} else if run, ok := r.run(r.cursor); ok {
		s.Number, s.Place, s.Dropped = run.From, [2]int{run.From, 0}, run.Len()
	}
}

// NoTraining says why it can't be chosen whether the current message is trained, ""
// if it can.
func (s Status) NoTraining() string {
	switch {
	case s.Dropped > 0:
		return "a dropped message is in no training data"
	case s.Role == "":
		return "not loaded yet"
	case s.Role != chat.Assistant:
		return "only messages of the assistant are trained"
	case s.Place[1] > 0:
		return "an added message: the one who added it has said whether it is trained"
	}
	return ""
}

// Reading reads the current message again, as it is in the view.
type Reading struct {
	Name string // "message 12"
	Of   string // "dropped", "" for what stands there
	Read func(context.Context) (chat.Message, error)
}

// Current implements Views.
func (r *Reader) Current() Reading {
	q, s := r.request(), r.Status()
	n, part := s.Place[0], s.Place[1]
	reading := Reading{Name: "message " + draw.Grouped(s.Number)}
	if part > 0 {
		reading.Name += " (added)"
	}
	if s.Dropped > 0 {
		reading.Of, q.view = ", as recorded", Recorded
	}
	if r.view == Recorded {
		reading.Of = ", as recorded"
	}
	reading.Read = func(ctx context.Context) (chat.Message, error) {
		q.ctx = ctx
		list, err := q.messages(max(n, 1), max(n, 1))
		i := slices.IndexFunc(list, func(m chat.Message) bool { return m.N == n && m.Part == part })
		if err != nil || i < 0 {
			return chat.Message{}, err
		}
		return list[i], nil
	}
	return reading
}
