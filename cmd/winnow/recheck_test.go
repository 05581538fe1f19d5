package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/tui"
)

// talksBench is a bench with a file of so many sessions, each other than all.
func talksBench(t *testing.T, texts ...string) *bench {
	t.Helper()
	b := newBench(t)
	path := filepath.Join(t.TempDir(), "talks.jsonl")
	var lines strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&lines, `{"messages":[{"role":"user","content":%q},{"role":"assistant","content":"done"}]}`+"\n", text)
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	b.ok("import", path)
	return b
}

// What a recheck shows is in an order of chance in which what is decided and
// what is pending come mixed, whatever chose them and however many there are.
func TestRecheckMixes(t *testing.T) {
	var texts []string
	for i := range 120 {
		texts = append(texts, fmt.Sprintf("question %d of %s", i, map[bool]string{true: "some", false: "others"}[i%6 == 0]))
	}
	b := talksBench(t, texts...)
	b.ok("approve", "--filter", "some", "--yes")
	b.env.stdinTTY, b.env.stdoutTTY = true, true
	const seeds, n = 60, 5
	apart, runs := 0, 0
	b.env.show = func(ctx context.Context, o tui.Options) error {
		pending := map[string]bool{}
		for _, id := range o.Recheck.Pending {
			pending[id] = true
		}
		decided := map[string]bool{}
		for i := range o.Recheck.Decided {
			decided[o.Recheck.Decided[i].ID] = true
		}
		ids, err := o.Library.IDs(ctx, review.Query{Order: review.Random, Seed: o.Recheck.Seed})
		if err != nil {
			t.Fatal(err)
		}
		order := ""
		for _, id := range ids {
			if pending[id] {
				order += "p"
			} else if decided[id] {
				order += "d"
			}
		}
		if strings.Count(order, "p") != n || strings.Count(order, "d") != n {
			t.Fatalf("it shows %s", order)
		}
		now := 1 + strings.Count(order, "pd") + strings.Count(order, "dp")
		if runs += now; now == 2 {
			apart++
		}
		return nil
	}
	for seed := range seeds {
		b.ok("review", "--recheck", fmt.Sprint(n), "--seed", fmt.Sprint(seed+1))
	}
	// By chance there are six runs, and 2 of 252 orders are apart.
	if apart > 5 || runs < 5*seeds {
		t.Errorf("%d of %d orders have all of a kind first, %d runs", apart, seeds, runs)
	}
}
