package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"winnow/core/export"
	"winnow/core/review"
)

// exportStream exports to standard output. It gets the bytes when they are
// complete, from a temporary file: whatever fails before leaves the pipe empty.
func (p *cli) exportStream(ctx context.Context, s *database, opt export.Options, progress func(export.Report)) (export.Report, error) {
	dir, err := os.MkdirTemp(p.env.get("TMPDIR"), "winnow-export-")
	if err != nil {
		return export.Report{}, fmt.Errorf("export: a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	opt.Path = filepath.Join(dir, "samples.jsonl")
	report, err := export.Run(ctx, s.Store, opt, progress)
	if err != nil || len(report.Files) == 0 {
		return report, err
	}
	if len(report.Files) > 1 {
		return report, errors.New("export: samples with tools and without go to two files here, standard output takes one: name a file with -o FILE")
	}
	f, err := os.Open(opt.Path)
	if err != nil {
		return report, fmt.Errorf("export: %w", err)
	}
	defer f.Close()
	// A reader that goes away ends this process at once. Where an open file
	// cannot be removed, none does.
	os.RemoveAll(dir)
	report.Files[0].Path = streamPath
	return report, p.out.lines(f)
}

// lines prints lines of JSON.
func (o *output) lines(r io.Reader) error {
	for in := bufio.NewReaderSize(r, 1<<20); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return o.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err := o.rawJSON(line); err != nil {
			return err
		}
	}
}

// reportExport prints the outcome: on standard error if standard output took
// the samples.
func (p *cli) reportExport(r *export.Report, how *exporting) error {
	out := p.out
	if how.streams() {
		out = &output{w: bufio.NewWriter(p.env.stderr), tty: p.env.stderrTTY}
	}
	if how.asJSON {
		if err := out.JSON(r); err != nil {
			return err
		}
	} else if r.Candidates > 0 {
		out.export(r, how.Check)
	}
	if out != p.out {
		if err := out.Flush(); err != nil {
			return fmt.Errorf("writing the outcome: %w", err)
		}
	}
	for _, l := range r.LeftOut {
		p.warn("left out %s: %s: %s", review.Short(l.Segment), l.Check, l.Reason())
	}
	return nil
}

func (o *output) export(r *export.Report, check bool) {
	done := "exported"
	if check {
		done = "could export"
	}
	o.printf("%s %s as %s, about %s, %s\n", done, plural(r.Written, "sample", "samples"), r.As,
		plural(r.Tokens, "token", "tokens"), bytesText(r.Bytes))
	for _, f := range r.Files {
		if f.Path != streamPath {
			o.printf("%s: %s\n", f.Path, plural(f.Rows, "row", "rows"))
		}
	}
	for _, c := range r.Repairs {
		o.printf("%s: %s\n", plural(c.Samples, "sample", "samples"), c.Done)
	}
	if len(r.LeftOut) > 0 {
		o.printf("%s left out\n", plural(len(r.LeftOut), "segment", "segments"))
	}
}

// nothingSelected says why nothing was selected, and what to do.
func (p *cli) nothingSelected(ctx context.Context, s *database, how *exporting) error {
	totals, err := s.Totals(ctx)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	why := "approve some first, or take others too with --any-verdict"
	switch {
	case totals.Segments == 0:
		why = "load sessions with " + p.command("import PATH")
	case how.MinScore != nil && totals.Scored == 0:
		why = "no segment has a score yet"
	case !how.AnyVerdict && totals.ByVerdict[review.Approved] == 0:
	case how.Filter != nil || how.TaskType != "":
		why = "none that may be taken passes the filter: " + p.command("list --filter Q") + " shows what does"
		if how.filter == "" {
			why = "none that may be taken is of the type " + how.TaskType
		}
	case how.MinScore != nil:
		why = "none is fit for training and scored that high: lower --min-score"
	case how.AnyVerdict:
		why = "all are rejected or stale"
	}
	return &failure{exitFailed, errors.New("export: no segment to export: " + why)}
}
