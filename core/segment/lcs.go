package segment

import (
	"slices"
	"sort"
)

const (
	// maxPairs is the number of places where two sequences agree up to which
	// all of them are looked at: 16 MB and 0.1 s.
	maxPairs = 1 << 20
	// maxEdits is the number of differences up to which they are looked for
	// where that is too many: 4 MB, and this many times the length at most.
	maxEdits = 1 << 10
)

// common returns the index pairs of a longest common subsequence of a and b, in
// order. If they are giants that agree in very many places and differ in many
// as well, it is not the longest: elements that agree in most places are found
// beside others only.
func common[T comparable](a, b []T) (pairs [][2]int) {
	head, tail := 0, 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		pairs = append(pairs, [2]int{head, head})
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	pairs = append(pairs, between(a[:len(a)-tail], b[:len(b)-tail], head)...)
	for ; tail > 0; tail-- {
		pairs = append(pairs, [2]int{len(a) - tail, len(b) - tail})
	}
	return pairs
}

// between is common of a[from:] and b[from:], which agree at neither end.
func between[T comparable](a, b []T, from int) [][2]int {
	if len(a) == from || len(b) == from {
		return nil
	}
	places, whole := agreeing(a[from:], b[from:])
	if !whole {
		if pairs, ok := nearly(a, b, from); ok {
			return pairs
		}
	}
	pairs := longest(a[from:], places)
	for i := range pairs {
		pairs[i][0] += from
		pairs[i][1] += from
	}
	if whole {
		return pairs
	}
	// What was left out may still stand right beside what was found.
	var all [][2]int
	i, j := from, from
	for _, p := range append(pairs, [2]int{len(a), len(b)}) {
		for i < p[0] && j < p[1] && a[i] == b[j] {
			all = append(all, [2]int{i, j})
			i, j = i+1, j+1
		}
		k := 0
		for i < p[0]-k && j < p[1]-k && a[p[0]-1-k] == b[p[1]-1-k] {
			k++
		}
		for ; k > 0; k-- {
			all = append(all, [2]int{p[0] - k, p[1] - k})
		}
		if p[0] < len(a) {
			all = append(all, p)
		}
		i, j = p[0]+1, p[1]+1
	}
	return all
}

// agreeing returns for elements of a their places in b, and whether it does so
// for all of them: at most maxPairs, those that agree in few places first.
func agreeing[T comparable](a, b []T) (places map[T][]int32, whole bool) {
	times := make(map[T]int, len(a))
	for _, t := range a {
		times[t]++
	}
	places = make(map[T][]int32, len(times))
	for j, t := range b {
		if times[t] > 0 {
			places[t] = append(places[t], int32(j))
		}
	}
	var order []T // of first places in b, so that ties are always the same
	sum := 0
	for j, t := range b {
		if p := places[t]; len(p) > 0 && p[0] == int32(j) {
			order = append(order, t)
			sum += times[t] * len(p)
		}
	}
	if sum <= maxPairs {
		return places, true
	}
	slices.SortStableFunc(order, func(x, y T) int { return times[x]*len(places[x]) - times[y]*len(places[y]) })
	sum = 0
	for _, t := range order {
		if sum += times[t] * len(places[t]); sum > maxPairs {
			delete(places, t)
		}
	}
	return places, false
}

// longest is the algorithm of Hunt and Szymanski: the longest chain of pairs
// that rise in both sequences. places are in rising order.
func longest[T comparable](a []T, places map[T][]int32) [][2]int {
	type link struct{ i, j, before int32 }
	var links []link
	var ends []int32 // of the chains of each length, the link that ends first in b
	for i, t := range a {
		p := places[t]
		for k := len(p) - 1; k >= 0; k-- {
			j := p[k]
			n := sort.Search(len(ends), func(n int) bool { return links[ends[n]].j >= j })
			if n < len(ends) && links[ends[n]].j == j {
				continue
			}
			before := int32(-1)
			if n > 0 {
				before = ends[n-1]
			}
			links = append(links, link{int32(i), j, before})
			if n == len(ends) {
				ends = append(ends, 0)
			}
			ends[n] = int32(len(links) - 1)
		}
	}
	pairs := make([][2]int, len(ends))
	for n, at := len(ends)-1, int32(-1); n >= 0; n-- {
		if at < 0 {
			at = ends[n]
		}
		pairs[n] = [2]int{int(links[at].i), int(links[at].j)}
		at = links[at].before
	}
	return pairs
}

// nearly is the algorithm of Myers: the shortest way from a[from:] to b[from:],
// if it is at most maxEdits long. The pairs are indices of a and b.
func nearly[T comparable](a, b []T, from int) (pairs [][2]int, ok bool) {
	n, m := len(a), len(b)
	if n-m > maxEdits || m-n > maxEdits {
		return nil, false
	}
	// far[k+d] is how far in a the way on diagonal k (of i-j) gets with d edits.
	var steps [][]int32
	for d := 0; d <= maxEdits; d++ {
		far := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			i := from
			if d > 0 {
				i, _ = before(steps[d-1], k)
			}
			for i < n && i-k < m && a[i] == b[i-k] {
				i++
			}
			far[k+d] = int32(i)
			if i == n && i-k == m {
				return trace(append(steps, far), from, n, m), true
			}
		}
		steps = append(steps, far)
	}
	return nil, false
}

// before returns how far in a diagonal k begins after the steps of one edit
// less, and the diagonal that it comes from.
func before(far []int32, k int) (i, diagonal int) {
	d := len(far) / 2 // edits of far
	down, right := -1, -1
	if k+1 <= d && k+1 >= -d {
		down = int(far[k+1+d])
	}
	if k-1 >= -d && k-1 <= d {
		right = int(far[k-1+d]) + 1
	}
	if down >= right {
		return down, k + 1
	}
	return right, k - 1
}

// trace walks back from the ends of both, and returns the pairs on the way.
func trace(steps [][]int32, from, n, m int) [][2]int {
	var pairs [][2]int
	i, k := n, n-m
	for d := len(steps) - 1; d >= 0; d-- {
		start, diagonal := from, k
		if d > 0 {
			start, diagonal = before(steps[d-1], k)
		}
		for ; i > start; i-- {
			pairs = append(pairs, [2]int{i - 1, i - 1 - k})
		}
		if diagonal < k { // an element of a was left out
			i--
		}
		k = diagonal
	}
	slices.Reverse(pairs)
	return pairs
}
