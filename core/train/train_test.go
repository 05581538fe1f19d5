package train

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"winnow/core/chat"
)

func TestParseMetrics(t *testing.T) {
	p := func(step int, name string, v float64) Point { return Point{step, name, v} }
	for line, want := range map[string][]Point{
		`{'loss': 0.9, 'epoch': 1.0}`:                                          {p(8, "epoch", 1), p(8, "loss", 0.9)},
		`{"loss": 0.9, "step": 40}`:                                            {p(40, "loss", 0.9)},
		`{"reward": -1e-05, "global_step": 4.0, "ok": true}`:                   {p(4, "reward", -1e-5)},
		"  5%|▌ | 5/93 [00:01]\r{'loss': '1.25', 'learning_rate': 1e-05, }\n":  {p(8, "learning_rate", 1e-5), p(8, "loss", 1.25)},
		`{'loss': 2, 'global_step/max_steps': '5/93', 'elapsed_time': '10s'}`:  {p(5, "loss", 2)},
		`{'loss': nan, 'grad_norm': np.float64(0.5), 'epoch': inf, 'x': None}`: {p(8, "grad_norm", 0.5)},
		`{'loss': tensor(2.5), 'by': [1, {'a': (2, 3,)}], 'in': {'x': 1}}`:     {p(8, "loss", 2.5)},
		`INFO {not this} {'eval_loss': 3} and more`:                            {p(8, "eval_loss", 3)},
		`{"l\u006fss": 1, "step": -3}`:                                         {p(8, "loss", 1)},
		`{"train/loss": 1, "step": 1.5}`:                                       {p(8, "train/loss", 1)},
		`{'lr': 1e-5, 'batch_size': 4}`:                                        nil, // arguments, no metrics
		`config {"lr": 1e-5}`:                                                  nil,
		`{"loss": "low"}`:                                                      nil,
		`{"loss": NaN}`:                                                        nil,
		`{"step": 3}`:                                                          nil,
		`{'loss': 0.9`:                                                         nil,
		`{'loss' 0.9}`:                                                         nil,
		`loss: 0.9`:                                                            nil,
		``:                                                                     nil,
		`{}`:                                                                   nil,
		`{"` + strings.Repeat("x", mostName+1) + `": 1}`:                       nil,
		strings.Repeat(`{'a':`, 100) + "1":                                     nil,
	} {
		got, next, told := ParseMetrics(line, 7)
		wantNext := 7
		if len(want) > 0 {
			wantNext = want[0].Step
		}
		if !reflect.DeepEqual(got, want) || next != wantNext || told != (next != 7 && next != 8) {
			t.Errorf("%q: %v, %d\nwant %v, %d", line, got, next, want, wantNext)
		}
	}
}

func FuzzMetrics(f *testing.F) {
	for _, line := range []string{
		`{'loss': 0.9, 'epoch': 1.0}`, `{"loss": 1, "step": 4, "by": {"x": [1, (2,)]}}`, "10%|x| {'loss': '1.5', 'a\\x41': np.float64(2)}", `{"metrics": {"a": 1}, "n": 20, "model": "m"}`,
	} {
		f.Add(line, 3)
	}
	f.Fuzz(func(t *testing.T, line string, step int) {
		points, next, _ := ParseMetrics(line, step)
		if len(points) == 0 && next != step {
			t.Errorf("no points, and step %d", next)
		}
		for _, p := range points {
			if p.Name == "" || !utf8.ValidString(p.Name) || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Step != next {
				t.Errorf("%+v at %d", p, next)
			}
		}
		ParseResult([]byte(line))
		if m, n, err := ParseEval(line); err == nil && (len(m) == 0 || n < 0) {
			t.Error(m, n)
		}
	})
}

func TestParseResult(t *testing.T) {
	for text, want := range map[string]Result{
		`{"model": "out/m", "checkpoint": "c-5", "metrics": {"loss": 0.5, "x": "y", "z": NaN}}` + "\n": {"out/m", "c-5", map[string]float64{"loss": 0.5}},
		`{}`:                             {},
		`{"model": null, "more": [1]}`:   {},
		`{'model': 'it\'s', "other": 1}`: {Model: "it's"},
	} {
		if got, err := ParseResult([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"": "is empty", "[1]": `is "[1]"`, `{"model": 5}`: "model must be a text", `{} {}`: "must be an object", strings.Repeat("ä", 99): "…"} {
		if _, err := ParseResult([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParseEval(t *testing.T) {
	m, n, err := ParseEval(`{"metrics":{"pass":0.62},"n":200}` + "\n")
	if err != nil || n != 200 || !reflect.DeepEqual(m, map[string]float64{"pass": 0.62}) {
		t.Error(m, n, err)
	}
	if m, n, err = ParseEval(`{'metrics': {'pass': '1'}}`); err != nil || n != 0 || m["pass"] != 1 {
		t.Error(m, n, err)
	}
	for line, want := range map[string]string{
		"": "is empty", `{"pass": 0.6}`: "last line", `{"metrics": {"pass": NaN}}`: "last line", `{"metrics":{"a":1},"n":-1}`: "n must be", `{"metrics":{"a":1}} x`: "last line",
	} {
		if _, _, err := ParseEval(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestExpand(t *testing.T) {
	values := map[string]string{"train": "a {out} b", "validation": "", "run": "7"}
	got, err := Expand([]string{"x", "--data={train}", "{run}-{run}", "{validation}", `{"lr": 1}`, "{}", "${HOME}"}, values)
	if want := []string{"x", "--data=a {out} b", "7-7", "", `{"lr": 1}`, "{}", "${HOME}"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for arg, want := range map[string]string{"{trian}": "{trian}: no such placeholder: there are {data}, {train}", "a{model}": "{model} has no value here"} {
		if got, err := Expand([]string{"{run}", arg}, values); got != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %q, %v", arg, got, err)
		}
	}
}

func TestVerdict(t *testing.T) {
	now := time.Unix(1e9, 0)
	l := Limits{When: 100, MinTotal: 150, MaxFailures: 2, Cooldown: 24 * time.Hour}
	for _, c := range []struct {
		counts Counts
		want   Verdict
	}{
		{Counts{Held: 5}, Verdict{false, false, false, "nothing to train on: no segment is approved"}},
		{Counts{Ready: 500}, Verdict{false, false, false, "nothing new to train on"}},
		{Counts{Ready: 500, New: 99}, Verdict{false, false, false, "99 of 100 new samples"}},
		{Counts{Ready: 149, New: 100}, Verdict{false, false, false, "100 new samples, but 149 approved in all, of at least 150"}},
		{Counts{Ready: 150, New: 100}, Verdict{true, true, false, "due: 100 new samples"}},
		{Counts{Ready: 150, New: 100, Failing: 1}, Verdict{true, true, false, "due: 100 new samples"}},
		{Counts{Ready: 150, New: 100, Failing: 2}, Verdict{true, false, true, "due: 100 new samples; the last 2 runs failed, so it waits for you"}},
		{Counts{Ready: 150, New: 100, Failing: 2, Last: now}, Verdict{true, false, true, "due: 100 new samples; the last 2 runs failed, so it waits for you"}},
		{Counts{Ready: 500, New: 9, Failing: 3}, Verdict{false, false, true, "9 of 100 new samples; the last 3 runs failed, so it waits for you"}},
		{Counts{Ready: 150, New: 100, Last: now.Add(-23*time.Hour - time.Second)}, Verdict{true, false, false, "due: 100 new samples; the next run may begin in 60 min"}},
		{Counts{Ready: 150, New: 100, Last: now.Add(-time.Hour)}, Verdict{true, false, false, "due: 100 new samples; the next run may begin in 23 h"}},
		{Counts{Ready: 150, New: 100, Last: now.Add(-24 * time.Hour)}, Verdict{true, true, false, "due: 100 new samples"}},
	} {
		if got := l.Verdict(c.counts, now); got != c.want {
			t.Errorf("%+v: %+v\nwant %+v", c.counts, got, c.want)
		}
	}
	if v := (Limits{}).Verdict(Counts{Ready: 1, New: 1, Failing: 9}, now); v != (Verdict{true, true, false, "due: 1 new sample"}) {
		t.Error(v)
	}
	last := Run{ID: 6, Status: Succeeded, Manifest: "ab"}
	if err := NothingNew(last, "ab"); err == nil || !strings.HasPrefix(err.Error(), "nothing new to train on: the data is that of run 6") {
		t.Error(err)
	}
	if err := NothingNew(last, "cd"); err != nil {
		t.Error(err)
	}
	if err := NothingNew(Run{}, ""); err != nil {
		t.Error(err)
	}
}

func TestPromotable(t *testing.T) {
	e := func(subject, name string, v float64) Eval { return Eval{Subject: subject, Name: name, Value: v} }
	for _, c := range []struct {
		gain  float64
		evals []Eval
		want  string
	}{
		{0, nil, ""},
		{0.1, nil, "neither base nor result was measured"},
		{0.1, []Eval{e(OfBase, "a", 1), e(OfResult, "b", 2)}, "not measured by the same"},
		{0.1, []Eval{e(OfBase, "a", 0.6), e(OfResult, "a", 0.7)}, ""},
		{0.1, []Eval{e(OfBase, "a", 0.6), e(OfResult, "a", 0.65)}, "a was 0.6 and is 0.65: it gains 0.05, of at least 0.1"},
		{0.1, []Eval{e(OfBase, "eval_loss", 2), e(OfResult, "eval_loss", 1)}, ""},
		{0.1, []Eval{e(OfBase, "eval_loss", 1), e(OfResult, "eval_loss", 2)}, "it gains -1"},
		{0.1, []Eval{e(OfBase, "a", 0), e(OfResult, "a", 1), e(OfBase, "b", 1), e(OfResult, "b", 1)}, "b was 1 and is 1: it gains 0,"},
	} {
		if err := Promotable(c.evals, c.gain); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v by %v: %v", c.evals, c.gain, err)
		}
	}
}

// TestWilson compares with values of other programs, and looks for the ends as the
// definition has them.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{41, 50, 0.6920, 0.9023}, {120, 169, 0.6376, 0.7732}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {1, 2, 0.0945, 0.9055}, {0, 0, 0, 1}} {
		if low, high := Wilson(c.k, c.n); math.Abs(low-c.low) > 6e-5 || math.Abs(high-c.high) > 6e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
	for n := 1; n < 60; n += 7 {
		for k := range n + 1 {
			low, high := Wilson(k, n)
			p := float64(k) / float64(n)
			for _, end := range []float64{low, high} { // |p - end| is z times the deviation at the end
				if far := math.Abs(p-end) - 1.959964*math.Sqrt(end*(1-end)/float64(n)); math.Abs(far) > 1e-6 && end != p {
					t.Errorf("%d of %d: %v", k, n, end)
				}
			}
		}
	}
}

func TestThin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		most := 2 + r.IntN(50)
		var list []Point
		for step, n := r.IntN(9)-4, r.IntN(400); len(list) < n; step += 1 + r.IntN(1+r.IntN(1000)) {
			list = append(list, Point{Step: step, Name: "loss"})
		}
		was := slices.Clone(list)
		got := Thin(list, most)
		switch {
		case !slices.Equal(list, was):
			t.Fatal("the list was changed")
		case len(list) <= most:
			if !slices.Equal(got, list) {
				t.Fatalf("%v of %v", got, list)
			}
			continue
		case len(got) > most || len(got) < 2 || got[0] != list[0] || got[len(got)-1] != list[len(list)-1]:
			t.Fatalf("%v of %v, at most %d", got, list, most)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Step <= got[i-1].Step || !slices.Contains(list, got[i]) {
				t.Fatalf("%v of %v", got, list)
			}
		}
	}
	list := []Point{{Step: math.MinInt}, {Step: 0}, {Step: 1}, {Step: math.MaxInt}}
	if got := Thin(list, 3); len(got) < 2 || got[len(got)-1] != list[3] {
		t.Error(got)
	}
}

func TestDetailsAreOfAllContent(t *testing.T) {
	a := chat.Digest{Fingerprint: "f", Detail: "d"}
	for _, b := range []chat.Digest{{Fingerprint: "g", Detail: "d"}, {Fingerprint: "f", Detail: "e"}, {Fingerprint: "f", Detail: "d", Edited: "x"}} {
		if DetailOf(a) == DetailOf(b) {
			t.Error(a, b)
		}
	}
}
