package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// Edit changes messages as curators see them, in one transaction and as one entry
// of the journal. What was recorded stays. It is a review.ErrConflict if another
// message stands somewhere than the curator has seen.
//
// A verdict on a segment with such a message becomes stale, as it was given on
// another text; what is only taken out by redactions leaves it as it is. What would
// change nothing is left out; if nothing is left, the entry has no ID and is not
// kept.
func (s *Store) Edit(ctx context.Context, w review.Editing) (review.Entry, error) {
	e := review.Entry{Curator: w.Curator, At: s.now(), Action: review.ActEdit, Note: w.Note}
	switch {
	case w.Curator == "":
		return review.Entry{}, s.fail("edit", errors.New("an edit needs a curator: name one with --reviewer"))
	case len(w.Changes) == 0:
		return review.Entry{}, s.fail("edit", errors.New("an edit of nothing"))
	}
	err := s.write(ctx, sqlite.Curator, "edit", func(t *tx) error {
		p := &editing{tx: t, entry: &e}
		if err := p.plan(w.Changes); err != nil || len(p.changes) == 0 {
			return err
		}
		return p.write()
	})
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Changes))
	return e, nil
}

// editing is a transaction that edits messages.
type editing struct {
	*tx
	entry   *review.Entry
	changes []placeChange
	held    []heldSegment         // that hold them
	rows    map[string]*judgedRow // of those
}

// placeChange is what is done to one place.
type placeChange struct {
	session string
	edit.Place
	before, after *edit.Edit // nil: what was recorded stands there
	fixes         bool       // whether it is more than a redaction
	titles        [2]string  // that the message gives to what it begins, before and after
}

// plan finds out what changes are to do, in the order of the places.
func (p *editing) plan(list []review.EditChange) error {
	bodies := map[string]*extent{}
	parts := map[edit.Place]int{} // the last part after a message, by part 0 of it
	for i := range list {
		c := &list[i]
		of := bodies[c.Session]
		var err error
		if of == nil {
			if of, err = p.extent(c.Session); err != nil {
				return err
			}
			bodies[c.Session] = of
		}
		if c.N < 0 || c.N > of.messages {
			return fmt.Errorf("message %d: %w: session %s has %d", c.N, review.ErrNotFound, review.Short(c.Session), of.messages)
		}
		at := edit.Place{Body: of.body, N: c.N, Part: c.Part}
		if c.Op == edit.Add {
			if at.Part, err = p.addedPart(at, parts); err != nil {
				return err
			}
		}
		p.changes = append(p.changes, placeChange{session: c.Session, Place: at})
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	byPlace := func(a, b int) int { return comparePlaces(p.changes[a].Place, p.changes[b].Place) }
	slices.SortStableFunc(order, byPlace)
	read := recordedSums{tx: p.tx}
	kept := make([]placeChange, 0, len(list))
	for k, i := range order {
		c := &p.changes[i]
		if k > 0 && byPlace(order[k-1], i) == 0 {
			return fmt.Errorf("message %d is to be changed twice at once", c.N)
		}
		changed, err := p.one(c, &list[i], &read)
		if err != nil {
			return fmt.Errorf("message %d: %w", c.N, err)
		}
		if changed {
			kept = append(kept, *c)
		}
	}
	p.changes = kept
	return nil
}

func comparePlaces(a, b edit.Place) int {
	return cmp.Or(cmp.Compare(a.Body, b.Body), cmp.Compare(a.N, b.N), cmp.Compare(a.Part, b.Part))
}

// extent is where a session's messages are.
type extent struct {
	body     int64
	messages int
}

func (t *tx) extent(session string) (*extent, error) {
	of := &extent{}
	err := t.Rows("SELECT body, messages FROM trajectory_records WHERE id = ?", session).One(&of.body, &of.messages)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("session %q: %w", session, review.ErrNotFound)
	}
	return of, err
}

const editAtSQL = "SELECT " + editColumns + " FROM edits WHERE body = ? AND n = ? AND part = ?"

// editAt returns the edit of a place, nil without one.
func (t *tx) editAt(p edit.Place) (*edit.Edit, error) {
	e := &edit.Edit{}
	found, err := t.Rows(editAtSQL, p.Body, p.N, p.Part).Maybe(editFields(e)...)
	if err != nil || !found {
		return nil, err
	}
	return e, nil
}

// addedPart is the part of a message that is added: the one that is named, or the next
// after those that are there. last keeps what is the last one.
func (t *tx) addedPart(p edit.Place, last map[edit.Place]int) (int, error) {
	of := edit.Place{Body: p.Body, N: p.N}
	most, known := last[of]
	if !known {
		if err := t.Rows("SELECT coalesce(max(part), 0) FROM edits WHERE body = ? AND n = ?", p.Body, p.N).One(&most); err != nil {
			return 0, err
		}
	}
	if p.Part == 0 {
		p.Part = most + 1
	}
	last[of] = max(most, p.Part)
	return p.Part, nil
}

// one finds out what a change does to its place, and whether it does anything.
func (p *editing) one(c *placeChange, w *review.EditChange, read *recordedSums) (changed bool, err error) {
	if c.before, err = p.editAt(c.Place); err != nil {
		return false, err
	}
	var recorded *chat.Message // nil in the place of an added one
	if c.Part == 0 && c.N > 0 {
		if recorded, err = read.message(c.Body, c.N); err != nil {
			return false, err
		}
	}
	if w.Seen != nil && *w.Seen != standing(c.before, recorded) {
		return false, conflict("it was changed while you were editing it: look again")
	}
	after := &edit.Edit{
		Place: c.Place, Op: w.Op, Why: cmp.Or(w.Why, edit.Fix), Message: edit.Trainable(w.Message), Untrained: w.Untrained,
	}
	switch {
	case w.Op == "":
		after = nil
	case w.Op == edit.Drop && c.Part > 0:
		after = nil
	}
	// A redaction takes out; a message that comes anew does not, whatever it is for.
	c.fixes = after == nil || after.Why != edit.Redact || after.Op == edit.Add && c.before == nil
	if after == nil {
		c.fixes = c.before != nil && !c.before.Clash // what waits is not to be seen
		c.titles = titlesOf(c.before, nil, recorded)
		return c.before != nil, nil
	}
	if err := after.Check(); err != nil {
		return false, err
	}
	if after.Op == edit.Drop {
		after.Message = chat.Message{}
	}
	if after.Base, err = read.sum(c.Body, c.N); err != nil {
		return false, err
	}
	if after.Op == edit.Set && chat.SumOf(&after.Message) == after.Base {
		c.after, c.fixes = nil, c.before != nil && !c.before.Clash
		c.titles = titlesOf(c.before, nil, recorded)
		return c.before != nil, nil
	}
	seal(after, c.before, recorded)
	c.after = after
	c.titles = titlesOf(c.before, after, recorded)
	return !sameEdit(c.before, after), nil
}

// standing is the sum of what stands at a place, zero for nothing.
func standing(e *edit.Edit, recorded *chat.Message) chat.Sum {
	switch {
	case e != nil && !e.Clash && e.Op == edit.Drop, e == nil && recorded == nil, e != nil && e.Clash && recorded == nil:
		return chat.Sum{}
	case e != nil && !e.Clash:
		return chat.SumOf(&e.Message)
	}
	return chat.SumOf(recorded)
}

// sameEdit reports whether two edits of a place say the same.
func sameEdit(a, b *edit.Edit) bool {
	return a != nil && b != nil && a.Op == b.Op && a.Why == b.Why && a.Base == b.Base && a.Untrained == b.Untrained && chat.SumOf(&a.Message) == chat.SumOf(&b.Message)
}

// seal notes what a redaction takes out of its place: what was recorded, and what
// curators wrote there before. What is written over it later does not bring it back.
func seal(after, before *edit.Edit, recorded *chat.Message) {
	if before != nil && before.Why == edit.Redact {
		after.Sealed = before.Sealed
		if after.Why != edit.Redact {
			after.Why = edit.Redact
			return
		}
	}
	if after.Why != edit.Redact {
		return
	}
	instead := graph.Saying{}
	if after.Op != edit.Drop {
		instead = graph.SayingOf(&after.Message)
	}
	said := []*chat.Message{recorded}
	if before != nil && before.Op != edit.Drop {
		said = append(said, &before.Message)
	}
	for _, m := range said {
		if m == nil {
			continue
		}
		if of := graph.SayingOf(m); of != instead && !holds(after.Sealed, of) {
			after.Sealed = append(slices.Clone(after.Sealed), of[:]...)
		}
	}
}

// holds reports whether a list of sayings has one.
func holds(list []byte, s graph.Saying) bool {
	for one := range slices.Chunk(list, len(s)) {
		if string(one) == string(s[:]) {
			return true
		}
	}
	return false
}

// recordedSums reads recorded messages in their order, one chunk at a time.
type recordedSums struct {
	*tx
	body int64
	list []chat.Message
}

// message returns a recorded message.
func (r *recordedSums) message(body int64, n int) (*chat.Message, error) {
	if r.body != body || len(r.list) == 0 || n < r.list[0].N || n > r.list[len(r.list)-1].N {
		var c chunkFrom
		const text = "SELECT data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
		err := r.Rows(text, messageID(body, 1), messageID(body, n)).One(&c)
		if err == nil {
			r.body = body
			r.list, err = c.Rest()
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err != nil || len(r.list) == 0 || n > r.list[len(r.list)-1].N {
			return nil, fmt.Errorf("%w: it is not stored", review.ErrNotFound)
		}
	}
	return &r.list[n-r.list[0].N], nil
}

// sum returns that of a recorded message, zero in front of the first.
func (r *recordedSums) sum(body int64, n int) (chat.Sum, error) {
	if n == 0 {
		return chat.Sum{}, nil
	}
	m, err := r.message(body, n)
	if err != nil {
		return chat.Sum{}, err
	}
	return chat.SumOf(m), nil
}
