package main

import (
	"context"
	"fmt"

	"winnow/core/export"
	"winnow/store"
)

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
