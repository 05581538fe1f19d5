package store

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/inbox"
	"winnow/core/session"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// mostIngests are kept.
const mostIngests = 10_000

const ingestColumns = "n, seq, id, at, agent_id, name, wire, bytes, size, sha256, outcome, was, status, source_id, read, skipped, bad, pending, " +
	"sessions_new, updated, copies, messages_new, messages, problems, ms, code, error, inbox"

const (
	putIngestSQL = `INSERT INTO ingests (` + ingestColumns + `) VALUES (NULL, (SELECT coalesce(max(seq), 0) + 1 FROM ingests),
		?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, size = excluded.size, outcome = excluded.outcome, status = excluded.status, source_id = excluded.source_id,
		read = excluded.read, skipped = excluded.skipped, bad = excluded.bad, pending = excluded.pending, sessions_new = excluded.sessions_new, updated = excluded.updated,
		copies = excluded.copies, messages_new = excluded.messages_new, messages = excluded.messages, problems = excluded.problems, ms = excluded.ms, code = excluded.code, error = excluded.error`
	pruneIngestsSQL = "DELETE FROM ingests WHERE n <= (SELECT max(n) FROM ingests) - ?"
	ingestSQL       = "SELECT " + ingestColumns + " FROM ingests WHERE id = ?"
	openIngestsSQL  = "SELECT " + ingestColumns + " FROM ingests WHERE outcome = 'stored' ORDER BY n"
	ingestsSQL      = "SELECT " + ingestColumns + " FROM ingests WHERE n < ? ORDER BY n DESC LIMIT ?"
	agentsSQL       = "SELECT agent_id, count(*), sum(status >= 400), sum(bytes), sum(coalesce(messages_new, 0)), max(at) || '' FROM ingests GROUP BY agent_id ORDER BY agent_id"
	arrivedSQL      = "SELECT agent_id, sum(messages_new) FROM (SELECT agent_id, messages_new FROM ingests WHERE seq > ? AND seq <= ? ORDER BY seq) WHERE messages_new > 0 GROUP BY agent_id ORDER BY 1"
)

// PutIngests keeps what became of uploads, in one transaction; what is kept of the same
// upload already it replaces. It is no change of Version: the import of an upload is.
func (s *Store) PutIngests(ctx context.Context, list []*inbox.Arrival) error {
	s.tidy(1)
	return s.writeUnseen(ctx, sqlite.Machine, "note uploads", func(t *tx) error {
		for _, a := range list {
			args, err := ingestArgs(a)
			if err == nil {
				err = t.do(putIngestSQL, args...)
			}
			if err != nil {
				return err
			}
		}
		return t.do(pruneIngestsSQL, mostIngests)
	})
}

// ingestArgs are the columns of an upload from id on.
func ingestArgs(a *inbox.Arrival) ([]any, error) {
	f := &inbox.Figures{}
	var figures [9]any // NULL until it is imported
	problems := ""
	if a.Figures != nil {
		f = a.Figures
		for i, n := range []int64{
			f.Lines.Read, f.Lines.Skipped, f.Lines.Bad, f.Lines.Pending, int64(f.Sessions.New), int64(f.Sessions.Updated), int64(f.Sessions.Copies), int64(f.Messages.New), int64(f.Messages.Total),
		} {
			figures[i] = n
		}
	}
	if len(f.Problems) > 0 {
		text, err := json.Marshal(f.Problems)
		if err != nil {
			return nil, err
		}
		problems = string(text)
	}
	args := []any{a.ID, stamp.Of(a.At), a.Agent, a.Session, a.Wire, a.Bytes, a.Size, a.Sum, string(a.Outcome), string(a.Was), a.Status, valueOrNull(a.Source)}
	args = append(args, figures[:]...)
	return append(args, problems, valueOrNull(a.Took.Milliseconds()), a.Code, a.Error, a.Inbox), nil
}

// Ingest returns an upload by its id.
func (s *Store) Ingest(ctx context.Context, id string) (a inbox.Arrival, ok bool, err error) {
	list, err := s.ingests(ctx, ingestSQL, id)
	if err != nil || len(list) == 0 {
		return a, false, err
	}
	return list[0], true, nil
}

// OpenIngests returns the uploads that are not imported yet, the oldest first.
func (s *Store) OpenIngests(ctx context.Context) ([]inbox.Arrival, error) {
	return s.ingests(ctx, openIngestsSQL)
}

// Ingests returns at most limit uploads before one, 0 the newest, the newest first.
func (s *Store) Ingests(ctx context.Context, before int64, limit int) ([]inbox.Arrival, error) {
	if limit < 1 {
		return nil, s.fail("list uploads", fmt.Errorf("limit %d: must be at least 1", limit))
	}
	if before == 0 {
		before = 1<<63 - 1
	}
	return s.ingests(ctx, ingestsSQL, before, limit)
}

func (s *Store) ingests(ctx context.Context, text string, args ...any) ([]inbox.Arrival, error) {
	type row struct {
		a        inbox.Arrival
		f        inbox.Figures
		imported *int64
		ms       int64
		problems string
	}
	rows, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *row) []any {
		a, f := &r.a, &r.f
		return []any{
			&a.N, &a.Seq, &a.ID, timeIn(&a.At), &a.Agent, &a.Session, &a.Wire, &a.Bytes, &a.Size, &a.Sum, &a.Outcome, &a.Was, &a.Status, orNull[int64]{&a.Source},
			&r.imported, orNull[int64]{&f.Lines.Skipped}, orNull[int64]{&f.Lines.Bad}, orNull[int64]{&f.Lines.Pending},
			orNull[int]{&f.Sessions.New}, orNull[int]{&f.Sessions.Updated}, orNull[int]{&f.Sessions.Copies}, orNull[int]{&f.Messages.New}, orNull[int]{&f.Messages.Total},
			&r.problems, orNull[int64]{&r.ms}, &a.Code, &a.Error, &a.Inbox,
		}
	})
	list := make([]inbox.Arrival, len(rows))
	for i := range rows {
		r := &rows[i]
		list[i] = r.a
		list[i].Success = r.a.Code == ""
		list[i].Took = time.Duration(r.ms) * time.Millisecond
		if r.imported == nil {
			continue
		}
		f := r.f // of its own
		f.Lines.Read = *r.imported
		f.Problems = []session.Issue{}
		if r.problems != "" {
			_ = json.Unmarshal([]byte(r.problems), &f.Problems) // the doctor tells of such ones
		}
		f.Sum()
		list[i].Figures = &f
	}
	return list, s.fail("read uploads", err)
}

// Agents returns what each agent sent, by their names.
func (s *Store) Agents(ctx context.Context) ([]inbox.Agent, error) {
	list, err := sqlite.List(s.db.Rows(ctx, agentsSQL), func(a *inbox.Agent) []any {
		return []any{&a.Name, &a.Uploads, &a.Refused, &a.Bytes, &a.Messages, timeIn(&a.Last)}
	})
	return list, s.fail("count uploads", err)
}

// Arrived returns how many messages uploads brought that changed after seq, agent by
// agent, and up to which they were looked at. As long as nobody writes it costs no more
// than Version.
func (s *Store) Arrived(ctx context.Context, seq int64) (news []inbox.News, to int64, err error) {
	s.watch.mu.Lock()
	err = s.look(ctx)
	to = s.watch.arrived
	s.watch.mu.Unlock()
	if err == nil && to > seq && seq >= 0 {
		news, err = sqlite.List(s.db.Rows(ctx, arrivedSQL, seq, to), func(n *inbox.News) []any { return []any{&n.Agent, &n.Messages} })
	}
	return news, to, s.fail("look for uploads", err)
}
