package learn

import (
	"cmp"
	"math"
	"slices"
)

// data are examples as rows of numbers. Of a row only values other than 0 are
// kept; column 0 is 1 in all of them.
type data struct {
	columns []Column
	width   int // columns, and the one of the intercept
	from    []int32
	at      []int32
	value   []float64
	good    []float64 // 1 for approved
	fold    [][]int   // of each partition, the fold of each row
	folds   int
}

func newData(list []*Example) *data {
	d := &data{columns: columnsOf(list), from: make([]int32, 1, len(list)+1)}
	d.width = len(d.columns) + 1
	e := newEncoder(d.columns)
	type cell struct {
		at    int32
		value float64
	}
	var row []cell
	for i := range list {
		row = append(row[:0], cell{0, 1})
		e.each(&list[i].Facts, func(column int, value float64) { row = append(row, cell{int32(column + 1), value}) })
		slices.SortFunc(row, func(a, b cell) int { return cmp.Compare(a.at, b.at) })
		for _, c := range row {
			d.at, d.value = append(d.at, c.at), append(d.value, c.value)
		}
		d.from = append(d.from, int32(len(d.at)))
		good := 0.
		if list[i].Approved {
			good = 1
		}
		d.good = append(d.good, good)
	}
	d.part(list)
	return d
}

func (d *data) rows() int { return len(d.good) }

// odds returns the logarithm of the odds of a row.
func (d *data) odds(fit []float64, row int) (sum float64) {
	from, to := d.from[row], d.from[row+1]
	at, value := d.at[from:to], d.value[from:to]
	for i, c := range at {
		sum += fit[c] * value[i]
	}
	return sum
}

func chance(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// normal is what a step of Newton's method solves: the gradient of the likelihood
// and the upper triangle of minus its second derivative, of some rows.
type normal struct {
	width    int
	gradient []float64
	curve    []float64 // width × width
}

func newNormal(width int) *normal {
	return &normal{width, make([]float64, width), make([]float64, width*width)}
}

// add adds a row, whose columns are in order.
func (s *normal) add(d *data, row int, fit []float64) {
	p := chance(d.odds(fit, row))
	miss, weight := d.good[row]-p, p*(1-p)
	from, to := d.from[row], d.from[row+1]
	at, value := d.at[from:to], d.value[from:to]
	for i, c := range at {
		s.gradient[c] += miss * value[i]
		line := s.curve[int(c)*s.width : (int(c)+1)*s.width]
		w := weight * value[i]
		rest := value[i:]
		for k, o := range at[i:] {
			line[o] += w * rest[k]
		}
	}
}

// plus adds other sums times a factor.
func (s *normal) plus(o *normal, times float64) {
	for i, x := range o.gradient {
		s.gradient[i] += times * x
	}
	for i, x := range o.curve {
		s.curve[i] += times * x
	}
}

// step returns where Newton's method goes from a fit: all but the intercept are
// drawn to 0 by the penalty. ok is false if there is no way.
func (s *normal) step(fit []float64, penalty float64) (next []float64, ok bool) {
	n := s.width
	l := make([]float64, n*n) // lower triangle
	g := make([]float64, n)
	for i := range n {
		g[i] = s.gradient[i]
		for j := range i + 1 {
			l[i*n+j] = s.curve[j*n+i]
		}
		if i > 0 {
			g[i] -= penalty * fit[i]
			l[i*n+i] += penalty
		} else {
			l[0] += 1e-6
		}
	}
	if !cholesky(l, n) {
		return nil, false
	}
	solve(l, n, g)
	for i := range g {
		g[i] += fit[i]
	}
	return g, true
}

// cholesky replaces the lower triangle of a symmetric matrix by its root.
func cholesky(a []float64, n int) bool {
	for i := range n {
		row := a[i*n : i*n+i+1]
		for j := range i + 1 {
			other := a[j*n : j*n+j+1]
			sum := row[j]
			for k, x := range other[:j] {
				sum -= row[k] * x
			}
			if i == j {
				if !(sum > 0) || math.IsInf(sum, 1) {
					return false
				}
				row[j] = math.Sqrt(sum)
			} else {
				row[j] = sum / other[j]
			}
		}
	}
	return true
}

// solve replaces b by what gives b when it is multiplied by the matrix whose root
// is l.
func solve(l []float64, n int, b []float64) {
	for i := range n {
		for j := range i {
			b[i] -= l[i*n+j] * b[j]
		}
		b[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= l[j*n+i] * b[j]
		}
		b[i] /= l[i*n+i]
	}
}

const (
	mostSteps = 12
	near      = 1e-4 // the largest change of a fit that is done, in logarithms of odds
)

// far is the largest change between two fits.
func far(a, b []float64) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}
