package desk

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/core/versions"
	"winnow/core/versions/tree"
	"winnow/store"
	screen "winnow/tui/screens/versions"
)

// versioned tells what sessions of the database were, as the screen asks for it.
type versioned struct{ *store.Store }

// Tree implements versions.Library.
func (v versioned) Tree(ctx context.Context, session string) (tree.Tree, error) {
	return tree.Of(ctx, v.Store, session)
}

// BackTo implements tui.Versions. What is redacted now stays so, unless its message is
// named: a session is brought back at once, and no name with it.
func (v versioned) BackTo(ctx context.Context, session string, entry int64, messages ...int) (back screen.Back, err error) {
	if back.Changes, err = v.RevertTo(ctx, session, entry, messages...); err != nil || len(back.Changes) == 0 {
		return back, err
	}
	s, err := v.Session(ctx, session)
	if err != nil {
		return back, err
	}
	now, err := v.Edits(ctx, s.Body, 0, s.Messages)
	whole := len(messages) == 0
	back.Changes = slices.DeleteFunc(back.Changes, func(c review.EditChange) bool {
		redacted := slices.ContainsFunc(now, func(e edit.Edit) bool {
			return e.N == c.N && e.Part == c.Part && e.Why == edit.Redact && !e.Clash
		})
		// What is written over a redaction is one, too.
		if redacted && (whole || c.Op == "" || c.Op == edit.Drop && c.Part > 0) {
			back.Redactions++
		}
		return redacted && whole
	})
	return back, err
}

const (
	// mostDiffering is how many messages that differ are shown.
	mostDiffering = 200
	// mostLines is how many lines of them are.
	mostLines = 20_000
)

// Compare implements versions.Library.
func (v versioned) Compare(ctx context.Context, before, after screen.Side) (c screen.Compared, err error) {
	found, err := versions.Compare(v.each(ctx, before), v.each(ctx, after), before.Session == after.Session, mostDiffering)
	if err != nil {
		return c, err
	}
	c.Same, c.More = found.Same, found.More
	lines := 0
	for i := range found.List {
		if lines > mostLines {
			c.More += len(found.List) - i
			break
		}
		d := &found.List[i]
		m := d.At()
		one := screen.Message{N: m.N, What: string(m.Role) + "  " + d.Change()}
		for _, f := range d.Fields() {
			field := screen.Field{Name: f.Name}
			field.Lines, field.Left = textdiff.Compare(f.Before, f.After)
			lines += len(field.Lines)
			one.Fields = append(one.Fields, field)
		}
		c.Messages = append(c.Messages, one)
	}
	return c, nil
}

// each reads one side of a comparison.
func (v versioned) each(ctx context.Context, side screen.Side) versions.Each {
	return func(f func(*chat.Message) error) error {
		s, err := v.Session(ctx, side.Session)
		switch {
		case err != nil:
			return err
		case side.Now:
			return v.EachMessage(ctx, s.Body, 1, s.Messages, f)
		}
		return v.EachAt(ctx, s.ID, side.Entry, 1, s.Messages, f)
	}
}
