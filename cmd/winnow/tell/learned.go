package tell

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/learn"
	"winnow/tui/draw"
)

// PrintLearned prints what was learned for people.
func PrintLearned(o *print.Output, l *learn.Learned) {
	for _, line := range l.Lines() {
		o.Line(clean.Line(line)) // it names a curator
	}
	if len(l.Bands) > 0 {
		o.Line("")
		t := o.Table(print.Left("LIKELY"), print.Right("SEGMENTS"), print.Right("BELIEVED"), print.Right("APPROVED"))
		for _, b := range l.Bands {
			t.Row(b.Steps(), draw.Grouped(b.Segments), twoDigits(b.Believed), twoDigits(b.Share()))
		}
		t.Flush()
	}
	if !l.Knows() {
		return
	}
	o.Line("")
	t := o.Table(print.Right("WEIGHT"), print.Left("FOR WHAT"))
	for _, c := range Heaviest(l.Columns) {
		t.Row(strconv.FormatFloat(c.Weight, 'f', 2, 64), clean.Line(draw.Head(c.Kind+" "+c.Name)))
	}
	t.Flush()
}

// heaviestShown is how many weights are printed for people; --json has all.
const heaviestShown = 12

// Heaviest returns the columns that weigh most.
func Heaviest(columns []learn.Column) []learn.Column {
	list := slices.Clone(columns)
	slices.SortStableFunc(list, func(a, b learn.Column) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return list[:min(len(list), heaviestShown)]
}

func twoDigits(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
