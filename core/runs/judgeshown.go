package runs

import (
	"context"
	"errors"

	"winnow/core/review"
	"winnow/core/segment"
)

// JudgeStore is what judging needs of the store.
type JudgeStore interface {
	CutStore
	// Judge applies a judgement and its journal entry, in one transaction:
	// review.ErrNotFound or review.ErrConflict if a segment is not there, or
	// not as it was seen.
	Judge(ctx context.Context, j review.Judgement) (review.Entry, error)
}

// JudgeShown applies a judgement. If the segment that the curator was shown
// (j.Shown) was cut anew since, or got more messages, it is put back as it was:
// all is as if the verdict had been given before that. The change of the entry
// names the segment. That is not done where anybody decided something
// meanwhile, or where the messages are others: then the refusal stands.
func JudgeShown(ctx context.Context, store JudgeStore, j review.Judgement) (review.Entry, error) {
	e, err := store.Judge(ctx, j)
	for range cutTries {
		if err == nil || j.Shown == nil || !errors.Is(err, review.ErrNotFound) && !errors.Is(err, review.ErrConflict) {
			break
		}
		id, failed := putBack(ctx, store, j.Shown)
		if errors.Is(failed, review.ErrConflict) {
			continue // somebody was faster again
		}
		if failed != nil || id == "" {
			break
		}
		j.IDs, j.Seen = []string{id}, nil
		e, err = store.Judge(ctx, j)
	}
	return e, err
}

// putBack cuts a session so that a segment is there as it was shown, and returns
// its id: "" if that cannot be.
func putBack(ctx context.Context, store CutStore, shown *review.Segment) (string, error) {
	s, err := store.SessionByID(ctx, shown.SessionID)
	if err != nil || s.Body != shown.Body || shown.End > s.Messages || s.Edits > 0 || shown.Edited != "" {
		return "", err // what it would hold, edited, was perhaps not shown
	}
	rows := s.Rows()
	pieces, at := around(rows, shown)
	if at < 0 {
		return "", nil
	}
	l := &layout{s: s, rows: rows, text: newText(store, s), pieces: pieces}
	w, out, err := l.write(ctx, false)
	if err != nil {
		return "", err
	}
	is := &out.Rows[at].Segment
	if is.Detail != shown.Detail || is.Nth == shown.Nth && is.Fingerprint != shown.Fingerprint {
		return "", nil
	}
	if !w.changes() {
		return is.ID, nil
	}
	w.PutsBack = true
	if _, err := store.WriteCuts(ctx, w); err != nil {
		return "", err
	}
	for i := range w.Segments {
		if sw := &w.Segments[i]; sw.Start == shown.Start {
			return sw.ID, nil
		}
	}
	return is.ID, nil
}

// around returns the pieces of a session in which a segment is as it was shown,
// and its index, -1 if anybody decided on what stands there now.
func around(rows []review.Segment, shown *review.Segment) (pieces []segment.Piece, at int) {
	at = -1
	for i := range rows {
		r := &rows[i]
		if r.End < shown.Start || r.Start > shown.End {
			pieces = append(pieces, segment.PieceOf(r))
			continue
		}
		if r.Verdict.Judged() || r.Stale || r.CutBy == review.CutCurator || r.Named || r.Note != "" || len(r.Tags)+len(r.Masked) > 0 {
			return nil, -1
		}
		by := r.CutBy
		if by == review.CutSingle {
			by = review.CutProvisional
		}
		if r.Start < shown.Start {
			pieces = append(pieces, segment.Piece{Cut: segment.Cut{Start: r.Start, End: shown.Start - 1}, By: by})
		}
		if at < 0 {
			at = len(pieces)
			pieces = append(pieces, segment.PieceOf(shown))
		}
		if r.End > shown.End {
			pieces = append(pieces, segment.Piece{Cut: segment.Cut{Start: shown.End + 1, End: r.End}, By: by})
		}
	}
	return pieces, at
}
