package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/keys"
)

// Motions, for tables of actions.

func (r *Reader) PageDown() tea.Cmd { return r.Move(keys.PageDown) }
func (r *Reader) PageUp() tea.Cmd   { return r.Move(keys.PageUp) }
func (r *Reader) HalfDown() tea.Cmd { return r.Move(keys.HalfDown) }
func (r *Reader) HalfUp() tea.Cmd   { return r.Move(keys.HalfUp) }

// fakeStore is a Fetch over messages made on demand, that counts what is asked.
type fakeStore struct {
	count    int
	make     func(n int) chat.Message
	fail     map[int]bool // messages that can't be read
	heads    int          // messages asked for
	messages int
	index    map[int]review.Head
	sessions map[string]review.Session
	children map[string][]review.Child
}

func storeOf(messages ...chat.Message) *fakeStore {
	return &fakeStore{count: len(messages), make: func(n int) chat.Message {
		m := messages[n-1]
		m.N = n
		return m
	}}
}

func (s *fakeStore) Heads(_ context.Context, _ int64, from, to int) ([]review.Head, error) {
	s.heads += to - from + 1
	var heads []review.Head
	if s.index == nil {
		s.index = map[int]review.Head{}
	}
	for n := from; n <= to; n++ {
		h, known := s.index[n]
		if !known {
			m := s.make(n)
			h = review.HeadOf(&m)
			h.Judge(outcome.Of(outcome.CallOf(m.Name, ""), &m), true) // without its call
			s.index[n] = h
		}
		heads = append(heads, h)
	}
	return heads, nil
}

func (s *fakeStore) Messages(_ context.Context, _ int64, from, to int) ([]chat.Message, error) {
	s.messages += to - from + 1
	var messages []chat.Message
	for n := from; n <= to; n++ {
		if s.fail[n] {
			return nil, errors.New("chunk is\ndamaged")
		}
		messages = append(messages, s.make(n))
	}
	return messages, nil
}

func (s *fakeStore) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	messages, err := s.Messages(ctx, body, from, to)
	for i := range messages {
		if err := f(&messages[i]); err != nil {
			return err
		}
	}
	return err
}

func (s *fakeStore) Session(_ context.Context, id string) (review.Session, error) {
	if found, ok := s.sessions[id]; ok {
		return found, nil
	}
	return review.Session{}, review.ErrNotFound
}

func (s *fakeStore) Children(_ context.Context, id string) ([]review.Child, error) {
	return s.children[id], nil
}

func (s *fakeStore) segment() review.Segment {
	return review.Segment{ID: "0123456789", Body: 1, Start: 1, End: s.count}
}

// plainStyles are sixteen-colour styles that no theme file changes.
func plainStyles() themes.Styles {
	c := func(n string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(n)) }
	return themes.Styles{
		Name: "test", Dark: true,
		Text: lipgloss.NewStyle(), Muted: c("8"), Border: c("8"), Selection: c("15").Background(lipgloss.Color("4")),
		User: c("4"), Assistant: c("2"), System: c("5"), Tool: c("3"), Thinking: c("6"), Code: c("14"),
		Match: c("0").Background(lipgloss.Color("11")), Error: c("9"), Warning: c("11"),
		Approved: c("10"), Rejected: c("1"), Unsure: c("3"), Stale: c("8"),
	}
}

// pane is a reader whose commands are run to their end at once.
type pane struct {
	testing.TB
	*Reader
	store *fakeStore
	w, h  int
}

// open shows a whole store in a pane of the given size.
func open(t testing.TB, s *fakeStore, w, h int) *pane {
	t.Helper()
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: w, h: h}
	p.do(p.Resize(w, h))
	p.do(p.Open(s.segment()))
	return p
}

// do runs a command, and those that follow from it, and checks the screen.
func (p *pane) do(cmd tea.Cmd) {
	p.Helper()
	queue := []tea.Cmd{cmd}
	for steps := 0; len(queue) > 0; steps++ {
		if steps > 100_000 {
			p.Fatal("the reader never comes to rest")
		}
		cmd, queue = queue[0], queue[1:]
		if cmd == nil {
			continue
		}
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			queue = append(queue, batch...)
			continue
		}
		queue = append(queue, p.Update(msg))
	}
	p.lines()
}

// lines returns the rows on screen without colours, after checking that they
// fit the pane and hold nothing but text and colours.
func (p *pane) lines() []string {
	p.Helper()
	view := p.View(p.w, p.h)
	checkHarmless(p, view)
	rows := strings.Split(view, "\n")
	if len(rows) != p.h {
		p.Fatalf("%d rows in a pane of %d", len(rows), p.h)
	}
	for i, row := range rows {
		if w := ansi.StringWidth(row); w > p.w {
			p.Fatalf("row %d is %d cells wide in a pane of %d: %q", i, w, p.w, row)
		}
		rows[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return rows
}

func (p *pane) screen() string { return strings.Join(p.lines(), "\n") }

func (p *pane) want(texts ...string) {
	p.Helper()
	screen := p.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.Fatalf("no %q on the screen:\n%s", text, screen)
		}
	}
}

func (p *pane) wantNot(texts ...string) {
	p.Helper()
	screen := p.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			p.Fatalf("%q on the screen:\n%s", text, screen)
		}
	}
}

// checkHarmless fails if a view holds a control character that is not part of
// a colour sequence.
func checkHarmless(t testing.TB, view string) {
	t.Helper()
	for i := 0; i < len(view); {
		if view[i] == 0x1b {
			end := strings.IndexByte(view[i:], 'm')
			if end < 0 || strings.Trim(strings.TrimPrefix(view[i+1:i+end], "["), "0123456789;:") != "" {
				t.Fatalf("escape sequence in the view: %q", view[i:min(len(view), i+20)])
			}
			i += end + 1
			continue
		}
		if view[i] < ' ' && view[i] != '\n' || view[i] == 0x7f {
			t.Fatalf("control character in the view: %q", view[max(0, i-20):min(len(view), i+20)])
		}
		i++
	}
	for _, c := range view {
		if c >= 0x80 && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0x200e || c == 0x200f || c == 0x61c {
			t.Fatalf("%U in the view", c)
		}
	}
}

func user(text string) chat.Message { return chat.Message{Role: chat.User, Content: text} }

func assistant(text string, calls ...chat.ToolCall) chat.Message {
	return chat.Message{Role: chat.Assistant, Content: text, ToolCalls: calls}
}

func result(name, text string) chat.Message {
	return chat.Message{Role: chat.Tool, Name: name, Content: text}
}

// numbered returns lines "line 1" to "line n".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return strings.TrimRight(b.String(), "\n")
}

// manyOf repeats the nine messages of a conversation without end.
func manyOf(talk func(n int) chat.Message) func(n int) chat.Message {
	return func(n int) chat.Message {
		m := talk((n-1)%9 + 1)
		m.N = n
		return m
	}
}
