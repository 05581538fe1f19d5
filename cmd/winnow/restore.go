package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/draw"
)

func (p *cli) restoreCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "restore ID…",
		Short: "Give stale segments their old verdict again",
		Long: `Gives stale segments, whose content changed after their verdict, that verdict
again, recorded as yours. "winnow show" prints what changed. Segments with
different old verdicts get one journal entry per verdict.`,
		Args:              someArguments("the ID of a stale segment"),
		ValidArgsFunction: p.completeStale,
		RunE:              p.onDatabase(changing(p.restore)),
	}, p.jsonFlag("print the journal entries as JSON, one per line"))
}

// restore judges stale segments as they were judged before. If one of them is
// not found or not stale, none is.
func (p *cli) restore(ctx context.Context, s *database, ids []string) error {
	judgements := map[review.Verdict]*review.Judgement{}
	for _, id := range ids {
		g, err := p.segmentOf(ctx, s, id)
		if err != nil {
			return err
		}
		if !g.Was.Judged() {
			return fmt.Errorf("%s: not stale: it has no old verdict to restore", id)
		}
		j := judgements[g.Was]
		if j == nil {
			j = &review.Judgement{Curator: s.Text("reviewer"), Verdict: g.Was, Seen: map[string]chat.Digest{}}
			judgements[g.Was] = j
		}
		if !slices.Contains(j.IDs, g.ID) {
			j.IDs, j.Seen[g.ID] = append(j.IDs, g.ID), g.Digest
		}
	}
	for _, w := range verdictWords {
		j := judgements[w.verdict]
		if j == nil {
			continue
		}
		entry, err := s.Judge(ctx, *j)
		if err != nil {
			return fmt.Errorf("not restored: %w", err)
		}
		err = p.report(tell.EntryOf(&entry), func() {
			p.out.Printf("%s %s again\n", w.done, draw.Plural(len(entry.Changes), "segment"))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
