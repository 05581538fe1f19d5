package store

import (
	"context"
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
)

// regrouping is a transaction that gives a family its new state.
type regrouping struct {
	*importing
	g   *hub.Regrouping
	ids []string // of the sessions
}

// Regroup brings the sessions of a family to a new state, in one transaction.
// If they are not any more what it goes on from, it is a review.ErrConflict.
func (s *Store) Regroup(ctx context.Context, g *hub.Regrouping) ([]hub.Change, error) {
	return s.importWrite(ctx, "link copies", func(im *importing) error {
		if err := im.last(); err != nil {
			return err
		}
		r := &regrouping{importing: im, g: g}
		for _, step := range []func() error{r.was, r.anew, r.park, r.sessions, r.leave, r.edits, r.noteRaws, r.kin, r.touch, r.recountAll} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// was checks that the family is what was compared.
func (r *regrouping) was() error {
	for i := range r.g.Was {
		m := &r.g.Was[i]
		var same bool
		const text = `SELECT EXISTS (SELECT 1 FROM trajectory_records WHERE id = ? AND body = ? AND messages = ? AND session_file = ?
			AND coalesce(source_id, 0) = ? AND gathered = ?)`
		if err := r.Rows(text, m.ID, m.Body, m.Messages, m.File, m.SourceID, m.Gathered).One(&same); err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("%w: one of several equal sessions", review.ErrConflict)
		}
		known := make(map[string]review.Verdict, len(m.Segments))
		for j := range m.Segments {
			known[m.Segments[j].ID] = m.Segments[j].Verdict
		}
		if err := r.unjudged(known); err != nil {
			return err
		}
	}
	return nil
}

// park frees the fingerprints of all segments that may change their sessions.
func (r *regrouping) park() error {
	var ids []string
	for i := range r.g.Sessions {
		if s := &r.g.Sessions[i]; s.Write != nil && s.ID != "" {
			ids = append(ids, s.ID)
		}
	}
	for i := range r.g.Leave {
		ids = append(ids, r.g.Leave[i].ID)
	}
	for _, id := range ids {
		if err := r.do("UPDATE task_segments SET fingerprint = id || fingerprint WHERE session_id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// sessions writes those whose messages change.
func (r *regrouping) sessions() error {
	r.ids = make([]string, len(r.g.Sessions))
	var left []leftBody
	r.leftBodies = &left
	for i := range r.g.Sessions {
		if w := r.g.Sessions[i].Write; w != nil {
			if err := r.makeRoom(w); err != nil {
				return fmt.Errorf("session %s: %w", w.Session.File, err)
			}
		}
	}
	for i := range r.g.Sessions {
		s := &r.g.Sessions[i]
		if r.ids[i] = s.ID; s.Write == nil {
			continue
		}
		r.path = s.Path
		p, err := r.session(s.Source, s.Write)
		if err != nil {
			return fmt.Errorf("session %s: %w", s.Write.Session.File, err)
		}
		r.ids[i] = p.session
	}
	for _, b := range left {
		if err := r.dropBody(b.body, b.session); err != nil {
			return err
		}
	}
	for i := range r.g.Sessions {
		if s := &r.g.Sessions[i]; s.Write != nil {
			if err := r.covered(target{session: r.ids[i]}, s.Write.Session.Messages); err != nil {
				return fmt.Errorf("session %s: %w", s.Write.Session.File, err)
			}
		}
	}
	return nil
}

// edits brings edits to where their messages are, which may be in sessions that stay
// as they were.
func (r *regrouping) edits() error {
	for i := range r.g.Sessions {
		if len(r.formers) == 0 {
			break
		}
		if s := &r.g.Sessions[i]; s.Write == nil {
			of, err := r.extent(r.ids[i])
			if err != nil {
				return err
			}
			r.written = append(r.written, of.body)
		}
	}
	return r.settleEdits()
}

// leave removes the sessions whose messages are in others.
func (r *regrouping) leave() error {
	for i := range r.g.Raws { // copies of what leaves are told anew
		w := r.g.Raws[i].Raw
		if err := r.run([]any{w.Source, w.Key}, "DELETE FROM copies WHERE source_id = ? AND key = ?", "DELETE FROM raws WHERE source_id = ? AND key = ?"); err != nil {
			return err
		}
	}
	for i := range r.g.Leave {
		l := &r.g.Leave[i]
		heir := ""
		if l.Heir >= 0 {
			heir = r.ids[l.Heir]
		}
		if err := r.bequeath(l.ID, l.Body, heir); err != nil {
			return err
		}
	}
	return nil
}

// noteRaws notes where the messages of each source are.
func (r *regrouping) noteRaws() error {
	for i := range r.g.Raws {
		w := &r.g.Raws[i]
		if len(w.Pieces) > 0 {
			row, err := rowText(w.Raw)
			if err != nil {
				return err
			}
			if err := r.do("INSERT INTO raws VALUES (?, ?, ?, ?, ?)", w.Raw.Source, w.Raw.Key, row, w.Own, w.Joined); err != nil {
				return err
			}
		}
		n := 1
		for _, p := range w.Pieces {
			const text = "INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)"
			if err := r.do(text, w.Raw.Source, w.Raw.Key, n, r.ids[p.Session], p.At, p.Messages, p.Sum); err != nil {
				return err
			}
			n += p.Messages
		}
		if w.Copy >= 0 {
			const text = "INSERT INTO copies VALUES (?, ?, ?, ?)"
			if err := r.do(text, w.Raw.Source, w.Raw.Key, r.ids[w.Copy], n-1); err != nil {
				return err
			}
		}
		if w.Forget {
			n := 0
			for _, p := range w.Raw.Pieces {
				n += p.Messages
			}
			if err := r.forget(w.Raw.Source, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// kin notes how the sessions belong together.
func (r *regrouping) kin() error {
	for i := range r.g.Sessions {
		s := &r.g.Sessions[i]
		if err := r.do("UPDATE trajectory_records SET gathered = ? WHERE id = ? AND gathered <> ?", s.Gathered, r.ids[i], s.Gathered); err != nil {
			return err
		}
		parent := s.ParentID
		if s.Parent >= 0 {
			parent = r.ids[s.Parent]
		}
		text := `UPDATE trajectory_records SET parent = coalesce((SELECT id FROM trajectory_records WHERE id = ?1 AND id <> ?3), ''), parent_at = ?2, parent_kind = ?4
			WHERE id = ?3 AND (parent, parent_at, parent_kind) <> (?1, ?2, ?4)`
		if s.Kind == session.Branch {
			text = `UPDATE trajectory_records SET parent = coalesce((SELECT id FROM trajectory_records WHERE id = ?1 AND id <> ?3), ''), parent_at = ?2, parent_kind = ?4,
				parent_native = '', parent_call = '' WHERE id = ?3`
		}
		if err := r.do(text, parent, s.At, r.ids[i], string(s.Kind)); err != nil {
			return err
		}
	}
	for i := range r.g.Offspring {
		o := &r.g.Offspring[i]
		const text = "UPDATE trajectory_records SET parent = ?, parent_at = ? WHERE id = ?"
		if err := r.do(text, r.ids[o.Session], o.At, o.ID); err != nil {
			return err
		}
	}
	return nil
}

// recountAll derives the counts of the sources of the family.
func (r *regrouping) recountAll() error {
	gone := map[int64]bool{}
	for i := range r.g.Was {
		gone[r.g.Was[i].SourceID] = false
	}
	for i := range r.g.Raws {
		w := &r.g.Raws[i]
		gone[w.Raw.Source] = gone[w.Raw.Source] || w.Forget
	}
	delete(gone, 0)
	for source, gone := range gone {
		if err := r.recount(source, gone); err != nil {
			return err
		}
	}
	return nil
}

// anew gives the transaction a number of its own if it leaves sessions apart:
// they are then younger than those that hold what they do, and are compared
// again, even if the import ends here or writes nothing more.
func (r *regrouping) anew() error {
	if !r.g.Apart {
		return nil
	}
	return r.next()
}

// touch notes that sessions are apart, those that stay as they were, too.
func (r *regrouping) touch() error {
	for _, id := range r.ids {
		if !r.g.Apart {
			break
		}
		if err := r.do("UPDATE trajectory_records SET touched = ? WHERE id = ?", r.number, id); err != nil {
			return err
		}
	}
	return nil
}
