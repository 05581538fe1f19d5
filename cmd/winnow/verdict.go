package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"winnow/core/review"
)

// verdictWords are the commands that judge, one per verdict.
var verdictWords = [...]struct {
	name, short, done string
	verdict           review.Verdict
}{
	{"approve", "Approve segments: they will be exported", "approved", review.Approved},
	{"reject", "Reject segments", "rejected", review.Rejected},
	{"unsure", "Mark segments for a second look", "marked unsure", review.Unsure},
	{"reset", "Take the verdict of segments away", "reset to pending", review.Pending},
}

func (p *cli) verdictCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, w := range verdictWords {
		var note string
		var asJSON bool
		cmd := &cobra.Command{
			Use:               w.name + " ID…",
			Short:             w.short,
			Args:              someArguments("the ID of a segment"),
			ValidArgsFunction: p.completeIDs,
		}
		cmd.Flags().StringVar(&note, "note", "", "`TEXT` to keep with the segments (\"\" removes it)")
		cmd.Flags().BoolVar(&asJSON, "json", false, "print the journal entry as JSON")
		cmd.RunE = func(cmd *cobra.Command, ids []string) error {
			j := review.Judgement{Verdict: w.verdict}
			if cmd.Flags().Changed("note") {
				j.Note = &note
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.judge(cmd.Context(), s, j, ids, w.done, asJSON)
			})
		}
		commands = append(commands, cmd)
	}
	return commands
}

// judge gives one verdict to all segments named, as one journal entry. If one
// of them is not found, none is judged.
func (p *cli) judge(ctx context.Context, s *database, j review.Judgement, ids []string, done string, asJSON bool) error {
	j.Curator = s.text("reviewer")
	for _, id := range ids {
		full, err := p.segmentID(ctx, s, id)
		if err != nil {
			return err
		}
		if !slices.Contains(j.IDs, full) {
			j.IDs = append(j.IDs, full)
		}
	}
	entry, err := s.Judge(ctx, j)
	if err != nil {
		return fmt.Errorf("not judged: %w", err)
	}
	if asJSON {
		return p.out.JSON(entryRowOf(&entry))
	}
	if len(entry.Changes) == 0 {
		p.out.printf("nothing changed: %s already %s\n", plural(len(j.IDs), "segment is", "segments are"), done)
		return nil
	}
	p.out.printf("%s %s\n", done, plural(len(entry.Changes), "segment", "segments"))
	return nil
}

// segmentID finds the full id of a segment. The id of a session stands for its
// segment if it has only one.
func (p *cli) segmentID(ctx context.Context, s *database, id string) (string, error) {
	seg, err := s.Segment(ctx, id)
	if err == nil {
		return seg.ID, nil
	}
	if !errors.Is(err, review.ErrNotFound) {
		return "", p.aboutID(id, err)
	}
	ses, err := s.Session(ctx, id)
	if err != nil {
		return "", p.aboutID(id, err)
	}
	segments, err := s.SegmentsOf(ctx, ses.ID)
	if err != nil {
		return "", fmt.Errorf("the segments of session %s: %w", review.Short(ses.ID), err)
	}
	if len(segments) != 1 {
		return "", fmt.Errorf("%s: a session of %d segments: name the segments (%s shows them)", id, len(segments), p.command("list"))
	}
	return segments[0].ID, nil
}
