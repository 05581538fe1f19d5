package filter

import (
	"cmp"
	"math"
	"sort"
	"time"
)

// Span are the values from From on that are less than To, or with Not those of
// Any that are not.
type Span[T cmp.Ordered] struct {
	From, To T
	Not      bool
}

// AnyNumber are all numbers.
func AnyNumber() Span[float64] { return Span[float64]{From: math.Inf(-1), To: math.Inf(1)} }

// AnyWhole are all whole numbers, such as times in microseconds since 1970, but for
// the least, which is none.
func AnyWhole() Span[int64] { return Span[int64]{From: math.MinInt64 + 1, To: math.MaxInt64} }

// spanOf returns what an operator lets through. What it compares with are the values
// from from on that are less than to; Between ends before last.
func spanOf[T cmp.Ordered](op Op, from, to, last T, all Span[T]) Span[T] {
	switch op {
	case NotEqual:
		return Span[T]{from, to, true}
	case Less:
		return Span[T]{From: all.From, To: from}
	case LessEqual:
		return Span[T]{From: all.From, To: to}
	case Greater:
		return Span[T]{From: to, To: all.To}
	case GreaterEqual:
		return Span[T]{From: from, To: all.To}
	case Between:
		return Span[T]{From: from, To: last}
	}
	return Span[T]{From: from, To: to}
}

// Numbers returns the numbers that a term of a Number lets through.
func (t *Term) Numbers() Span[float64] {
	above := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
	return spanOf(t.Op, t.Num, above(t.Num), above(t.Max), AnyNumber())
}

// Whole is Numbers for whole numbers.
func (t *Term) Whole() Span[int64] {
	whole := func(x float64) int64 {
		switch {
		case x >= math.MaxInt64:
			return math.MaxInt64
		case x <= math.MinInt64:
			return math.MinInt64
		}
		return int64(math.Ceil(x))
	}
	s := t.Numbers()
	return Span[int64]{whole(s.From), whole(s.To), s.Not}
}

// Steps is Numbers for numbers from 0 to 1 that are kept in so many steps.
func (t *Term) Steps(unit int) Span[int] {
	// Compared as numbers, as all scores are: 0.00070·10000 is more than 7.
	first := func(x float64) int {
		return sort.Search(unit+1, func(step int) bool { return float64(step)/float64(unit) >= x })
	}
	s := t.Numbers()
	return Span[int]{first(s.From), first(s.To), s.Not}
}

// Times returns the times that a term of a Day lets through, in microseconds
// since 1970.
func (t *Term) Times() Span[int64] {
	op := t.Op
	switch t.Field {
	case After:
		op = GreaterEqual
	case Before:
		op = Less
	}
	micros := time.Time.UnixMicro
	return spanOf(op, micros(t.Date.From), micros(t.Date.To), micros(t.Last.To), AnyWhole())
}
