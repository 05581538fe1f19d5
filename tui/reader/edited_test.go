package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/edit"
	"winnow/core/review"
)

// editors tell who edits messages; recorded ones are those of the store.
type editors struct {
	*fakeStore
	list  []review.EditedBy
	fails error // of EditedBy
	reads *int  // counts calls of EachRecorded
}

func (e editors) EditedBy(context.Context, int64, int, int) ([]review.EditedBy, error) {
	return e.list, e.fails
}

func (e editors) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return e.Messages(ctx, body, from, to)
}

func (e editors) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	if e.reads != nil {
		*e.reads++
	}
	return e.EachMessage(ctx, body, from, to, f)
}

// editedStore is a store with edits laid over it.
type editedStore struct {
	*fakeStore
	edits []edit.Edit
}

func (s *editedStore) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	list, err := s.Messages(ctx, body, from, to)
	for i := range list {
		if err := f(&list[i]); err != nil {
			return err
		}
	}
	return err
}

func (s *editedStore) Messages(ctx context.Context, body int64, from, to int) (list []chat.Message, err error) {
	recorded, err := s.fakeStore.Messages(ctx, body, from, to)
	o := edit.NewOverlay(s.edits)
	for i := range recorded {
		for m := range o.At(&recorded[i]) {
			list = append(list, *m)
		}
	}
	return list, err
}

func (s *editedStore) Heads(ctx context.Context, body int64, from, to int) (heads []review.Head, err error) {
	list, err := s.Messages(ctx, body, from, to)
	for i := range list {
		h := review.HeadOf(&list[i])
		h.Part = list[i].Part
		heads = append(heads, h)
	}
	return heads, err
}

func (s *editedStore) by() (list []review.EditedBy) {
	for i := range s.edits {
		e := &s.edits[i]
		list = append(list, review.EditedBy{N: e.N, Part: e.Part, Op: e.Op, Why: e.Why, Clash: e.Clash, By: "ann"})
	}
	return list
}

// set, drop and add make edits.
func set(n int, m chat.Message) edit.Edit {
	return edit.Edit{Place: edit.Place{N: n}, Op: edit.Set, Why: edit.Fix, Message: m}
}

func drop(n int) edit.Edit { return edit.Edit{Place: edit.Place{N: n}, Op: edit.Drop, Why: edit.Fix} }

func add(n, part int, m chat.Message) edit.Edit {
	return edit.Edit{Place: edit.Place{N: n, Part: part}, Op: edit.Add, Why: edit.Fix, Message: m}
}

// openEdited shows messages with edits over them.
func openEdited(t testing.TB, w, h int, o Options, s *fakeStore, edits ...edit.Edit) *pane {
	t.Helper()
	slices.SortFunc(edits, func(a, b edit.Edit) int { return cmp.Or(a.N-b.N, a.Part-b.Part) })
	over := &editedStore{s, edits}
	o.Fetch, o.Edits, o.Styles = over, editors{fakeStore: s, list: over.by()}, plainStyles()
	p := &pane{TB: t, Reader: New(o), store: s, w: w, h: h}
	p.do(p.Resize(w, h))
	p.do(p.Open(s.segment()))
	return p
}

// TestEditedMessagesAreMarked: at the rule stands who changed a message, or that the
// edit waits; at the headline of a result, too.
func TestEditedMessagesAreMarked(t *testing.T) {
	s := storeOf(user("why"), assistant("because"), result("read", "a\nb"))
	for _, ascii := range []bool{false, true} {
		p := &pane{TB: t, Reader: New(Options{Fetch: s, Edits: editors{fakeStore: s, list: []review.EditedBy{
			{N: 1, Op: edit.Set, Why: edit.Fix, By: "ben", Clash: true}, {N: 2, Op: edit.Set, Why: edit.Fix, By: "ann\x1b[2J"},
			{N: 3, Op: edit.Set, Why: edit.Redact, By: "eve"},
		}}, Styles: plainStyles(), ASCII: ascii}), store: s, w: 80, h: 24}
		p.do(p.Open(s.segment()))
		sign := "✎ "
		if ascii {
			sign = "E "
		}
		text := p.screen()
		if !strings.Contains(text, sign+"ann") || !strings.Contains(text, sign+"eve redacted") || !strings.Contains(text, sign+"recorded text changed") || strings.Contains(text, "\x1b[2J") {
			t.Errorf("ascii %t:\n%s", ascii, text)
		}
	}
}

// asked is a conversation of eight messages.
func asked() *fakeStore {
	call := chat.ToolCall{ID: "c", Name: "read", Arguments: `{"path":"x"}`}
	return storeOf(user("first question"), assistant("first answer"), user("second question"), assistant("", call), result("read", "the file"),
		assistant("second answer"), user("third question"), assistant("third answer"))
}

// TestDroppedMessagesAreALine: a run of them is one line, which unfolds; the cursor
// steps over it as over a message, and its text stays out of finds.
func TestDroppedMessagesAreALine(t *testing.T) {
	p := openEdited(t, 80, 40, Options{}, asked(), drop(3), drop(4), drop(5), drop(6))
	p.want("▸ dropped by ann  4 messages", "third question")
	p.wantNot("second question", "not stored", "loading")
	p.do(p.NextMessage())
	p.do(p.NextMessage())
	if s := p.Status(); s.Number != 3 || s.Dropped != 4 || s.Role != "" || s.NoTraining() == "" {
		t.Fatalf("%+v", s)
	}
	p.do(p.ToggleFold())
	p.want("▾ dropped by ann", "3 user", "second question", "6 assistant")
	p.do(p.ToggleFold())
	p.do(p.NextMessage())
	if n := p.Status().Number; n != 7 {
		t.Fatalf("message %d follows what is dropped", n)
	}
	p.do(p.PrevMessage())
	if n := p.Status().Number; n != 3 {
		t.Fatalf("message %d is before it", n)
	}
	p.do(p.NextPrompt())
	if n := p.Status().Number; n != 7 {
		t.Fatalf("the next prompt is message %d", n)
	}
	p.do(p.PrevPrompt())
	if n := p.Status().Number; n != 1 {
		t.Fatalf("the prompt before is message %d", n)
	}
	p.do(p.Find("second"))
	if s := p.Status(); s.Hits != 0 {
		t.Fatalf("%d hits in what is dropped", s.Hits)
	}
	p.do(p.Find("third"))
	if s := p.Status(); s.Hits != 2 || s.Number != 7 {
		t.Fatalf("%+v", s)
	}
	if shown := p.Shown(); len(shown) != 1 || shown[0] != (review.Span{First: 1, Last: 8}) {
		t.Fatalf("%v is shown", shown)
	}
}

// TestAddedMessagesStandAfterTheirPlace: with a rule of their own, in front of the first,
// too; the cursor stops at them, and a jump and a find find them.
func TestAddedMessagesStandAfterTheirPlace(t *testing.T) {
	p := openEdited(t, 80, 60, Options{}, asked(), add(0, 1, chat.Message{Role: chat.System, Content: "be kind"}), add(2, 1, user("added question")), add(2, 2, assistant("added answer")), drop(8), add(8, 1, assistant("last word")))
	p.want("system 0+1 ", "be kind", "user 2+1 ", "✎ ann (added)", "assistant 2+2 ", "dropped by ann  1 message", "assistant 8+1")
	if got := p.screen(); strings.Index(got, "be kind") > strings.Index(got, "first question") {
		t.Fatalf("the first message is below another:\n%s", got)
	}
	want := [][2]int{{1, 0}, {2, 0}, {2, 1}, {2, 2}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {8, 1}}
	for i, place := range want {
		if s := p.Status(); s.Place != place {
			t.Fatalf("step %d: %v, want %v", i, s.Place, place)
		}
		p.do(p.NextMessage())
	}
	for i := len(want) - 2; i >= 0; i-- {
		p.do(p.PrevMessage())
		if s := p.Status(); s.Place != want[i] {
			t.Fatalf("back: %v, want %v", s.Place, want[i])
		}
	}
	p.do(p.PrevMessage())
	if s := p.Status(); s.Place != [2]int{0, 1} || s.Role != chat.System {
		t.Fatalf("in front of the first: %+v", s)
	}
	p.do(p.Top())
	p.do(p.NextPrompt())
	if s := p.Status(); s.Place != [2]int{2, 1} {
		t.Fatalf("the next prompt is at %v", s.Place)
	}
	p.do(p.NextPrompt())
	if s := p.Status(); s.Place != [2]int{3, 0} {
		t.Fatalf("the one after is at %v", s.Place)
	}
	p.do(p.Find("added answer"))
	if s := p.Status(); s.Hits != 1 || s.Place != [2]int{2, 2} {
		t.Fatalf("%+v", s)
	}
	m, err := p.Current().Read(t.Context())
	if err != nil || m.Content != "added answer" {
		t.Fatalf("it reads %+v, %v", m, err)
	}
}

// TestViewsOfEdits: D shows what was recorded, then both.
func TestViewsOfEdits(t *testing.T) {
	for _, w := range []int{80, 140} {
		p := openEdited(t, w, 60, Options{}, asked(), set(2, assistant("better answer")), drop(3), drop(4), drop(5), add(6, 1, user("added question")))
		p.want("better answer")
		p.wantNot("first answer")
		p.do(p.ToggleView())
		p.want("first answer", "second question", "the file")
		p.wantNot("better answer", "added question")
		if p.Status().View != Recorded {
			t.Fatal("not recorded")
		}
		p.do(p.NextMessage())
		p.do(p.NextMessage())
		if s := p.Status(); s.Number != 3 || s.Dropped != 1 || s.Role != chat.User {
			t.Fatalf("%+v", s)
		}
		p.do(p.ToggleView())
		p.want("−  first answer", "+  better answer", "−  second question", "+  added question", "dropped by ann")
		p.do(p.Find("second question"))
		if s := p.Status(); s.Hits != 1 {
			t.Fatalf("%+v", s)
		}
		p.do(p.ToggleView())
		p.want("better answer")
		p.wantNot("first answer", "second question")
	}
	p := open(t, asked(), 80, 24)
	p.do(p.ToggleView())
	if s := p.Status(); s.View != Current || s.Notice == "" {
		t.Fatalf("%+v", s)
	}
}

// TestEditsAnywhereAreWalked: whatever is dropped and added, whole or as a digest, every
// row is reached from above and from below, and nothing is said to be missing.
func TestEditsAnywhereAreWalked(t *testing.T) {
	for seed := range uint64(60 / slower) {
		random := rand.New(rand.NewPCG(seed, 2))
		s := storeOf()
		s.count = 30
		s.make = manyOf(func(n int) chat.Message { return asked().make((n-1)%8 + 1) })
		var edits []edit.Edit
		for n := range s.count + 1 {
			switch {
			case n > 0 && random.IntN(2) == 0:
				edits = append(edits, drop(n))
			case n > 0 && random.IntN(4) == 0:
				edits = append(edits, set(n, assistant(fmt.Sprintf("edited %d", n))))
			}
			for part := range random.IntN(3) {
				edits = append(edits, add(n, part+1, user(fmt.Sprintf("added %d+%d", n, part+1))))
			}
		}
		p := openEdited(t, 70, 12, Options{Digest: int(seed % 2)}, s, edits...)
		for view := range Both + 1 {
			for _, act := range []func() tea.Cmd{p.Top, p.Bottom, p.Top} {
				p.do(act())
				p.wantNot("not stored", "loading")
			}
			var down, up []place
			for at, ok := p.resolve(place{n: 1}), true; ok && len(down) < 5000; at, ok = p.next(at) {
				down = append(down, at)
			}
			for at, ok := p.resolve(place{n: p.lineOf(30), b: lastBlock, part: tailPart}), true; ok && len(up) < 5000; at, ok = p.prev(at) {
				up = append(up, at)
			}
			slices.Reverse(up)
			if len(down) != len(up) || len(down) >= 5000 {
				t.Fatalf("seed %d, view %d: %d rows down, %d up", seed, view, len(down), len(up))
			}
			for range 80 {
				acts := []func() tea.Cmd{p.NextMessage, p.PrevMessage, p.NextPrompt, p.PrevPrompt, p.NextFailure, p.ToggleFold, p.PageDown, p.PageUp, p.ToggleDigest, p.ToggleAllFolds}
				p.do(acts[random.IntN(len(acts))]())
				p.wantNot("not stored")
				if s := p.Status(); s.Number < 1 || s.Number > 30 {
					t.Fatalf("seed %d: %+v", seed, s)
				}
			}
			p.do(p.ToggleView())
		}
	}
}

// TestUnknownEditsAreSaid: while it can't be known what is edited, no message is shown as
// if nothing were, and none that was added stands as one of its own.
func TestUnknownEditsAreSaid(t *testing.T) {
	s := asked()
	over := &editedStore{s, []edit.Edit{add(2, 1, user("added question")), drop(3)}}
	p := &pane{TB: t, Reader: New(Options{Fetch: over, Edits: editors{fakeStore: s, fails: errors.New("database is locked")}, Styles: plainStyles()}), store: s, w: 80, h: 40}
	p.do(p.Resize(80, 40))
	p.do(p.Open(s.segment()))
	p.want("could not be read: database is locked")
	p.wantNot("first answer", "added question")
	p.do(p.ToggleView())
	if v := p.Status().View; v != Current {
		t.Errorf("view %d", v)
	}
	p.do(p.Find("question"))
	if n := p.Status().Hits; n != 0 {
		t.Errorf("%d hits in what is not shown", n)
	}
	q := p.request()
	docs, err := q.texts(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range docs {
		if i > 0 && docs[i-1].n >= d.n {
			t.Errorf("two documents of message %d", d.n)
		}
	}
}

// TestRecordedHeadsAreReadTogether: edited messages near each other cost one read, those
// far away no more than one each.
func TestRecordedHeadsAreReadTogether(t *testing.T) {
	const n = 1000
	reads := 0
	heads := func(step int) {
		s := &fakeStore{count: n, make: func(n int) chat.Message {
			m := user(fmt.Sprint("recorded text ", n))
			m.N = n
			return m
		}}
		var edits []edit.Edit
		for i := 1; i <= n; i += step {
			edits = append(edits, set(i, user("x")))
		}
		reads = 0
		over := &editedStore{s, edits}
		p := &pane{TB: t, Reader: New(Options{Fetch: over, Edits: editors{fakeStore: s, list: over.by(), reads: &reads}, Styles: plainStyles()}), store: s, w: 80, h: 24}
		p.do(p.Open(s.segment()))
		q := p.request()
		q.view = Recorded
		list, err := q.index(1, n)
		if err != nil || len(list) != n {
			t.Fatal(len(list), err)
		}
		for i, h := range list {
			if h.N != i+1 || h.ContentLen != len(fmt.Sprint("recorded text ", i+1)) {
				t.Fatalf("step %d: %+v", step, h)
			}
		}
	}
	for step, want := range map[int]int{1: 1, 7: 1, runMessages: 1, 500: 2} {
		if heads(step); reads != want {
			t.Errorf("every %d. message edited: %d reads, want %d", step, reads, want)
		}
	}
}

// editedPane shows a conversation with edits of every kind.
func editedPane(t *testing.T, w, h int) *pane {
	redacted := set(8, assistant("third answer, without the name"))
	redacted.Why = edit.Redact
	waits := set(7, user("my own question"))
	waits.Clash = true
	return openEdited(t, w, h, Options{}, asked(), set(2, assistant("first answer, made better")), drop(3), drop(4), drop(5), add(6, 1, user("added question")), add(6, 2, assistant("added answer")), waits, redacted)
}

func TestEditedReader80x24(t *testing.T) {
	p := editedPane(t, 80, 24)
	golden.RequireEqual(t, p.screen())
}

func TestEditedReader200x60(t *testing.T) {
	p := editedPane(t, 200, 60)
	golden.RequireEqual(t, p.screen())
}

func TestEditedReaderBoth80x24(t *testing.T) {
	p := editedPane(t, 80, 24)
	p.do(p.ToggleView())
	p.do(p.ToggleView())
	golden.RequireEqual(t, p.screen())
}

func TestEditedReaderBoth200x60(t *testing.T) {
	p := editedPane(t, 200, 60)
	p.do(p.ToggleView())
	p.do(p.ToggleView())
	golden.RequireEqual(t, p.screen())
}

// BenchmarkFrameAfterAnEdit is what an edit in a session of 100,000 messages, 10,000 of
// them edited, takes to the next frame.
func BenchmarkFrameAfterAnEdit(b *testing.B) {
	s := storeOf()
	s.count = 100_000
	s.make = manyOf(func(n int) chat.Message { return asked().make((n-1)%8 + 1) })
	var edits []edit.Edit
	for n := 10; n <= s.count; n += 10 {
		edits = append(edits, set(n, assistant("edited")))
	}
	p := openEdited(b, 120, 50, Options{}, s, edits...)
	p.do(p.Show(50_000))
	seg := s.segment()
	for i := 0; b.Loop(); i++ {
		seg.Edited = fmt.Sprint(i)
		p.do(p.Open(seg))
	}
}

// TestHostileCurators: whoever edits, nothing of the name reaches the terminal.
func TestHostileCurators(t *testing.T) {
	s := asked()
	p := &pane{TB: t, Reader: New(Options{Fetch: &editedStore{s, []edit.Edit{drop(3)}}, Edits: editors{fakeStore: s, list: []review.EditedBy{{N: 3, Op: edit.Drop, By: "a\x1b[2Jb\u202e"}}}, Styles: plainStyles()}), store: s, w: 80, h: 24}
	p.do(p.Open(s.segment()))
	p.want("dropped by a")
}
