package review

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSpansAreSetsOfMessages compares spans with sets that hold each message, and
// looks that they neither overlap nor touch.
func TestSpansAreSetsOfMessages(t *testing.T) {
	const most = 40
	type set [most + 2]bool
	random := rand.New(rand.NewPCG(1, 7))
	some := func() (s Spans, in set) {
		for range random.IntN(6) {
			first := 1 + random.IntN(most)
			a := Span{first, min(most, first+random.IntN(9)-1)} // some are empty
			fresh := false
			for n := a.First; n <= a.Last; n++ {
				fresh, in[n] = fresh || !in[n], true
			}
			before := slices.Clone(s)
			held := s
			if got := s.Add(a); got != fresh {
				t.Fatalf("%v and %v: new is %v", before, a, got)
			}
			if !slices.Equal(held, before) {
				t.Fatalf("%v became %v: a copy changed", before, held)
			}
		}
		return s, in
	}
	same := func(what string, s Spans, in func(n int) bool) {
		t.Helper()
		got := set{}
		for i, a := range s {
			if a.First < 1 || a.Last < a.First || i > 0 && a.First <= s[i-1].Last {
				t.Fatalf("%s: %v", what, s)
			}
			for n := a.First; n <= a.Last; n++ {
				got[n] = true
			}
		}
		for n := range got {
			if got[n] != in(n) {
				t.Fatalf("%s: %v, message %d: %v", what, s, n, got[n])
			}
		}
	}
	for range 5000 {
		a, inA := some()
		b, inB := some()
		same("sum", a, func(n int) bool { return inA[n] })
		for i := 1; i < len(a); i++ {
			if a[i].First <= a[i-1].Last+1 {
				t.Fatalf("%v touch", a)
			}
		}
		same("both", a.Both(b), func(n int) bool { return inA[n] && inB[n] })
		same("without", a.Without(b), func(n int) bool { return inA[n] && !inB[n] })
		first := 1 + random.IntN(most)
		last := first + random.IntN(10)
		count := 0
		for n := first; n <= min(last, most); n++ {
			if inA[n] {
				count++
			}
		}
		if got := a.Count(first, last); got != count {
			t.Fatalf("%v from %d to %d: %d, want %d", a, first, last, got, count)
		}
		if got := a.Has(Span{first, last}); got != (count == last-first+1) {
			t.Fatalf("%v has %d to %d: %v", a, first, last, got)
		}
		if got := a.HasAll(b); got != (len(b.Without(a)) == 0) {
			t.Fatalf("%v has all of %v: %v", a, b, got)
		}
	}
}

func TestShareOfNothing(t *testing.T) {
	if Share(0, 0) != 0 || Share(3, 4) != 0.75 {
		t.Error(Share(0, 0), Share(3, 4))
	}
}
