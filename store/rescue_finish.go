package store

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// finishRescue brings what was copied into a state in which everything fits:
// messages that are lost are read from their sources again, or are said to be
// lost, and what can be derived is.
func (s *Store) finishRescue(ctx context.Context, out *Rescued, reread func(context.Context, *Store, []RescuedSource) error) error {
	if err := s.dropUnreadable(ctx); err != nil {
		return err
	}
	broken, err := s.brokenSessions(ctx)
	if err != nil {
		return err
	}
	if err := s.readAgain(ctx, broken); err != nil {
		return err
	}
	if out.Sources, err = s.unreadSources(ctx); err != nil {
		return err
	}
	if len(out.Sources) > 0 && reread != nil {
		if err := reread(ctx, s, out.Sources); err != nil {
			return err
		}
		if broken, err = s.brokenSessions(ctx); err != nil {
			return err
		}
	}
	for i := range broken {
		b := &broken[i]
		stale := 0
		err := s.write(ctx, sqlite.Machine, "note lost messages", func(t *tx) (err error) {
			l := lostMessages{importing: &importing{tx: t, ids: s.ids, now: stamp.Of(s.now())}, session: b}
			stale, err = l.write()
			return err
		})
		if err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, RescuedSession{b.file, b.lost(), stale})
	}
	if err := s.findJudged(ctx, out); err != nil {
		return err
	}
	// What was put right may show what else is not: twice is enough.
	for range 2 {
		repaired, err := s.Repair(ctx)
		if err != nil {
			return err
		}
		if out.Repaired += len(repaired); len(repaired) == 0 {
			break
		}
	}
	if out.Left, err = s.Check(ctx); err != nil {
		return err
	}
	const counts = "SELECT count(*) FILTER (WHERE verdict <> 'pending'), count(*) FILTER (WHERE note <> ''), count(*) FILTER (WHERE tags <> '') FROM task_segments"
	return s.db.Rows(ctx, counts).One(&out.Verdicts, &out.Notes, &out.Tags)
}

// dropUnreadable removes stored messages that can't be read.
func (s *Store) dropUnreadable(ctx context.Context) error {
	for at := int64(0); ; {
		var last int
		var data []byte
		more, err := s.db.Rows(ctx, "SELECT id, last, data FROM chunks WHERE id > ? ORDER BY id LIMIT 1", at).Maybe(&at, &last, &data)
		if err != nil || !more {
			return err
		}
		list, err := chat.ReadChunk(data)
		if err == nil && len(list) > 0 && list[0].N == numberOf(at) && list[len(list)-1].N == last {
			continue
		}
		if err := s.write(ctx, sqlite.Machine, "drop what can't be read", mend("DELETE FROM chunks WHERE id = ?", at)); err != nil {
			return err
		}
	}
}

// brokenSession is a session that lacks messages.
type brokenSession struct {
	id, file string
	source   int64
	body     int64
	messages int
	gaps     [][2]int // first and last of those that are lost
}

func (b *brokenSession) lost() (n int) {
	for _, g := range b.gaps {
		n += g[1] - g[0] + 1
	}
	return n
}

// brokenSessions finds the sessions that lack messages.
func (s *Store) brokenSessions(ctx context.Context) (broken []brokenSession, err error) {
	const text = "SELECT id, session_file, coalesce(source_id, 0), body, messages FROM trajectory_records ORDER BY id"
	all, err := sqlite.List(s.db.Rows(ctx, text), func(b *brokenSession) []any { return []any{&b.id, &b.file, &b.source, &b.body, &b.messages} })
	for _, b := range all {
		if err == nil {
			b.gaps, err = s.gaps(ctx, b.body, b.messages)
		}
		if len(b.gaps) > 0 {
			broken = append(broken, b)
		}
	}
	return broken, err
}

// gaps returns which of the messages of a body are not there.
func (s *Store) gaps(ctx context.Context, body int64, messages int) (gaps [][2]int, err error) {
	next, last, id := 1, 0, int64(0)
	rows := s.db.Rows(ctx, "SELECT id, last FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", messageID(body, 1), lastID(body))
	for range rows.Into(&id, &last) {
		if first := numberOf(id); first > next {
			gaps = append(gaps, [2]int{next, first - 1})
		}
		next = max(next, last+1)
	}
	if next <= messages {
		gaps = append(gaps, [2]int{next, messages})
	}
	return gaps, rows.Err()
}

// readAgain sees that the sources of sessions that lack messages are read again,
// and that none of these passes for the same as what is there then.
func (s *Store) readAgain(ctx context.Context, broken []brokenSession) error {
	if len(broken) == 0 {
		return nil
	}
	return s.write(ctx, sqlite.Machine, "note what is lost", func(t *tx) error {
		for i := range broken {
			err := t.do("UPDATE trajectory_records SET trace = NULL, settled = NULL WHERE id = ?", broken[i].id)
			if err == nil {
				err = t.do(againSQL+"id = ?", broken[i].source)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// unreadSources returns the sources that are to be read again.
func (s *Store) unreadSources(ctx context.Context) (list []RescuedSource, err error) {
	return sqlite.List(s.db.Rows(ctx, "SELECT agent_id, path FROM sources WHERE mtime = 0 ORDER BY agent_id, path"),
		func(r *RescuedSource) []any { return []any{&r.Agent, &r.Path} })
}

// lostText stands in the place of messages that are lost.
func lostText(from, to int) string {
	if from == to {
		return fmt.Sprintf("[Message %d was lost when the database was damaged. Import its source again to bring it back.]", from)
	}
	return fmt.Sprintf("[Messages %d to %d were lost when the database was damaged. Import their source again to bring them back.]", from, to)
}

// findJudged looks for the segments that the journal knows verdicts on and that
// are not there: where their content is, they come back; else the journal says
// that they left.
func (s *Store) findJudged(ctx context.Context, out *Rescued) error {
	return s.write(ctx, sqlite.Machine, "place verdicts", func(t *tx) error {
		r := returning{importing: &importing{tx: t, ids: s.ids, now: stamp.Of(s.now())}, out: out, wanted: map[string][]lostVerdict{}}
		return r.run()
	})
}

// lostVerdict is the last thing that the journal knows of a segment that is not
// there.
type lostVerdict struct {
	id      string
	mark    review.Mark
	content chat.Digest
	placed  bool
}
