package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/tui/draw"
)

// verdictWords are the commands that judge, one per verdict.
var verdictWords = [...]struct {
	name, short, what, done string
	verdict                 review.Verdict
	example                 string // a filter
}{
	{"approve", "Approve segments: they will be exported", "approve them", "approved", review.Approved, "status:pending score>=0.9"},
	{"reject", "Reject segments", "reject them", "rejected", review.Rejected, "flag:no_assistant,truncated"},
	{"unsure", "Mark segments for a second look", "mark them unsure", "marked unsure", review.Unsure, "status:approved has:error"},
	{"reset", "Remove the verdict of segments: they are pending again", "reset them to pending", "reset to pending", review.Pending, "reviewer:ann reviewed:today"},
}

func (p *cli) verdictCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, w := range verdictWords {
		var note string
		cmd := with(&cobra.Command{
			Use:   w.name + " ID… | --filter Q",
			Short: w.short,
			Long: w.short + `.

With --filter it changes all segments that pass Q. On a terminal it first says
how many these are and whose verdicts would change, and asks; --yes skips the
question. One "winnow undo" takes it all back.`,
			Example: fmt.Sprintf(`  winnow %[1]s 3f2a91bc 7d01
  winnow %[1]s --filter '%[2]s'`, w.name, w.example),
			Args:              cobra.ArbitraryArgs,
			ValidArgsFunction: p.completeIDs,
			RunE: func(cmd *cobra.Command, ids []string) error {
				j := review.Judgement{Verdict: w.verdict}
				if cmd.Flags().Changed("note") {
					j.Note = &note
				}
				return p.onChosen(cmd, ids, func(ctx context.Context, s *database, of *chosen) error {
					return p.judge(ctx, s, j, of, w.what, w.done)
				})
			},
		}, p.filterFlag(filterHelp), p.yesFlag(), p.jsonFlag("print the journal entry as JSON"))
		cmd.Flags().StringVar(&note, "note", "", "write the note `TEXT` on the segments (\"\" removes their note)")
		commands = append(commands, cmd)
	}
	return commands
}

// judge gives one verdict, note or tags to all segments chosen, as one journal entry. If one
// that is named is not found, none is judged.
func (p *cli) judge(ctx context.Context, s *database, j review.Judgement, of *chosen, what, done string) (err error) {
	j.Curator = s.Text("reviewer")
	if j.IDs, err = p.chosenIDs(ctx, s, of); err != nil {
		return err
	}
	if len(j.IDs) == 0 {
		p.warn("%s", list.NoneLikeThat)
		return nil
	}
	over := ""
	if j.Judges() && of.node != nil && !p.yes {
		others, err := wouldOverrule(ctx, s, j.IDs, j.Verdict)
		if err != nil {
			return err
		}
		over = tell.OverruledText(others, j.Curator)
	}
	if err := p.sure(ctx, of, what, len(j.IDs), over); err != nil {
		return err
	}
	entry, err := s.Judge(ctx, j)
	if err != nil {
		return fmt.Errorf("not judged: %w", err)
	}
	return p.report(tell.EntryOf(&entry), func() {
		if len(entry.Changes) == 0 {
			same := "already " + done
			if !j.Judges() {
				same = "like that already"
			}
			p.out.Printf("nothing changed: %s %s\n", print.Plural(len(j.IDs), "segment is", "segments are"), same)
			return
		}
		over := ""
		if j.Judges() && of.node != nil {
			over = tell.OverruledText(overruledBy(&entry), j.Curator)
		}
		p.out.Printf("%s %s%s\n", done, draw.Plural(len(entry.Changes), "segment"), over)
	})
}

// segmentOf finds a segment. The id of a session stands for its segment if it has
// only one.
func (p *cli) segmentOf(ctx context.Context, s *database, id string) (g review.Segment, err error) {
	it, err := p.find(ctx, s, id)
	if err != nil {
		return g, err
	}
	if it.Segment != nil {
		return *it.Segment, nil
	}
	ses := &it.Session
	segments, err := s.SegmentsOf(ctx, ses.ID)
	if err != nil {
		return g, fmt.Errorf("the segments of session %s: %w", review.Short(ses.ID), err)
	}
	if len(segments) != 1 {
		return g, fmt.Errorf("%s: a session of %d segments: name the segments (%s shows them)", id, len(segments), p.command("list"))
	}
	if g, err = s.Segment(ctx, segments[0].ID); err != nil {
		err = p.aboutID(id, err)
	}
	return g, err
}

// wouldOverrule returns the verdicts that one on some segments takes the place
// of.
func wouldOverrule(ctx context.Context, s *database, ids []string, by review.Verdict) (review.Overruled, error) {
	now, err := s.Standing(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("the verdicts of %s: %w", draw.Plural(len(ids), "segment"), err)
	}
	o := review.Overruled{}
	for i := range now {
		o.Add(now[i].Reviewer, now[i].Verdict, by)
	}
	return o, nil
}

// overruledBy returns the verdicts that a journal entry took the place of.
func overruledBy(e *review.Entry) review.Overruled {
	o := review.Overruled{}
	for i := range e.Changes {
		c := &e.Changes[i]
		o.Add(c.Before.Reviewer, c.Before.Verdict, c.After.Verdict)
	}
	return o
}
