package desk

import (
	"context"

	"winnow/core/export"
	"winnow/core/review"
)

// records makes training records as the screen shows them.
type records struct{ *Desk }

// Preview implements record.Library.
func (v records) Preview(ctx context.Context, s review.Segment, o export.Options) ([]byte, export.Report, error) {
	v.here(&o)
	return export.Preview(ctx, v.Store, &s, o)
}

// previewFormat is the format that the screen shows records in at first: the
// one that is configured, else that of the last export.
func (d *Desk) previewFormat(ctx context.Context) (string, error) {
	if name := d.Text("preview_format"); name != "" {
		return name, nil
	}
	last, err := d.Exports(ctx, 0, 1)
	if err != nil || len(last) == 0 {
		return "", err
	}
	return last[0].Format, nil
}
