package store

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/versions"
	"winnow/store/sqlite"
)

// versionedSQL is the entries that changed messages of a session (?1) or of its body
// (?2), and those that took them back or gave them again.
const versionedSQL = `WITH made (entry) AS (SELECT entry FROM journal_edits WHERE session_id = ?1 UNION SELECT entry FROM journal_edits WHERE body = ?2)
	SELECT entry FROM made UNION SELECT j.id FROM made CROSS JOIN journal j ON j.target = made.entry AND j.target > 0 WHERE j.action IN ('undo', 'redo')`

const stepsSQL = "SELECT " + entryColumns + " FROM journal WHERE id IN (" + versionedSQL + ") ORDER BY id"

// sessionEditsSQL is what entries did to a session (?1), and to its body (?2) where an
// import that did it named no session.
const sessionEditsSQL = `SELECT entry, ` + journalEditColumns + ` FROM (SELECT entry, k, ` + journalEditColumns + ` FROM journal_edits WHERE session_id = ?1
	UNION ALL SELECT entry, k, ` + journalEditColumns + ` FROM journal_edits WHERE body = ?2 AND session_id <> ?1) ORDER BY entry, k`

// steps are the entries that changed a session, in their order.
func steps(v *sqlite.View, session string, body int64) ([]versions.Step, error) {
	list, err := sqlite.List(v.Rows(stepsSQL, session, body), entryFields)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	made := map[int64][]placeChange{}
	var entry int64
	if err := eachPlaceChange(v.Rows(sessionEditsSQL, session, body), []any{&entry}, func(c placeChange) { made[entry] = append(made[entry], c) }); err != nil {
		return nil, err
	}
	all := make([]versions.Step, len(list))
	for i := range list {
		e := &list[i]
		changes := slices.Clone(made[cutBehind(e)])
		if e.Action == review.ActUndo {
			turnAround(changes)
		}
		all[i] = versions.Step{Entry: e.ID, At: e.At, By: e.Curator, Action: e.Action, Target: e.Target, Undone: e.Undone, Note: e.Note, Changes: editsOf(changes)}
	}
	return all, nil
}

// history is all that versions of a session are made of, at one moment.
type history struct {
	session review.Session
	now     []edit.Edit
	steps   []versions.Step
}

func (s *Store) history(ctx context.Context, session string) (h history, err error) {
	if h.session, err = s.Session(ctx, session); err != nil {
		return h, err
	}
	err = s.db.Read(ctx, func(v *sqlite.View) (err error) {
		if h.steps, err = steps(v, h.session.ID, h.session.Body); err == nil {
			h.now, err = editsAmong(v.Rows, h.session.Body, 1, maxMessages)
		}
		return err
	})
	return h, s.fail("read the versions of session "+review.Short(h.session.ID), err)
}

// Versions returns the versions of a session, by its whole id, in the order of their
// entries, and what the recorded one holds. It reads all messages of a session.
func (s *Store) Versions(ctx context.Context, session string) (list []versions.Version, recorded versions.Effect, err error) {
	h, err := s.history(ctx, session)
	if err != nil {
		return nil, recorded, err
	}
	marks := make([]versions.Mark, 0, h.session.Messages)
	err = s.EachRecorded(ctx, h.session.Body, 1, maxMessages, func(m *chat.Message) error {
		marks = append(marks, versions.MarkOf(m))
		return nil
	})
	if err != nil {
		return nil, recorded, err
	}
	list, recorded = versions.Measure(h.session.Body, h.now, h.steps, marks)
	return list, recorded, nil
}

// EditsAt returns the edits that lay over a session right after each of some entries
// of the journal, sorted by place; 0 is before the first: none. It fails, and says why,
// for an entry that did nothing to the session, and where an import wrote it anew
// since. Edits whose messages are recorded otherwise by now clash.
func (s *Store) EditsAt(ctx context.Context, session string, entries ...int64) ([][]edit.Edit, error) {
	h, err := s.history(ctx, session)
	if err != nil {
		return nil, err
	}
	return s.editsAt(ctx, &h, entries...)
}

func (s *Store) editsAt(ctx context.Context, h *history, entries ...int64) ([][]edit.Edit, error) {
	lists, err := versions.At(h.session.Body, h.now, h.steps, entries...)
	if err != nil {
		return nil, s.fail("session "+review.Short(h.session.ID), err)
	}
	return lists, s.findClashes(ctx, h.session.Body, lists...)
}

// findClashes finds out which edits of a body wait over what is recorded now.
func (s *Store) findClashes(ctx context.Context, body int64, lists ...[]edit.Edit) error {
	var numbers []int
	for _, list := range lists {
		for i := range list {
			if n := list[i].N; n > 0 {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	sums, err := s.sumsAt(ctx, body, slices.Compact(numbers))
	for _, list := range lists {
		for i := range list {
			e := &list[i]
			sum, stored := sums[e.N]
			e.Clash = e.N > 0 && (!stored || sum != e.Base)
		}
	}
	return err
}

// sumsAt returns the sums of recorded messages, by their numbers, which are sorted.
// What is not stored has none.
func (s *Store) sumsAt(ctx context.Context, body int64, numbers []int) (map[int]chat.Sum, error) {
	sums := make(map[int]chat.Sum, len(numbers))
	var chunk []chat.Message // that was read last
	for _, n := range numbers {
		if len(chunk) == 0 || n > chunk[len(chunk)-1].N {
			var err error
			if chunk, err = s.Chunk(ctx, body, n); err != nil {
				return nil, err
			}
		}
		if len(chunk) == 0 || n > chunk[len(chunk)-1].N {
			break // those after it are not stored either
		}
		sums[n] = chat.SumOf(&chunk[n-chunk[0].N])
	}
	return sums, nil
}

// EachAt calls f for messages from..to of a session as they were right after an entry
// of the journal; see EachMessage and EditsAt.
func (s *Store) EachAt(ctx context.Context, session string, entry int64, from, to int, f func(*chat.Message) error) error {
	h, err := s.history(ctx, session)
	if err != nil {
		return err
	}
	over, err := s.editsAt(ctx, &h, entry)
	if err != nil {
		return err
	}
	o := edit.NewOverlay(over[0])
	return s.EachRecorded(ctx, h.session.Body, from, to, func(m *chat.Message) error {
		for now := range o.At(m) {
			if err := f(now); err != nil {
				return err
			}
		}
		return nil
	})
}

// RevertTo returns the changes that bring messages of a session, by their numbers, or
// all of it if there are none, to what they were right after an entry of the journal,
// for Edit, which refuses them if a message is another one by then. None are left if
// they are like that. Errors are as for EditsAt.
func (s *Store) RevertTo(ctx context.Context, session string, entry int64, messages ...int) ([]review.EditChange, error) {
	h, err := s.history(ctx, session)
	if err != nil {
		return nil, err
	}
	then, err := s.editsAt(ctx, &h, entry)
	if err != nil {
		return nil, err
	}
	recorded := func(n int) (chat.Sum, error) {
		sums, err := s.sumsAt(ctx, h.session.Body, []int{n})
		return sums[n], err
	}
	list, err := versions.Revert(session, h.now, then[0], recorded, messages...)
	return list, s.fail(fmt.Sprintf("bring back @%d", entry), err)
}

const sameOpeningSQL = "SELECT " + sessionColumns + " FROM trajectory_records WHERE opening = ? AND opening <> 0 AND id <> ? ORDER BY id LIMIT ?"

// SameOpening returns sessions that begin with the same question as one, at most so
// many.
func (s *Store) SameOpening(ctx context.Context, of *review.Session, limit int) ([]review.Session, error) {
	if of.Begins == 0 {
		return nil, nil
	}
	list, err := sqlite.List(s.db.Rows(ctx, sameOpeningSQL, of.Begins, of.ID, limit), sessionFields)
	return list, s.fail("find sessions that begin alike", err)
}
