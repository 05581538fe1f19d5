package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/review"
	"winnow/tui/draw"
)

// entryRow is a journal entry in JSON.
type entryRow struct {
	ID      int64           `json:"id"`
	At      time.Time       `json:"at"`
	Curator string          `json:"curator"`
	Action  review.Action   `json:"action"`
	Target  int64           `json:"target,omitzero"` // the entry undone or redone
	Undone  bool            `json:"undone,omitzero"`
	Changes []review.Change `json:"changes"`
	Recut   *recutJSON      `json:"recut,omitzero"` // of boundaries or topics
}

func entryRowOf(e *review.Entry) entryRow {
	return entryRow{e.ID, utc(e.At), e.Curator, e.Action, e.Target, e.Undone, e.Changes, recutJSONOf(e.Recut)}
}

func (p *cli) undoCommand() *cobra.Command {
	cmd := p.stepCommand("undo", "Take your last action back, or the one of an entry", "undone",
		func(ctx context.Context, s *database, curator string, args []string) (review.Entry, error) {
			if len(args) == 0 {
				return s.Undo(ctx, curator)
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return review.Entry{}, wrongUsage("undo %q: an entry is a number, as %s shows it", args[0], p.command("log"))
			}
			return s.UndoEntry(ctx, curator, id)
		})
	cmd.Use = "undo [ENTRY]"
	cmd.Long = `Takes your last action back, or that of a journal entry, if nothing newer stands
on it: what somebody changed since stays. redo gives it again.`
	cmd.Args = oneAtMost("ENTRY")
	return cmd
}

func (p *cli) redoCommand() *cobra.Command {
	return p.stepCommand("redo", "Do again what was undone last", "done again",
		func(ctx context.Context, s *database, curator string, _ []string) (review.Entry, error) {
			return s.Redo(ctx, curator)
		})
}

func (p *cli) stepCommand(name, short, done string, step func(context.Context, *database, string, []string) (review.Entry, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				curator := s.Text("reviewer")
				entry, err := step(cmd.Context(), s, curator, args)
				var usage *failure
				switch {
				case errors.As(err, &usage):
					return err
				case errors.Is(err, review.ErrNothing):
					return fmt.Errorf("nothing to %s for %s: %s shows what was done", name, curator, p.command("log"))
				case errors.Is(err, review.ErrNotFound):
					return fmt.Errorf("%s %s: there is no such entry: %s lists them", name, args[0], p.command("log"))
				case errors.Is(err, review.ErrConflict) && len(args) > 0:
					return fmt.Errorf("%s %s: %w; %s shows what happened", name, args[0], err, p.command("log"))
				case errors.Is(err, review.ErrConflict):
					return fmt.Errorf("%s: %w: it cannot be %s any more; %s shows what happened", name, err, done, p.command("log"))
				case err != nil:
					return fmt.Errorf("%s: %w", name, err)
				case asJSON:
					return p.out.JSON(entryRowOf(&entry))
				}
				p.out.Printf("%s: %s\n", done, actText(&entry))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the journal entry as JSON")
	return cmd
}

func (p *cli) logCommand() *cobra.Command {
	var asJSON, exports bool
	var limit int
	cmd := &cobra.Command{
		Use:   "log",
		Short: "List what was done, the latest first",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return wrongUsage("--limit %d: must not be negative", limit)
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				if exports {
					return p.logExports(cmd.Context(), s, limit, asJSON)
				}
				return p.log(cmd.Context(), s, limit, asJSON)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` entries (0: all)")
	cmd.Flags().BoolVar(&exports, "exports", false, "list the exports instead: what, to where, how many")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per entry")
	return cmd
}

func (p *cli) log(ctx context.Context, s *database, limit int, asJSON bool) error {
	t := p.out.Table(print.Right("ENTRY"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("ACTION"), print.Left("WHAT"))
	n := 0
	for before := int64(0); ; {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-n)
		}
		entries, err := s.Journal(ctx, before, want)
		if err != nil {
			return fmt.Errorf("reading the journal: %w", err)
		}
		for i := range entries {
			e := &entries[i]
			n, before = n+1, e.ID
			if asJSON {
				if err := p.out.JSON(entryRowOf(e)); err != nil {
					return err
				}
				continue
			}
			t.Row(fmt.Sprint(e.ID), timeText(e.At), e.Curator, string(e.Action), entryText(e))
		}
		t.Flush()
		if len(entries) < want || (limit > 0 && n >= limit) {
			break
		}
	}
	if n == 0 {
		p.warn("nothing was done yet")
	}
	return nil
}

func entryText(e *review.Entry) string {
	if e.Action == review.ActAside {
		return fmt.Sprintf("entry %d could not be undone or redone and is passed by", e.Target)
	}
	s := actText(e)
	if e.Target != 0 {
		s = fmt.Sprintf("entry %d: %s", e.Target, s)
	}
	if e.Undone {
		s += " (undone since)"
	}
	return s
}

// actText says what an entry did; of one that was undone, what that was.
func actText(e *review.Entry) string {
	switch {
	case e.Recut == nil:
		return changesText(e.Changes)
	case e.Action == review.ActUndo:
		return cutsText(e.Recut.After, e.Recut.Before)
	}
	return recutText(e.Recut, e.Changes)
}

// namedChanges is how many segments of a bulk action are named; the JSON form
// has them all.
const namedChanges = 3

// changesText says what happened to which segments.
func changesText(changes []review.Change) string {
	var parts []string
	for i, c := range changes {
		if i == namedChanges {
			parts = append(parts, draw.Grouped(len(changes)-i)+" more")
			break
		}
		s := review.Short(c.Segment)
		switch {
		case c.After.Verdict == "": // it is not there any more
			s += fmt.Sprintf(" left (was %s)", c.Before.Verdict)
		case c.Before.Verdict == "":
			s += fmt.Sprintf(" is back (%s)", c.After.Verdict)
		case c.Before.Verdict != c.After.Verdict:
			s += fmt.Sprintf(" %s → %s", c.Before.Verdict, c.After.Verdict)
		}
		if c.After.Verdict != "" && c.Before.Note != c.After.Note {
			s += fmt.Sprintf(" note %q", c.After.Note)
		}
		if c.After.Verdict != "" && c.Before.Tags != c.After.Tags {
			s += " " + tagsChangeText(c.Before.Tags, c.After.Tags)
		}
		if c.After.Verdict != "" && c.Before.Masked != c.After.Masked {
			s += " " + masksText(c.After.Masked)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
