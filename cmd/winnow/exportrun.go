package main

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/store"
)

// keepExport keeps in the database what was exported from it, and to where.
func keepExport(ctx context.Context, s *database, opt *export.Options, target string, r *export.Report) error {
	options, err := json.Marshal(export.OptionsOf(opt), jsonOptions)
	if err != nil {
		return err
	}
	e := review.Exported{
		Curator: s.text("reviewer"), Target: target, Format: r.As, Options: string(options),
		Candidates: r.Candidates, Samples: r.Written, Rows: r.Rows, Tokens: r.Tokens, LeftOut: len(r.LeftOut),
	}
	for _, f := range r.Files {
		e.Files = append(e.Files, review.ExportedFile{Path: f.Path, Split: f.Split, Rows: f.Rows, Bytes: f.Bytes, SHA256: f.SHA256})
	}
	_, err = s.RecordExport(ctx, e)
	return err
}

// exportFrom exports the database as it is now, whatever others do to it
// meanwhile.
func exportFrom(ctx context.Context, s *store.Store, opt export.Options, progress func(export.Report)) (export.Report, error) {
	one, err := s.Snapshot(ctx)
	if err != nil {
		return export.Report{}, fmt.Errorf("export: %w", err)
	}
	defer one.Close()
	return export.Run(ctx, one, opt, progress)
}
