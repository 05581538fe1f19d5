package main

import (
	"context"
	"fmt"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
)

// diffExports says which samples came, went and changed from one export to
// another, and why. What the manifests cannot know, why a segment is no longer
// selected, the database tells, if there is one.
func (p *cli) diffExports(ctx context.Context, before, after string) error {
	found, err := p.hasDatabase()
	if err != nil {
		return err
	}
	if !found {
		return p.printDiff(before, after, nil)
	}
	return p.withDatabase(ctx, false, func(s *database) error {
		return p.printDiff(before, after, func(id string) string { return whyNot(ctx, s, id) })
	})
}

func (p *cli) printDiff(before, after string, explain func(string) string) error {
	d, err := export.Diff(before, after, explain)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return p.report(d, func() {
		for i := range d.Options {
			p.out.Printf("%s\n", d.Options[i].Text())
		}
		for i := range d.Changes {
			p.out.Printf("%s\n", d.Changes[i].Text())
		}
		p.out.Printf("%s before, %s now: %s came, %s went, %s changed, %s as they were\n", draw.Plural(d.Old, "sample"),
			draw.Grouped(d.New), draw.Grouped(d.Came), draw.Grouped(d.Went), draw.Grouped(d.Changed), draw.Grouped(d.Same))
	})
}

// whyNot says why a segment would not be exported now, "" if nothing is known.
func whyNot(ctx context.Context, s *database, id string) string {
	seg, err := s.Segment(ctx, id)
	switch {
	case err != nil:
		return "" // it left, as an edited boundary makes it
	case seg.Stale:
		return "its content changed after it was " + string(seg.Was)
	case seg.Verdict == review.Approved:
		return ""
	case seg.Reviewer != "":
		return fmt.Sprintf("%s by %s", seg.Verdict, seg.Reviewer)
	}
	return "its verdict was taken back: it is " + string(seg.Verdict)
}
