package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// plan runs p over messages with these costs. answer says what is seen in a
// window. It returns the windows.
func plan(t testing.TB, p *windows, costs []int, answer func(window) []Cut) []window {
	t.Helper()
	var seen []window
	for asked := 0; !p.done(); {
		for p.more() {
			if p.wanted() != asked+1 {
				t.Fatalf("message %d is asked for behind message %d", p.wanted(), asked)
			}
			asked++
			p.feed(costs[asked-1])
		}
		w := p.next()
		seen = append(seen, w)
		if err := p.took(answer(w)); err != nil {
			t.Fatal(err)
		}
	}
	return seen
}

// unnumbered is for messages without numbers.
func unnumbered(int) int { return 0 }

// ones are the costs of n messages of one token.
func ones(n int) []int { return slices.Repeat([]int{1}, n) }

// said answers windows from a table, by their first message.
func said(t testing.TB, answers map[int][]Cut) func(window) []Cut {
	return func(w window) []Cut {
		cuts, ok := answers[w.from]
		if !ok {
			t.Fatalf("a window %d–%d", w.from, w.to)
		}
		return cuts
	}
}

func checkPlan(t *testing.T, p *windows, seen, want []window, cuts []Cut) {
	t.Helper()
	if !slices.Equal(seen, want) {
		t.Errorf("windows %v, want %v", seen, want)
	}
	if !slices.Equal(p.cuts(), cuts) {
		t.Errorf("cuts %v, want %v", p.cuts(), cuts)
	}
}

func TestNextWindowStartsAtTheLastTaskAndReplacesIt(t *testing.T) {
	p := newWindows(1, 10, 9, unnumbered)
	costs := []int{2, 2, 2, 1, 1, 1, 1, 1, 1, 1} // 1–6 fill the budget, 4–10 do not
	seen := plan(t, p, costs, said(t, map[int][]Cut{
		1: {{1, 3, "A"}, {4, 6, "B"}},
		4: {{4, 7, "B, seen again"}, {8, 10, "C"}},
	}))
	checkPlan(t, p, seen, []window{{from: 1, to: 6}, {from: 4, to: 10}},
		[]Cut{{1, 3, "A"}, {4, 7, "B, seen again"}, {8, 10, "C"}})
}

func TestOneTaskThatFillsTheWindowIsFollowedWithoutOverlap(t *testing.T) {
	p := newWindows(1, 10, 6, unnumbered)
	first, rest := Cut{1, 6, "A"}, Cut{7, 10, "B"}
	seen := plan(t, p, ones(10), said(t, map[int][]Cut{1: {first}, 7: {rest}}))
	checkPlan(t, p, seen, []window{{from: 1, to: 6}, {from: 7, to: 10}}, []Cut{first, rest})
}

func TestLastTaskThatFillsTheNextWindowIsFollowedWithoutOverlap(t *testing.T) {
	p := newWindows(1, 9, 4, unnumbered)
	seen := plan(t, p, ones(9), said(t, map[int][]Cut{
		1: {{1, 1, "A"}, {2, 4, "B"}},
		2: {{2, 5, "B"}},
		6: {{6, 9, "C"}},
	}))
	checkPlan(t, p, seen, []window{{from: 1, to: 4}, {from: 2, to: 5}, {from: 6, to: 9}},
		[]Cut{{1, 1, "A"}, {2, 5, "B"}, {6, 9, "C"}})
}

func TestSeveralTasksInTheLastWindowEndTheRun(t *testing.T) {
	p := newWindows(5, 8, 100, unnumbered)
	tasks := []Cut{{5, 6, "A"}, {7, 8, "B"}}
	for p.more() {
		p.feed(1)
	}
	if w := p.next(); w != (window{from: 5, to: 8}) {
		t.Fatalf("window %v", w)
	}
	if err := p.took(tasks); err != nil || !p.done() || !slices.Equal(p.cuts(), tasks) {
		t.Errorf("%v, done %v: %v", err, p.done(), p.cuts())
	}
}

func TestMessageOverTheBudgetIsAWindowOfItsOwn(t *testing.T) {
	p := newWindows(1, 5, 4, unnumbered)
	seen := plan(t, p, []int{1, 1, 5, 1, 1}, said(t, map[int][]Cut{
		1: {{1, 1, "A"}, {2, 2, "B"}},
		2: {{2, 2, "B"}},
		3: {{3, 3, "giant"}},
		4: {{4, 5, "C"}},
	}))
	checkPlan(t, p, seen, []window{{from: 1, to: 2}, {from: 2, to: 2}, {from: 3, to: 3, over: true}, {from: 4, to: 5}},
		[]Cut{{1, 1, "A"}, {2, 2, "B"}, {3, 3, "giant"}, {4, 5, "C"}})
}

func TestMessageThatCostsTheWholeBudgetIsNotTruncated(t *testing.T) {
	p := newWindows(1, 3, 4, unnumbered)
	seen := plan(t, p, []int{4, 0, 0}, said(t, map[int][]Cut{1: {{1, 3, "A"}}}))
	checkPlan(t, p, seen, []window{{from: 1, to: 3}}, []Cut{{1, 3, "A"}}) // empty rows stay beside it
}

func TestNumbersCountForTheBudget(t *testing.T) {
	p := newWindows(1, 5, 6, func(n int) int { return n })
	seen := plan(t, p, ones(5), func(w window) []Cut { return []Cut{{w.from, w.to, ""}} })
	if !slices.Equal(seen, []window{{from: 1, to: 3}, {from: 4, to: 5}}) {
		t.Errorf("windows %v", seen)
	}
}

func TestWhatDoesNotCoverItsWindowIsRefused(t *testing.T) {
	p := newWindows(1, 4, 9, unnumbered)
	for p.more() {
		p.feed(1)
	}
	for _, cuts := range [][]Cut{nil, {{1, 3, ""}}, {{1, 2, ""}, {4, 4, ""}}, {{1, 3, ""}, {3, 4, ""}}, {{1, 5, ""}}, {{1, 0, ""}, {1, 4, ""}}} {
		if err := p.took(cuts); err == nil || len(p.cuts()) != 0 || p.done() {
			t.Errorf("%v: %v, kept %v", cuts, err, p.cuts())
		}
	}
}

// TestWindowsCoverEverything plans random runs with random answers.
func TestWindowsCoverEverything(t *testing.T) {
	for seed := range uint64(2 * cases) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, budget, number := 1+rng.IntN(30), 1+rng.IntN(20), rng.IntN(3)
		costs := make([]int, n)
		for i := range costs {
			costs[i] = rng.IntN(1 + rng.IntN(25))
		}
		said := map[Cut]bool{}
		p := newWindows(1, n, budget, func(n int) int { return n * number })
		seen := plan(t, p, costs, func(w window) []Cut {
			var cuts []Cut
			for at := w.from; at <= w.to; {
				end := at + rng.IntN(w.to-at+1)
				if rng.IntN(3) == 0 {
					end = w.to
				}
				cuts = append(cuts, Cut{Start: at, End: end})
				said[cuts[len(cuts)-1]] = true
				at = end + 1
			}
			return cuts
		})
		if err := CheckCuts(p.cuts(), 1, n); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, c := range p.cuts() {
			if !said[c] {
				t.Fatalf("seed %d: nobody said %v", seed, c)
			}
		}
		checkWindows(t, seed, seen, costs, budget, number)
	}
}

// checkWindows tests that windows go on, leave nothing out, hold as much as
// fits, and never more.
func checkWindows(t *testing.T, seed uint64, seen []window, costs []int, budget, number int) {
	t.Helper()
	behind, last := 1, 0
	for _, w := range seen {
		if w.from <= last || w.from > behind || w.to < w.from || w.to < behind-1 {
			t.Fatalf("seed %d: window %v of %v", seed, w, seen)
		}
		behind, last = w.to+1, w.from
		sum := 0
		for _, cost := range costs[w.from-1 : w.to] {
			sum += cost + number
		}
		if sum > budget != w.over || w.over && w.to != w.from {
			t.Fatalf("seed %d: window %v costs %d of %d", seed, w, sum, budget)
		}
		if w.to < len(costs) && !w.over && sum+costs[w.to]+number <= budget {
			t.Fatalf("seed %d: window %v has room for message %d", seed, w, w.to+1)
		}
	}
	if behind != len(costs)+1 {
		t.Fatalf("seed %d: windows end before message %d", seed, behind)
	}
}

// TestWindowsForgetWhatLiesBehind keeps the costs of one window, however long
// the run is.
func TestWindowsForgetWhatLiesBehind(t *testing.T) {
	const n, budget = 100_000, 50
	p := newWindows(1, n, budget, unnumbered)
	plan(t, p, ones(n), func(w window) []Cut {
		if len(p.costs) > budget+1 || cap(p.costs) > 8*budget {
			t.Fatalf("%d costs are held, room for %d", len(p.costs), cap(p.costs))
		}
		return halves(w)
	})
}

// halves sees two tasks in every window.
func halves(w window) []Cut {
	if w.from == w.to {
		return []Cut{{Start: w.from, End: w.to}}
	}
	half := (w.from + w.to) / 2
	return []Cut{{Start: w.from, End: half}, {Start: half + 1, End: w.to}}
}

// BenchmarkWindows shows that planning takes time linear in the number of
// messages, whatever the number of them in a window.
func BenchmarkWindows(b *testing.B) {
	for _, size := range []struct {
		name     string
		messages int
	}{{"10k", 10_000}, {"100k", 100_000}} {
		costs := ones(size.messages)
		for _, budget := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/window=%d", size.name, budget), func(b *testing.B) {
				for b.Loop() {
					p := newWindows(1, size.messages, budget, unnumbered)
					plan(b, p, costs, halves)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size.messages), "ns/message")
			})
		}
	}
}
