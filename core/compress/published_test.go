package compress

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/compress/compat"
)

// randomVector is a case with turns in an order that agents record: mostly one
// request, then calls with responses.
func randomVector(rnd *rand.Rand) (v vector) {
	type turn struct {
		From  string `json:"from"`
		Value string `json:"value"`
	}
	var turns []turn
	say := func(from string, most int) {
		turns = append(turns, turn{from, strings.Repeat("lorem ", rnd.IntN(most))})
	}
	if rnd.IntN(4) > 0 {
		say("system", 30)
	}
	say("human", 20)
	for range rnd.IntN(14) {
		switch say("gpt", 60); {
		case rnd.IntN(5) > 0:
			for range 1 + rnd.IntN(3) {
				say("tool", 80)
			}
		case rnd.IntN(4) == 0:
			say("human", 20)
		}
	}
	if rnd.IntN(3) > 0 {
		say("gpt", 30)
	}
	v.Tokenizer, v.Input = "chars4", nil
	v.Input, _ = json.Marshal(map[string]any{"conversations": turns})
	f := &v.Config
	f.Target, f.Summary, f.Last, f.Retries, f.Per = rnd.IntN(900), rnd.IntN(120), rnd.IntN(7), 1, true
	f.System, f.Human, f.GPT, f.Tool = rnd.IntN(8) > 0, rnd.IntN(8) > 0, rnd.IntN(8) > 0, rnd.IntN(8) > 0
	f.Notice, f.NoticeText = rnd.IntN(2) > 0, " noticed"
	text := strings.Repeat("done ", 1+rnd.IntN(40))
	v.Replies = []reply{{Content: &text}}
	return v
}

// flawed reports whether the published program does something to a case that
// this one does not do.
func flawed(v *vector, r *compat.Result, messages []chat.Message) bool {
	other := v.compressor()
	other.Flaws = 0
	if o := other.Entry(context.Background(), v.Input); o.Plan.Start != r.Plan.Start || o.Plan.End != r.Plan.End || o.Outcome != r.Outcome {
		return true
	}
	if !r.Metrics.WasCompressed {
		return r.Outcome == compat.Failed
	}
	p := &r.Plan
	for i := max(0, p.Start-1); i < min(len(messages), p.End+1); i++ {
		if role := messages[i].Role; role == chat.User || role == chat.System && i >= p.Start && i < p.End {
			return true
		}
	}
	n, _ := v.count(*v.Replies[0].Content)
	return r.Metrics.TokensSaved <= 0 || n > (muchTooLong-1)*v.Config.Summary
}

// TestAsPublished compares the careful mode with the other one on random cases.
func TestAsPublished(t *testing.T) {
	cases := 20000
	if !whole {
		cases = 3000
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	compared, compressed, off := 0, 0, 0
	for range cases {
		v := randomVector(rnd)
		messages, turns := v.messages()
		want := v.compressor().Entry(t.Context(), v.Input)
		r := Compress(t.Context(), messages, v.options())
		if err := wrong(messages, &r); err != nil {
			t.Fatalf("%v: %s", err, v.Input)
		}
		if flawed(&v, &want, messages) {
			continue
		}
		compared++
		if want.Metrics.WasCompressed {
			compressed++
		}
		if got := v.entry(t, &r, messages, turns); fmt.Sprint(parsed(t, got)) != fmt.Sprint(parsed(t, want.Entry)) || !sameMetrics(&r, &want, len(messages), v.Config.Target) {
			if off++; off < 5 {
				t.Errorf("%+v: %s %v of\n%s\nwant %s %+v", v.Config, r.Outcome, r.Regions, v.Input, want.Outcome, want.Plan)
			}
		}
	}
	if compared < cases/4 || compressed < cases/50 {
		t.Errorf("only %d compared, %d of them compressed", compared, compressed)
	}
	t.Logf("%d compared, %d compressed, %d differ", compared, compressed, off)
}

func sameMetrics(r *Result, want *compat.Result, messages, target int) bool {
	m := r.Metrics(messages, target)
	return string(m.AppendJSON(nil)) == string(want.Metrics.AppendJSON(nil))
}
