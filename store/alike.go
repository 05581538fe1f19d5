package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/similar"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

var _ runs.AlikeStore = (*Store)(nil)

const (
	countUnsignedSQL = `SELECT (SELECT count(*) FROM unsigned),
		(SELECT count(*) FROM signatures INDEXED BY signatures_fresh WHERE fresh = 1) + (SELECT count(*) FROM signatures INDEXED BY signatures_parted WHERE parted = 1)`
	unsignedSQL = `SELECT u.segment, s.body, s.start_line, s.end_line, s.fingerprint FROM unsigned u CROSS JOIN task_segments s ON s.rowid = u.segment
		WHERE u.segment > ? ORDER BY u.segment LIMIT ?`
	signSQL = `INSERT INTO signatures (id, fingerprint, signature, cluster, fresh) SELECT n, ?1, ?2, iif(length(?2) = 0, 0, n), length(?2) > 0
		FROM (SELECT 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'signatures'), 0) AS n) WHERE true ON CONFLICT DO NOTHING`
	freshSQL      = "SELECT id, cluster, signature FROM signatures INDEXED BY signatures_fresh WHERE fresh = 1 ORDER BY id LIMIT ?"
	signaturesSQL = "SELECT id, cluster, signature FROM signatures WHERE id > ? ORDER BY id LIMIT ?"
	membersSQL    = "SELECT id, cluster, signature FROM signatures INDEXED BY signatures_cluster WHERE cluster = ? AND cluster > 0 ORDER BY id LIMIT ?"
	partedSQL     = `SELECT id, cluster, EXISTS (SELECT 1 FROM task_segments s WHERE s.fingerprint = g.fingerprint)
		FROM signatures g INDEXED BY signatures_parted WHERE parted = 1 ORDER BY id LIMIT ?`
	renameSQL = "UPDATE signatures SET cluster = ?1 WHERE cluster = ?2 AND cluster > 0"
)

// CountUnsigned counts the segments whose content may have no signature, and the
// signatures that were not compared with the others, or may have to go.
func (s *Store) CountUnsigned(ctx context.Context) (segments, others int, err error) {
	err = s.db.Rows(ctx, countUnsignedSQL).One(&segments, &others)
	return segments, others, s.fail("count what is not compared", err)
}

// UnsignedSegments returns up to limit segments after a row whose content may
// have no signature.
func (s *Store) UnsignedSegments(ctx context.Context, after int64, limit int) ([]runs.UnsignedSegment, error) {
	list, err := sqlite.List(s.db.Rows(ctx, unsignedSQL, after, limit), func(u *runs.UnsignedSegment) []any {
		return []any{&u.Row, &u.Body, &u.Start, &u.End, &u.Fingerprint}
	})
	return list, s.fail("list segments to be compared", err)
}

// WriteSignatures stores signatures in one transaction. A segment that holds
// something else by now stays to be signed.
func (s *Store) WriteSignatures(ctx context.Context, list []runs.SignatureWrite) error {
	if len(list) == 0 {
		return nil
	}
	return s.write(ctx, sqlite.Machine, "store signatures", func(t *tx) error {
		for i := range list {
			w := &list[i]
			n, err := t.change("DELETE FROM unsigned WHERE segment = (SELECT rowid FROM task_segments WHERE rowid = ? AND fingerprint = ?)", w.Row, w.Fingerprint)
			if err == nil && n > 0 {
				err = t.do(signSQL, w.Fingerprint, signatureBytes(&w.Signature))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// signatureBytes is how a signature is kept.
func signatureBytes(s *similar.Signature) []byte {
	if s.IsZero() {
		return []byte{}
	}
	return s[:]
}

// FreshSignatures returns up to limit signatures that were not compared with
// the others, the oldest first.
func (s *Store) FreshSignatures(ctx context.Context, limit int) ([]runs.Signed, error) {
	var list []runs.Signed
	_, err := eachSigned(s.db.Rows(ctx, freshSQL, limit), func(g *runs.Signed) error {
		list = append(list, *g)
		return nil
	})
	return list, s.fail("read signatures", err)
}

// EachSignature calls f for all signatures of contents with words, in the order
// of their ids.
func (s *Store) EachSignature(ctx context.Context, f func(*runs.Signed) error) error {
	last := int64(0)
	err := s.inSteps(ctx, func() (int, error) {
		return eachSigned(s.db.Rows(ctx, signaturesSQL, last, s.loadStep), func(g *runs.Signed) error {
			if last = g.ID; g.Cluster == 0 {
				return nil
			}
			return f(g)
		})
	})
	return s.fail("read signatures", err)
}

// eachSigned calls f for the signatures that a question finds, and counts them.
func eachSigned(rows *sqlite.Rows, f func(*runs.Signed) error) (n int, err error) {
	var data sql.RawBytes
	var g runs.Signed
	for range rows.Into(&g.ID, &g.Cluster, &data) {
		n++
		if len(data) != len(g.Signature) && len(data) != 0 {
			return n, fmt.Errorf("signature %d has %d bytes: run winnow doctor", g.ID, len(data))
		}
		clear(g.Signature[:])
		copy(g.Signature[:], data)
		if err := f(&g); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

// JoinAlike makes the clusters of each two signatures one, in one transaction.
// Signatures that left meanwhile are passed over.
func (s *Store) JoinAlike(ctx context.Context, pairs [][2]int64) error {
	return s.write(ctx, sqlite.Machine, "join alike segments", func(t *tx) error {
		root := map[int64]int64{}
		of := func(c int64) int64 {
			for root[c] != 0 {
				c = root[c]
			}
			return c
		}
		for _, p := range pairs {
			var a, b int64
			_, err := t.Rows("SELECT a.cluster, b.cluster FROM signatures a, signatures b WHERE a.id = ? AND b.id = ?", p[0], p[1]).Maybe(&a, &b)
			if err != nil {
				return err
			}
			if a, b = of(a), of(b); a != b && a > 0 && b > 0 {
				root[max(a, b)] = min(a, b)
			}
		}
		for c := range root {
			if err := t.do(renameSQL, of(c), c); err != nil {
				return err
			}
		}
		return nil
	})
}

// NoteCompared notes that signatures were compared with all others.
func (s *Store) NoteCompared(ctx context.Context, ids []int64) error {
	return s.write(ctx, sqlite.Machine, "note what was compared", func(t *tx) error {
		return t.do("UPDATE signatures SET fresh = 0 WHERE id IN (SELECT value FROM json_each(?))", idList(ids))
	})
}

const (
	// partStep is how many signatures one transaction looks at.
	partStep = 256
	// partMost is the size of a cluster that is compared again when a member
	// left: tens of milliseconds. A larger one stays together. When as many were
	// compared, the next transaction goes on.
	partMost = 4096
)

// DropUnheld forgets signatures of contents that no segment holds any more.
// What only they held together is parted.
func (s *Store) DropUnheld(ctx context.Context) error {
	for more := true; more; {
		err := s.write(ctx, sqlite.Machine, "forget signatures", func(t *tx) (err error) {
			more, err = t.dropUnheld()
			return err
		})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) dropUnheld() (more bool, err error) {
	var stay, clusters []int64
	gone := map[int64][]int64{} // by cluster
	var id, cluster int64
	var held bool
	rows := t.Rows(partedSQL, partStep)
	for range rows.Into(&id, &cluster, &held) {
		if held {
			stay = append(stay, id)
		} else {
			clusters, gone[cluster] = append(clusters, cluster), append(gone[cluster], id)
		}
	}
	if err = rows.Err(); err == nil {
		err = t.do("UPDATE signatures SET parted = 0 WHERE id IN (SELECT value FROM json_each(?))", idList(stay))
	}
	if err != nil {
		return false, err
	}
	found, compared := len(stay)+len(clusters), 0
	slices.Sort(clusters)
	for _, c := range slices.Compact(clusters) {
		if compared >= partMost {
			return true, nil
		}
		if err := t.do("DELETE FROM signatures WHERE id IN (SELECT value FROM json_each(?))", idList(gone[c])); err != nil {
			return false, err
		}
		if c > 0 {
			n, err := t.part(c)
			if err != nil {
				return false, err
			}
			compared += n
		}
	}
	return found == partStep, nil
}

// part compares what is left of a cluster, and numbers what it falls into. It
// returns how many signatures it read.
func (t *tx) part(cluster int64) (n int, err error) {
	var ids []int64
	var sigs []*similar.Signature
	n, err = eachSigned(t.Rows(membersSQL, cluster, partMost+1), func(g *runs.Signed) error {
		sig := g.Signature
		ids, sigs = append(ids, g.ID), append(sigs, &sig)
		return nil
	})
	if err != nil || n == 0 {
		return n, err
	}
	if n > partMost {
		if ids[0] != cluster {
			err = t.do(renameSQL, ids[0], cluster)
		}
		return n, err
	}
	to := slices.Clone(ids)
	for _, group := range similar.Clusters(sigs, similar.Duplicate) {
		for _, i := range group {
			to[i] = ids[group[0]]
		}
	}
	for i, id := range ids {
		if to[i] == cluster {
			continue
		}
		if err := t.do("UPDATE signatures SET cluster = ? WHERE id = ?", to[i], id); err != nil {
			return n, err
		}
	}
	return n, nil
}

const alikeSegmentsSQL = "SELECT " + segmentColumns + " FROM task_segments INDEXED BY task_segments_fingerprint " +
	"WHERE fingerprint IN (SELECT fingerprint FROM signatures INDEXED BY signatures_cluster WHERE cluster = ? AND cluster > 0)"

// AlikeSegments returns the segments of a cluster that a filter lets through, in natural
// order.
func (s *Store) AlikeSegments(ctx context.Context, cluster int64, within filter.Node) ([]review.Segment, error) {
	where, err := s.where(ctx, within)
	if err != nil {
		return nil, s.fail("list alike segments", err)
	}
	list, err := s.members(ctx, cluster, where)
	return list, s.fail("list alike segments", err)
}

func (s *Store) members(ctx context.Context, cluster int64, where filtersql.Condition) ([]review.Segment, error) {
	list, err := segmentsIn(s.db.Once(ctx, alikeSegmentsSQL+where.After("AND")+" ORDER BY place, start_line, id", append([]any{cluster}, where.Args...)...))
	if err == nil {
		err = s.tellSeen(list, s.asks(ctx))
	}
	return list, err
}

// sharedClustersSQL finds clusters that several segments are in.
const sharedClustersSQL = `SELECT g.cluster FROM signatures g INDEXED BY signatures_cluster
	CROSS JOIN task_segments s INDEXED BY task_segments_fingerprint ON s.fingerprint = g.fingerprint
	WHERE g.cluster > 0 AND g.cluster > ? GROUP BY g.cluster HAVING count(*) > 1 ORDER BY g.cluster LIMIT ?`

// EachAlike calls f for all groups of at least two segments that are alike and
// that a filter lets through, in natural order. Each is read by itself, so that
// it is whole whatever others write meanwhile.
func (s *Store) EachAlike(ctx context.Context, within filter.Node, f func([]review.Segment) error) error {
	where, err := s.where(ctx, within)
	if err != nil {
		return s.fail("list alike segments", err)
	}
	last := int64(0)
	for {
		clusters, err := sqlite.Column[int64](s.db.Rows(ctx, sharedClustersSQL, last, s.loadStep))
		if err != nil || len(clusters) == 0 {
			return s.fail("list alike segments", err)
		}
		for _, last = range clusters {
			list, err := s.members(ctx, last, where)
			if err != nil {
				return s.fail("list alike segments", err)
			}
			if len(list) > 1 {
				if err := f(list); err != nil {
					return err
				}
			}
		}
	}
}

// Suggested returns the threshold that all verdicts speak for.
func (s *Store) Suggested(ctx context.Context) (review.Suggestion, error) {
	scores := map[review.Verdict][]float64{}
	var verdict review.Verdict
	var score float64
	rows := s.db.Rows(ctx, "SELECT verdict, score FROM task_segments INDEXED BY task_segments_facets WHERE verdict IN ('approved', 'rejected') AND score IS NOT NULL")
	for range rows.Into(&verdict, &score) {
		scores[verdict] = append(scores[verdict], score)
	}
	return review.Suggest(scores[review.Approved], scores[review.Rejected]), s.fail("look for a threshold", rows.Err())
}
