package hub

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// book keeps some sessions by trackers and, to compare, as plain lists.
type book struct {
	t        *testing.T
	store    *memStore
	rng      *rand.Rand
	trackers map[string]*tracker
	lists    map[string][]chat.Message
	stored   bool
	source   Source
	verdicts int
	small    bool // large messages are rare
}

func newBook(t *testing.T, seed uint64) *book {
	return &book{
		t: t, store: newMemStore(t), rng: rand.New(rand.NewPCG(seed, 2)),
		trackers: map[string]*tracker{}, lists: map[string][]chat.Message{}, source: Source{AgentID: "a", Path: "/s"},
	}
}

func (b *book) track(key string) *tracker {
	t := b.trackers[key]
	if t == nil {
		var err error
		if t, err = loadTracker(b.t.Context(), b.store, "a", "/s#"+key); err != nil {
			b.t.Fatal(err)
		}
		t.key = key
		b.trackers[key] = t
	}
	return t
}

func (b *book) message() chat.Message {
	m := chat.Message{Role: chat.Tool, Content: strings.Repeat(fmt.Sprint(b.rng.IntN(3)), 1+b.rng.IntN(4)), Timestamp: "2026-01-01T00:00:00Z"}
	switch b.rng.IntN(10) {
	case 0, 1:
		m.Role = chat.User
	case 2, 3, 4:
		m.Role = chat.Assistant
	case 6:
		m.Child = "s/a"
	case 5:
		if b.small && b.rng.IntN(12) > 0 {
			break
		}
		m.Content = strings.Repeat(m.Content, chat.ChunkSize/6) // several of them make a chunk
	}
	return m
}

func (b *book) add(key string) {
	m := b.message()
	b.track(key).add(&m)
	b.lists[key] = append(b.lists[key], m)
}

// settled does what reading.settled does.
func (b *book) settled(t *tracker) {
	if s := b.store.sessions["a "+t.row.File]; s != nil && t.stored {
		t.row.ID, t.row.Body = s.ID, s.Body
	}
}

func (b *book) amend(key string) {
	list, t := b.lists[key], b.track(key)
	back := min(b.rng.IntN(4), len(list)-1)
	m := b.message()
	m.Role = list[len(list)-1-back].Role
	if !t.amend(back, &m) {
		b.settled(t)
		if err := t.reopen(b.t.Context(), b.store, back, &m); err != nil {
			b.t.Fatal(err)
		}
	}
	list[len(list)-1-back] = m
}

func (b *book) move(from, to string) []string {
	list, source, target := b.lists[from], b.track(from), b.track(to)
	n := b.rng.IntN(len(list))
	b.settled(source)
	if err := source.move(b.t.Context(), b.store, n, target); err != nil {
		b.t.Fatal(err)
	}
	b.lists[to] = append(b.lists[to], list[n:]...)
	b.lists[from] = slices.Clip(list[:n])
	if n > 0 {
		return nil
	}
	delete(b.lists, from)
	delete(b.trackers, from)
	if source.stored {
		return []string{source.row.ID}
	}
	return nil
}

// save stores everything in one transaction and looks at it.
func (b *book) save(leave []string) {
	b.t.Helper()
	w := ImportWrite{Source: b.source, Base: &Base{}, Leave: leave}
	if b.stored {
		*w.Base = BaseOf(&session.State{})
	}
	for _, key := range slices.Sorted(keysOf(b.trackers)) {
		if t := b.trackers[key]; t.dirty && t.messages() > 0 {
			sw, err := t.write()
			if err != nil {
				b.t.Fatal(err)
			}
			w.Sessions = append(w.Sessions, sw)
		}
	}
	if _, _, err := b.store.WriteSome(b.t.Context(), []ImportWrite{w}); err != nil {
		b.t.Fatal(err)
	}
	b.stored = true
	b.store.verify()
	if len(b.store.sessions) != len(b.lists) {
		b.t.Fatalf("%d sessions, want %d", len(b.store.sessions), len(b.lists))
	}
	for key, list := range b.lists {
		b.same(b.store.sessions["a /s#"+key], list)
	}
}

func (b *book) same(m *memSession, list []chat.Message) {
	b.t.Helper()
	var trail review.Trail
	for i := range list {
		want := list[i]
		if want.N = i + 1; i >= len(m.messages) || m.messages[i].Content != want.Content || m.messages[i].Role != want.Role {
			b.t.Fatalf("%s: message %d of %d (%d stored) differs", m.File, i+1, len(list), len(m.messages))
		}
		trail.Follow(&want, chat.AppendMessage(nil, &want))
	}
	if len(m.messages) != len(list) || m.Trail.Trace != trail.Settled || m.Head != trail.Head || m.Opening != trail.Opening {
		b.t.Fatalf("%s: %d messages, want %d; trail %+v, want %+v", m.File, len(m.messages), len(list), m.Trail, trail)
	}
}

func keysOf(m map[string]*tracker) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// judge gives verdicts, and lets the trackers go, as another import would find
// the store.
func (b *book) judge() {
	for _, key := range slices.Sorted(mapKeys(b.store.sessions)) {
		m := b.store.sessions[key]
		for i := range m.Segments {
			if s := &m.Segments[i]; !s.Verdict.Judged() && b.rng.IntN(3) == 0 {
				s.Verdict, s.Reviewer = review.Approved, "ann"
				b.verdicts++
			}
		}
	}
	b.trackers = map[string]*tracker{}
}

func mapKeys(m map[string]*memSession) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestBranchesKeepMessagesSegmentsAndVerdicts moves messages between sessions,
// changes old ones and stores at any time: each message is in exactly one
// session, segments cover them and hold what their fingerprints say, and no
// verdict gets lost.
func TestBranchesKeepMessagesSegmentsAndVerdicts(t *testing.T) {
	names := []string{"x", "y", "z"}
	for seed := range uint64(seeds) {
		b := newBook(t, seed)
		var leave []string
		for range 60 {
			key, other := names[b.rng.IntN(3)], names[b.rng.IntN(3)]
			switch op := b.rng.IntN(12); {
			case op < 6 || len(b.lists[key]) == 0:
				for range 1 + b.rng.IntN(4) {
					b.add(key)
				}
			case op < 8:
				b.amend(key)
			case op == 8 && key != other:
				if b.stored && len(leave) == 0 {
					b.save(nil)
				}
				leave = append(leave, b.move(key, other)...)
				b.save(leave)
				leave = nil
			case op >= 9:
				b.save(nil)
				if op == 10 {
					b.judge()
				}
			}
		}
		b.save(nil)
		found := 0
		for _, m := range b.store.sessions {
			for i := range m.Segments {
				if s := &m.Segments[i]; s.Verdict.Judged() {
					found++
				}
			}
		}
		if found += len(b.store.retiredJudged); found != b.verdicts {
			t.Fatalf("seed %d: %d verdicts given, %d found", seed, b.verdicts, found)
		}
	}
}
