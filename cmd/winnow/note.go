package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/review"
)

func (p *cli) noteCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "note ID… TEXT | --filter Q TEXT",
		Short: "Write a note on segments",
		Long: `Writes a note on segments and replaces the note they have; "" removes it. The
verdict stays. With only the ID of one segment it prints the note.

With --filter it changes all segments that pass Q. On a terminal it first says
how many these are and asks; --yes skips the question. "winnow undo" takes it
back.`,
		Example: `  winnow note 3f2a91bc                    print the note
  winnow note 3f2a91bc 7d01 'the answer is right, the way there is not'
  winnow note 3f2a91bc ''
  winnow note --filter 'tag:check' 'look at the last call'`,
		Args:              someArguments("the ID of a segment, and a text"),
		ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			if last == 0 && !filtered(cmd) {
				return p.onDatabase(p.printNote)(cmd, args)
			}
			return p.onChosen(cmd, args[:last], func(ctx context.Context, s *database, of *chosen) error {
				return p.note(ctx, s, of, args[last])
			})
		},
	}, p.filterFlag(filterHelp), p.yesFlag(), p.jsonFlag("print JSON: the journal entry, or the note"))
}

// note writes a note. A text that is the id of a segment was meant as one.
func (p *cli) note(ctx context.Context, s *database, of *chosen, text string) error {
	if len(text) >= idDigits {
		if g, err := s.Segment(ctx, text); err == nil {
			return wrongUsage("%s is a segment: the text of the note is missing", g.Short())
		}
	}
	text = strings.TrimSpace(text)
	what, done := "write the note on them", "noted on"
	if text == "" {
		what, done = "remove their notes", "note removed from"
	}
	return p.judge(ctx, s, review.Judgement{Note: &text}, of, what, done)
}

// idDigits are those of an id that lists show. Less of one is no id that anybody
// means: "bad" and "feed" are words.
const idDigits = 8

// noteRow is a note in JSON.
type noteRow struct {
	ID   string `json:"id"`
	Note string `json:"note"`
}

func (p *cli) printNote(ctx context.Context, s *database, ids []string) error {
	g, err := p.segmentOf(ctx, s, ids[0])
	switch {
	case err != nil:
		return err
	case p.asJSON:
		return p.out.JSON(noteRow{g.ID, g.Note})
	case g.Note == "":
		return fmt.Errorf("segment %s has no note: %s writes one", g.Short(), p.command("note "+g.Short()+" TEXT"))
	}
	p.out.Printf("%s\n", g.Note)
	return nil
}
