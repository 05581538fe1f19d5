package learn

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"sync"
)

const unforetold = "what is measured does not tell what you approved from what you rejected, not surely better than chance"

func tooFew(m *Model) string {
	switch {
	case m.Approved < Least || m.Rejected < Least:
		return fmt.Sprintf("it takes %d approved and %d rejected segments, there are %d and %d", Least, Least, m.Approved, m.Rejected)
	case m.Sessions < leastSessions:
		return fmt.Sprintf("it takes verdicts on %d sessions, there are %d", leastSessions, m.Sessions)
	}
	return ""
}

// penalties that are tried, the strongest first. They are those of a sum over
// segments, so that they matter less the more there are.
var penalties = []float64{300, 100, 30}

// Up to few rows, fits are made to the end, and with several partitions into
// folds, for one alone is a matter of luck; of more a part chooses the penalty.
const (
	few        = 300
	partitions = 3
	mostFolds  = 8
	someRows   = 600
)

// part gives each row its folds: whole sessions, by a hash of their names, so
// that it is the same whatever else is there.
func (d *data) part(list []*Example) {
	size := map[string]int{}
	for i := range list {
		size[list[i].Session]++
	}
	d.folds = min(mostFolds, len(size))
	times := 1
	if len(list) <= few {
		times = partitions
	} else {
		d.folds = min(5, len(size))
	}
	for p := range times {
		type one struct {
			hash uint64
			name string
		}
		order := make([]one, 0, len(size))
		for name := range size {
			h := fnv.New64a()
			fmt.Fprintf(h, "%d %s", p, name)
			order = append(order, one{h.Sum64(), name})
		}
		slices.SortFunc(order, func(a, b one) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.name, b.name)) })
		in, of := make([]int, d.folds), make(map[string]int, len(size))
		for _, o := range order { // to the smallest fold
			at := 0
			for i := range in {
				if in[i] < in[at] {
					at = i
				}
			}
			of[o.name] = at
			in[at] += size[o.name]
		}
		fold := make([]int, len(list))
		for i := range list {
			fold[i] = of[list[i].Session]
		}
		d.fold = append(d.fold, fold)
	}
}

// validation is what cross-validation comes to.
type validation struct {
	penalty      float64
	fit          []float64 // of all rows
	shift, slope float64   // what makes odds of a fit those of verdicts
	figures      Figures
}

// sums are those of each fold at a fit. Folds are added up by several
// goroutines, each in the order of its rows.
func (d *data) sums(fit []float64, fold []int, rows int) []*normal {
	sums := make([]*normal, d.folds)
	var wait sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	one := func(k int) {
		s := newNormal(d.width)
		for row := range rows {
			if fold[row] == k {
				s.add(d, row, fit)
			}
		}
		sums[k] = s
	}
	for k := range sums {
		if rows < 2*few {
			one(k)
			continue
		}
		limit <- struct{}{}
		wait.Go(func() {
			one(k)
			<-limit
		})
	}
	wait.Wait()
	return sums
}

func total(sums []*normal, without int) *normal {
	t := newNormal(sums[0].width)
	for k, s := range sums {
		if k != without {
			t.plus(s, 1)
		}
	}
	return t
}

// fitTo fits all rows from a start, until a step moves less than near or there were
// so many.
func (d *data) fitTo(start []float64, penalty float64, fold []int, rows, steps int, near float64) (fit []float64) {
	fit = start
	for range steps {
		next, ok := total(d.sums(fit, fold, rows), -1).step(fit, penalty)
		if !ok {
			break
		}
		moved := far(fit, next)
		fit = next
		if moved < near {
			break
		}
	}
	return fit
}

// leftOut returns for each fold a fit to all other rows, from a fit to all.
func (d *data) leftOut(fit []float64, penalty float64, fold []int, rows int) [][]float64 {
	fits := make([][]float64, d.folds)
	sums := d.sums(fit, fold, rows)
	for k := range fits {
		at, ok := total(sums, k).step(fit, penalty)
		if !ok {
			at = fit
		}
		for step := 0; step < 4 && rows <= few; step++ { // one step is enough where a fold is a small part
			s := newNormal(d.width)
			for row := range rows {
				if fold[row] != k {
					s.add(d, row, at)
				}
			}
			next, ok := s.step(at, penalty)
			if !ok {
				break
			}
			moved := far(at, next)
			at = next
			if moved < 1e-3 {
				break
			}
		}
		fits[k] = at
	}
	return fits
}

// unseen returns the odds of rows by fits to other sessions, the mean over
// partitions.
func (d *data) unseen(fit []float64, penalty float64, rows int) []float64 {
	odds := make([]float64, rows)
	for _, fold := range d.fold {
		fits := d.leftOut(fit, penalty, fold, rows)
		// All fits get the same mean: which verdicts are left out moves their
		// intercepts the other way.
		shift := make([]float64, len(fits))
		for k := range fits {
			for row := range odds {
				shift[k] += (d.odds(fit, row) - d.odds(fits[k], row)) / float64(rows)
			}
		}
		for row := range odds {
			k := fold[row]
			odds[row] += (d.odds(fits[k], row) + shift[k]) / float64(len(d.fold))
		}
	}
	return odds
}

// validate chooses the penalty by what it does to sessions that were left out, and
// fits all rows.
func (d *data) validate() validation {
	rows := d.rows()
	some := rows
	if rows > 2*someRows {
		some = someRows
	}
	v := validation{}
	best := math.Inf(1)
	start := make([]float64, d.width)
	var unseen []float64
	for _, penalty := range penalties {
		start = d.fitTo(start, penalty, d.fold[0], some, mostSteps, 1e-2)
		odds := d.unseen(start, penalty, some)
		if loss := d.loss(odds); loss < best {
			best, v.penalty, v.fit, unseen = loss, penalty, start, odds
		}
	}
	if some < rows {
		v.fit = d.fitTo(v.fit, v.penalty, d.fold[0], rows, 2, 1e-2)
		unseen = d.unseen(v.fit, v.penalty, rows)
	} else {
		v.fit = d.fitTo(v.fit, v.penalty, d.fold[0], rows, mostSteps, near)
	}
	v.shift, v.slope = calibrate(unseen, d.good, nil, 0)
	v.figures = d.figures(unseen)
	return v
}

// loss is the mean logarithmic loss of odds.
func (d *data) loss(odds []float64) (sum float64) {
	for row, o := range odds {
		if d.good[row] == 0 {
			o = -o
		}
		sum += math.Log1p(math.Exp(-o))
	}
	return sum / float64(len(odds))
}

// modest is the slope that is believed in before there is evidence. Runs of one
// task, and sessions of one week, are more alike than what comes later: verdicts
// on other sessions are foretold as if they were easier than they will be.
const modest = .5

// calibrate finds the line through odds that fits verdicts best (Platt): odds of
// sessions that were left out are too sure of themselves, or not sure enough. The
// slope is drawn towards modest, which matters of a hundred segments, not of a
// thousand. Rows of the fold without are left out, if there are folds.
func calibrate(odds, good []float64, fold []int, without int) (shift, slope float64) {
	const prior = 30.
	slope = modest
	for range mostSteps {
		g0, g1 := 0., -prior*(slope-modest)
		h00, h01, h11 := 1e-6, 0., prior
		for row, o := range odds {
			if fold != nil && fold[row] == without {
				continue
			}
			p := chance(shift + slope*o)
			w := p * (1 - p)
			g0 += good[row] - p
			g1 += (good[row] - p) * o
			h00 += w
			h01 += w * o
			h11 += w * o * o
		}
		det := h00*h11 - h01*h01
		if !(det > 0) {
			break
		}
		ds, db := (g0*h11-g1*h01)/det, (g1*h00-g0*h01)/det
		shift, slope = shift+ds, slope+db
		if math.Abs(ds)+math.Abs(db) < near {
			break
		}
	}
	return shift, max(slope, 0)
}

// figures says how well odds of sessions that were left out tell verdicts; each is
// calibrated by the others.
func (d *data) figures(odds []float64) Figures {
	fold := d.fold[0]
	shift, slope := make([]float64, d.folds), make([]float64, d.folds)
	for k := range d.folds {
		shift[k], slope[k] = calibrate(odds, d.good, fold, k)
	}
	believed := make([]float64, len(odds))
	for row := range odds {
		believed[row] = chance(shift[fold[row]] + slope[fold[row]]*odds[row])
	}
	f := FiguresOf(believed, d.good)
	f.AUC = fourDigits(auc(odds, d.good)) // calibration of folds moves them against each other
	return f
}
