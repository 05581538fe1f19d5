package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/show"
	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/versions"
)

func (p *cli) graphCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "graph ID",
		Short: "Show the versions of a session, its branches, and sessions that begin alike",
		Long: `Shows what there is of a session, or of the session of a segment: @0 as it was
recorded, then a line for each entry of the journal that changed its messages,
and what that means for the answers after it; then its branches and sub-agents,
and the sessions that begin with the same messages. Where one of these forks at
an answer, and one was approved and the other rejected, both make a preference
pair.

With --json "nodes" are the messages, each with all that stands before it:
"sampled" says that a model wrote it to exactly that.`,
		Example: `  winnow graph 3f2a91bc
  winnow diff 3f2a91bc@312
  winnow edit 3f2a91bc 9 --revert @312`,
		Args:              arguments(1, 1, "needs one ID"),
		ValidArgsFunction: p.completeOneID,
		RunE: p.onDatabase(func(ctx context.Context, s *database, args []string) error {
			it, err := p.find(ctx, s, args[0])
			if err != nil {
				return err
			}
			return tell.Graph(ctx, p.out, p.asJSON, s.Store, it.Session.ID)
		}),
	}, p.jsonFlag("print one JSON object with the nodes"))
}

func (p *cli) diffCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "diff ID[@E] [ID[@E]]",
		Short: "Show in which messages two versions or sessions differ",
		Long: `Compares segments or sessions message by message, and messages that differ word
by word. ID alone is how it is now, ID@E is how it was after entry E of the
journal ("winnow graph" lists them), ID@0 is how it was recorded. One ID is
compared with how it is now; one ID without @E, as it was recorded.`,
		Example: `  winnow diff 3f2a91bc
  winnow diff 3f2a91bc@312 3f2a91bc@340
  winnow diff 3f2a91bc 9c01d2e3`,
		Args:              arguments(1, 2, "needs one ID or two"),
		ValidArgsFunction: p.completeIDs,
		RunE: p.onDatabase(func(ctx context.Context, s *database, args []string) error {
			if len(args) == 1 {
				id, _, versioned := strings.Cut(args[0], "@")
				if args = append(args, id); !versioned {
					args[0] += "@0"
				}
			}
			var sides [2]*tell.Version
			for i, arg := range args {
				it, err := p.findVersion(ctx, s, arg)
				if err != nil {
					return err
				}
				sides[i] = toCompare(ctx, s, it)
			}
			p.out.Colours = !p.env.NoColour()
			return tell.Diff(p.out, p.asJSON, sides[0], sides[1])
		}),
	}, p.jsonFlag("print one JSON object per message that differs"))
}

// findVersion looks up an id, with a version after @.
func (p *cli) findVersion(ctx context.Context, s *database, name string) (*show.Subject, error) {
	id, entry, versioned := strings.Cut(name, "@")
	it, err := p.find(ctx, s, id)
	if err == nil && versioned {
		err = goBack(ctx, s, it, "@"+entry)
	}
	return it, err
}

// goBack has a version shown, written as @E.
func goBack(ctx context.Context, s *database, it *show.Subject, version string) error {
	entry, err := versions.ParseEntry(version)
	if err != nil {
		return wrongUsage("%w", err)
	}
	if _, err := s.EditsAt(ctx, it.Session.ID, entry); err != nil {
		return err
	}
	it.Version = &entry
	return nil
}

// toCompare is what is shown as one side of a comparison.
func toCompare(ctx context.Context, s *database, it *show.Subject) *tell.Version {
	v := &tell.Version{ID: review.Short(it.Session.ID), Session: it.Session.ID, Entry: it.Version}
	if it.Segment != nil {
		v.ID = it.Segment.Short()
	}
	v.Each = func(f func(*chat.Message) error) error { return it.Each(ctx, s.Store, f) }
	return v
}
