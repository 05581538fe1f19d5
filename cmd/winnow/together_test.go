package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

// curators have a screen each, on one database.
var curators = []string{"ann", "ben", "cat", "dan"}

// screens opens a screen for each of some curators on the database of the
// bench, each as a program of its own, and calls f with them.
func (b *bench) screens(names []string, f func([]*driven)) {
	b.t.Helper()
	var all []*driven
	var open func()
	open = func() {
		if len(all) == len(names) {
			f(all)
			for _, d := range all {
				d.settle()
			}
			return
		}
		b.drive(func(d *driven) {
			all = append(all, d)
			open()
		}, "--reviewer", names[len(all)])
	}
	open()
}

// pendingRow is the selected row of a segment that has no verdict.
var pendingRow = regexp.MustCompile(`(?m)^▌[^│\n]?●`)

// reads are keys that read and decide nothing.
var reads = []string{"tab", "tab J K", "tab pgdown", "tab h", "enter", "esc", "y", "i esc", "w esc", "? esc"}

// turn has a screen do something: a verdict on what it was led to, else the way
// to what comes next; or it reads, or time goes by.
func turn(d *driven, random *rand.Rand) {
	if random.IntN(4) == 0 {
		d.delay = func() bool { return len(d.pending) < 6 && random.IntN(3) == 0 }
	}
	switch n := random.IntN(10); {
	case n < 6 && pendingRow.MatchString(d.screen()):
		d.press([]string{"a", "r", "f"}[random.IntN(3)])
	case n < 6:
		d.press("N")
	case n < 8:
		d.tick()
	default:
		d.press(reads[random.IntN(len(reads))])
		d.press("esc esc") // back to the list
	}
	if random.IntN(2) == 0 {
		d.settle()
	}
}

// counted are the verdicts as a header tells them.
var counted = regexp.MustCompile(`(\d+) (approved|rejected|unsure)`)

// verdicts counts the segments by verdict.
func (b *bench) verdicts() tell.SegmentStats {
	b.t.Helper()
	var s tell.Stats
	if err := json.Unmarshal([]byte(b.ok("stats", "--json")), &s); err != nil {
		b.t.Fatal(err)
	}
	return s.Segments
}

// judgedByAll has random screens work until nothing is pending.
func (b *bench) judgedByAll(all []*driven, random *rand.Rand) {
	b.t.Helper()
	for range 200 {
		for range 5 * len(all) {
			d := all[random.IntN(len(all))]
			turn(d, random)
		}
		for _, d := range all {
			d.settle()
		}
		if b.verdicts().Pending == 0 {
			return
		}
	}
	for _, d := range all {
		b.t.Log(d.screen())
	}
	b.t.Fatalf("%d segments are pending, and nobody gets to them", b.verdicts().Pending)
}

// checkOnce fails unless every segment got one verdict.
func (b *bench) checkOnce() {
	b.t.Helper()
	by := map[string]string{}
	for line := range strings.Lines(b.ok("log", "--json", "--limit", "0")) {
		var e tell.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.t.Fatal(err)
		}
		for _, c := range e.Changes {
			if other := by[c.Segment]; other != "" {
				b.t.Errorf("%s and %s judged %s", e.Curator, other, review.Short(c.Segment))
			}
			by[c.Segment] = e.Curator
		}
	}
	if n := b.verdicts().Total; len(by) != n {
		b.t.Errorf("%d of %d segments were judged", len(by), n)
	}
	for _, name := range curators {
		if !slices.Contains(slices.Collect(maps.Values(by)), name) {
			b.t.Errorf("%s judged nothing", name)
		}
	}
}

// checkCounts fails unless every screen tells what the database holds.
func (b *bench) checkCounts(all []*driven) {
	b.t.Helper()
	now := b.verdicts()
	want := map[string]string{"approved": strconv.Itoa(now.Approved), "rejected": strconv.Itoa(now.Rejected), "unsure": strconv.Itoa(now.Unsure)}
	for i, d := range all {
		d.settle()
		d.rest()
		got := map[string]string{}
		header, _, _ := strings.Cut(d.screen(), "\n")
		for _, m := range counted.FindAllStringSubmatch(header, -1) {
			got[m[2]] = m[1]
		}
		for verdict, n := range want {
			if cmp.Or(got[verdict], "0") != n {
				b.t.Errorf("the screen of %s has %s %s, the database %s: %s", curators[i], got[verdict], verdict, n, header)
			}
		}
		if strings.Contains(d.screen(), "●") {
			b.t.Errorf("the screen of %s has what is pending:\n%s", curators[i], d.screen())
		}
	}
}

// alikeSessions are groups of three sessions that are nearly the same.
func alikeSessions(groups int) string {
	random := rand.New(rand.NewPCG(3, 3))
	var out strings.Builder
	for g := range groups {
		var text strings.Builder
		for range 60 {
			fmt.Fprintf(&text, "w%d ", random.IntN(5000))
		}
		for n := range 3 {
			fmt.Fprintf(&out, `{"messages":[{"role":"user","content":"Task %d: %s"},{"role":"assistant","content":"%s version %d"}]}`+"\n", g, text.String(), text.String(), n)
		}
	}
	return out.String()
}

// Four curators, each at a screen, judge what there is, in whatever order and
// however late the database answers: all of it, and nothing twice unless they
// go back to it. In the end every screen tells the same.
func TestManyScreensAtOnce(t *testing.T) {
	until := time.Time{}
	if text := os.Getenv("TOGETHER"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		until = time.Now().Add(d)
	}
	for seed := uint64(1); seed <= max(1, rounds/slower) || time.Now().Before(until); seed++ {
		b := sampleBench(t)
		b.ok("import", b.file("alike.jsonl", alikeSessions(12)))
		b.ok("segment")
		b.ok("score")
		if seed%2 == 1 {
			b.ok("similar")
		}
		b.screens(curators, func(all []*driven) {
			random := rand.New(rand.NewPCG(19, seed))
			b.judgedByAll(all, random)
			b.checkOnce()
			b.checkCounts(all)
			for range 40 { // they think again
				d := all[random.IntN(len(all))]
				d.press(handKeys[random.IntN(len(handKeys))])
				d.rest()
			}
			b.judgedByAll(all, random)
			b.checkCounts(all)
		})
		b.ok("doctor")
	}
}

// rounds is how often they do so if no time is given.
const rounds = 4

// handKeys are what curators do to what is judged.
var handKeys = []string{"u", "u", "U", "x", "j x", "k k r", "G a", "g f", "j j space k space X X", "z j x", "B B", "o o", "t k enter"}
