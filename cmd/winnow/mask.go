package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/review"
)

func (p *cli) maskCommand() *cobra.Command {
	var clear bool
	return with(&cobra.Command{
		Use:   "mask ID [N…|A-B…]",
		Short: "Exclude messages of a segment from training",
		Long: `Switches assistant messages off for training. They are still exported, because
later messages depend on them, but marked as not to be trained. Messages are
named by their number in the session, as "winnow show" prints it; a range means
the assistant messages in it. Without messages it prints those that are off.

--clear switches messages on again, or all of them if none is named.
"winnow undo" takes it back.`,
		Example: `  winnow mask 3f2a91bc               list the messages that are off
  winnow mask 3f2a91bc 4 10-16
  winnow mask 3f2a91bc 12 --clear`,
		Args:              someArguments("an ID"),
		ValidArgsFunction: p.completeOneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			ranges, err := messageRanges(args[1:])
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.mask(cmd.Context(), s, args[0], ranges, clear)
			})
		},
	}, boolFlag(&clear, "clear", "switch messages on again"), p.jsonFlag("print the outcome as JSON"))
}

// messageRange is a run of message numbers.
type messageRange struct{ from, to int }

func (r messageRange) String() string {
	if r.from == r.to {
		return strconv.Itoa(r.from)
	}
	return fmt.Sprintf("%d-%d", r.from, r.to)
}

// messageRanges reads numbers and ranges of them: 4, 10-16.
func messageRanges(args []string) ([]messageRange, error) {
	var ranges []messageRange
	for _, arg := range args {
		a, b, isRange := strings.Cut(arg, "-")
		if !isRange {
			b = a
		}
		r, errs := messageRange{}, [2]error{}
		r.from, errs[0] = strconv.Atoi(a)
		r.to, errs[1] = strconv.Atoi(b)
		if errs[0] != nil || errs[1] != nil || r.from < 1 || r.to < r.from {
			return nil, wrongUsage("%q: must be the number of a message or a range of them, such as 4 or 10-16", arg)
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

// mask switches messages off or on, or prints which are off.
func (p *cli) mask(ctx context.Context, s *database, id string, ranges []messageRange, clear bool) error {
	seg, err := p.segmentOf(ctx, s, id)
	if err != nil {
		return err
	}
	if len(ranges) == 0 && !clear {
		return p.printMasked(&seg)
	}
	places, err := p.maskable(ctx, s, &seg, ranges)
	if err != nil {
		return err
	}
	if len(ranges) == 0 {
		places = seg.Masked
	}
	j := review.Judgement{Curator: s.Text("reviewer"), IDs: []string{seg.ID}, MaskOff: places, Seen: map[string]chat.Digest{seg.ID: seg.Digest}}
	if clear {
		j.MaskOff, j.MaskOn = nil, places
	}
	if j.Marks() {
		if _, err := s.Judge(ctx, j); err != nil {
			return fmt.Errorf("not changed: %w", err)
		}
	}
	if seg, err = s.Segment(ctx, seg.ID); err != nil {
		return p.aboutID(id, err)
	}
	return p.printMasked(&seg)
}

// maskable returns the places of the assistant messages in ranges.
func (p *cli) maskable(ctx context.Context, s *database, seg *review.Segment, ranges []messageRange) ([]int, error) {
	var places []int
	for _, r := range ranges {
		if r.from < seg.Start || r.to > seg.End {
			return nil, fmt.Errorf("%s holds messages %d to %d, not %s: %s lists them", seg.Short(), seg.Start, seg.End, r, p.command("show "+seg.Short()))
		}
		heads, err := s.Heads(ctx, seg.Body, r.from, r.to)
		if err != nil {
			return nil, fmt.Errorf("the messages of segment %s: %w", seg.Short(), err)
		}
		before := len(places)
		for i := range heads {
			if heads[i].Role == chat.Assistant {
				places = append(places, heads[i].N-seg.Start+1)
			}
		}
		switch {
		case len(places) > before:
		case r.from == r.to && len(heads) == 1:
			return nil, fmt.Errorf("message %d is the %s's: only an assistant's messages are trained", r.from, heads[0].Role)
		default:
			return nil, fmt.Errorf("none of the messages %s is an assistant's: only those are trained", r)
		}
	}
	return places, nil
}

// maskedRow is what "mask" prints as JSON.
type maskedRow struct {
	ID     string `json:"id"`
	Masked []int  `json:"masked"` // message numbers
}

func (p *cli) printMasked(seg *review.Segment) error {
	return p.report(maskedRow{seg.ID, tell.MaskedNumbers(seg)}, func() {
		if text := tell.MaskedText(seg); text != "" {
			p.out.Printf("not trained: %s\n", text)
		} else {
			p.out.Printf("all messages of the assistant are trained\n")
		}
	})
}
