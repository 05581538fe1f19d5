package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/spell"
	"winnow/tui/draw"
)

// pageSize is how many rows a command asks the database for at a time: enough
// that the asking costs nothing, few enough that the first rows come at once.
const pageSize = 500

// selection is what "list" shows.
type selection struct {
	verdicts []string
	sort     string
	seed     uint64
	stale    bool
}

func (p *cli) listCommand() *cobra.Command {
	var sel selection
	cmd := with(&cobra.Command{
		Use:   "list",
		Short: "List the segments",
		Long: `Lists the segments that pass a filter, or all segments if there is none. Words
without a field search the text of the messages; "winnow help filters" explains
filters.`,
		Example: `  winnow list --filter 'status:pending score>=0.8' --sort -tokens --limit 20
  winnow list --filter '"connection refused" tool:terminal'
  winnow list --filter has:error --json | jq -r .id`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := p.selected(cmd, &sel)
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				if err := p.desk(s).Ordered(cmd.Context(), &q); err != nil {
					return err
				}
				return p.list(cmd.Context(), s, q)
			})
		},
	}, p.filterFlag(filterHelp), p.limitFlag("segments"), p.jsonFlag("print one JSON object per segment"),
		boolFlag(&sel.stale, "stale", "only segments whose content changed after their verdict"))
	f := cmd.Flags()
	f.StringVar(&sel.sort, "sort", string(review.Natural), "`ORDER`: "+strings.Join(orderNames(), ", ")+" (- is descending)")
	f.Uint64Var(&sel.seed, "seed", 0, "with --sort random: each `N` gives another order")
	f.StringSliceVar(&sel.verdicts, "verdict", nil, "only these `VERDICTS`: "+strings.Join(verdictNames(), ", "))
	mustComplete(cmd.RegisterFlagCompletionFunc("sort", completeWords(orderNames())))
	mustComplete(cmd.RegisterFlagCompletionFunc("verdict", completeWords(verdictNames())))
	return cmd
}

func orderNames() []string { return names(review.Orders[:]) }

func verdictNames() []string { return names(review.Verdicts[:]) }

func names[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, name := range list {
		texts[i] = string(name)
	}
	return texts
}

// selected checks what was asked for.
func (p *cli) selected(cmd *cobra.Command, sel *selection) (review.Query, error) {
	order, ok := review.OrderNamed(sel.sort)
	q := review.Query{Order: order, Seed: sel.seed}
	if !ok {
		return q, wrongUsage("--sort %q: unknown order: %s", sel.sort, spell.Known(sel.sort, orderNames()))
	}
	var verdicts []review.Verdict
	for _, name := range sel.verdicts {
		v := review.Verdict(name)
		if !slices.Contains(review.Verdicts[:], v) {
			return q, wrongUsage("--verdict %q: unknown verdict: %s", name, spell.Known(name, verdictNames()))
		}
		verdicts = append(verdicts, v)
	}
	if err := p.checkLimit(); err != nil {
		return q, err
	}
	if cmd.Flags().Changed("seed") && q.Order != review.Random {
		return q, wrongUsage("--seed is only for --sort random")
	}
	asked, err := p.parseFilter()
	if err != nil {
		return q, err
	}
	q.Filter = filter.All(review.HasVerdict(verdicts...), asked)
	if sel.stale {
		q.Filter = filter.All(q.Filter, review.Has("stale"))
	}
	return q, nil
}

func (p *cli) list(ctx context.Context, s *database, q review.Query) error {
	if err := p.searchable(ctx, s, q.Filter); err != nil {
		return err
	}
	// Text that many pages are asked for is searched for once.
	if filter.HasText(q.Filter) && (p.limit == 0 || p.limit > pageSize) {
		if err := s.Warm(ctx); err != nil {
			return err
		}
	}
	totals, err := s.Totals(ctx)
	if err != nil {
		return fmt.Errorf("listing segments: %w", err)
	}
	t, row := p.segmentTable(totals.Scored+totals.Labeled > 0, totals.Likely, s.Truth("ascii"))
	none := "no segments yet: load sessions with " + p.command("import PATH")
	if q.Filter != nil {
		none = noneLikeThat
	}
	err = listRows(p, t, "listing segments", func(want int) ([]review.Segment, error) {
		q.Limit = want
		page, err := s.Segments(ctx, q)
		q.After = page.Last
		return page.Segments, err
	}, row, none)
	if err == nil {
		p.warnUnscored(&totals, &q)
		err = p.warnUnlearned(ctx, s, &totals, &q)
	}
	return err
}

// segmentTable returns a table of segments and what adds one to it. Where no
// segment is scored, the columns that a score fills are left out, and where nothing
// is learned that of likely. A verdict has a mark behind it where messages were edited.
func (p *cli) segmentTable(scored, likely, ascii bool) (t *print.Table, row func(*review.Segment) error) {
	head := []print.Column{print.Left("ID"), print.Left("VERDICT")}
	if scored {
		head = append(head, print.Right("SCORE"), print.Left("TYPE"))
	}
	if likely {
		head = append(head, print.Right("LIKELY"))
	}
	t = p.out.Table(append(head, print.Right("MSGS"), print.Right("TOOLS"), print.Right("ERRORS"), print.Right("EXITS"), print.Right("TOKENS"), print.Left("TOPIC"))...)
	edited := draw.GlyphsFor(ascii).Edited
	return t, func(seg *review.Segment) error {
		if p.asJSON {
			return p.out.JSON(tell.SegmentOf(seg))
		}
		cells := []string{seg.Short(), tell.VerdictWord(seg)}
		if seg.Edited != "" {
			cells[1] += edited
		}
		if scored {
			cells = append(cells, tell.ScoreText(seg.Score), seg.TaskType)
		}
		if likely {
			cells = append(cells, tell.ScoreText(seg.Likely))
		}
		t.Row(append(cells, draw.Grouped(seg.Messages), draw.Grouped(seg.ToolCalls), draw.Grouped(seg.Errors), draw.Grouped(seg.Exits), draw.Grouped(seg.Tokens), tell.TopicText(seg))...)
		return nil
	}
}

// noneLikeThat says that a filter lets nothing through.
const noneLikeThat = "none passes the filter"

// eachRow calls f for the rows that next brings, limit of them at most (0: all), and
// flush after those of each call. It returns how many there were. An error of next is
// told with what was read.
func eachRow[T any](what string, limit int, next func(want int) ([]T, error), f func(*T) error, flush func()) (n int, err error) {
	for {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-n)
		}
		rows, err := next(want)
		if err != nil {
			return n, fmt.Errorf("%s: %w", what, err)
		}
		for i := range rows[:min(len(rows), want)] { // a page may be a little longer than asked for
			if err := f(&rows[i]); err != nil {
				return n, err
			}
			n++
		}
		flush()
		if len(rows) < want || n == limit {
			return n, nil
		}
	}
}

// listRows prints a table of as many rows as --limit says; none says that there are none.
func listRows[T any](p *cli, t *print.Table, what string, next func(want int) ([]T, error), row func(*T) error, none string) error {
	n, err := eachRow(what, p.limit, next, row, t.Flush)
	if err == nil && n == 0 {
		p.warn("%s", none)
	}
	return err
}

// ofAnalyses are the fields of a filter that nothing is known of before a
// segment is scored.
var ofAnalyses = []filter.Field{filter.Score, filter.Type, filter.Tool, filter.Flag, filter.After, filter.Before, filter.Metric}

// warnUnscored says how many segments are not scored yet, if what was asked for
// goes by scores: nothing is silently left out.
func (p *cli) warnUnscored(t *review.Totals, q *review.Query) {
	left := t.Segments - t.Labeled
	sorted := q.Order == review.BestScore || q.Order == review.WorstScore
	if left <= 0 || !sorted && !filter.Asks(q.Filter, ofAnalyses...) {
		return
	}
	verb := "are"
	if left == 1 {
		verb = "is"
	}
	p.warn("%s of %s %s not scored yet: %s", draw.Grouped(left), draw.Plural(t.Segments, "segment"), verb, p.command("score"))
}

// warnUnlearned says why no segment is likely or not, if what was asked for goes by
// that.
func (p *cli) warnUnlearned(ctx context.Context, s *database, t *review.Totals, q *review.Query) error {
	sorted := q.Order == review.Likeliest || q.Order == review.Unlikeliest
	if t.Likely || !sorted && !filter.Asks(q.Filter, filter.Likely) {
		return nil
	}
	l, err := s.Learned(ctx)
	if err != nil {
		return err
	}
	p.warn("no segment has a value of likely: %s; see %s", l.Lines()[0], p.command("learn"))
	return nil
}
