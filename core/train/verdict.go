package train

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// NoneApproved is what a verdict says if there are no samples at all.
const NoneApproved = "nothing to train on: no segment is approved"

// Limits say when a run is due.
type Limits struct {
	When        int // new samples
	MinTotal    int // samples
	MaxFailures int // after so many in a row it waits for a person; 0: never
	Cooldown    time.Duration
}

// Verdict says whether a run is due.
type Verdict struct {
	Due   bool   // enough is new
	May   bool   // it may begin by itself now
	Waits bool   // for a person, after failures, whether it is due or not
	Text  string // says so to people
}

// Verdict says whether a run is due by what there is to train on.
func (l Limits) Verdict(c Counts, now time.Time) Verdict {
	v := l.due(c)
	v.Waits = l.MaxFailures > 0 && c.Failing >= l.MaxFailures
	next := c.Last.Add(l.Cooldown)
	switch {
	case v.Waits && c.Failing == 1:
		v.Text += "; the last run failed, so it waits for you"
	case v.Waits:
		v.Text += fmt.Sprintf("; the last %d runs failed, so it waits for you", c.Failing)
	case v.Due && !c.Last.IsZero() && now.Before(next):
		v.Text += "; the next run may begin in " + rough(next.Sub(now))
	default:
		v.May = v.Due
	}
	return v
}

// due says whether enough is new.
func (l Limits) due(c Counts) Verdict {
	when := max(l.When, 1)
	switch {
	case c.Ready == 0:
		return Verdict{Text: NoneApproved}
	case c.New == 0:
		return Verdict{Text: "nothing new to train on"}
	case c.New < when:
		return Verdict{Text: fmt.Sprintf("%d of %s", c.New, samples(when))}
	case c.Ready < l.MinTotal:
		return Verdict{Text: fmt.Sprintf("%s, but %d approved in all, of at least %d", samples(c.New), c.Ready, l.MinTotal)}
	}
	return Verdict{Due: true, Text: "due: " + samples(c.New)}
}

func samples(n int) string {
	if n == 1 {
		return "1 new sample"
	}
	return fmt.Sprintf("%d new samples", n)
}

// rough is a time in hours, or minutes if it is short, never too little.
func rough(d time.Duration) string {
	if d > 90*time.Minute {
		return fmt.Sprintf("%d h", int(math.Ceil(d.Hours())))
	}
	return fmt.Sprintf("%d min", int(math.Ceil(d.Minutes())))
}

// Nothing is why a run does not begin that nothing is wrong with: there is nothing to
// train on, or nothing new.
type Nothing string

// Error implements error.
func (n Nothing) Error() string { return string(n) }

// NothingNew refuses the data of a manifest if the last run that succeeded had the same.
func NothingNew(last Run, manifest string) error {
	if last.Status != Succeeded || last.Manifest == "" || last.Manifest != manifest {
		return nil
	}
	return Nothing(fmt.Sprintf("nothing new to train on: the data is that of run %d; --again trains on it all the same", last.ID))
}

// Promotable refuses to promote a run whose result gains too little over its base by
// what both were measured by. A loss gains where it falls. A gain of 0 asks nothing.
func Promotable(evals []Eval, gain float64) error {
	if gain == 0 {
		return nil
	}
	value := map[[2]string]float64{}
	names := map[string]bool{}
	for _, e := range evals {
		value[[2]string{e.Subject, e.Name}] = e.Value
		names[e.Name] = true
	}
	both := false
	for _, name := range slices.Sorted(maps.Keys(names)) {
		base, ok := value[[2]string{OfBase, name}]
		result, there := value[[2]string{OfResult, name}]
		if !ok || !there {
			continue
		}
		both = true
		more := result - base
		if falls(name) {
			more = -more
		}
		if more < gain-1e-9 { // sums of decimal fractions are not exact
			return fmt.Errorf("%s was %.4g and is %.4g: it gains %.4g, of at least %.4g", name, base, result, cmp.Or(more, 0), gain)
		}
	}
	if len(evals) == 0 {
		return errors.New("neither base nor result was measured: nothing tells what it gains")
	}
	if !both {
		return errors.New("base and result were not measured by the same: nothing tells what it gains")
	}
	return nil
}

// falls reports whether less of a metric is better.
func falls(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "loss") || strings.Contains(name, "perplexity") || name == "ppl"
}
