package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/keys"
	"winnow/tui/reader"
)

// fakePane is a reader that shows what it was told.
type fakePane struct {
	seg    review.Segment
	opens  int
	calls  []string
	find   string
	notice string
	number int // of the message that is read
	role   chat.Role
	focus  bool
	styles themes.Styles
	links  map[string]reader.Link // by session shown
	folds  reader.Folds
	shown  review.Spans // on the screen
	asks   tea.Cmd      // what is asked for when a segment is opened
	lib    *fakeLibrary
	view   reader.View
	place  [2]int // of an added message
	gone   int    // messages dropped from number on
}

func (p *fakePane) did(what string) tea.Cmd         { p.calls = append(p.calls, what); return nil }
func (p *fakePane) Prefetch(review.Segment) tea.Cmd { return nil }
func (p *fakePane) Open(s review.Segment) tea.Cmd   { p.seg = s; p.opens++; return p.asks }
func (p *fakePane) Shown() review.Spans             { return p.shown }
func (p *fakePane) SetFocus(has bool)               { p.focus = has }
func (p *fakePane) SetMasked(places []int)          { p.seg.Masked = places }
func (p *fakePane) Folds() reader.Folds             { return p.folds }
func (p *fakePane) SetFolds(f reader.Folds)         { p.folds = f }
func (p *fakePane) Close()                          { p.seg = review.Segment{} }
func (p *fakePane) Resize(int, int) tea.Cmd         { return nil }
func (p *fakePane) CanFold() bool                   { return p.seg.ToolCalls > 0 || p.seg.Messages > 4 }
func (p *fakePane) Update(tea.Msg) tea.Cmd          { return nil }
func (p *fakePane) SetStyles(s themes.Styles)       { p.styles = s }
func (p *fakePane) View(w, h int) string {
	return fmt.Sprintf("%s %d-%d\n%s", p.seg.Short(), p.seg.Start, p.seg.End, strings.Repeat("x", w)) + strings.Repeat("\n", h-2)
}
func (p *fakePane) Status() reader.Status {
	s := reader.Status{Message: 1, Of: p.seg.Messages, Number: p.number, Role: p.role, FindQuery: p.find, Notice: p.notice, View: p.view, Place: p.place, Dropped: p.gone}
	if p.find != "" {
		s.Hit, s.Hits = 1, 3
	}
	return s
}
func (p *fakePane) ToggleView() tea.Cmd { p.view = (p.view + 1) % 3; return p.did("view") }
func (p *fakePane) Current() reader.Reading {
	return reader.Reading{Name: fmt.Sprint("message ", p.number), Read: func(ctx context.Context) (m chat.Message, err error) {
		list, err := p.lib.Messages(ctx, p.seg.Body, p.number, p.number)
		if len(list) > 0 {
			m = list[0]
		}
		return m, err
	}}
}
func (p *fakePane) Scroll(n int) tea.Cmd { return p.did(fmt.Sprint("scroll ", n)) }
func (p *fakePane) Press(row int) (reader.Link, bool, tea.Cmd) {
	l, ok := p.links[p.seg.SessionID]
	return l, ok && row == 0, p.did(fmt.Sprint("press ", row))
}
func (p *fakePane) Move(m keys.Motion) tea.Cmd  { return p.did(string(m)) }
func (p *fakePane) NextMessage() tea.Cmd        { return p.did("next message") }
func (p *fakePane) PrevMessage() tea.Cmd        { return p.did("prev message") }
func (p *fakePane) NextPrompt() tea.Cmd         { return p.did("next prompt") }
func (p *fakePane) PrevPrompt() tea.Cmd         { return p.did("prev prompt") }
func (p *fakePane) NextFailure() tea.Cmd        { return p.did("next failure") }
func (p *fakePane) ToggleFold() tea.Cmd         { return p.did("fold") }
func (p *fakePane) ToggleDigest() tea.Cmd       { return p.did("digest") }
func (p *fakePane) ToggleStep() (tea.Cmd, bool) { return nil, false }
func (p *fakePane) ToggleAllFolds() tea.Cmd     { return p.did("fold all") }
func (p *fakePane) ToggleThinking() tea.Cmd     { return p.did("thinking") }
func (p *fakePane) ToggleDetail() tea.Cmd       { return p.did("detail") }
func (p *fakePane) Find(q string) tea.Cmd       { p.find = q; return p.did("find " + q) }
func (p *fakePane) NextHit() tea.Cmd            { return p.did("next hit") }
func (p *fakePane) PrevHit() tea.Cmd            { return p.did("prev hit") }
func (p *fakePane) Mark(texts []filter.Text) tea.Cmd {
	return p.did(fmt.Sprint("mark ", texts))
}
func (p *fakePane) Show(n int) tea.Cmd { return p.did(fmt.Sprint("show ", n)) }
func (p *fakePane) Link() (reader.Link, bool) {
	l, ok := p.links[p.seg.SessionID]
	return l, ok
}
func (p *fakePane) FollowLink() (reader.Link, bool) { return p.Link() }
func (p *fakePane) ClearFind() tea.Cmd              { p.find = ""; return p.did("clear find") }
