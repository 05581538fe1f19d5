package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

func (p *cli) splitCommand() *cobra.Command {
	return p.recutCommand(&cobra.Command{
		Use:   "split SEGMENT N",
		Short: "Split a segment: start a new one at message N",
		Long: `Splits a segment in two. The second one starts at message N of the session, as
numbered by "winnow show".` + recutHelp,
		Args: arguments(2, 2, "needs a SEGMENT and the number of a message"),
	}, func(ctx context.Context, s *database, args []string) (*draft, error) {
		d, n, err := p.draftAt(ctx, s, args)
		if err != nil {
			return nil, err
		}
		switch {
		case d.at.Start == d.at.End:
			return nil, fmt.Errorf("%s has only message %d: it cannot be split", d.at.Short(), d.at.Start)
		case n <= d.at.Start || n > d.at.End:
			return nil, fmt.Errorf("%s has messages %d to %d: the new segment must start at %d to %d", d.at.Short(), d.at.Start, d.at.End, d.at.Start+1, d.at.End)
		}
		return d, d.Split(n)
	})
}

func (p *cli) mergeCommand() *cobra.Command {
	return p.recutCommand(&cobra.Command{
		Use:   "merge SEGMENT [SEGMENT]",
		Short: "Merge a segment with the one above it, or with a neighbour",
		Long:  `Merges a segment with the one above it in its session, or two neighbours.` + recutHelp,
		Args:  arguments(1, 2, "needs a SEGMENT, or two neighbours"),

		ValidArgsFunction: p.completeIDs,
	}, func(ctx context.Context, s *database, args []string) (*draft, error) {
		d, err := p.draft(ctx, s, args[0])
		if err != nil {
			return nil, err
		}
		lower := d.at.Start
		if len(args) == 2 {
			other, err := p.draft(ctx, s, args[1])
			if err != nil {
				return nil, err
			}
			apart := d.at.Index - other.at.Index
			if d.at.SessionID != other.at.SessionID || apart != 1 && apart != -1 {
				return nil, fmt.Errorf("%s and %s are not neighbours in one session", d.at.Short(), other.at.Short())
			}
			lower = max(lower, other.at.Start)
		}
		return d, d.Merge(lower)
	})
}

func (p *cli) moveCommand() *cobra.Command {
	return p.recutCommand(&cobra.Command{
		Use:   "move SEGMENT N",
		Short: "Move the start of a segment to message N",
		Long: `Moves the boundary between a segment and the one above it, so that the segment
starts at message N of the session.` + recutHelp,
		Args: arguments(2, 2, "needs a SEGMENT and the number of a message"),
	}, func(ctx context.Context, s *database, args []string) (*draft, error) {
		d, n, err := p.draftAt(ctx, s, args)
		if err != nil {
			return nil, err
		}
		return d, d.Move(d.at.Start, n)
	})
}

func (p *cli) topicCommand() *cobra.Command {
	return p.recutCommand(&cobra.Command{
		Use:   "topic SEGMENT TEXT",
		Short: "Set the topic of a segment",
		Long: `Sets the topic of a segment. No later cut changes it. "" removes the topic,
yours or a model's, and the segment gets a title made from its first prompt.
Verdicts stay. "winnow undo" takes it back.`,
		Args: arguments(2, 2, "needs a SEGMENT and a TEXT"),
	}, func(ctx context.Context, s *database, args []string) (*draft, error) {
		d, err := p.draft(ctx, s, args[0])
		if err != nil {
			return nil, err
		}
		topic := strings.Join(strings.Fields(args[1]), " ")
		if topic == "" && !d.at.Named {
			title, err := runs.Title(ctx, s.Store, d.at.SessionID, d.at.Start, d.at.End)
			if err != nil || title == d.at.Topic { // then nothing changes
				return d, err
			}
		}
		return d, d.Rename(d.at.Start, topic)
	})
}

const recutHelp = `

A segment that changes loses its verdict: it becomes pending and stale, and
"winnow show" prints the verdict it had. --check prints what would happen to
verdicts and changes nothing. "winnow undo" takes the change back, with ids and
verdicts.`

// recutCommand completes a command that changes the segments of one session as
// edit says.
func (p *cli) recutCommand(cmd *cobra.Command, edit func(context.Context, *database, []string) (*draft, error)) *cobra.Command {
	var check bool
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = p.completeOneID
	}
	cmd.RunE = p.onDatabase(func(ctx context.Context, s *database, args []string) error {
		d, err := edit(ctx, s, args)
		if err != nil {
			return err
		}
		return p.recut(ctx, s, d, check)
	})
	return with(cmd, boolFlag(&check, "check", "only print what would happen to verdicts"), p.jsonFlag("print the outcome as JSON"))
}

// draft is the segments of a session, to be changed at one of them.
type draft struct {
	*segment.Draft
	at    review.Segment
	known []review.Segment
}

// draft begins with the session of a segment.
func (p *cli) draft(ctx context.Context, s *database, id string) (*draft, error) {
	g, err := p.segmentOf(ctx, s, id)
	if err != nil {
		return nil, err
	}
	known, err := s.SegmentsOf(ctx, g.SessionID)
	if err != nil {
		return nil, fmt.Errorf("the segments of session %s: %w", review.Short(g.SessionID), err)
	}
	i := slices.IndexFunc(known, func(k review.Segment) bool { return k.ID == g.ID })
	if i < 0 {
		return nil, p.aboutID(id, review.ErrNotFound)
	}
	return &draft{segment.NewDraft(known), known[i], known}, nil
}

// draftAt begins with a segment and the number of a message.
func (p *cli) draftAt(ctx context.Context, s *database, args []string) (*draft, int, error) {
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 1 {
		return nil, 0, wrongUsage("%q: must be the number of a message: %s lists them", args[1], p.command("show "+print.Quoted(args[0])))
	}
	d, err := p.draft(ctx, s, args[0])
	return d, n, err
}

// recut makes the change, or says what it would do.
func (p *cli) recut(ctx context.Context, s *database, d *draft, check bool) error {
	same := fmt.Errorf("nothing changed: %s is like that already", d.at.Short())
	if !d.Changed() {
		return same
	}
	outcome := d.Outcome()
	done := tell.Recut{Effects: outcome.Effects(), Check: check}
	var rows []review.Segment
	if check {
		for i := range outcome.Rows {
			rows = append(rows, outcome.Rows[i].Segment)
		}
	} else {
		entry, err := runs.Recut(ctx, s.Store, runs.Edit{
			Session: d.at.SessionID, Known: d.known, Pieces: d.Pieces(), Curator: s.Text("reviewer"), Action: d.Action(),
		})
		switch {
		case errors.Is(err, review.ErrConflict):
			return fmt.Errorf("%s: its session changed just now: look at it again (%w)", d.at.Short(), err)
		case errors.Is(err, review.ErrNothing):
			return same
		case err != nil:
			return fmt.Errorf("not changed: %w", err)
		}
		row := tell.EntryOf(&entry)
		done.Entry = &row
		if rows, err = s.SegmentsOf(ctx, d.at.SessionID); err != nil {
			return fmt.Errorf("the segments of session %s: %w", review.Short(d.at.SessionID), err)
		}
		if !p.asJSON {
			p.out.Printf("%s\n", tell.EntryText(&entry))
		}
	}
	rows = d.fresh(rows)
	if p.asJSON {
		for i := range rows {
			done.Segments = append(done.Segments, tell.SegmentOf(&rows[i]))
		}
		return p.out.JSON(done)
	}
	tell.PrintPlaces(p.out, rows)
	p.out.Printf("%s\n", outcome.Effects().String())
	return nil
}

// fresh returns the segments among rows that were not there before, or were
// otherwise.
func (d *draft) fresh(rows []review.Segment) []review.Segment {
	return slices.DeleteFunc(rows, func(r review.Segment) bool {
		return slices.ContainsFunc(d.known, func(k review.Segment) bool {
			return k.ID == r.ID && k.Start == r.Start && k.End == r.End && k.Topic == r.Topic && k.Named == r.Named
		})
	})
}
