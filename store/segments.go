package store

import (
	"context"

	"winnow/core/review"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// Segment returns one segment by its id or a unique prefix of at least four
// characters: review.ErrNotFound, review.ErrAmbiguous.
func (s *Store) Segment(ctx context.Context, id string) (review.Segment, error) {
	from, to, err := idRange(id)
	if err != nil {
		return review.Segment{}, s.fail("segment", err)
	}
	list, err := s.segmentRows(ctx, segmentsWithSQL, from, to, 2)
	if err == nil {
		err = one("segment", id, len(list))
	}
	if err != nil {
		return review.Segment{}, s.fail("segment", err)
	}
	return list[0], nil
}

// SegmentsWith returns up to limit segments whose ids begin with a prefix of
// any length, in the order of their ids.
func (s *Store) SegmentsWith(ctx context.Context, prefix string, limit int) ([]review.Segment, error) {
	from, to := filtersql.IDs(prefix)
	list, err := s.segmentRows(ctx, segmentsWithSQL, from, to, limit)
	return list, s.fail("segments by id", err)
}

const segmentsWithSQL = "SELECT " + segmentColumns + " FROM task_segments WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"

// SegmentsOf returns the segments of a session (by its full id) in order.
func (s *Store) SegmentsOf(ctx context.Context, session string) ([]review.Segment, error) {
	list, err := s.segmentRows(ctx, "SELECT "+segmentColumns+" FROM task_segments WHERE session_id = ? ORDER BY segment_index", session)
	return list, s.fail("segments of a session", err)
}

func (s *Store) segmentRows(ctx context.Context, text string, args ...any) ([]review.Segment, error) {
	list, err := segmentsIn(s.db.Rows(ctx, text, args...))
	if err == nil {
		err = s.tellSeen(list, s.asks(ctx))
	}
	return list, err
}

// asks returns what asks the database by itself.
func (s *Store) asks(ctx context.Context) func(text string, args ...any) *sqlite.Rows {
	return func(text string, args ...any) *sqlite.Rows { return s.db.Rows(ctx, text, args...) }
}

// segmentsIn reads rows of segmentColumns.
func segmentsIn(rows *sqlite.Rows) ([]review.Segment, error) {
	var list []review.Segment
	var r segmentRow
	for range rows.Into(r.dest()...) {
		list = append(list, r.segment())
		r = segmentRow{}
	}
	return list, rows.Err()
}
