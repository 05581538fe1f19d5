package learn

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/metric"
	"winnow/core/review"
)

// made returns segments of sessions of two whose verdicts follow what is measured
// with a noise: failures are bad, a tool is good.
func made(n int, noise float64, seed uint64) []Example {
	r := rand.New(rand.NewPCG(seed, 1))
	var list []Example
	for i := range n {
		fails, search := r.IntN(6), r.IntN(2)
		good := 2-float64(fails)+2*float64(search)+noise*r.NormFloat64() > 0
		e := Example{ID: fmt.Sprintf("%08x", r.Uint32()), Session: fmt.Sprint(i / 2), Approved: good}
		e.Tally = review.Tally{Messages: 5 + r.IntN(90), Turns: 1 + r.IntN(3), ToolCalls: 6, ToolFails: fails, Tokens: 100 + r.IntN(20000)}
		e.Scored, e.TaskType, e.Model = true, []string{"code", "qa", "ops"}[r.IntN(3)], []string{"one", "two"}[r.IntN(2)]
		for range metric.Names()[:8] {
			e.Measures = append(e.Measures, uint16(r.IntN(metric.ScoreUnit+1)))
		}
		for range metric.Names()[8:] {
			e.Measures = append(e.Measures, metric.Unmeasured)
		}
		if r.IntN(3) == 0 {
			e.Flags = append(e.Flags, "loop")
		}
		e.Tools = append(e.Tools, Tool{Name: "edit", Calls: 6, Failures: fails})
		if search > 0 {
			e.Tools = append(e.Tools, Tool{Name: "search", Calls: 1})
		}
		list = append(list, e)
	}
	return list
}

func encoded(t testing.TB, m Model) string {
	t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What verdicts follow is found, and foretold of others.
func TestLearn(t *testing.T) {
	for _, n := range []int{60, 300, 2000} {
		m := Learn(made(n, .5, 1))
		if !m.Knows() || m.AUC < .85 || m.Brier > m.Base || m.Approved+m.Rejected != n || m.Sessions != n/2 {
			t.Fatalf("of %d verdicts: %+v", n, m)
		}
		weight := map[string]float64{}
		for _, c := range m.Columns {
			weight[c.Kind+" "+c.Name] = c.Weight
		}
		if weight["count failures"] >= 0 || weight["tool search"] <= 0 {
			t.Errorf("of %d verdicts: weights %v", n, weight)
		}
		p, others := m.Predictor(), made(1000, .5, 2)
		believed, good := make([]float64, len(others)), make([]float64, len(others))
		for i := range others {
			if believed[i] = p.Likely(&others[i].Facts); others[i].Approved {
				good[i] = 1
			}
		}
		if f := FiguresOf(believed, good); f.AUC < .85 || f.Brier > f.Base-.05 {
			t.Errorf("of %d verdicts: AUC %v, Brier %v of %v", n, f.AUC, f.Brier, f.Base)
		}
	}
}

// The same verdicts give the same bytes in whatever order they come.
func TestOrder(t *testing.T) {
	for _, n := range []int{40, 500, 1500} {
		list := made(n, 1, 3)
		want := encoded(t, Learn(list))
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 5))
			r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
			before := slices.Clone(list)
			if got := encoded(t, Learn(list)); got != want {
				t.Fatalf("%d verdicts in another order:\n%s\n%s", n, got, want)
			}
			for i := range list {
				if list[i].ID != before[i].ID {
					t.Fatal("the examples were moved")
				}
			}
		}
	}
}

// Of too little, and of verdicts that follow nothing, nothing is learned, and why
// is said.
func TestNothing(t *testing.T) {
	one := made(60, .5, 1)
	for i := range one {
		one[i].Session = "s"
	}
	few := made(25, .5, 1)
	alike := made(60, .5, 1)
	for i := range alike {
		alike[i].Facts = alike[0].Facts
	}
	for _, c := range []struct {
		name string
		list []Example
		why  string
	}{
		{"none", nil, "it takes 15 approved and 15 rejected segments, there are 0 and 0"},
		{"few", few, "it takes 15 approved and 15 rejected segments"},
		{"one session", one, "it takes verdicts on 5 sessions, there are 1"},
		{"all alike", alike, "not surely better than chance"},
	} {
		if m := Learn(c.list); m.Knows() || m.Predictor() != nil || !strings.Contains(m.Nothing, c.why) {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
	told := 0
	for seed := range uint64(50) {
		list, r := made(60, .5, seed), rand.New(rand.NewPCG(seed, 9))
		for i := range list {
			list[i].Approved = r.IntN(2) == 0
		}
		if m := Learn(list); !m.Knows() && m.Nothing != "" {
			told++
		}
	}
	if told < 42 {
		t.Errorf("of 50 who approve at random, %d were told that nothing can be learned", told)
	}
}

// Values that nobody measures make no numbers that are none.
func TestStrangeFacts(t *testing.T) {
	list := made(60, .5, 1)
	for i := range list {
		switch i % 4 {
		case 0:
			list[i].Facts = Facts{}
		case 1:
			list[i].Tokens, list[i].Messages, list[i].ToolFails = math.MaxInt, -1, math.MinInt
		case 2:
			list[i].Measures, list[i].Tools = list[i].Measures[:1], []Tool{{Name: ""}, {Name: "\x1b[31m"}, {Name: "\x1b[31m"}}
		}
	}
	m := Learn(list)
	encoded(t, m)
	if p := m.Predictor(); p != nil {
		for i := range list {
			if x := p.Likely(&list[i].Facts); !(x >= .01 && x <= .99) {
				t.Errorf("likely %v", x)
			}
		}
	}
}

func TestAUC(t *testing.T) {
	for _, c := range []struct {
		value, good []float64
		want        float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{0, 0, 1, 1}, 1},
		{[]float64{1, 2, 3, 4}, []float64{1, 1, 0, 0}, 0},
		{[]float64{1, 1, 1, 1}, []float64{1, 0, 1, 0}, .5},
		{[]float64{1, 2, 2, 3}, []float64{0, 1, 0, 1}, .875},
		{[]float64{1, 2}, []float64{1, 1}, .5},
		{nil, nil, .5},
	} {
		if got := auc(c.value, c.good); got != c.want {
			t.Errorf("auc(%v, %v) = %v, want %v", c.value, c.good, got, c.want)
		}
	}
}

func TestFigures(t *testing.T) {
	f := FiguresOf([]float64{.1, .1, .9, .9}, []float64{0, 1, 1, 1})
	if f.Brier != .21 || f.Base != .1875 || len(f.Bands) != 2 {
		t.Errorf("%+v", f)
	}
	if b := f.Bands[0]; b != (Band{0, .2, 2, .1, 1}) {
		t.Errorf("%+v", b)
	}
}

// The root of a matrix solves it.
func TestCholesky(t *testing.T) {
	a := []float64{4, 0, 0, 2, 5, 0, 1, 3, 6}
	b := []float64{4*1 + 2*2 + 1*3, 2*1 + 5*2 + 3*3, 1*1 + 3*2 + 6*3}
	if !cholesky(a, 3) {
		t.Fatal("no root")
	}
	solve(a, 3, b)
	for i, want := range []float64{1, 2, 3} {
		if math.Abs(b[i]-want) > 1e-12 {
			t.Errorf("x[%d] = %v, want %v", i, b[i], want)
		}
	}
	if cholesky([]float64{1, 0, 2, 1}, 2) {
		t.Error("a root of what has none")
	}
}

func BenchmarkLearn(b *testing.B) {
	for _, n := range []int{60, 1000, 10_000} {
		list := made(n, 1, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Learn(list)
			}
		})
	}
}

func BenchmarkLikely(b *testing.B) {
	list := made(1000, 1, 1)
	m := Learn(list)
	p := m.Predictor()
	i := 0
	for b.Loop() {
		p.Likely(&list[i%len(list)].Facts)
		i++
	}
}
