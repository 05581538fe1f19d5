package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/tell"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/testdata"
	"winnow/tui/draw"
)

// demoCurator signs what the check does.
const demoCurator = "demo"

func (p *cli) demoCommand() *cobra.Command {
	var check bool
	return with(&cobra.Command{
		Use:   "demo",
		Short: "Look around with sample sessions",
		Long: `Loads the sample sessions that come with the program into a temporary database
and opens the screen. Nothing of it stays.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !check && !p.env.screen() {
				return noScreen("winnow demo --check works without one")
			}
			return p.demo(cmd.Context(), check)
		},
	}, boolFlag(&check, "check", "open no screen; load the samples, export one and say so"))
}

// demo works in a temporary folder that is gone afterwards.
func (p *cli) demo(ctx context.Context, check bool) (err error) {
	c, err := p.config()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(p.env.Get("TMPDIR"), "winnow-demo-")
	if err != nil {
		return fmt.Errorf("demo: making a temporary folder: %w", err)
	}
	defer func() {
		if removeErr := os.RemoveAll(dir); err == nil && removeErr != nil {
			err = fmt.Errorf("demo: %w", removeErr)
		}
	}()
	sessions := filepath.Join(dir, "sessions")
	if err := os.CopyFS(sessions, testdata.Sessions()); err != nil {
		return fmt.Errorf("demo: copying the sample sessions: %w", err)
	}
	return p.withFile(ctx, c, filepath.Join(dir, "winnow.db"), func(s *database) error {
		if check {
			return p.demoCheck(ctx, s, sessions, filepath.Join(dir, "sample.jsonl"))
		}
		return p.openScreen(ctx, s, "sample sessions", []string{sessions}, false, "offline")
	})
}

// demoCheck goes the whole way without a screen: load, judge, export.
func (p *cli) demoCheck(ctx context.Context, s *database, sessions, target string) error {
	im := p.importer(s, importing{})
	report, err := im.Import(ctx, []string{sessions}, nil)
	if err != nil {
		return fmt.Errorf("demo: import: %w", err)
	}
	if report.New == 0 {
		return errors.New("demo: the sample sessions gave no session")
	}
	p.out.Printf("loaded %s with %s from %s\n", draw.Plural(report.New, "session"),
		draw.Plural(report.Messages, "message"), draw.Plural(report.Sources, "file"))
	p.out.Printf("%s\n", tell.LinesText(report.Lines))
	return p.demoExport(ctx, s, target)
}

// demoExport approves the first sample that passes the checks, and exports it.
func (p *cli) demoExport(ctx context.Context, s *database, target string) error {
	id, err := s.exportable(ctx)
	if err != nil {
		return err
	}
	if _, err := s.Judge(ctx, review.Judgement{Curator: demoCurator, IDs: []string{id}, Verdict: review.Approved}); err != nil {
		return fmt.Errorf("demo: approving: %w", err)
	}
	report, err := p.desk(s).Export(ctx, export.Options{Path: target}, nil)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if report.Written != 1 {
		return fmt.Errorf("demo: exported %d samples, want 1", report.Written)
	}
	tell.PrintExport(p.out, &report, false)
	return nil
}

// exportable returns the id of the first segment that passes all checks.
func (s *database) exportable(ctx context.Context) (string, error) {
	emitter := &export.Emitters()[0]
	page, err := s.Segments(ctx, review.Query{Order: review.Natural, Limit: list.PageSize})
	for i := range page.Segments {
		seg := &page.Segments[i]
		ses, failed := s.Session(ctx, seg.SessionID)
		messages, unread := s.Messages(ctx, seg.Body, seg.Start, seg.End)
		if err = cmp.Or(failed, unread); err != nil {
			break
		}
		if _, findings := emitter.Prepare(export.New(seg, &ses, messages)); len(findings) == 0 {
			return seg.ID, nil
		}
	}
	return "", fmt.Errorf("demo: %w", cmp.Or(err, errors.New("no sample passes the checks")))
}
