package hub

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/review"
)

// TestALargeRewrittenFileKeepsTheSegmentsThatStandInIt: a change at the
// beginning of more than is stored at once takes no verdict after it away.
func TestALargeRewrittenFileKeepsTheSegmentsThatStandInIt(t *testing.T) {
	b := newBench(t)
	const n = 40
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(i, " ", strings.Repeat("long ", 2*commitBytes/n/5))
	}
	text := tasks(names...)
	path := b.write("s", text)
	b.load()
	b.cut(&everyN{n: 3}, false)
	ids := map[string]string{}
	for name, s := range b.byFirst(path) {
		s.Verdict, s.Reviewer, ids[name] = review.Approved, "ann", s.ID
	}
	b.write("s", strings.Replace(text, "is done", "is not done", 1))
	b.load()
	b.store.verifyCuts()
	now := b.byFirst(path)
	if len(now) != n {
		t.Fatalf("%d segments, were %d", len(now), n)
	}
	for _, name := range names[1:] {
		if s := now["please "+name]; s.ID != ids["please "+name] || s.Verdict != review.Approved || s.Stale {
			t.Errorf("segment %d is %s, %s, stale %t", s.Index, s.ID, s.Verdict, s.Stale)
		}
	}
}

// TestADamagedSessionIsReadAnew: what can't be compared any more does not keep
// its file from being read.
func TestADamagedSessionIsReadAnew(t *testing.T) {
	b := newBench(t)
	text := talk(30, 20<<10)
	path := b.write("s", text)
	b.load()
	b.cut(&everyN{n: 3}, false)
	for _, s := range b.byFirst(path) {
		s.Verdict, s.Reviewer = review.Approved, "ann"
	}
	m := b.session(path)
	m.chunks[1].Data = m.chunks[1].Data[:40]
	b.write("s", strings.Replace(text, "message 4", "message four", 1))
	b.load()
	b.store.verifyCuts()
	if s := b.session(path).Segments[0]; s.Verdict != review.Approved {
		t.Errorf("what is in front of the change is %s", s.Verdict)
	}
}
