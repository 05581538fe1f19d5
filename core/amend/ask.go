package amend

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// Store is where sessions are stored.
type Store interface {
	// Messages and EachMessage read messages as they stand now, EachRecorded as they
	// were recorded.
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// Edits are those over messages, those that clash among them.
	Edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error)
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
}

// Versions is a Store that knows what sessions were.
type Versions interface {
	// RevertTo returns what brings messages of a session to what they were after an
	// entry; no numbers are all of it.
	RevertTo(ctx context.Context, session string, entry int64, messages ...int) ([]review.EditChange, error)
}

// Span is what an id names: a session, or a segment of it.
type Span struct {
	Session  string // id
	Body     int64
	From, To int
	Messages int // of the session
}

// Asked gathers what rows ask for.
type Asked struct {
	Store Store
	Find  func(ctx context.Context, id string) (Span, error)
	// Changes are what the rows come to so far.
	Changes []review.EditChange

	at    map[where]int // of Changes
	spans map[string]Span
	lines map[where][]*Row // that changed a place, of rows that were read from lines
}

// where is a place of any session.
type where struct {
	session string
	n, part int
}

// Take adds what a row asks for. Rows on one message go one after another; of those
// that were read from lines only such as change several fields of it.
func (a *Asked) Take(ctx context.Context, r *Row) error {
	of, err := a.Find(ctx, r.ID)
	if err != nil {
		return err
	}
	if err := of.holds(r); err != nil {
		return err
	}
	if a.spans == nil {
		a.at, a.spans = map[where]int{}, map[string]Span{}
	}
	a.spans[of.Session] = of
	if err := a.once(&of, r); err != nil {
		return fmt.Errorf("message %s: %w", r.Place, err)
	}
	switch r.Do {
	case Text, Message:
		err = a.set(ctx, &of, r)
	case Insert:
		a.add(review.EditChange{Session: of.Session, N: r.N, Op: edit.Add, Why: r.Why, Message: r.Message, Untrained: r.Untrained})
	case Drop:
		err = a.drop(ctx, &of, r)
	case Squash:
		err = a.squash(ctx, &of, r)
	case Revert:
		err = a.revert(ctx, &of, r)
	default:
		err = a.decide(ctx, &of, r)
	}
	if err != nil && !r.All {
		err = fmt.Errorf("message %s: %w", r.Place, err)
	}
	return err
}

// once refuses a row that changes what a line before it changes: the last one would
// win, and nobody would see it.
func (a *Asked) once(of *Span, r *Row) error {
	if r.Line == 0 || r.Do == Insert {
		return nil
	}
	if a.lines == nil {
		a.lines = map[where][]*Row{}
	}
	for n := r.N; n <= r.last(); n++ {
		at := where{of.Session, n, r.Part}
		for _, by := range a.lines[at] {
			if by.Do != Text || r.Do != Text || by.Field == r.Field {
				return fmt.Errorf("lines %d and %d both change %s: leave one of them out", by.Line, r.Line, edit.Name(n, r.Part))
			}
		}
		a.lines[at] = append(a.lines[at], r)
	}
	return nil
}

// holds checks that messages are among those of what was named.
func (of *Span) holds(r *Row) error {
	switch {
	case r.All:
		return nil
	case r.N == 0 && of.From > 1:
		return fmt.Errorf("%s begins with message %d of its session: nothing stands in front of the first one here", r.ID, of.From)
	case r.N > 0 && r.N < of.From || r.last() > of.To:
		return fmt.Errorf("%s holds messages %d to %d, not %s", r.ID, of.From, of.To, r.Place)
	}
	return nil
}

// add adds a change, in the place of another one of its place; one that puts a
// message in has none yet.
func (a *Asked) add(c review.EditChange) {
	at := where{c.Session, c.N, c.Part}
	if c.Op == edit.Add && c.Part == 0 {
		a.Changes = append(a.Changes, c)
		return
	}
	if k, there := a.at[at]; there {
		c.Seen = a.Changes[k].Seen // what stood there before all rows
		if a.Changes[k].Why == edit.Redact {
			c.Why = edit.Redact
		}
		a.Changes[k] = c
		return
	}
	a.at[at] = len(a.Changes)
	a.Changes = append(a.Changes, c)
}

// Standing returns the message that stands at a place now, nil if none does.
func Standing(ctx context.Context, s Store, body int64, n, part int) (*chat.Message, error) {
	at := max(n, 1) // what is in front of the first message comes with it
	list, err := s.Messages(ctx, body, at, at)
	for i := range list {
		if m := &list[i]; m.N == n && m.Part == part {
			return m, err
		}
	}
	return nil, err
}

// seen is the sum of what stands at a place, zero for nothing.
func seen(m *chat.Message) *chat.Sum {
	var sum chat.Sum
	if m != nil {
		sum = chat.SumOf(m)
	}
	return &sum
}

// editAt returns the edit of a place, nil for none.
func editAt(edits []edit.Edit, n, part int) *edit.Edit {
	for i := range edits {
		if e := &edits[i]; e.N == n && e.Part == part {
			return e
		}
	}
	return nil
}

// editsAt are the edits of the places of messages from..to. Those in front of the
// first one are not among them, unless from is 0.
func (a *Asked) editsAt(ctx context.Context, body int64, from, to int) (list []edit.Edit, err error) {
	all, err := a.Store.Edits(ctx, body, from, to)
	for i := range all {
		if all[i].N >= from && all[i].N <= to {
			list = append(list, all[i])
		}
	}
	return list, err
}

// current is the message of a place, as the rows so far leave it.
func (a *Asked) current(ctx context.Context, of *Span, p Place) (m *chat.Message, saw *chat.Sum, untrained bool, err error) {
	if m, err = Standing(ctx, a.Store, of.Body, p.N, p.Part); err != nil {
		return nil, nil, false, err
	}
	saw = seen(m)
	if p.Part > 0 {
		edits, err := a.editsAt(ctx, of.Body, p.N, p.N)
		if err != nil {
			return nil, nil, false, err
		}
		if e := editAt(edits, p.N, p.Part); e != nil {
			untrained = e.Untrained
		}
	}
	if k, there := a.at[where{of.Session, p.N, p.Part}]; there {
		switch c := &a.Changes[k]; c.Op {
		case edit.Set, edit.Add:
			now := c.Message
			return &now, saw, c.Untrained, nil
		case edit.Drop:
			return nil, saw, false, errors.New("another edit drops it")
		default:
			return nil, saw, false, errors.New("another edit brings back what was recorded")
		}
	}
	switch {
	case m == nil && p.Part > 0:
		err = errors.New("no such message was added")
	case m == nil:
		err = errors.New("it was dropped: --revert brings it back")
	}
	return m, saw, untrained, err
}

// Standing is the message of a row as it stands now.
func (a *Asked) Standing(ctx context.Context, r *Row) (*chat.Message, error) {
	of, err := a.Find(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if err := of.holds(r); err != nil {
		return nil, err
	}
	m, _, _, err := a.current(ctx, &of, r.Place)
	if err != nil {
		err = fmt.Errorf("message %s: %w", r.Place, err)
	}
	return m, err
}

// set changes a message.
func (a *Asked) set(ctx context.Context, of *Span, r *Row) error {
	m, saw, untrained, err := a.current(ctx, of, r.Place)
	if err != nil {
		return err
	}
	now := *m
	if r.Do == Message {
		marks := m.Marks
		now = r.Message
		now.Marks = marks
	} else if err := r.Apply(&now); err != nil {
		return err
	}
	op := edit.Set
	if r.Part > 0 {
		op = edit.Add
	}
	a.add(review.EditChange{Session: of.Session, N: r.N, Part: r.Part, Op: op, Why: r.Why, Message: now, Untrained: untrained, Seen: saw})
	return nil
}

// Apply gives the field of a message the text of a row.
func (r *Row) Apply(m *chat.Message) error {
	was, err := edit.Field(m, r.Field)
	if err != nil {
		return err
	}
	if r.File {
		err = edit.SetFromFile(m, r.Field, r.Text)
	} else {
		err = edit.SetField(m, r.Field, r.Text)
	}
	if now, _ := edit.Field(m, r.Field); err == nil && now != was {
		err = edit.CheckField(r.Field, now)
	}
	return err
}

// drop takes out what stands at a place: of a run also what was added in it.
func (a *Asked) drop(ctx context.Context, of *Span, r *Row) error {
	if r.Part > 0 {
		m, saw, _, err := a.current(ctx, of, r.Place)
		if err == nil && m != nil {
			a.add(review.EditChange{Session: of.Session, N: r.N, Part: r.Part, Why: r.Why, Op: edit.Drop, Seen: saw})
		}
		return err
	}
	return a.dropRun(ctx, of, r, r.last())
}

// dropRun takes messages out, with what was added after those in front of addedTo.
func (a *Asked) dropRun(ctx context.Context, of *Span, r *Row, addedTo int) error {
	found := 0
	err := a.Store.EachMessage(ctx, of.Body, r.N, r.last(), func(m *chat.Message) error {
		if m.N < r.N || m.Part > 0 && m.N >= addedTo {
			return nil
		}
		found++
		a.add(review.EditChange{Session: of.Session, N: m.N, Part: m.Part, Op: edit.Drop, Why: r.Why, Seen: seen(m)})
		return nil
	})
	if err == nil && found == 0 {
		err = errors.New("it is dropped already")
	}
	return err
}

// squash puts one message in the place of a run: where that began, or, if a segment
// begins there, where it ended, so that it stays in the segment.
func (a *Asked) squash(ctx context.Context, of *Span, r *Row) error {
	after := r.N - 1
	segments, err := a.Store.SegmentsOf(ctx, of.Session)
	if err != nil {
		return err
	}
	for i := range segments {
		switch start := segments[i].Start; {
		case start > r.N && start <= r.last():
			return fmt.Errorf("a segment begins with message %d: squash what stands before it and after it alone, or merge the segments first", start)
		case start == r.N && start > 1:
			after = r.last()
		}
	}
	if err := a.dropRun(ctx, of, r, r.last()); err != nil {
		return err
	}
	a.add(review.EditChange{Session: of.Session, N: after, Op: edit.Add, Why: r.Why, Message: r.Message, Untrained: r.Untrained})
	return nil
}
