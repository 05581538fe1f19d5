package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"winnow/core/export"
)

// screenExporting exports as the screen asks for it.
type screenExporting struct {
	cli *cli
	db  *database
}

// Export implements tui.Exporting.
func (e screenExporting) Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error) {
	p := e.cli
	o.Program, o.Home = "winnow "+p.version().Version, p.env.Home()
	if o.Redact != nil {
		o.Redact = &export.Redaction{Users: p.userNames(nil)}
	}
	if rest, found := strings.CutPrefix(o.Path, "~/"); found && o.Home != "" {
		folder := strings.HasSuffix(o.Path, "/")
		o.Path = filepath.Join(o.Home, rest)
		if folder {
			o.Path += "/"
		}
	}
	r, err := exportFrom(ctx, e.db, o, progress)
	if err != nil || len(r.Files) == 0 {
		return r, err
	}
	if err := p.keep(ctx, e.db, &exporting{Options: o}, &r); err != nil {
		return r, fmt.Errorf("the files are complete, but the database could not note it: %w", err)
	}
	return r, nil
}
