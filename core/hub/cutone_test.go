package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

// A curator's verdict between cutting and storing is a conflict: what is judged
// keeps it, unless it goes on. The cutter is not asked again: the messages are
// the same.
func TestVerdictMeanwhileKeepsTheCuts(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 20))
	b.load()
	b.cut(&everyN{n: 3}, false)
	b.write("s", talk(12, 20))
	b.load() // 1-3 4-6, and 7-12 to be cut
	b.store.beforeCuts = func(n int) {
		if n == b.store.cutWrites && b.session(path).Segments[1].Verdict == review.Pending {
			b.judge(path, 1)
		}
	}
	c := &everyN{n: 2}
	b.cut(c, false)
	m := b.session(path)
	if places(m) != "1-3 4-6 7-8 9-10 11-12" || m.Segments[1].Verdict != review.Approved || m.Segments[1].Stale {
		t.Errorf("%s: %+v", places(m), m.Segments[1])
	}
	if len(c.asked) != 1 || c.asked[0] != (segment.Span{From: 4, To: 12}) {
		t.Errorf("the cutter was asked for %v", c.asked)
	}
}

// Messages that are added between cutting and storing are cut as well.
func TestMessagesMeanwhileAreCutAgain(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 20))
	b.load()
	grown := false
	b.store.beforeCuts = func(int) {
		if !grown {
			grown = true
			b.write("s", talk(9, 20))
			b.load()
		}
	}
	c := &everyN{n: 4}
	if r := b.cut(c, false); r.Messages != 9 || places(b.session(path)) != "1-4 5-8 9-9" || len(c.asked) != 2 {
		t.Errorf("%+v; %s; asked for %v", r, places(b.session(path)), c.asked)
	}
}

// So are messages that are others by then, though they are as many.
func TestOtherMessagesMeanwhileAreCutAgain(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 20))
	b.load()
	rewritten := false
	b.store.beforeCuts = func(int) {
		if !rewritten {
			rewritten = true
			b.write("s", strings.ReplaceAll(talk(6, 20), "message", "changed"))
			b.load()
		}
	}
	c := &everyN{n: 4}
	if b.cut(c, false); len(c.asked) != 2 || !strings.HasPrefix(b.session(path).Segments[1].Topic, "changed 5") {
		t.Errorf("asked for %v; %+v", c.asked, b.session(path).Segments)
	}
}

// meanwhile is a cutter before whose first look something happens.
type meanwhile struct {
	everyN
	happens func()
}

func (c *meanwhile) Cut(ctx context.Context, t segment.Text) ([]segment.Cut, error) {
	if h := c.happens; h != nil {
		c.happens = nil
		h()
	}
	return c.everyN.Cut(ctx, t)
}

// Messages that went to a branch of their own while a session was cut are not
// missed.
func TestMessagesThatLeaveMeanwhileAreNotMissed(t *testing.T) {
	entry := func(n, parent int) string {
		return fmt.Sprintf(`{"type":"message","id":"e%d","parentId":"e%d","message":{"role":%q,"content":"message %d"}}`+"\n", n, parent, [...]string{"assistant", "user"}[n%2], n)
	}
	text := `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/"}` + "\n" + strings.Replace(entry(1, 0), `"e0"`, "null", 1)
	for n := 2; n <= 8; n++ {
		text += entry(n, n-1)
	}
	b := newBench(t)
	path := b.write("s", text)
	b.load()
	if n := b.session(path).Messages; n != 8 {
		t.Fatalf("%d messages", n)
	}
	c := &meanwhile{everyN: everyN{n: 3}, happens: func() {
		b.write("s", text+entry(9, 2)+entry(10, 9))
		b.load()
	}}
	r := b.cut(c, false)
	if n := b.session(path).Messages; n != 4 {
		t.Fatalf("the branch is where it was: %d messages", n)
	}
	if len(r.Failed) != 0 || !b.session(path).Segmented {
		t.Errorf("%+v", r)
	}
}

// A file whose sessions are cut while it is read, between two transactions, is
// read to its end.
func TestCuttingWhileAFileIsRead(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(36, 256<<10)) // 9 MB: several transactions
	b.store.before = func(n int) {
		if n%2 == 0 {
			b.cut(&everyN{n: 7}, false)
		}
	}
	b.load()
	b.store.before = nil
	if b.cut(&everyN{n: 7}, false); len(b.session(path).messages) != 36 || b.store.cutWrites < 2 || !b.session(path).Segmented {
		t.Errorf("%d messages, %d times cut: %s", len(b.session(path).messages), b.store.cutWrites, places(b.session(path)))
	}
}

func TestSessionThatIsWrittenOnAndOnStays(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 20))
	b.load()
	b.store.beforeCuts = func(n int) {
		b.write("s", talk(6+n, 20))
		b.load()
	}
	if r := b.cut(&everyN{n: 4}, false); r.Busy != 1 || r.Sessions != 0 || len(r.Failed) != 0 || b.session(path).Segmented {
		t.Errorf("%+v", r)
	}
	b.store.beforeCuts = nil
	if r := b.cut(&everyN{n: 4}, false); r.Sessions != 1 {
		t.Errorf("then %+v", r)
	}
}

// A session that is removed while it is cut is none of what was done.
func TestSessionThatVanishesIsNoFailure(t *testing.T) {
	b := newBench(t)
	b.write("s", talk(6, 20))
	b.load()
	b.store.beforeCuts = func(int) { clear(b.store.sessions) }
	if r := b.cut(&everyN{n: 4}, false); r.Sessions != 0 || len(r.Failed) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestCancelledRunKeepsWhatIsDone(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.write(fmt.Sprint("s", i), talk(6, 20))
	}
	b.load()
	ctx, cancel := context.WithCancel(t.Context())
	g := &runs.Segmenter{Store: b.store, Jobs: 2, Cutter: &everyN{n: 3, fail: func(ctx context.Context, n int, _ *chat.Message) error {
		if n < 5 {
			return nil
		}
		if n == 6 { // the other worker waits for its answer
			cancel()
		}
		<-ctx.Done()
		return fmt.Errorf("no answer: %w", ctx.Err())
	}}}
	r, err := g.Run(ctx)
	if !errors.Is(err, context.Canceled) || r.Sessions != 4 || len(r.Failed) != 0 || b.store.cutWrites != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r := b.cut(&everyN{n: 3}, false); r.Sessions != 6 {
		t.Errorf("then %+v", r)
	}
}

func TestStoreThatFailsStopsTheRun(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.write(fmt.Sprint("s", i), talk(6, 20))
	}
	b.load()
	b.store.failCutsAt = 4
	g := &runs.Segmenter{Store: b.store, Jobs: 2, Cutter: &everyN{n: 3}}
	r, err := g.Run(t.Context())
	if !errors.Is(err, errFull) || r.Sessions != 3 || len(r.Failed) > 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, f := range r.Failed { // the other worker may have been cutting
		if f.Err != runs.ErrUnfinished {
			t.Errorf("%s: %v", f.File, f.Err)
		}
	}
	b.store.failCutsAt = 0
	if r := b.cut(&everyN{n: 3}, false); r.Sessions != 7 {
		t.Errorf("then %+v", r)
	}
}

// Damaged messages are the matter of their session alone.
func TestDamagedMessagesFailOneSession(t *testing.T) {
	for name, damage := range map[string]func(*memSession){
		"bytes":   func(m *memSession) { m.chunks[1].Data = m.chunks[1].Data[:40] },
		"missing": func(m *memSession) { m.chunks[0].Data = m.chunks[1].Data },
	} {
		b := newBench(t)
		path := b.write("s", talk(30, 20<<10))
		b.write("t", talk(6, 20))
		b.load()
		m := b.session(path)
		kept := m.chunks[1].Data
		kept0 := m.chunks[0].Data
		damage(m)
		r := b.cut(&everyN{n: 3}, false)
		if r.Sessions != 1 || len(r.Failed) != 1 || r.Failed[0].File != path || !strings.Contains(r.Failed[0].Err.Error(), "damaged") && !strings.Contains(r.Failed[0].Err.Error(), "winnow doctor") {
			t.Errorf("%s: %+v", name, r)
		}
		m.chunks[0].Data, m.chunks[1].Data = kept0, kept
		if r := b.cut(&everyN{n: 3}, false); r.Sessions != 1 || len(r.Failed) != 0 {
			t.Errorf("%s: then %+v", name, r)
		}
	}
}

// What stays where it is isn't hashed: only the cutter reads.
func TestSamePlacesAreNotRead(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(60, 20<<10)) // several chunks
	b.load()
	b.cut(&everyN{n: 4, by: review.CutOffline}, false)
	before, ids := b.store.readings, fmt.Sprint(b.session(path).Segments[3].ID)
	r := b.cut(&everyN{n: 4, by: review.CutModel}, true)
	s := b.session(path).Segments[3]
	if n := b.store.readings - before; n != 1 || s.ID != ids || s.CutBy != review.CutModel || r.Changed != 1 {
		t.Errorf("%d readings; %+v", n, s)
	}
}

func TestProposeNamesAndWritesNothing(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(10, 20))
	two := b.write("two", talk(2, 20))
	b.load()
	b.cut(&everyN{n: 2}, false)
	b.judge(path, 0).CutBy = review.CutCurator
	writes := b.store.cutWrites
	cuts, err := runs.Propose(t.Context(), b.store, b.session(path).ID, &everyN{n: 4, answer: func(c []segment.Cut) []segment.Cut {
		c[1].Topic = "its own"
		return c
	}})
	if err != nil || len(cuts) != 3 || !strings.HasPrefix(cuts[0].Topic, "message 1") || cuts[1] != (segment.Cut{Start: 5, End: 8, Topic: "its own"}) || !strings.HasPrefix(cuts[2].Topic, "message 9") {
		t.Errorf("%v, %v", cuts, err)
	}
	c := &everyN{n: 1}
	if cuts, err := runs.Propose(t.Context(), b.store, b.session(two).ID, c); err != nil || len(cuts) != 1 || cuts[0].End != 2 || len(c.asked) != 0 {
		t.Errorf("%v, %v", cuts, err)
	}
	if b.store.cutWrites != writes {
		t.Error("something was written")
	}
	if _, err := runs.Propose(t.Context(), b.store, b.session(path).ID, &everyN{n: 4, answer: func(c []segment.Cut) []segment.Cut { return c[1:] }}); err == nil {
		t.Error("a gap was taken")
	}
	if _, err := runs.Propose(t.Context(), b.store, "none", c); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("no such session: %v", err)
	}
}
