package store

import (
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
	"winnow/store/sqlite"
)

const (
	forgetClaimsSQL = "DELETE FROM claims WHERE until <= ?"
	claimsSQL       = "SELECT program, next, segment_id, curator, until FROM claims"
	claimSQL        = "INSERT INTO claims (program, next, segment_id, curator, until) VALUES (?, ?, ?, ?, ?) " +
		"ON CONFLICT (program, next) DO UPDATE SET segment_id = excluded.segment_id, curator = excluded.curator, until = excluded.until"
	unclaimSQL   = "DELETE FROM claims WHERE program = ? AND next = ?"
	releaseSQL   = "DELETE FROM claims WHERE program = ?"
	claimableSQL = "SELECT id FROM task_segments WHERE id IN (SELECT value FROM json_each(?)) AND (verdict = 'pending' OR ?)"
)

// Claim notes what a program reads and gives it what it goes on to, in one
// transaction: of two that ask for the same segment one gets it, and the other
// the one after it. It is no change of Version, and no journal keeps it.
func (s *Store) Claim(ctx context.Context, c review.Claiming) (review.Claimed, error) {
	now := s.now()
	done := review.Claimed{Until: now.Add(review.ClaimFor).Truncate(time.Millisecond)}
	err := s.writeBeside(ctx, "claim", func(t *tx) error {
		err := t.do(forgetClaimsSQL, now.UnixMilli())
		if err == nil {
			done.Others, err = scanClaims(t.Rows(claimsSQL))
		}
		if err != nil {
			return err
		}
		done.Others = slices.DeleteFunc(done.Others, func(o review.Claim) bool { return o.Program == c.Program })
		if done.Next, err = t.free(&c, done.Others); err != nil {
			return err
		}
		if err := t.hold(&c, false, c.Reads, done.Until); err != nil {
			return err
		}
		return t.hold(&c, true, done.Next, done.Until)
	})
	s.tidy(1)
	return done, err
}

// free returns the first of the segments asked for that nobody holds or reads.
func (t *tx) free(c *review.Claiming, others []review.Claim) (string, error) {
	if len(c.Next) == 0 {
		return "", nil
	}
	list, err := json.Marshal(c.Next)
	if err != nil {
		return "", err
	}
	free := map[string]bool{}
	var id string
	rows := t.Rows(claimableSQL, string(list), c.Judged)
	for range rows.Into(&id) {
		free[id] = true
	}
	delete(free, c.Reads)
	for i := range others {
		delete(free, others[i].Segment)
	}
	for _, id := range c.Next {
		if free[id] {
			return id, rows.Err()
		}
	}
	return "", rows.Err()
}

func (t *tx) hold(c *review.Claiming, next bool, segment string, until time.Time) error {
	if segment == "" {
		return t.do(unclaimSQL, c.Program, next)
	}
	return t.do(claimSQL, c.Program, next, segment, c.Curator, until.UnixMilli())
}

// Release gives up what a program holds.
func (s *Store) Release(ctx context.Context, program string) error {
	return s.writeBeside(ctx, "release", func(t *tx) error { return t.do(releaseSQL, program) })
}

// Claims returns what all programs hold that have not given it up, also what
// is over by now. As long as nothing changes it costs no more than Version.
func (s *Store) Claims(ctx context.Context) ([]review.Claim, error) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if err := s.look(ctx); err != nil {
		return nil, s.fail("look for claims", err)
	}
	w := &s.watch
	if !w.read {
		var err error
		if w.claims, err = scanClaims(s.db.Rows(ctx, claimsSQL)); err != nil {
			return nil, s.fail("look for claims", err)
		}
		w.read = true
	}
	return slices.Clone(w.claims), nil
}

func scanClaims(rows *sqlite.Rows) (list []review.Claim, err error) {
	var c review.Claim
	var until int64
	for range rows.Into(&c.Program, &c.Next, &c.Segment, &c.Curator, &until) {
		c.Until = time.UnixMilli(until).UTC()
		list = append(list, c)
	}
	return list, rows.Err()
}
