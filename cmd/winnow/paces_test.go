package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/tui"
)

// paceKeys is how many verdicts TestVerdictsAtAnyPace types at each pace.
const paceKeys = 60

// TestVerdictsAtAnyPace types verdicts faster than the screen is answered, while
// sessions are imported and cut: each is one entry of the journal, in the order
// of the keys, no segment gets two, and each is on messages that the screen had.
func TestVerdictsAtAnyPace(t *testing.T) {
	for _, pace := range []int{0, 3, 10, 30, 80} { // milliseconds between two keys
		t.Run(fmt.Sprint(pace), func(t *testing.T) {
			t.Parallel()
			testPace(t, pace, rand.New(rand.NewPCG(2, uint64(pace))))
		})
	}
}

func testPace(t *testing.T, pace int, random *rand.Rand) {
	b := newBench(t)
	bring := func(from, to int) {
		args := []string{"import"}
		for i := from; i < to; i++ {
			args = append(args, b.file(fmt.Sprintf("s%03d.jsonl", i), strings.ReplaceAll(cleared, "parser", fmt.Sprint("parser ", i))))
		}
		b.ok(args...)
	}
	come := paceKeys + 10
	bring(0, come)
	var want []review.Verdict
	had := &handedOut{content: map[string]bool{}}
	now := b.env.now()
	env := b.env
	b.env.stdinTTY, b.env.stdoutTTY = true, true
	b.env.show = func(_ context.Context, o tui.Options) error {
		had.Library = o.Library
		o.Library, o.Now = had, func() time.Time { return now }
		d := b.driven(o)
		d.delay = func() bool { return true }
		d.start(120, 40)
		for range paceKeys {
			key := []string{"a", "r"}[random.IntN(2)]
			want = append(want, verdictKey[key])
			d.press(key)
			now = now.Add(time.Duration(pace) * time.Millisecond)
			switch random.IntN(12) {
			case 0:
				bring(come, come+1)
				come++
			case 1:
				b.ok("segment")
			case 2, 3, 4:
				d.tick()
			}
			for range min(random.IntN(1+pace), len(d.pending)) {
				d.answer(random.IntN(len(d.pending)))
			}
		}
		for range 3 {
			d.settle()
			d.tick()
		}
		return nil
	}
	b.ok()
	b.env = env
	var got []review.Verdict
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimSpace(b.ok("log", "--json", "--limit", "0")), "\n")
	for _, line := range slices.Backward(lines) {
		var e tell.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Action != review.ActJudge {
			continue
		}
		c := e.Changes[0]
		if seen[c.Segment] || len(e.Changes) != 1 {
			t.Errorf("entry %d: %d changes, on %s", e.ID, len(e.Changes), c.Segment)
		}
		seen[c.Segment] = true
		got = append(got, c.After.Verdict)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d entries of %d keys:\n%v\nwant\n%v", len(got), len(want), got, want)
	}
	for _, row := range b.listed("status:approved or status:rejected") {
		if !had.content[row.Fingerprint] {
			t.Errorf("%s was judged as nobody saw it", row.ID)
		}
	}
	b.ok("doctor")
}

// answer runs one of the commands that were kept back; what follows from it is
// kept back.
func (d *driven) answer(i int) {
	cmd, delay := d.pending[i], d.delay
	d.pending = slices.Delete(d.pending, i, i+1)
	d.delay = func() bool {
		d.delay = delay
		return false
	}
	d.run(cmd)
}

// handedOut is a library that keeps the content of what it gave the screen.
type handedOut struct {
	tui.Library
	content map[string]bool // fingerprints
}

// Segments implements tui.Library.
func (h *handedOut) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	p, err := h.Library.Segments(ctx, q)
	for i := range p.Segments {
		h.content[p.Segments[i].Fingerprint] = true
	}
	return p, err
}
