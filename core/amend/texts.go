package amend

import (
	"context"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// Counts are how many messages of how many sessions hold a text.
type Counts struct {
	Messages int `json:"messages"`
	Sessions int `json:"sessions"`
}

func (c *Counts) add(messages int) {
	if messages > 0 {
		c.Messages += messages
		c.Sessions++
	}
}

// Redaction gathers the changes that take a text out of sessions.
type Redaction struct {
	Store   Store
	Replace func(string) string

	Changes []review.EditChange
	Found   Counts // what Changes are of
	Waiting int    // edits that wait and hold it: they stay
}

// Take adds a change for each message of a session that holds the text. Where an edit
// covers what was recorded, that is looked at, too, and is sealed.
func (r *Redaction) Take(ctx context.Context, s *review.Session) error {
	edits, err := r.Store.Edits(ctx, s.Body, 1, s.Messages)
	if err != nil {
		return err
	}
	before := len(r.Changes)
	var late []int // changes of what was added since edits were read
	under, err := r.under(ctx, s, edits)
	if err != nil {
		return err
	}
	err = r.Store.EachMessage(ctx, s.Body, 1, s.Messages, func(m *chat.Message) error {
		now := *m
		if !edit.Replace(&now, r.Replace) && (m.Part > 0 || !under[m.N]) {
			return nil
		}
		c := review.EditChange{Session: s.ID, N: m.N, Part: m.Part, Op: edit.Set, Why: edit.Redact, Message: now, Seen: seen(m)}
		if m.Part > 0 {
			c.Op = edit.Add
			e := editAt(edits, m.N, m.Part)
			if c.Untrained = e != nil && e.Untrained; e == nil {
				late = append(late, len(r.Changes))
			}
		}
		r.Changes = append(r.Changes, c)
		return nil
	})
	if err == nil && len(late) > 0 {
		err = r.takeLate(ctx, s, late)
	}
	r.Found.add(len(r.Changes) - before)
	return err
}

// takeLate finds out whether what was added lately is trained. What is gone again is
// refused as the change is made.
func (r *Redaction) takeLate(ctx context.Context, s *review.Session, changes []int) error {
	edits, err := r.Store.Edits(ctx, s.Body, 1, s.Messages)
	for _, i := range changes {
		c := &r.Changes[i]
		e := editAt(edits, c.N, c.Part)
		c.Untrained = e != nil && e.Untrained
	}
	return err
}

// under finds the messages that hold the text below an edit that is no redaction.
// Those that are dropped are dropped for this reason now.
func (r *Redaction) under(ctx context.Context, s *review.Session, edits []edit.Edit) (map[int]bool, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	covers, found := map[int]edit.Op{}, map[int]bool{}
	for i := range edits {
		e := &edits[i]
		switch m := e.Message; {
		case e.Clash && edit.Replace(&m, r.Replace):
			r.Waiting++
		case !e.Clash && e.Part == 0 && e.Why != edit.Redact:
			covers[e.N] = e.Op
		}
	}
	err := r.Store.EachRecorded(ctx, s.Body, 1, s.Messages, func(m *chat.Message) error {
		op, covered := covers[m.N]
		if now := *m; !covered || !edit.Replace(&now, r.Replace) {
			return nil
		}
		if op == edit.Drop {
			r.Changes = append(r.Changes, review.EditChange{Session: s.ID, N: m.N, Op: edit.Drop, Why: edit.Redact, Seen: seen(nil)})
			return nil
		}
		found[m.N] = true
		return nil
	})
	return found, err
}

// holding counts the messages of a session that hold a text.
func (c *Counts) holding(ctx context.Context, s Store, of *review.Session, replace func(string) string) error {
	n := 0
	err := s.EachMessage(ctx, of.Body, 1, of.Messages, func(m *chat.Message) error {
		if now := *m; edit.Replace(&now, replace) {
			n++
		}
		return nil
	})
	c.add(n)
	return err
}

// Beside are the facts of sessions and segments that hold a text, beside messages:
// edits don't reach them.
type Beside struct {
	Tools    int `json:"tools,omitzero"`    // sessions: definitions of tools
	Metadata int `json:"metadata,omitzero"` // sessions
	Titles   int `json:"titles,omitzero"`   // sessions
	Files    int `json:"files,omitzero"`    // sessions: their paths and folders
	Topics   int `json:"topics,omitzero"`   // segments
	Notes    int `json:"notes,omitzero"`    // segments
	Tags     int `json:"tags,omitzero"`     // segments
}

// session counts a session.
func (b *Beside) session(s *review.Session, replace func(string) string) {
	count(&b.Tools, replace, s.Tools)
	count(&b.Metadata, replace, s.Metadata)
	count(&b.Titles, replace, s.Title)
	count(&b.Files, replace, s.File, s.Dir)
}

// segment counts a segment.
func (b *Beside) segment(g *review.Segment, replace func(string) string) {
	count(&b.Topics, replace, g.Topic)
	count(&b.Notes, replace, g.Note)
	count(&b.Tags, replace, g.Tags...)
}

// count counts what holds a text in one of its own.
func count(n *int, replace func(string) string, texts ...string) {
	for _, text := range texts {
		if replace(text) != text {
			*n++
			return
		}
	}
}
