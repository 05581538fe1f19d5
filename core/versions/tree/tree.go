// Package tree lays out what there is of a session: its versions, the branches and
// sub-agents that come from it, the sessions that begin as it does, and where one of
// these and the session make a preference pair.
//
// It reads through Source, of which the database is one, and knows no SQL.
package tree

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/versions"
)

// Source is what a tree is read from.
type Source interface {
	Session(ctx context.Context, id string) (review.Session, error)
	Versions(ctx context.Context, session string) ([]versions.Version, versions.Effect, error)
	Children(ctx context.Context, id string) ([]review.Child, error)
	SameOpening(ctx context.Context, of *review.Session, limit int) ([]review.Session, error)
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	Edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error)
}

const (
	// mostChildren and mostAlike bound what is laid out beside a session.
	mostChildren = 500
	mostAlike    = 50
	// mostCompared bounds how many messages are compared to find where two sessions
	// part.
	mostCompared = 20_000
	// batch is how many messages are read at first; each time it is twice as many,
	// as those that are stored together are unpacked anew.
	batch = 32
)

// Same is the kind of a session that only begins as another one does.
const Same session.Kind = "same beginning"

// Beside is a session that belongs to another one, or begins as it does.
type Beside struct {
	Kind     session.Kind
	ID       string // session id
	Title    string // "" for none
	Messages int
	// At is the number of the last message before it: after which it belongs, or
	// up to which both are equal; 0 is unknown or none. Far says that it may be
	// more.
	At       int
	Far      bool
	Verdicts Verdicts
	// AtAnswer says that both go on with another answer, Pair that these make a
	// preference pair.
	AtAnswer, Pair bool
}

// Verdicts counts the segments of a session by what was judged.
type Verdicts struct {
	Approved, Rejected, Unsure, Pending int
	By                                  string // who gave all of them, "" if that is nobody or several
}

// Tree is what there is of a session.
type Tree struct {
	Session  review.Session
	Recorded versions.Effect
	Versions []versions.Version
	Beside   []Beside // branches, sub-agents and continuations by their places, then what begins alike
	Children int      // how many there are, laid out or not
	Alike    bool     // more sessions begin alike than are laid out
}

// Of lays out the tree of a session, by its whole id.
func Of(ctx context.Context, src Source, id string) (t Tree, err error) {
	if t.Session, err = src.Session(ctx, id); err != nil {
		return t, err
	}
	if t.Versions, t.Recorded, err = src.Versions(ctx, t.Session.ID); err != nil {
		return t, err
	}
	r := &reading{ctx: ctx, src: src}
	if err := r.open(&t.Session); err != nil {
		return t, err
	}
	children, err := src.Children(ctx, t.Session.ID)
	if err != nil {
		return t, err
	}
	t.Children = len(children)
	related := []string{t.Session.ID, t.Session.Parent}
	for i := range children {
		related = append(related, children[i].ID)
		if i >= mostChildren {
			continue
		}
		b, err := r.child(&children[i])
		if err != nil {
			return t, err
		}
		t.Beside = append(t.Beside, b)
	}
	return t, r.alike(&t, related)
}

// child tells of a session that comes from the one that is laid out.
func (r *reading) child(c *review.Child) (b Beside, err error) {
	b = Beside{Kind: c.Kind, ID: c.ID, Title: c.Title, Messages: c.Messages, At: c.At}
	segments, err := r.src.SegmentsOf(r.ctx, c.ID)
	if err != nil {
		return b, err
	}
	b.Verdicts = verdictsOf(segments)
	if c.Kind != session.Branch || c.At < 1 || r.fixedUpTo(c.At) {
		return b, nil
	}
	sess, err := r.src.Session(r.ctx, c.ID)
	if err != nil {
		return b, err
	}
	other := &reading{ctx: r.ctx, src: r.src}
	if err := other.open(&sess); err != nil {
		return b, err
	}
	own := &reading{ctx: r.ctx, src: r.src, session: r.session, over: r.over, segments: r.segments, next: c.At + 1, asked: r.session.Begins != 0}
	_, err = part(own, other, &b)
	return b, err
}

// fixedUpTo reports whether a curator changed what stands before a branch: that sees
// it as it was recorded.
func (r *reading) fixedUpTo(at int) bool {
	return slices.ContainsFunc(r.over, func(e edit.Edit) bool { return e.N <= at && !e.Clash && e.Why != edit.Redact })
}

// alike finds the sessions that begin as the one that is laid out does.
func (r *reading) alike(t *Tree, related []string) error {
	if t.Session.Origin.Kind == session.Branch {
		return nil // what it begins with stands in another one
	}
	list, err := r.src.SameOpening(r.ctx, &t.Session, mostAlike+len(related))
	if err != nil {
		return err
	}
	found := 0
	for i := range list {
		s := &list[i]
		if s.Origin.Kind == session.Branch || slices.Contains(related, s.ID) {
			continue
		}
		if found == mostAlike {
			t.Alike = true
			break
		}
		found++
		b := Beside{Kind: Same, ID: s.ID, Title: s.Title, Messages: s.Messages}
		other := &reading{ctx: r.ctx, src: r.src}
		if err := other.open(s); err != nil {
			return err
		}
		b.Verdicts = verdictsOf(other.segments)
		some, err := part(r, other, &b)
		if err != nil {
			return err
		}
		if some {
			t.Beside = append(t.Beside, b)
		}
	}
	return nil
}

// verdictsOf counts those of segments.
func verdictsOf(segments []review.Segment) (v Verdicts) {
	several := false
	for i := range segments {
		g := &segments[i]
		switch g.Verdict {
		case review.Approved:
			v.Approved++
		case review.Rejected:
			v.Rejected++
		case review.Unsure:
			v.Unsure++
		default:
			v.Pending++
			continue
		}
		several = several || v.By != "" && v.By != g.Reviewer
		v.By = g.Reviewer
	}
	if several {
		v.By = ""
	}
	return v
}
