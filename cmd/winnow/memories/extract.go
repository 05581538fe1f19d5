package memories

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/core/filter"
	"winnow/core/llm"
	"winnow/core/memory"
	"winnow/core/runs"
	"winnow/tui/draw"
)

// Extractors are who may look for memories.
var Extractors = []string{"auto", "llm", "offline"}

// extractRow is what is printed of a run as JSON.
type extractRow struct {
	By    string     `json:"by"`
	Model string     `json:"model,omitzero"`
	Host  string     `json:"host,omitzero"`
	Usage *llm.Usage `json:"usage,omitzero"`
	*runs.LearnedReport
}

// Extract is the command of that name.
func (p *Program) Extract() *cobra.Command {
	c := &command{Program: p}
	by, again := "", false
	cmd := with(&cobra.Command{
		Use: "extract", Short: "Look in approved segments for what was learned", Long: extractHelp, Example: extractExamples, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.word("by", by, Extractors); err != nil {
				return err
			}
			if *c.Limit < 0 {
				return c.Wrong("--limit %d: must not be negative", *c.Limit)
			}
			n, err := c.Asked()
			if err != nil {
				return err
			}
			return c.Open(cmd.Context(), true, func(d *desk.Desk) error { return c.extract(cmd.Context(), d, n, by, again) })
		},
	}, p.FilterFlag, p.LimitFlag, p.JSONFlag("print the outcome as JSON"))
	cmd.Flags().StringVar(&by, "by", "auto", "`WHO` looks: auto (as configured), llm (a model), offline (rules)")
	cmd.Flags().BoolVar(&again, "again", false, "also in segments that were asked about")
	return cmd
}

func (c *command) extract(ctx context.Context, d *desk.Desk, n filter.Node, by string, again bool) error {
	who, err := models.NewExtractor(d.Config, by, c.Now)
	if err != nil {
		return err
	}
	g, err := d.Learning(who)
	if err != nil {
		return err
	}
	g.Filter, g.Limit, g.Again = filter.All(g.Filter, n), *c.Limit, again
	if err := c.Searchable(ctx, d, g.Filter); err != nil {
		return err
	}
	show, end := c.Line(&who.Asking)
	g.Progress = func(done, all int, _ *runs.LearnedReport) { show(done, all) }
	var r runs.LearnedReport
	waits := ""
	err = d.Leased(ctx, "extract", "winnow extract", &who.Asking, func(holder string) {
		if holder != waits {
			waits = holder
			c.Warn("waiting: %s is at it", holder)
		}
	}, func(ctx context.Context) (err error) {
		r, err = g.Run(ctx)
		return err
	})
	end()
	if ctx.Err() != nil && err != nil {
		return c.Fail(130, errors.New("extract: stopped: what was found so far stays, the same command goes on from there"))
	}
	if wrong := c.printExtracted(who, &r); wrong != nil {
		return wrong
	}
	code := failed
	if r.Segments+r.Passed > 0 {
		code = partly
	}
	switch {
	case err != nil:
		return c.Fail(code, fmt.Errorf("extract: %w", err))
	case len(r.Failed) > 0:
		return c.Fail(code, nil)
	}
	return nil
}

// printExtracted says what came of a run.
func (c *command) printExtracted(who *models.Extractor, r *runs.LearnedReport) error {
	if *c.JSON {
		row := extractRow{By: "offline", LearnedReport: r}
		if !who.Silent() {
			used := who.Usage()
			row.By, row.Model, row.Host, row.Usage = "llm", who.Model, who.Host(), &used
		}
		return c.Out.JSON(row)
	}
	for i := range r.Failed {
		if i == told {
			c.Warn("%s more failed: --json lists them", draw.Plural(len(r.Failed)-i, "segment"))
			break
		}
		f := &r.Failed[i]
		c.Warn("%s: message %d on: nothing is known of it: %s", f.File, f.Start, f.Reason)
	}
	if r.Segments+r.Passed+len(r.Failed)+r.Busy == 0 {
		c.Out.Printf("nothing to look at: no approved segment is left that was not asked about; --again asks again\n")
		return nil
	}
	text := fmt.Sprintf("%s proposed from %s", many(r.Kept), draw.Plural(r.Segments, "segment"))
	if r.Again > 0 {
		text += fmt.Sprintf(", %s found again", many(r.Again))
	}
	if r.Passed > 0 {
		text += fmt.Sprintf(", %s with a content that was asked about", draw.Plural(r.Passed, "segment"))
	}
	c.Out.Printf("%s\n", text)
	var dropped []string
	for _, d := range memory.Drops {
		if n := r.Dropped[d]; n > 0 && d != memory.Same && d != memory.Near {
			dropped = append(dropped, fmt.Sprintf("%s %d", d, n))
		}
	}
	if len(dropped) > 0 {
		c.Out.Printf("left out: %s\n", strings.Join(dropped, ", "))
	}
	if cost := models.CostText(who.Usage().Cost); cost != "" {
		c.Out.Printf("cost: %s\n", cost)
	}
	if r.Busy > 0 {
		c.Warn("%s changed meanwhile: run %s again", draw.Plural(r.Busy, "segment"), c.Command("extract"))
	}
	return nil
}
