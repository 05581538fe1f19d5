package reader

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
)

// generations is a store of a session that was written anew: body 1 is what it
// was, body 2 what it is.
type generations struct {
	*fakeStore
	old *fakeStore
}

func (g *generations) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	if body == 1 {
		return g.old.Messages(ctx, body, from, to)
	}
	return g.fakeStore.Messages(ctx, body, from, to)
}

func (g *generations) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	if body == 1 {
		return g.old.EachMessage(ctx, body, from, to, f)
	}
	return g.fakeStore.EachMessage(ctx, body, from, to, f)
}

func spoken(texts ...string) *fakeStore {
	var messages []chat.Message
	for i, text := range texts {
		role := chat.User
		if i%2 == 1 {
			role = chat.Assistant
		}
		messages = append(messages, chat.Message{Role: role, Content: text})
	}
	return storeOf(messages...)
}

// openStale shows a segment that was approved as the old messages are.
func openStale(t *testing.T, old, now *fakeStore, w, h int, with ...func(*Options)) *pane {
	t.Helper()
	g := &generations{now, old}
	o := Options{Fetch: g, Styles: plainStyles()}
	for _, f := range with {
		f(&o)
	}
	p := &pane{TB: t, Reader: New(o), store: now, w: w, h: h}
	seg := now.segment()
	seg.Body, seg.Stale, seg.Was, seg.WasBy = 2, true, review.Approved, "ann\x1b[2J"
	seg.WasAt = time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC)
	seg.WasBody, seg.WasStart, seg.WasEnd = 1, 1, old.count
	p.do(p.Resize(w, h))
	p.do(p.Open(seg))
	return p
}

func (p *pane) has(texts ...string) {
	p.Helper()
	screen := strings.Join(p.lines(), "\n")
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.Errorf("no %q on the screen:\n%s", text, screen)
		}
	}
}

func (p *pane) hasNot(texts ...string) {
	p.Helper()
	screen := strings.Join(p.lines(), "\n")
	for _, text := range texts {
		if strings.Contains(screen, text) {
			p.Errorf("%q on the screen:\n%s", text, screen)
		}
	}
}

func TestStaleSegmentTellsWhatItWasAndWhatChanged(t *testing.T) {
	p := openStale(t, spoken("one", "two", "gone \x1b]0;x\x07", "four"), spoken("one", "two", "four", "new 4", "new 5"), 100, 30)
	if first := p.lines()[0]; !strings.HasPrefix(first, " ▸ ~ was approved by ann") && !strings.HasPrefix(first, "▌▸ ~ was approved by ann") || !strings.Contains(first, "on 3 May 2026") {
		t.Errorf("the first row is %q", first)
	}
	s := p.seg
	if s.UpdatedAt = s.WasAt; strings.Contains(verdictOf(&s, p.zone), "2026") {
		t.Errorf("the year of what changed in the same one: %q", verdictOf(&s, p.zone))
	}
	p.has("messages added", "removed")
	marks := 0
	for _, l := range p.lines() {
		if strings.Contains(l, newMark) {
			marks++
		}
	}
	if added, _ := p.since.Counts(); marks != added || added == 0 {
		t.Errorf("%d messages are marked, %d were added:\n%s", marks, added, strings.Join(p.lines(), "\n"))
	}
	p.do(p.ToggleFold())
	p.has("3 user  gone")
	p.do(p.Find("gone"))
	if s := p.Status(); s.Hits != 0 {
		t.Errorf("a find finds what is not there: %+v", s)
	}
}

// TestFreshSegmentTellsNothingOfIt: with the verdict the line leaves, and what
// is read stays.
func TestFreshSegmentTellsNothingOfIt(t *testing.T) {
	p := openStale(t, spoken("one", "two"), spoken("one", "two", "three", "four"), 90, 20)
	p.has("~ was approved", "2 messages added (3–4)", newMark)
	fresh := p.seg
	fresh.Stale, fresh.Was, fresh.WasBody = false, "", 0
	p.do(p.Open(fresh))
	p.hasNot("~ was", newMark)
	p.has("one", "four")
	again := p.seg
	again.Stale = true
	p.do(p.Open(again))
	p.has("~ stale", "what changed is not known")
}

func TestStaleSegmentInASCIIAndNarrow(t *testing.T) {
	p := openStale(t, spoken("one", "two"), spoken("one", "two", "three", "four"), 80, 20, func(o *Options) { o.ASCII = true })
	p.has("2 messages added (3-4)")
	for _, l := range p.lines() {
		if strings.IndexFunc(l, func(c rune) bool { return c > 126 }) >= 0 {
			t.Errorf("%q", l)
		}
	}
	p = openStale(t, spoken("one", "two"), spoken("one", "two", "three", "four"), 44, 20)
	p.has("~ was approved  2 messages added (3–4)")
	p = openStale(t, spoken("one", "two"), spoken("one", "two", "three", "four"), 30, 20)
	p.has("~ was approved", newMarkShort)
	p.hasNot(newMark)
}

// TestManyRemovedMessagesAreCounted: they are listed as far as one looks.
func TestManyRemovedMessagesAreCounted(t *testing.T) {
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprint("old ", i))
	}
	p := openStale(t, spoken(append(texts, "last")...), spoken("other", "last"), 80, 40)
	p.do(p.ToggleFold())
	p.has("1 user  old 0", "20 assistant  old 19", "more")
	p.hasNot("old 20")
}

// TestReplacedSegmentIsReadOnWhereItWas: of a segment that was cut into several,
// the one that holds the message is shown, at the same place.
func TestReplacedSegmentIsReadOnWhereItWas(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("text %d.\n\nIts end.", i+1))
	}
	s := spoken(texts...)
	s.sessions = map[string]review.Session{"ses": {ID: "ses", Format: "openai"}}
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: 40, h: 12}
	whole := s.segment()
	whole.SessionID = "ses"
	p.do(p.Resize(40, 12)) // too narrow for a map, which is another one
	p.do(p.Open(whole))
	for range 20 {
		p.do(p.NextMessage())
	}
	p.do(p.Scroll(1))
	before, at := strings.Join(p.lines(), "\n"), p.Status().Number
	part := whole
	part.ID, part.Start, part.End = "part", 11, 40
	p.do(p.Open(part))
	if after := strings.Join(p.lines(), "\n"); after != before || p.Status().Number != at {
		t.Errorf("at message %d, was %d; before:\n%s\nafter:\n%s", p.Status().Number, at, before, after)
	}
	p.do(p.Top())
	p.has("session  openai", "text 11.")
	other := whole
	other.ID, other.End = "other", 10
	p.do(p.Open(other))
	if p.Status().Number != 1 {
		t.Errorf("another segment begins at message %d", p.Status().Number)
	}
	p.do(p.Bottom())
	rest := whole
	rest.ID, rest.Start, rest.End = "rest", 10, 12
	p.do(p.Open(rest))
	p.do(p.Top())
	if n := strings.Count(strings.Join(p.lines(), "\n"), "session  openai"); n != 1 {
		t.Errorf("the session is told of %d times:\n%s", n, strings.Join(p.lines(), "\n"))
	}
}
