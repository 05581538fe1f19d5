package main

import (
	"context"

	"winnow/core/export"
	"winnow/core/review"
)

// screenPreviewing makes training records as the screen shows them.
type screenPreviewing struct {
	cli *cli
	db  *database
}

// Preview implements tui.Previewing.
func (v screenPreviewing) Preview(ctx context.Context, s review.Segment, o export.Options) ([]byte, export.Report, error) {
	o.Program, o.Home = "winnow "+v.cli.version().Version, v.cli.env.Home()
	if o.Redact != nil {
		o.Redact = &export.Redaction{Users: v.cli.userNames(nil)}
	}
	return export.Preview(ctx, v.db.Store, &s, o)
}

// previewFormat is the format that the screen shows records in at first: the
// one that is configured, else that of the last export.
func previewFormat(ctx context.Context, s *database) (string, error) {
	if name := s.Text("preview_format"); name != "" {
		return name, nil
	}
	last, err := s.Exports(ctx, 0, 1)
	if err != nil || len(last) == 0 {
		return "", err
	}
	return last[0].Format, nil
}
