package store

import (
	"context"
	"fmt"

	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// RecordExport keeps the lineage of an export that is complete, and returns it
// with its ID and time.
func (s *Store) RecordExport(ctx context.Context, e review.Exported) (review.Exported, error) {
	e.At = s.now()
	err := s.write(ctx, sqlite.Curator, "record the export", func(t *tx) error {
		const text = `INSERT INTO exports (at, curator, target, format, options, candidates, samples, rows, tokens, left_out)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
		var err error
		e.ID, err = t.insert(text, stamp.Of(e.At), e.Curator, e.Target, e.Format, string(e.Options), e.Candidates, e.Samples, e.Rows, e.Tokens, e.LeftOut)
		if err != nil {
			return err
		}
		const file = "INSERT INTO export_files (export_id, n, path, split, rows, bytes, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)"
		for n, f := range e.Files {
			if err := t.do(file, e.ID, n, f.Path, f.Split, f.Rows, f.Bytes, f.SHA256); err != nil {
				return err
			}
		}
		return nil
	})
	return e, err
}

// Exports returns at most limit exports before an ID, 0 the newest, the newest
// first.
func (s *Store) Exports(ctx context.Context, before int64, limit int) ([]review.Exported, error) {
	const what = "list the exports"
	if limit < 1 {
		return nil, s.fail(what, fmt.Errorf("limit %d: must be at least 1", limit))
	}
	const text = `SELECT id, at, curator, target, format, options, candidates, samples, rows, tokens, left_out FROM exports
		WHERE id < ? OR ? = 0 ORDER BY id DESC LIMIT ?`
	all, err := sqlite.List(s.db.Rows(ctx, text, before, before, limit), func(e *review.Exported) []any {
		return []any{&e.ID, timeIn(&e.At), &e.Curator, &e.Target, &e.Format, (*[]byte)(&e.Options), &e.Candidates, &e.Samples, &e.Rows, &e.Tokens, &e.LeftOut}
	})
	const files = "SELECT path, split, rows, bytes, sha256 FROM export_files WHERE export_id = ? ORDER BY n"
	for i := range all {
		if err == nil {
			all[i].Files, err = sqlite.List(s.db.Rows(ctx, files, all[i].ID), func(f *review.ExportedFile) []any {
				return []any{&f.Path, &f.Split, &f.Rows, &f.Bytes, &f.SHA256}
			})
		}
	}
	return all, s.fail(what, err)
}
