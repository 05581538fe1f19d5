package compat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var errDown = errors.New("down")

// long is an entry of a system turn, a request and calls with responses, ten
// tokens each.
func long(calls int) string {
	var b strings.Builder
	b.WriteString(`{"id":1,"conversations":[{"from":"system","value":"0123456789"},{"from":"human","value":"0123456789"}`)
	for range calls {
		b.WriteString(`,{"from":"gpt","value":"0123456789"},{"from":"tool","value":"0123456789"}`)
	}
	b.WriteString(`,{"from":"gpt","value":"0123456789"}]}`)
	return b.String()
}

// small compresses to 60 characters, each a token, and never waits.
func small(ask func(context.Context, Request) (Reply, error)) *Compressor {
	c := Defaults()
	c.TargetMaxTokens, c.SummaryTargetTokens, c.LastNTurns = 60, 5, 1
	return &Compressor{
		Config: c, Ask: ask, Count: func(s string) (int, error) { return len(s), nil },
		Wait: func(context.Context, time.Duration) error { return nil },
	}
}

func answers(text string) func(context.Context, Request) (Reply, error) {
	return func(context.Context, Request) (Reply, error) { return Reply{Content: text}, nil }
}

// TestFlaws checks that what the published program spoils stays as it was
// unless it is asked for.
func TestFlaws(t *testing.T) {
	fails := func(context.Context, Request) (Reply, error) { return Reply{}, errDown }
	hangs := func(context.Context, Request) (Reply, error) { select {} }
	for _, test := range []struct {
		name    string
		ask     func(context.Context, Request) (Reply, error)
		flaws   Flaws
		outcome Outcome
		holds   string // in the entry; "" if it is as it was
	}{
		{"fails", fails, 0, Unsummarized, ""},
		{"fails", fails, Filler, Fallback, "Summary generation failed"},
		{"empty", answers(" \n"), 0, Unsummarized, ""},
		{"empty", answers(" \n"), Filler, Compressed, `"[CONTEXT SUMMARY]:"`},
		{"hangs", hangs, 0, Failed, ""},
		{"hangs", hangs, Drop, Dropped, ""},
		{"answers", answers("done"), 0, Compressed, `"[CONTEXT SUMMARY]: done"`},
	} {
		t.Run(fmt.Sprint(test.name, test.flaws), func(t *testing.T) {
			c := small(test.ask)
			c.Flaws, c.Timeout = test.flaws, 20*time.Millisecond
			entry := long(4)
			r := c.Entry(t.Context(), []byte(entry))
			if r.Outcome != test.outcome || test.holds == "" && r.Metrics.WasCompressed {
				t.Errorf("%s (%v), want %s", r.Outcome, r.Err, test.outcome)
			}
			switch {
			case test.outcome == Dropped:
				if r.Entry != nil || r.Err == nil {
					t.Errorf("entry %s, %v", r.Entry, r.Err)
				}
			case test.holds == "" && string(r.Entry) != entry, !strings.Contains(string(r.Entry), test.holds):
				t.Errorf("entry %s", r.Entry)
			}
		})
	}
}

// TestHeadByRole checks that without Midpoint a first response in the second half
// belongs to the head, and what comes after it is compressed.
func TestHeadByRole(t *testing.T) {
	entry := `{"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"},{"from":"gpt","value":"c"},` +
		`{"from":"gpt","value":"d"},{"from":"gpt","value":"e"},{"from":"gpt","value":"f"},{"from":"tool","value":"0123456789"},` +
		`{"from":"gpt","value":"0123456789012345678901234567890123456789"},{"from":"gpt","value":"z"}]}`
	for flaws, start := range map[Flaws]int{0: 7, Midpoint: 2} {
		c := small(answers("s"))
		c.Config.TargetMaxTokens, c.Config.SummaryTargetTokens, c.Flaws = 50, 1, flaws
		if r := c.Entry(t.Context(), []byte(entry)); r.Plan.Start != start {
			t.Errorf("%v: %+v, want a region from %d", flaws, r.Plan, start)
		}
	}
}

// TestNoAttempt checks that without attempts null becomes the summary, as is
// published, and only then.
func TestNoAttempt(t *testing.T) {
	c := small(answers("never asked"))
	c.Config.MaxRetries, c.Flaws = 0, All
	if r := c.Entry(t.Context(), []byte(long(4))); !strings.Contains(string(r.Entry), `"value": null}`) || r.Metrics.Calls != 0 {
		t.Errorf("%s", r.Entry)
	}
	c.Flaws = 0
	if r := c.Entry(t.Context(), []byte(long(4))); string(r.Entry) != long(4) {
		t.Errorf("%s", r.Entry)
	}
}

// TestWaits checks the times between attempts.
func TestWaits(t *testing.T) {
	for _, test := range []struct {
		delay float64
		want  []time.Duration
	}{
		{2, []time.Duration{2, 4, 8, 16, 30, 30}},
		{0, []time.Duration{30, 30, 30, 30, 30, 30}},
	} {
		c := small(func(context.Context, Request) (Reply, error) { return Reply{}, errDown })
		c.Config.MaxRetries, c.Config.RetryDelay = 7, test.delay
		var got []time.Duration
		c.Wait = func(_ context.Context, d time.Duration) error { got = append(got, d/time.Second); return nil }
		c.Entry(t.Context(), []byte(long(4)))
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%v: %v, want %v", test.delay, got, test.want)
		}
		c.Spread = func() float64 { return 1 }
		got = nil
		c.Entry(t.Context(), []byte(long(4)))
		if got[0] != test.want[0]*3/2 {
			t.Errorf("%v with spread: %v", test.delay, got)
		}
	}
}

// TestOddEntries checks what cannot be read: it is written as it was.
func TestOddEntries(t *testing.T) {
	many := strings.Repeat(`{"from":"gpt","value":"0123456789"},`, 9)
	for entry, want := range map[string]Outcome{
		`5`: UnderTarget, `{"a":1}`: UnderTarget, `{"conversations":[]}`: UnderTarget, `{"conversations":{}}`: UnderTarget,
		`{"conversations":null}`: Failed, `{"conversations":[5]}`: Failed, `{"conversations":"text"}`: Failed,
		`{"conversations":[{"from":"gpt","value":5}]}`:                                            Failed,
		`{"conversations":[{"from":"gpt","value":0.0},{"value":false},{}]}`:                       UnderTarget,
		`{"conversations":[{"from":[]},` + many + `{"from":"gpt"}]}`:                              Failed,
		`{"conversations":[` + many + `{"value":"x"},{"value":null}]}`:                            Compressed,
		`{"conversations":[` + many + `{"value":null},{"value":"x"},{}]}`:                         Compressed,
		`{"conversations":[{"from":"gpt","value":"s"},{"from":null,"value":"x"},` + many + `{}]}`: Failed,
		`{"conversations":[{"from":"system","value":null},` + many + `{}]}`:                       Failed,
		`{"conversations":[{"from":"system","value":"s"},` + many + `{}]}`:                        Compressed,
		`{"conversations":[{"from":"gpt","value":"s"},{},` + many + `{}]}`:                        Compressed,
		`{"conversations":[{"from":"gpt","value":[]},{},{},` + many + `{}]}`:                      Compressed,
	} {
		r := small(answers("s")).Entry(t.Context(), []byte(entry))
		if r.Outcome != want || want != Compressed && string(r.Entry) != entry {
			t.Errorf("%s: %s (%v), want %s\n%s", entry, r.Outcome, r.Err, want, r.Entry)
		}
	}
}

// TestCopyIsWhole checks that rows keep their order and count.
func TestCopyIsWhole(t *testing.T) {
	in := "{\"a\":\r1}\r\n\n  \n broken\t\n" + long(4) + "\r\n[1]\n\u00a0\n" + long(0)
	var out bytes.Buffer
	var sum Aggregate
	var told []string
	c := small(answers("s"))
	err := c.Copy(t.Context(), &out, strings.NewReader(in), &sum, func(line int, r *Result) {
		told = append(told, fmt.Sprint(line, " ", r.Outcome))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 under_target, 4 error_kept, 5 compressed, 6 under_target, 8 under_target"; strings.Join(told, ", ") != want {
		t.Errorf("%q", told)
	}
	if sum.Total != 4 || sum.Compressed != 1 || sum.Failed != 1 || strings.Count(out.String(), "\n") != 5 || !strings.HasPrefix(out.String(), "{\"a\":\r1}\r\n broken\t\n{") || !strings.Contains(out.String(), "}\r\n[1]\n") {
		t.Errorf("%+v\n%s", sum, out.String())
	}
	c.Flaws = Drop
	out.Reset()
	sum = Aggregate{}
	if err := c.Copy(t.Context(), &out, strings.NewReader(in), &sum, func(int, *Result) {}); err != nil || sum.Failed != 0 || strings.Count(out.String(), "\n") != 4 {
		t.Errorf("dropped: %v %+v\n%s", err, sum, out.String())
	}
}

// TestCopyKeepsOrder checks that rows that are worked on at once come out in their
// order, and that no more than so many wait.
func TestCopyKeepsOrder(t *testing.T) {
	var in, out bytes.Buffer
	for i := range 200 {
		fmt.Fprintln(&in, i)
	}
	want := in.String()
	var under, most atomic.Int64
	do := func(_ context.Context, line []byte) Result {
		most.Store(max(most.Load(), under.Add(1)))
		if line[len(line)-1] == '0' {
			time.Sleep(time.Millisecond)
		}
		under.Add(-1)
		return Result{Entry: line}
	}
	if err := Copy(t.Context(), &out, NewRows(&in).Next, 7, do, func(*Row, *Result) {}); err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, out.String())
	}
	if n := most.Load(); n > 7 || n < 2 {
		t.Errorf("%d at once", n)
	}
}

// TestRowsTellTheirPlace checks numbers and places. A carriage return ends no line.
func TestRowsTellTheirPlace(t *testing.T) {
	in := "\uFEFFa\r\n\n b\rc\r\rdd\n\u00a0\ne"
	rows := NewRows(strings.NewReader(in))
	var got []string
	for {
		row, err := rows.Next()
		if err != nil {
			break
		}
		if !strings.HasPrefix(in[row.At:], string(row.Line)) {
			t.Errorf("%q is not at %d", row.Line, row.At)
		}
		got = append(got, fmt.Sprintf("%d%s", row.Number, row.Line))
	}
	if want := "1a\r 3 b\rc\r\rdd 5e"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExcerpt(t *testing.T) {
	if s := strings.Repeat("ä", shownMost); excerpt(s) != s {
		t.Error("3000 characters are shortened")
	}
	s := strings.Repeat("ä", shownMost) + "€"
	got := excerpt(s)
	if !strings.HasPrefix(got, strings.Repeat("ä", shownFirst)+"\n[1001 of 3001") || !strings.HasSuffix(got, "\n"+strings.Repeat("ä", shownLast-1)+"€") {
		t.Errorf("%s", got)
	}
}

// TestRounded checks against round of Python.
func TestRounded(t *testing.T) {
	for f, want := range map[float64]string{1: "1.0", 0.67955: "0.6795", 2.0 / 3: "0.6667", 0.00005: "0.0001", 0.12345: "0.1235", -0.5: "-0.5"} {
		if got := rounded(f, 4); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}
