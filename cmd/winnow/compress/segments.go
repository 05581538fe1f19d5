package compress

import (
	"context"
	"errors"
	"fmt"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/filter"
	"winnow/core/llm"
	"winnow/core/review"
	"winnow/core/token"
	"winnow/tui/draw"
)

// segmentsRow is what is printed of a run over segments as JSON.
type segmentsRow struct {
	ProposeReport
	By      string     `json:"by"`
	Form    string     `json:"form"`
	Target  int        `json:"target"`
	Counter string     `json:"counter"`
	Model   string     `json:"model,omitzero"`
	Host    string     `json:"host,omitzero"`
	Unfit   []Unfit    `json:"unfit"` // that stay over the target, and why
	Usage   *llm.Usage `json:"usage,omitzero"`
}

// Segments proposes compressions of the segments that pass a filter.
func (c *Command) Segments(ctx context.Context, lib Library, conf *config.Config, curator string, asked filter.Node) error {
	o := compress.Defaults()
	for _, set := range []struct {
		flag int
		to   *int
	}{{c.to, &o.Target}, {c.summary, &o.Summary}, {c.tail, &o.Tail}} {
		if set.flag > 0 {
			*set.to = set.flag
		}
	}
	if c.keep == compress.Fold.String() {
		o.Form = compress.Fold
	}
	counter, err := c.counter(&compat.Config{Tokenizer: token.Estimated})
	if err != nil {
		return err
	}
	g := &Proposer{
		Store: lib, Filter: asked, Limit: *c.Limit, Options: o, Counter: counter, Again: c.again, Curator: curator, Jobs: int(conf.Number("jobs")), Now: c.Now,
	}
	if g.Jobs <= 0 {
		g.Jobs = atOnce()
	}
	var who *models.Summarizer
	var asking *Drafted
	if c.by == byModel {
		if who, err = models.NewSummarizer(conf, false, c.Now); err != nil {
			return err
		}
		asking = &Drafted{Drafts: lib, Model: who.Model, Say: who.Say, Fresh: c.again}
		g.Jobs = who.Jobs
	}
	g.Options.By = c.strategy(asking, who)
	return c.propose(ctx, g, who)
}

// propose runs a proposer and says what came of it.
func (c *Command) propose(ctx context.Context, g *Proposer, who *models.Summarizer) error {
	line := c.Line()
	defer line.Done()
	row := segmentsRow{By: c.by, Form: g.Options.Form.String(), Target: g.Options.Target, Counter: g.Counter.Name(), Unfit: []Unfit{}}
	g.Shown = func(done, all int, r *ProposeReport) {
		text := fmt.Sprintf("%s of %s, %s over %s", draw.Grouped(done), draw.Plural(all, "segment"), draw.Grouped(done-r.UnderTarget), draw.Plural(g.Options.Target, "token"))
		if who != nil {
			if cost := models.CostText(who.Usage().Cost); cost != "" {
				text += ", " + cost
			}
		}
		line.Show(text + line.Left(int64(done), int64(all)))
	}
	g.Told = func(Unfit) {}
	if who != nil && !c.dryRun {
		look, err := g.Run(ctx, true)
		if err != nil {
			return c.ended(ctx, err)
		}
		line.Clear()
		if look.Asks > 0 {
			c.Warn("asking %s at %s: %s, about %s", who.Model, who.Host(), draw.Plural(look.Asks, "segment"), draw.Plural(look.Send, "token"))
		}
		who.Waiting(func(text string) { line.Stay(text) })
		defer who.Waiting(nil)
	}
	g.Told = func(u Unfit) {
		row.Unfit = append(row.Unfit, u)
		if len(row.Unfit) <= told && !*c.JSON {
			line.Clear()
			c.Warn("%s: %s", review.Short(u.Segment), u.Reason)
		}
	}
	r, err := g.Run(ctx, c.dryRun)
	line.Done()
	row.ProposeReport = r
	if who != nil {
		used := who.Usage()
		row.Model, row.Host, row.Usage = who.Model, who.Host(), &used
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("compress: %w", err)
	}
	if *c.JSON {
		if err := c.Out.JSON(row); err != nil {
			return err
		}
	} else {
		c.printSegments(&row, who)
	}
	switch {
	case err != nil:
		return c.ended(ctx, err)
	case r.Failed > 0:
		return c.Fail(partly, nil)
	}
	return nil
}

// ended says that a run was stopped, or failed.
func (c *Command) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.Fail(interrupted, errors.New("compress: stopped: what is proposed so far stays, and answers of a model are kept: the same command goes on from there"))
	}
	return fmt.Errorf("compress: %w", err)
}

// printSegments says what a run came to. The counts add up.
func (c *Command) printSegments(r *segmentsRow, who *models.Summarizer) {
	c.Out.Printf("%s: %s under %s, counted by %s\n", draw.Plural(r.Segments, "segment"), draw.Grouped(r.UnderTarget), draw.Plural(r.Target, "token"), r.Counter)
	done := "proposed"
	if c.dryRun {
		done = "would be compressed"
	}
	c.Out.Printf("%s %s", draw.Grouped(r.Proposed), done)
	if !c.dryRun && r.Proposed > 0 {
		c.Out.Printf(" (%s before, %s after, %s", draw.Plural(r.Before, "token"), draw.Grouped(r.After), draw.Plural(r.Samples, "sample"))
		for _, more := range []struct {
			n    int
			text string
		}{{r.Over, "over the target still"}, {r.Dropped, "answers not trained"}, {r.Findings, "findings to look at"}} {
			if more.n > 0 {
				c.Out.Printf("; %s %s", draw.Grouped(more.n), more.text)
			}
		}
		c.Out.Printf(")")
	}
	if r.CannotFit > 0 {
		c.Out.Printf(" (%s cannot fit: what has to stay costs more)", draw.Grouped(r.CannotFit))
	}
	c.Out.Printf("\n")
	for _, line := range []struct {
		n    int
		text string
	}{
		{r.Removed, "proposed before, for segments that are under the target now: taken away"},
		{r.Kept - r.StaleKept, "stay as they are proposed, accepted or rejected"},
		{r.StaleKept, staleKept(r.StaleKept)}, {r.Passed, "changed meanwhile"}, {r.Left, "more than --limit allows"},
		{r.Failed, "failed" + failedKept(r.FailedKept) + ": " + reasonsText(r.Reasons)},
	} {
		if line.n > 0 {
			c.Out.Printf("%s %s\n", draw.Grouped(line.n), line.text)
		}
	}
	switch {
	case c.dryRun && r.Asks > 0:
		c.Out.Printf("%s at %s would be sent about %s of %s\n", r.Model, r.Host, draw.Plural(r.Send, "token"), draw.Plural(r.Asks, "segment"))
	case who != nil:
		tell.PrintUsage(c.Out, who.Usage())
	}
	if r.Uncut > 0 {
		c.Warn("%s not cut yet: %s first, or what is proposed goes with their segments", print.Plural(r.Uncut, "session is", "sessions are"), c.Command("segment"))
	}
	if more := len(r.Unfit) - told; more > 0 {
		c.Warn("%s more: --json lists them", draw.Plural(more, "segment"))
	}
	if !c.dryRun && r.Proposed > 0 {
		c.Out.Printf("%s lists them, %s accepts one, or with --filter many\n", c.Command("list --filter compression:proposed"), c.Command("compress accept ID"))
	}
}

// staleKept says why stale proposals stay.
func staleKept(n int) string {
	if n == 1 {
		return "stale one that you accepted, rejected or changed is kept: --again makes it anew"
	}
	return "stale ones that you accepted, rejected or changed are kept: --again makes them anew"
}

// failedKept says of how many that failed the proposal stays that was there.
func failedKept(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (1 keeps what was proposed before)"
	}
	return fmt.Sprintf(" (%s keep what was proposed before)", draw.Grouped(n))
}
