package main

import (
	"context"
	"fmt"
	"os"

	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/hub"
	"winnow/core/review"
)

// keepExport keeps in the database what was exported from it, and to where.
func keepExport(ctx context.Context, s *database, opt *export.Options, target string, r *export.Report) error {
	options, err := print.Marshal(export.OptionsOf(opt))
	if err != nil {
		return err
	}
	e := review.Exported{
		Curator: s.Text("reviewer"), Target: target, Format: r.As, Options: string(options),
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
func exportFrom(ctx context.Context, s *database, opt export.Options, progress func(export.Report)) (export.Report, error) {
	if opt.Force && !opt.Check {
		if err := s.mayReplace(ctx, opt.Path); err != nil {
			return export.Report{}, fmt.Errorf("export: %w", err)
		}
	}
	one, err := s.Snapshot(ctx)
	if err != nil {
		return export.Report{}, fmt.Errorf("export: %w", err)
	}
	defer one.Close()
	return export.Run(ctx, one, opt, progress)
}

// mayReplace refuses what an export must never replace: the database, and the
// files that its sessions were read from.
func (s *database) mayReplace(ctx context.Context, target string) error {
	there, err := os.Stat(target)
	if err != nil || there.IsDir() {
		return nil // nothing is replaced; of folders, only exports are
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if own, err := os.Stat(s.path + suffix); err == nil && os.SameFile(own, there) {
			return fmt.Errorf("%s is the database: name another target", target)
		}
	}
	return eachSource(ctx, s, func(src *hub.Source) error {
		if own, err := os.Stat(src.Path); err == nil && os.SameFile(own, there) {
			return fmt.Errorf("%s is a file that sessions were read from: name another target", target)
		}
		return nil
	}, func() {})
}
