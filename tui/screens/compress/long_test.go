package compress

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// long is a segment of n messages with a proposal.
func long(n int) Look {
	var l Look
	for i := range n {
		m := chat.Message{N: i + 1, Role: chat.Tool, Name: "read_file", ToolCallID: fmt.Sprint(i - 1), Content: strings.Repeat(fmt.Sprintf("line %d of src/part%d.go\n", i, i), 30)}
		switch {
		case i%100 == 0:
			m = chat.Message{N: i + 1, Role: chat.User, Content: "Go on."}
		case i%2 == 1:
			m = chat.Message{N: i + 1, Role: chat.Assistant, Content: "I read.", ToolCalls: []chat.ToolCall{{ID: fmt.Sprint(i), Name: "read_file", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, i)}}}
		}
		l.Conversation.Messages = append(l.Conversation.Messages, m)
	}
	l.Segment, l.Options = review.Segment{ID: "a"}, compress.Defaults()
	l.Options.Target = n * 60
	p := proposal.Make(context.Background(), "a", l.Segment.Digest, l.Conversation, l.Options)
	l.Proposal = &p
	return l
}

func (l *one) Look(context.Context, string) (Look, error) { return l.of, nil }

func (l *one) Mark(context.Context, string) (string, error) { return l.mark, nil }

type one struct {
	Library
	of   Look
	mark string
}

// program has it selected.
type program struct {
	Program
	of *review.Segment
}

func (p program) Segment() *review.Segment     { return p.of }
func (p program) Title(*review.Segment) string { return "" }
func (p program) NoChange() string             { return "" }

// queue is a host that keeps what it is to run.
type queue struct {
	screen.Host
	cmds []tea.Cmd
}

func (q *queue) Run(cmd tea.Cmd)      { q.cmds = append(q.cmds, cmd) }
func (q *queue) Key(a string) string  { return a }
func (q *queue) Day(time.Time) string { return "" }

func BenchmarkSee(b *testing.B) {
	lib := &one{of: long(5000)}
	for b.Loop() {
		if g, err := see(b.Context(), lib, "a"); err != nil || len(g.samples) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkLay(b *testing.B) {
	g, err := see(b.Context(), &one{of: long(5000)}, "a")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l := layer{g: draw.GlyphsFor(false), seen: &g, sample: len(g.samples) - 1}
		l.width = 200
		l.lay(b.Context())
	}
}

// TestLaidOutInCommands: the update loop reads and lays out nothing itself, and asks once
// for each width; a long segment is a few lines until it is opened.
func TestLaidOutInCommands(t *testing.T) {
	lib, q := &one{of: long(5000)}, &queue{}
	s := New(screen.Seat{Ctx: t.Context(), Pen: draw.NewPen(false), Host: q}, program{of: &lib.of.Segment}, lib, nil)
	s.Follow(screen.Frame{Width: 80, Height: 24})
	if len(q.cmds) != 1 || !s.Awaits() {
		t.Fatalf("%d commands", len(q.cmds))
	}
	q.cmds[0]().(work.Then)()
	costs := len(q.cmds) // of the samples
	for i, w := range []int{80, 80, 200} {
		s.Follow(screen.Frame{Width: w, Height: 24})
		if want := costs + 1 + i/2; len(q.cmds) != want || len(s.view.rows.Rows) != 0 {
			t.Fatalf("width %d: %d commands, want %d, %d rows", w, len(q.cmds), want, len(s.view.rows.Rows))
		}
	}
	q.cmds[len(q.cmds)-1]().(work.Then)()
	if n := len(s.view.rows.Rows); n < 10 || n > 1500 {
		t.Errorf("%d lines for 5,000 messages", n)
	}
}

// TestReadsEnd: a read under way goes on whatever others write, and is looked after when
// it ended.
func TestReadsEnd(t *testing.T) {
	lib, q := &one{of: long(200)}, &queue{}
	s := New(screen.Seat{Ctx: t.Context(), Pen: draw.NewPen(false), Host: q}, program{of: &lib.of.Segment}, lib, nil)
	s.Follow(screen.Frame{Width: 80, Height: 24})
	for range 3 {
		s.Changed(0)
	}
	if len(q.cmds) != 1 {
		t.Fatalf("%d reads", len(q.cmds))
	}
	then := q.cmds[0]().(work.Then)
	lib.mark = "another"
	if then(); !s.seen.Came || !s.marks.Open {
		t.Fatalf("came %v, looked again %v", s.seen.Came, s.marks.Open)
	}
	q.cmds[len(q.cmds)-1]().(work.Then)()
	if !s.seen.Open || !s.seen.Came {
		t.Error("what changed while it was read is not read")
	}
}

// TestLongTextsAreCut: a message of any size is opened with as much as a person reads.
func TestLongTextsAreCut(t *testing.T) {
	g := draw.GlyphsFor(false)
	for _, said := range []string{strings.Repeat("word ", 1<<20), strings.Repeat("x", 5<<20), strings.Repeat("\x1b[31m世", 1<<20)} {
		l := layer{g: g}
		lines := l.wrapped(said, 80)
		if last := lines[len(lines)-1]; len(lines) > 5000 || !strings.Contains(last, "more: the reader shows all") {
			t.Errorf("%d lines, the last one %q", len(lines), last)
		}
		for _, line := range lines {
			if strings.ContainsRune(line, '\x1b') || ansi.StringWidth(line) > 80 {
				t.Fatalf("%q", line)
			}
		}
	}
}

// TestGroups: many cleared results are one line, but for what findings name between them.
func TestGroups(t *testing.T) {
	cleared := func(n int) (list []block) {
		for i := range n {
			g := &compress.Region{Cleared: true}
			list = append(list, block{from: 2 * i, to: 2*i + 1, region: true, g: g}, block{from: 2*i + 1, to: 2*i + 2})
		}
		return list
	}
	groups := func(list []block) (all []int) {
		for _, b := range list {
			if b.group > 0 {
				all = append(all, b.from, b.group, b.cleared)
			}
		}
		return all
	}
	for _, c := range []struct {
		n      int
		pinned int
		want   []int
	}{
		{leastGroup - 1, -1, nil},
		{leastGroup, -1, []int{0, 2*leastGroup - 1, leastGroup}},
		{20, 15, []int{0, 15, 8, 16, 39, 12}},
		{20, 3, []int{4, 39, 18}},
	} {
		list := cleared(c.n)
		groupCleared(list, map[int]bool{c.pinned: true})
		if got := groups(list); !slices.Equal(got, c.want) {
			t.Errorf("%d results, %d named: %v, want %v", c.n, c.pinned, got, c.want)
		}
	}
}

// TestNamesOf: messages before a fork have no numbers, and are told in words.
func TestNamesOf(t *testing.T) {
	c := &proposal.Conversation{Own: 3, Messages: []chat.Message{{Role: chat.User}, {Role: chat.Assistant}, {Role: chat.User}, {N: 7}, {N: 8}}}
	g := draw.GlyphsFor(true)
	for _, x := range []struct {
		from, to int
		want     string
	}{{0, 3, "before the fork"}, {1, 2, "before the fork"}, {1, 5, "before the fork to #8"}, {3, 5, "#7–8"}, {4, 5, "#8"}} {
		if got := strings.TrimPrefix(namesOf(c, x.from, x.to, g), g.Up); got != x.want {
			t.Errorf("%d to %d: %q, want %q", x.from, x.to, got, x.want)
		}
	}
}

// TestOwnAnswersAreCounted: answers in front of the segment are not trained by it, and the
// line of a sample does not count them.
func TestOwnAnswersAreCounted(t *testing.T) {
	of := long(200)
	for i := range 150 {
		of.Conversation.Messages[i].N = 0
	}
	of.Conversation.Own = 150
	p := proposal.Make(t.Context(), "a", of.Segment.Digest, of.Conversation, of.Options)
	of.Proposal = &p
	lib, q := &one{of: of}, &queue{}
	s := New(screen.Seat{Ctx: t.Context(), Pen: draw.NewPen(false), Host: q}, program{of: &lib.of.Segment}, lib, nil)
	s.Follow(screen.Frame{Width: 120, Height: 24})
	q.cmds[0]().(work.Then)()
	for s.sample = range s.seen.Got.samples {
		said := ansi.Strip(s.sampleLine(120))
		if strings.Contains(said, "fork") || strings.Contains(said, "#0") {
			t.Errorf("sample %d: %s", s.sample, said)
		}
	}
	if len(s.seen.Got.samples) < 2 || !strings.Contains(ansi.Strip(s.sampleLine(120)), "trains") {
		t.Errorf("%d samples", len(s.seen.Got.samples))
	}
}

// TestTokensOf reads what people type as a number of tokens.
func TestTokensOf(t *testing.T) {
	for typed, want := range map[string]int{"8000": 8000, " 8,000 ": 8000, "8k": 8000, "16K": 16000, "100": 100, "99": 0, "10000k": 10e6, "10001k": 0, "80008k": 0, "9223372036854775k": 0, "": 0, "k": 0, "0": 0, "-3": 0, "8kk": 0, "99999999k": 0} {
		if n, ok := tokensOf(typed); ok != (want > 0) || ok && n != want {
			t.Errorf("%q is %d, %v", typed, n, ok)
		}
	}
}
