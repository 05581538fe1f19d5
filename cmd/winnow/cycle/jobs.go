package cycle

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/cycle"
)

const jobsHelp = `Lists what "winnow run" did, the newest cycle first, then who is at work on the
database at the moment, and what failed and is tried again later.

--retry has it tried by the next run: all that failed in a step, named by the step,
or a session or segment, named by its id or the beginning of one.`

const jobsExamples = `  winnow jobs
  winnow jobs --retry judge
  winnow jobs --retry 3f2a91c0`

// NewJobs returns "winnow jobs".
func NewJobs(p Program) *cobra.Command {
	var retry string
	cmd := &cobra.Command{
		Use: "jobs", Short: "List what winnow run did, and what is tried again", Long: jobsHelp, Example: jobsExamples,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if *p.Limit < 0 {
				return p.Wrong("--limit %d: must not be negative", *p.Limit)
			}
			return p.Open(ctx, false, func(d *Database) error {
				if cmd.Flags().Changed("retry") {
					return p.retry(ctx, d, retry)
				}
				return p.jobs(ctx, d)
			})
		},
	}
	cmd.Flags().StringVar(&retry, "retry", "", "have `KIND|ID` tried again: a step, or the id of a session or segment")
	return cmd
}

// shortestID is the shortest beginning of an id that is taken for one.
const shortestID = 4

// retry forgets that something failed.
func (p *Program) retry(ctx context.Context, d *Database, what string) error {
	list, err := d.Attempts(ctx, "")
	if err != nil {
		return err
	}
	n := 0
	for i := range list {
		a := &list[i]
		if a.Kind != what && (len(what) < shortestID || !strings.HasPrefix(a.Key, what)) {
			continue
		}
		done, err := d.Retry(ctx, a.Kind, a.Key)
		if err != nil {
			return err
		}
		n += done
	}
	if n == 0 {
		return fmt.Errorf("--retry %s: nothing of this kind or id failed: %s lists what did", what, d.Command("jobs"))
	}
	if *p.JSON {
		return p.Out.JSON(map[string]int{"retried": n})
	}
	p.Out.Printf("%d to be tried again by %s\n", n, d.Command("run"))
	return nil
}

// usualCycles is how many cycles are listed.
const usualCycles = 10

// jobsRow is what is listed as JSON.
type jobsRow struct {
	AtWork []workRow    `json:"at_work"`
	Cycles []row        `json:"cycles"`
	Failed []attemptRow `json:"failed"`
}

type workRow struct {
	Work   string    `json:"work"`
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"`
}

type attemptRow struct {
	Step  string    `json:"step"`
	ID    string    `json:"id"`
	Tries int       `json:"tries"`
	Next  time.Time `json:"next,omitzero"`
	Error string    `json:"error"`
}

func (p *Program) jobs(ctx context.Context, d *Database) error {
	most := *p.Limit
	if most == 0 {
		most = usualCycles
	}
	cycles, err := d.Cycles(ctx, most)
	if err != nil {
		return err
	}
	leases, err := d.Leases(ctx)
	if err != nil {
		return err
	}
	tried, err := d.Attempts(ctx, "")
	if err != nil {
		return err
	}
	cycle.Settle(cycles, leases, d.Now())
	j := jobsRow{AtWork: []workRow{}, Cycles: []row{}, Failed: []attemptRow{}}
	for _, l := range leases {
		if l.Until.After(d.Now()) && !strings.HasPrefix(l.Name, cycle.LeaseName) {
			j.AtWork = append(j.AtWork, workRow{l.Name, l.Holder, l.Until})
		}
	}
	for i := range cycles {
		r := rowOf(&cycles[i])
		r.Running = cycles[i].Ended.IsZero() && !cycles[i].Lost
		j.Cycles = append(j.Cycles, r)
	}
	for i := range tried {
		a := &tried[i]
		j.Failed = append(j.Failed, attemptRow{a.Kind, a.Key, a.Tries, a.Next, a.Error})
	}
	if *p.JSON {
		return p.Out.JSON(j)
	}
	p.print(&j, cycles)
	return nil
}

func (p *Program) print(j *jobsRow, cycles []cycle.Cycle) {
	if len(cycles) == 0 {
		p.Out.Printf("nothing yet: %s does what there is to do\n", p.Command("run"))
	}
	idle := func(i int) bool {
		return i < len(cycles) && cycles[i].Idle() && !j.Cycles[i].Running && !cycles[i].Lost
	}
	for i := 0; i < len(cycles); i++ {
		c := &cycles[i]
		if idle(i) && idle(i+1) {
			for idle(i + 1) {
				i++
			}
			first := &cycles[i]
			p.Out.Printf("cycles %d to %d  %s to %s  nothing to do\n", first.ID, c.ID, p.time(first.Began), p.time(c.Began))
			continue
		}
		head := fmt.Sprintf("cycle %d  %s  %s", c.ID, p.time(c.Began), c.Holder)
		switch {
		case j.Cycles[i].Running:
			head += ", running"
		case c.Lost:
			head += ", ended without a word"
		case c.Idle():
			head += ", nothing to do"
		}
		p.Out.Printf("%s\n", head)
		for k := range c.Steps {
			if s := &c.Steps[k]; !s.Idle() {
				p.Out.Printf("  %-8s %s\n", s.Name, text(s))
			}
		}
	}
	for _, w := range j.AtWork {
		p.Out.Printf("%s: %s, is at it\n", w.Work, w.Holder)
	}
	if len(j.Failed) == 0 {
		return
	}
	p.Out.Printf("\nfailed:\n")
	for _, a := range j.Failed {
		next := "not before something changes, or --retry"
		if !a.Next.IsZero() {
			next = "again at " + p.time(a.Next)
		}
		p.Out.Printf("  %s %s, tried %s, %s: %s\n", a.Step, a.ID, times(a.Tries), next, a.Error)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// time is a time as it is printed.
func (p *Program) time(t time.Time) string {
	if p.Zone != nil {
		t = t.In(p.Zone)
	}
	return t.Format("2006-01-02 15:04")
}
