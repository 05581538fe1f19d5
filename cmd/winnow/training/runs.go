package training

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
)

const runsHelp = `Lists the runs that trained a model of what was approved, the newest first, and looks
after them. A run whose worker and trainer are gone without a word is lost; resume goes
on from its last checkpoint.`

const runsExamples = `  winnow runs
  winnow runs show 7
  winnow runs log 7 -f
  winnow runs stop 7
  winnow runs promote 7`

// Runs is the command of that name.
func (p *Program) Runs() *cobra.Command {
	cmd := p.list("runs")
	cmd.Short, cmd.Long, cmd.Example = "List, show, stop and resume runs of a trainer", runsHelp, runsExamples
	cmd.AddCommand(p.list("list"), p.show(), p.log(), p.stop(), p.resume(), p.promote(), p.note(), p.work())
	return cmd
}

// list is "runs" and "runs list".
func (p *Program) list(name string) *cobra.Command {
	return with(&cobra.Command{
		Use: name, Short: "List runs", Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return p.Wrong("runs %s: no such command: list, show, log, stop, resume, promote or note", args[0])
			}
			if *p.Limit < 0 {
				return p.Wrong("--limit %d: must not be negative", *p.Limit)
			}
			return p.Open(cmd.Context(), false, func(d *desk.Desk) error { return p.printList(cmd.Context(), d) })
		},
	}, p.LimitFlag, p.JSONFlag("print a JSON object per run"))
}

// settle finds out which runs are lost, if anything may be written.
func settle(ctx context.Context, d *desk.Desk) error {
	if d.Writable() != nil {
		return nil
	}
	return d.Trainer().Settle(ctx)
}

func (p *Program) printList(ctx context.Context, d *desk.Desk) error {
	if err := settle(ctx, d); err != nil {
		return err
	}
	most := cmp.Or(*p.Limit, math.MaxInt32)
	list, err := d.Store.Runs(ctx, 0, most)
	if err != nil {
		return err
	}
	t := p.Out.List(*p.JSON, print.Right("RUN"), print.Left("STATUS"), print.Left("BEGAN"), print.Right("SAMPLES"), print.Right("NEW"), print.Left("FROM"), print.Left("RESULT"))
	for i := range list {
		r := &list[i]
		if err := t.Put(rowOf(r), fmt.Sprint(r.ID), status(r), p.time(r.Created), draw.Grouped(r.Samples), draw.Grouped(r.New), from(r), result(r)); err != nil {
			return err
		}
	}
	t.Flush()
	if len(list) == 0 && !*p.JSON {
		p.Warn("no runs yet: %s says what one would be made of", p.Command("train --check"))
	}
	return nil
}

// status is what became of a run, in a word or two.
func status(r *train.Run) string {
	if !r.Promoted.IsZero() {
		return "promoted"
	}
	return string(r.Status)
}

// from is what a run began with.
func from(r *train.Run) string {
	if r.Parent != 0 {
		return fmt.Sprintf("run %d", r.Parent)
	}
	return r.Base
}

// mostResult is how many columns of an error are listed: "runs show" has all of it.
const mostResult = 60

// result is what a run came to.
func result(r *train.Run) string {
	switch {
	case r.Status == train.Succeeded:
		return r.Model
	case r.Error != "":
		return draw.Cut(clean.Line(r.Error), mostResult, "…")
	}
	return ""
}

// mostWithdrawn is how many samples are listed that would train no more.
const mostWithdrawn = 20

// show is "runs show".
func (p *Program) show() *cobra.Command {
	return with(&cobra.Command{
		Use: "show ID", Short: "Show a run: data, metrics, evaluations", Args: p.exactly(1, "the number of a run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := p.idOf(args[0])
			if err != nil {
				return err
			}
			return p.Open(cmd.Context(), false, func(d *desk.Desk) error { return p.printRun(cmd.Context(), d, id) })
		},
	}, p.JSONFlag("print the run as JSON"))
}

func (p *Program) printRun(ctx context.Context, d *desk.Desk, id int64) error {
	if err := settle(ctx, d); err != nil {
		return err
	}
	r, err := p.find(ctx, d, id)
	if err != nil {
		return err
	}
	points, err := d.Points(ctx, id)
	if err != nil {
		return err
	}
	evals, err := d.Evals(ctx, id)
	if err != nil {
		return err
	}
	gone, all, err := d.Withdrawn(ctx, id, "", mostWithdrawn)
	if err != nil {
		return err
	}
	if *p.JSON {
		w := whole{row: rowOf(&r), Points: []pointRow{}, Evals: []evalRow{}, Withdrawn: []withdrawnRow{}, AllWithdrawn: all}
		for _, one := range points {
			w.Points = append(w.Points, pointRow(one))
		}
		for _, e := range evals {
			w.Evals = append(w.Evals, evalRow{e.Subject, e.Name, e.Value, e.N})
		}
		for i := range gone {
			w.Withdrawn = append(w.Withdrawn, withdrawnRow{gone[i].Segment, gone[i].Title, gone[i].Why})
		}
		return p.Out.JSON(w)
	}
	p.printHead(&r, d)
	p.printCurves(curves(points))
	for _, e := range evals {
		p.Out.Printf("%-11s %s %s: %.4g%s\n", "evaluated", e.Subject, metricName(e.Name), e.Value, ofCases(e.N))
	}
	for i := range gone {
		p.Out.Printf("%-11s %s %s: %s\n", "withdrawn", review.Short(gone[i].Segment), gone[i].Title, gone[i].Why)
	}
	if all > len(gone) {
		p.Out.Printf("%-11s %d more\n", "withdrawn", all-len(gone))
	}
	return nil
}

func ofCases(n int) string {
	if n == 0 {
		return ""
	}
	return " (" + draw.Plural(n, "case") + ")"
}

// mostMetric is how many columns the name of a metric has.
const mostMetric = 30

// metricName is the name of a metric as it is shown.
func metricName(name string) string { return draw.Cut(clean.Line(name), mostMetric, "…") }

// printCurves prints how metrics went, with all values in one column.
func (p *Program) printCurves(list []curve) {
	width := 11
	for _, c := range list {
		width = max(width, ansi.StringWidth(metricName(c.name)))
	}
	for _, c := range list {
		p.Out.Printf("%s %s\n", draw.Fit(metricName(c.name), width, ""), c.text)
	}
}

// printHead prints what the row of a run says.
func (p *Program) printHead(r *train.Run, d *desk.Desk) {
	line := func(name, text string) {
		if text != "" {
			p.Out.Printf("%-11s %s\n", name, text)
		}
	}
	line("run", fmt.Sprintf("%d, %s", r.ID, outcome(r)))
	line("but", warning(r))
	line("began", fmt.Sprintf("%s by %s (%s)", p.time(r.Created), r.Curator, r.Cause))
	line("from", from(r))
	line("data", fmt.Sprintf("%s, %s of them new, %d held back, %s", draw.Plural(r.Samples, "sample"), draw.Grouped(r.New), r.Validation, draw.Plural(int(r.Tokens), "token")))
	place := d.Trainer().Place(r.ID)
	if err := place.Gone(r); err != nil {
		line("but", err.Error())
	}
	if r.Backend == train.ByCommand {
		if place.Of(r) {
			line("files", string(place))
		}
		line("command", strings.Join(r.Command, " "))
	} else {
		line("host", r.Host)
		line("job", r.Remote.Job)
	}
	var params []string
	for name, value := range r.Params {
		params = append(params, name+"="+value)
	}
	slices.Sort(params)
	line("params", strings.Join(params, " "))
	line("checkpoint", r.Checkpoint)
	line("metrics", metrics(r.Metrics))
	if !r.Promoted.IsZero() {
		line("promoted", p.time(r.Promoted)+" by "+r.PromotedBy)
	}
	line("note", r.Note)
}

// metrics are what a trainer told of its result, by name.
func metrics(all map[string]float64) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, fmt.Sprintf("%s %.4g", metricName(name), all[name]))
	}
	return strings.Join(list, ", ")
}

// curve is how a metric went.
type curve struct{ name, text string }

// curves are the metrics of points, which are sorted by name and step.
func curves(list []train.Point) (all []curve) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Name == list[0].Name {
			n++
		}
		first, last := list[0], list[n-1]
		text := fmt.Sprintf("%.4g", last.Value)
		if n > 1 {
			text = fmt.Sprintf("%.4g → %.4g in %s", first.Value, last.Value, draw.Plural(n, "point"))
		}
		all, list = append(all, curve{first.Name, text}), list[n:]
	}
	return all
}

// exactly wants so many arguments.
func (p *Program) exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return p.Wrong("%s takes %s and no more, got %q: see %s --help", cmd.Name(), what, args[n], cmd.CommandPath())
		}
		if len(args) < n {
			return p.Wrong("%s needs %s: see %s --help", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}
