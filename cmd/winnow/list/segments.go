package list

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Segments prints the segments that a query asks for, from its cursor on. Its filter
// must be searchable.
func (p *Printer) Segments(ctx context.Context, q review.Query) error {
	// Text that many pages are asked for is searched for once.
	if filter.HasText(q.Filter) && (p.Limit == 0 || p.Limit > PageSize) {
		if err := p.Store.Warm(ctx); err != nil {
			return err
		}
	}
	totals, err := p.Totals(ctx)
	if err != nil {
		return fmt.Errorf("listing segments: %w", err)
	}
	t, row := p.SegmentTable(totals.Scored+totals.Labeled > 0, totals.Likely)
	none := "no segments yet: load sessions with " + p.Command("import PATH")
	if q.Filter != nil {
		none = NoneLikeThat
	}
	err = Rows(p, t, "listing segments", func(want int) ([]review.Segment, error) {
		q.Limit = want
		page, err := p.Store.Segments(ctx, q)
		q.After = page.Last
		return page.Segments, err
	}, row, none)
	if err == nil {
		p.warnUnscored(&totals, &q)
		err = p.warnUnlearned(ctx, &totals, &q)
	}
	return err
}

// SegmentTable returns a table of segments and what adds one to it. Where no
// segment is scored, the columns that a score fills are left out, and where nothing
// is learned that of likely. A verdict has a mark after it where messages were edited.
func (p *Printer) SegmentTable(scored, likely bool) (t *print.Table, row func(*review.Segment) error) {
	head := []print.Column{print.Left("ID"), print.Left("VERDICT")}
	if scored {
		head = append(head, print.Right("SCORE"), print.Left("TYPE"))
	}
	if likely {
		head = append(head, print.Right("LIKELY"))
	}
	t = p.Out.Table(append(head, print.Right("MSGS"), print.Right("TOOLS"), print.Right("ERRORS"), print.Right("EXITS"), print.Right("TOKENS"), print.Left("TOPIC"))...)
	edited := draw.GlyphsFor(p.Truth("ascii")).Edited
	return t, func(seg *review.Segment) error {
		if p.JSON {
			return p.Out.JSON(tell.SegmentOf(seg))
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

// ofAnalyses are the fields of a filter that nothing is known of before a
// segment is scored.
var ofAnalyses = []filter.Field{filter.Score, filter.Type, filter.Tool, filter.Flag, filter.After, filter.Before, filter.Metric}

// warnUnscored says how many segments are not scored yet, if what was asked for
// goes by scores: nothing is silently left out.
func (p *Printer) warnUnscored(t *review.Totals, q *review.Query) {
	left := t.Segments - t.Labeled
	sorted := q.Order == review.BestScore || q.Order == review.WorstScore
	if left <= 0 || !sorted && !filter.Asks(q.Filter, ofAnalyses...) {
		return
	}
	verb := "are"
	if left == 1 {
		verb = "is"
	}
	p.Warn("%s of %s %s not scored yet: %s", draw.Grouped(left), draw.Plural(t.Segments, "segment"), verb, p.Command("score"))
}

// warnUnlearned says why no segment is likely or not, if what was asked for goes by
// that.
func (p *Printer) warnUnlearned(ctx context.Context, t *review.Totals, q *review.Query) error {
	sorted := q.Order == review.Likeliest || q.Order == review.Unlikeliest
	if t.Likely || !sorted && !filter.Asks(q.Filter, filter.Likely) {
		return nil
	}
	l, err := p.Learned(ctx)
	if err != nil {
		return err
	}
	p.Warn("no segment has a value of likely: %s; see %s", l.Lines()[0], p.Command("learn"))
	return nil
}
