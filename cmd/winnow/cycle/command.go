// Package cycle is the commands that do what there is to do without a person, and list
// what was done: "winnow run" and "winnow jobs". The steps are here, over the database,
// the models and the configuration; what becomes of them is a matter of core/cycle.
package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/cycle"
	"winnow/core/spell"
	"winnow/tui/draw"
)

// Program is what the commands need of the program.
type Program struct {
	Out     *print.Output
	Warn    func(format string, args ...any)
	Command func(words string) string // a command line that does something with the same database
	Line    func() *print.Progress
	Zone    *time.Location
	Chance  func() float64 // from 0 to 1
	JSON    *bool
	Limit   *int
	// Wrong is an error of wrong usage; Fail one that ends the program with a status,
	// nil where all has been said.
	Wrong func(format string, args ...any) error
	Fail  func(code int, err error) error
	// Open opens the database, which must be there, or is created.
	Open func(ctx context.Context, create bool, f func(*Database) error) error
}

// Exit statuses.
const (
	failed      = 1
	partly      = 3
	interrupted = 130
)

const help = `Does what there is to do with the database, once, without asking anybody: imports
what was sent to "winnow serve" and not imported, cuts new sessions, measures
segments, has a model judge them if [judge] names one, and has one look for what was
learned in approved ones if [memory] names it. Each step goes on until
nothing is left, and one that fails does not keep the next from being done.

Several of them may run at once, beside open screens: each step is done by one. A
session that changed within [run] quiet (10m) waits until it is done. What fails is
tried again after 1, 4, 24 and 24 hours, then not before something changes; "winnow
jobs" lists it. When a model cannot be reached, its step waits and nothing counts as
failed. [run] max_cost_per_day and --max-tokens bound what is spent.

Nothing is sent to a server that nobody allowed for this database: the screen asks,
and --allow HOST allows it. See docs/running.md for timers.

Exit status: 0 done, or nothing to do; 1 a step failed, or waits for a model; 3 some
sessions or segments failed; 130 stopped, but 0 where --every was given.`

const examples = `  winnow run
  winnow run --quiet --max-tokens 200000
  winnow run --every 10m
  winnow run --steps import,segment,score --json`

// run is "winnow run" with what its flags ask for.
type run struct {
	Program
	every     time.Duration
	steps     []string
	maxTokens int
	quiet     bool
	allow     []string
	inbox     string
}

// New returns "winnow run".
func New(p Program) *cobra.Command {
	r := &run{Program: p}
	cmd := &cobra.Command{
		Use: "run", Short: "Import, cut, measure and judge what is new, without asking", Long: help, Example: examples,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.check(cmd.Flags().Changed("every")); err != nil {
				return err
			}
			ctx := cmd.Context()
			return r.Open(ctx, true, func(d *Database) error { return r.run(ctx, d) })
		},
	}
	f := cmd.Flags()
	f.DurationVar(&r.every, "every", 0, "go on until it is stopped: again a `TIME` after each end, as 10m")
	f.StringSliceVar(&r.steps, "steps", names(), "do these `STEPS` only")
	f.IntVar(&r.maxTokens, "max-tokens", 0, "begin nothing more once `N` tokens are used (0: no limit)")
	f.BoolVar(&r.quiet, "quiet", false, "print nothing if nothing was done and nothing is wrong")
	f.StringArrayVar(&r.allow, "allow", nil, "allow that sessions of this database are sent to `HOST`; may be repeated")
	f.StringVar(&r.inbox, "inbox", "", "import uploads from this `DIR` (default beside the database)")
	return cmd
}

func names() []string {
	list := make([]string, len(steps))
	for i := range steps {
		list[i] = steps[i].name
	}
	return list
}

// check checks the flags; every says that --every was given.
func (r *run) check(every bool) error {
	if len(r.steps) == 0 {
		return r.Wrong("--steps: names none: some of %s", strings.Join(names(), ", "))
	}
	for _, name := range r.steps {
		if !slices.Contains(names(), name) {
			return r.Wrong("--steps %q: unknown: %s", name, spell.Known(name, names()))
		}
	}
	switch {
	case every && r.every < time.Second:
		return r.Wrong("--every %s: must be a second or more", r.every)
	case r.maxTokens < 0:
		return r.Wrong("--max-tokens %d: must not be negative", r.maxTokens)
	case *r.Limit < 0:
		return r.Wrong("--limit %d: must not be negative", *r.Limit)
	}
	return nil
}

// Runner returns what does cycles of some steps.
func Runner(d *Database, holder string, names []string) *cycle.Runner {
	r := &cycle.Runner{Store: d.Store, Keeper: d.Keeper(holder), Quiet: d.Config.Time("run.quiet"), MaxCost: d.Number("run.max_cost_per_day")}
	for _, s := range steps {
		if slices.Contains(names, s.name) {
			r.Tasks = append(r.Tasks, task{s, d})
		}
	}
	return r
}

func (r *run) run(ctx context.Context, d *Database) error {
	if err := d.Writable(); err != nil {
		return err
	}
	for _, host := range r.allow {
		if err := d.Allow(ctx, host); err != nil {
			return err
		}
	}
	d.inbox = r.inbox
	if err := r.welcome(ctx, d); err != nil {
		return err
	}
	does := Runner(d, "winnow run", r.steps)
	does.Limit, does.MaxTokens = *r.Limit, r.maxTokens
	line := r.Line()
	does.Told = func(s *cycle.Step) {
		if s.Status == cycle.Running {
			line.Show(s.Name + ": " + counts(s))
			return
		}
		line.Done()
		if !*r.JSON && !(r.quiet && s.Idle()) {
			r.Out.Printf("%-8s %s\n", s.Name, text(s))
			_ = r.Out.Flush()
		}
	}
	if r.every > 0 {
		does.Every(ctx, r.every, r.Chance, func(c cycle.Cycle, err error) {
			if err := r.report(&c); err != nil {
				r.Warn("%v", err)
			}
			if err != nil && ctx.Err() == nil {
				r.Warn("run: %v", err)
			}
		})
		return nil
	}
	c, err := does.Once(ctx)
	switch reportErr := r.report(&c); {
	case ctx.Err() != nil:
		return r.Fail(interrupted, errors.New("run: stopped: what is done stays, the next run goes on from there"))
	case err != nil:
		return fmt.Errorf("run: %w", err)
	case reportErr != nil:
		return reportErr
	}
	return r.status(&c)
}

// welcome says once what to do with a database that nothing is in: a timer may be there
// before the first session is.
func (r *run) welcome(ctx context.Context, d *Database) error {
	before, err := d.Cycles(ctx, 1)
	if err != nil || len(before) > 0 {
		return err
	}
	all, err := d.Totals(ctx)
	if err == nil && all.Sessions == 0 {
		r.Warn("%s: no sessions are in this database yet: load some with %s, or have them sent to winnow serve", d.Path, r.Command("import PATH"))
	}
	return err
}

// report prints a cycle as JSON, if that was asked for.
func (r *run) report(c *cycle.Cycle) error {
	if !*r.JSON || r.quiet && c.Idle() {
		return nil
	}
	return errors.Join(r.Out.JSON(rowOf(c)), r.Out.Flush())
}

// status is the exit status of a cycle.
func (r *run) status(c *cycle.Cycle) error {
	code := 0
	for i := range c.Steps {
		switch s := &c.Steps[i]; {
		case s.Wrong():
			code = failed
		case s.Failed > 0 && code == 0:
			code = partly
		}
	}
	if code != 0 {
		return r.Fail(code, nil)
	}
	return nil
}

// text says in a line what became of a step.
func text(s *cycle.Step) string {
	line := s.Word()
	if s.Todo+s.Done > 0 {
		line += ", " + counts(s)
	}
	if s.Note != "" {
		line += ": " + s.Note
	}
	return line
}

// counts says how far a step is.
func counts(s *cycle.Step) string {
	line := draw.Grouped(s.Done)
	if s.Todo > s.Done {
		line += " of " + draw.Grouped(s.Todo)
	}
	if s.Failed > 0 && s.Note == "" {
		line += ", " + draw.Grouped(s.Failed) + " failed"
	}
	if n := s.TokensIn + s.TokensOut; n > 0 {
		line += ", " + draw.Plural(n, "token")
	}
	if cost := models.CostText(s.Cost); cost != "" {
		line += ", " + cost
	}
	return line
}

// row is a cycle as JSON.
type row struct {
	Cycle   int64     `json:"cycle"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	Holder  string    `json:"holder"`
	Running bool      `json:"running,omitzero"`
	Steps   []stepRow `json:"steps"`
}

// stepRow is a step as JSON.
type stepRow struct {
	Step      string       `json:"step"`
	Status    cycle.Status `json:"status"`
	Todo      int          `json:"todo"`
	Done      int          `json:"done"`
	Failed    int          `json:"failed"`
	TokensIn  int          `json:"tokens_in"`
	TokensOut int          `json:"tokens_out"`
	Cost      float64      `json:"cost"`
	Note      string       `json:"note,omitzero"`
}

func rowOf(c *cycle.Cycle) row {
	r := row{Cycle: c.ID, Began: c.Began.UTC(), Holder: c.Holder, Steps: []stepRow{}}
	if !c.Ended.IsZero() {
		r.Seconds = c.Ended.Sub(c.Began).Round(time.Millisecond).Seconds()
	}
	for i := range c.Steps {
		s := &c.Steps[i]
		r.Steps = append(r.Steps, stepRow{s.Name, s.Status, s.Todo, s.Done, s.Failed, s.TokensIn, s.TokensOut, s.Cost, s.Note})
	}
	return r
}

// Background does cycles beside the server until ctx ends. The server imports what comes;
// what is wrong is told once.
func Background(ctx context.Context, p Program, d *Database, every time.Duration) {
	does, told := Runner(d, "winnow serve", names()[1:]), map[string]string{}
	does.Told = func(s *cycle.Step) {
		if s.Status == cycle.Running {
			return
		}
		line := ""
		if s.Wrong() || s.Failed > 0 {
			line = text(s)
		}
		if line != "" && line != told[s.Name] {
			p.Warn("%s: %s", s.Name, line)
		}
		told[s.Name] = line
	}
	does.Every(ctx, every, p.Chance, func(_ cycle.Cycle, err error) {
		if err != nil && ctx.Err() == nil {
			p.Warn("run: %v", err)
		}
	})
}
