package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/export"
	"winnow/core/spell"
	"winnow/core/train"
	"winnow/tui/draw"
)

const trainHelp = `Trains a model of the approved segments with the command that [train] in config.toml
names. The data is exported to runs/ID/data beside the database (NAME.runs/ID/data for
NAME.db), and the trainer goes on in the background: "winnow runs" shows what becomes
of it.

What is rejected or stale does not train, and what was ever held back for validation
does not either. The data of the last run that succeeded is refused without --again.

--check says what a run would be made of and whether one is due, and writes nothing.
--wait waits until the run has ended; whoever stops waiting stops no run.
docs/training-runs.md has recipes for trainers.`

const trainExamples = `  winnow train --check
  winnow train
  winnow train --data new --param learning_rate=1e-5 --wait`

// asking is "winnow train" with what its flags ask for.
type asking struct {
	*Program
	desk.RunAsk
	params      []string
	allow       []string // hosts
	check, wait bool
}

// Train is the command of that name.
func (p *Program) Train() *cobra.Command {
	a := &asking{Program: p, RunAsk: desk.RunAsk{Cause: train.Asked}}
	cmd := with(&cobra.Command{
		Use: "train", Short: "Train a model of the approved segments", Long: trainHelp, Example: trainExamples,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.read(); err != nil {
				return err
			}
			return p.Open(cmd.Context(), !a.check, func(d *desk.Desk) error {
				if a.check {
					return a.plan(cmd.Context(), d)
				}
				return a.begin(cmd.Context(), d)
			})
		},
	}, p.JSONFlag("print the plan, or the run, as JSON"))
	f := cmd.Flags()
	f.BoolVar(&a.check, "check", false, "say what a run would be made of, and write nothing")
	f.StringVar(&a.Data, "data", "", "`WHICH` segments: full, or new: those that were not trained, from the last result on")
	f.StringVar(&a.Base, "base", "", "begin with the model `M`")
	f.StringArrayVar(&a.params, "param", nil, "tell the trainer `K=V` as $WINNOW_PARAM_K; may be repeated")
	f.BoolVar(&a.Again, "again", false, "also with the data of the last run")
	f.StringArrayVar(&a.allow, "allow", nil, "allow that sessions of this database are sent to `HOST`, which trains; may be repeated")
	f.BoolVar(&a.wait, "wait", false, "wait until the run has ended")
	return cmd
}

// paramName is how parameters are named: they become names of variables.
var paramName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// read checks what the flags say.
func (a *asking) read() error {
	if known := []string{"full", "new"}; a.Data != "" && a.Data != known[0] && a.Data != known[1] {
		return a.Wrong("--data %q: unknown: %s", a.Data, spell.Known(a.Data, known))
	}
	if a.check && a.wait {
		return a.Wrong("--check begins no run, so there is nothing to --wait for: leave out one of them")
	}
	if a.check && len(a.allow) > 0 {
		return a.Wrong("--check writes nothing, so it can --allow nothing: leave out one of them")
	}
	if strings.HasPrefix(a.Base, "-") {
		return a.Wrong("--base %q: a program would take it for an option", a.Base)
	}
	a.Params = map[string]string{}
	for _, text := range a.params {
		name, value, given := strings.Cut(text, "=")
		if !given || !paramName.MatchString(name) {
			return a.Wrong("--param %q: write NAME=VALUE, the name of letters, digits and _", text)
		}
		for other := range a.Params {
			if strings.EqualFold(other, name) {
				return a.Wrong("--param %q: $WINNOW_PARAM_%s has a value already, by --param %s", text, strings.ToUpper(name), other)
			}
		}
		a.Params[name] = value
	}
	return nil
}

// planRow is a plan as JSON.
type planRow struct {
	Backend    train.Backend `json:"backend"`
	Command    []string      `json:"command,omitempty"`
	Data       string        `json:"data"`
	Base       string        `json:"base,omitzero"`
	Parent     int64         `json:"parent,omitzero"`
	Format     string        `json:"format"`
	Samples    int           `json:"samples"`
	New        int           `json:"new"`
	Validation int           `json:"validation"`
	Tokens     int64         `json:"tokens"`
	LeftOut    int           `json:"left_out"`
	Reasons    string        `json:"left_out_by,omitzero"`
	Same       int           `json:"same,omitzero"`
	Host       string        `json:"host,omitzero"`
	Open       int64         `json:"open,omitzero"` // a run that has not ended
	Due        bool          `json:"due"`
	Text       string        `json:"text"`
}

// plan says what a run would be made of, and whether it is due.
func (a *asking) plan(ctx context.Context, d *desk.Desk) error {
	if err := settle(ctx, d); err != nil {
		return err
	}
	line := a.Line()
	plan, err := d.PlanRun(ctx, a.RunAsk, showing(line.Show))
	line.Done()
	if err != nil {
		return err
	}
	counts, err := d.ToTrain(ctx)
	if err != nil {
		return err
	}
	v := d.DueBy(&plan, counts)
	open, said, err := d.UnderWay(ctx)
	if err != nil {
		return err
	}
	if said != "" {
		v.Text += "; " + said
	}
	if *a.JSON {
		return a.Out.JSON(planRow{plan.Backend, plan.Command, plan.Data, plan.Base, plan.Parent, plan.Format, plan.Samples, plan.New, plan.Validation, plan.Tokens, plan.LeftOut, plan.Reasons, plan.Same, plan.Host, open, v.Due, v.Text})
	}
	a.Out.Printf("%s, %s of them new, %s; %d held back for validation\n", draw.Plural(plan.Samples, "sample"), draw.Grouped(plan.New), draw.Plural(int(plan.Tokens), "token"), plan.Validation)
	if plan.LeftOut > 0 {
		a.Out.Printf("%s left out: %s\n", draw.Plural(plan.LeftOut, "segment"), plan.Reasons)
	}
	if plan.Same > 0 {
		a.Out.Printf("%s the same as others of these, and count once\n", says(plan.Same))
	}
	switch {
	case plan.Parent != 0:
		a.Out.Printf("from the result of run %d\n", plan.Parent)
	case plan.Base != "":
		a.Out.Printf("from %s\n", plan.Base)
	}
	a.Out.Printf("by: %s\n", cmp.Or(plan.Host, strings.Join(plan.Command, " ")))
	if plan.Host != "" {
		if yes, err := d.Allowed(ctx, plan.Host); err != nil {
			return err
		} else if !yes {
			a.Out.Printf("nothing may be sent to it yet: %s allows that\n", a.Command("train --allow "+plan.Host))
		}
	}
	a.Out.Printf("%s\n", v.Text)
	return nil
}

// says is so many segments, with what they do.
func says(n int) string {
	if n == 1 {
		return "1 segment says"
	}
	return draw.Grouped(n) + " segments say"
}

// showing shows how far an export is.
func showing(show func(string)) func(export.Report) {
	return func(r export.Report) {
		show(fmt.Sprintf("%s, %s", draw.Plural(r.Written, r.Unit()), draw.Bytes(r.Bytes)))
	}
}

// begin begins a run, and waits for it if that was asked for.
func (a *asking) begin(ctx context.Context, d *desk.Desk) error {
	for _, host := range a.allow {
		if err := d.Allow(ctx, host); err != nil {
			return err
		}
	}
	line := a.Line()
	r, err := d.BeginTraining(ctx, a.RunAsk, showing(line.Show))
	line.Done()
	if ctx.Err() != nil && (r.ID == 0 || r.Status.Ended()) {
		return a.Fail(interrupted, errors.New("train: stopped: nothing was begun"))
	}
	if ctx.Err() != nil {
		return a.Fail(interrupted, a.goesOn(&r))
	}
	if err != nil && r.ID != 0 && !r.Status.Ended() {
		return fmt.Errorf("%w: run %d waits: %s goes on with it", err, r.ID, a.Command("run --steps train"))
	}
	if err != nil {
		return err
	}
	if a.wait {
		return a.await(ctx, d, r)
	}
	if *a.JSON {
		return a.Out.JSON(rowOf(&r))
	}
	a.Out.Printf("run %d: %s, %s of them new: %s shows what becomes of it\n", r.ID, draw.Plural(r.Samples, "sample"), draw.Grouped(r.New), a.Command(fmt.Sprintf("runs show %d", r.ID)))
	if r.Status == train.Failed {
		return a.Fail(failed, errors.New("train: "+r.Error))
	}
	return nil
}

// watches is how often it is looked what became of a run.
const watches = 500 * time.Millisecond

// await waits until a run has ended.
func (a *asking) await(ctx context.Context, d *desk.Desk, r train.Run) error {
	line := a.Line()
	defer line.Clear()
	for !r.Status.Ended() {
		points, err := d.Points(ctx, r.ID)
		if err == nil {
			text := fmt.Sprintf("run %d: %s", r.ID, r.Status)
			if last, found := train.LastLoss(points); found {
				text += fmt.Sprintf(", step %d, %s %.4g", last.Step, metricName(last.Name), last.Value)
			}
			line.Show(text)
			r, err = d.WatchRun(ctx, r)
		}
		if err == nil && paused(ctx, watches) {
			r, err = d.FindRun(ctx, r.ID)
		}
		if ctx.Err() != nil {
			return a.Fail(interrupted, a.goesOn(&r))
		}
		if err != nil {
			return err
		}
	}
	line.Clear()
	if *a.JSON {
		if err := a.Out.JSON(rowOf(&r)); err != nil {
			return err
		}
	} else {
		a.Out.Printf("run %d: %s\n", r.ID, outcome(&r))
	}
	if text := warning(&r); text != "" {
		a.Warn("run %d: %s", r.ID, text)
	}
	if r.Status != train.Succeeded {
		return a.Fail(failed, nil)
	}
	return nil
}

// goesOn says of a run that nobody waits for any more how it is stopped.
func (a *asking) goesOn(r *train.Run) error {
	return fmt.Errorf("train: run %d goes on: %s stops it", r.ID, a.Command(fmt.Sprintf("runs stop %d", r.ID)))
}
