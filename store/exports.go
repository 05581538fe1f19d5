package store

import (
	"context"
	"fmt"

	"winnow/core/review"
	"winnow/store/sqlite"
)

// RecordExport keeps the lineage of an export that is complete, and returns it
// with its ID and time.
func (s *Store) RecordExport(ctx context.Context, e review.Exported) (review.Exported, error) {
	e.At = s.now()
	err := s.write(ctx, sqlite.Curator, "record the export", func(t *tx) error {
		const text = `INSERT INTO exports (at, curator, target, format, options, candidates, samples, rows, tokens, left_out)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
		res, err := t.Exec(text, stamp(e.At), e.Curator, e.Target, e.Format, string(e.Options), e.Candidates, e.Samples, e.Rows, e.Tokens, e.LeftOut)
		if err != nil {
			return err
		}
		if e.ID, err = res.LastInsertId(); err != nil {
			return err
		}
		const file = "INSERT INTO export_files (export_id, n, path, split, rows, bytes, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)"
		for n, f := range e.Files {
			if _, err := t.Exec(file, e.ID, n, f.Path, f.Split, f.Rows, f.Bytes, f.SHA256); err != nil {
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
	rows, err := s.db.Readers.Query(ctx, text, before, before, limit)
	if err != nil {
		return nil, s.fail(what, err)
	}
	var all []review.Exported
	err = sqlite.Each(rows, func() error {
		all = append(all, review.Exported{})
		e := &all[len(all)-1]
		return rows.Scan(&e.ID, timeInto{&e.At}, &e.Curator, &e.Target, &e.Format, (*[]byte)(&e.Options), &e.Candidates, &e.Samples, &e.Rows, &e.Tokens, &e.LeftOut)
	})
	for i := range all {
		if err == nil {
			all[i].Files, err = s.exportFiles(ctx, all[i].ID)
		}
	}
	return all, s.fail(what, err)
}

func (s *Store) exportFiles(ctx context.Context, export int64) (files []review.ExportedFile, err error) {
	rows, err := s.db.Readers.Query(ctx, "SELECT path, split, rows, bytes, sha256 FROM export_files WHERE export_id = ? ORDER BY n", export)
	if err != nil {
		return nil, err
	}
	err = sqlite.Each(rows, func() error {
		files = append(files, review.ExportedFile{})
		f := &files[len(files)-1]
		return rows.Scan(&f.Path, &f.Split, &f.Rows, &f.Bytes, &f.SHA256)
	})
	return files, err
}
