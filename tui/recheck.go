package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/work"
)

// rechecking is a recheck under way.
type rechecking struct {
	*Recheck
	blind *blind
	end   *recheckEnd // nil until all is answered, or one leaves
}

// recheckEnd tells how a recheck came out.
type recheckEnd struct {
	agreement review.Agreement
	apart     []apart // where the answer is not the verdict
	cur       int
}

// apart is a segment on which the curator said something else than before.
type apart struct {
	review.Recheck
	segment review.Segment // as it was
	taken   bool           // the answer is its verdict now
}

// tookAnswer says that an answer became the verdict, or back that it was undone.
type tookAnswer struct {
	id   string
	back bool
	err  error
}

// blindKeys are the actions that tell nothing of a hidden verdict, besides
// those of the reader and the motions.
var blindKeys = map[string]bool{
	"approve": true, "reject": true, "unsure": true, "pending": true, "undo": true, "redo": true, "next-pending": true, "advance": true,
	"open": true, "reasons": true, "preview": true, "other-pane": true, "wider-list": true, "narrower-list": true, "theme": true, "copy": true,
	keys.Help: true, "quit": true, "close-find": true, keys.Back: true, "leave": true, "suspend": true, "stop": true, "reload": true,
}

// blindfold turns off, during a recheck, what could tell of a verdict.
func (a *App) blindfold() {
	for i := range a.keys.Rows {
		b := &a.keys.Rows[i]
		if b.In&keys.InSegment == 0 || b.In&^keys.InReader == 0 && b.Name != "train" || blindKeys[b.Name] || b.Moves() {
			continue
		}
		b.Unless(func() string {
			if a.context()&keys.InJudged != 0 {
				return "not during a recheck: q ends it"
			}
			return ""
		})
	}
}

// beginRecheck hides the verdicts, and has the list show what is rechecked.
func (a *App) beginRecheck(r *Recheck) {
	if r == nil {
		return
	}
	b := newBlind(a.lib, r, a.curator, a.now)
	a.recheck, a.lib, a.Room.lib = &rechecking{Recheck: r, blind: b}, b, b
	a.sieve = a.newSieve(r.node(), "")
	a.sieve.pretty = "recheck"
	a.order, a.seed = review.Random, r.Seed
	a.clusters.loose = true // each is answered for itself
	a.blindfold()
}

// endRecheck tells how it came out once all answers are kept. ok is false if
// there is nothing to be told.
func (a *App) endRecheck() (cmd tea.Cmd, ok bool) {
	r := a.recheck
	if r == nil || r.end != nil || len(r.blind.results(r.Decided)) == 0 && !a.writes.Open() {
		return nil, false
	}
	return a.enqueue("", func(context.Context, Library) (work.Show, error) { return a.handleRecheckOver, nil }), true
}

// handleRecheckOver shows how it came out.
func (a *App) handleRecheckOver() tea.Cmd {
	r := a.recheck
	list := r.blind.results(r.Decided)
	if len(list) == 0 {
		return a.quit()
	}
	r.end = &recheckEnd{agreement: review.AgreementOf(list)}
	for i := range list {
		if list[i].Agreed() {
			continue
		}
		for j := range r.Decided {
			if r.Decided[j].ID == list[i].Segment {
				r.end.apart = append(r.end.apart, apart{Recheck: list[i], segment: r.Decided[j]})
			}
		}
	}
	a.message = message{}
	return nil
}

func (a *App) recheckOpen() bool { return a.recheck != nil && a.recheck.end != nil }

func recheckKeys() []keyRow {
	return []keyRow{
		keys.Key("enter a", "take-answer", "make the new answer the verdict", "take the new one", keys.InRecheck, (*App).takeAnswer, (*App).noAnswer),
		keys.Key("u", "undo", "give the verdict back that was replaced last", "undo", keys.InRecheck, (*App).undoAnswer, (*App).noneTaken),
		keys.Key("q esc", keys.Back, "leave; verdicts that were not replaced stay", "leave", keys.InRecheck, (*App).quit, nil),
	}
}

func (a *App) atApart() *apart {
	if e := a.recheck; e != nil && e.end != nil && e.end.cur < len(e.end.apart) {
		return &e.end.apart[e.end.cur]
	}
	return nil
}

func (a *App) noAnswer() string {
	switch p := a.atApart(); {
	case p == nil:
		return "every answer is the verdict"
	case p.taken:
		return "it is the verdict already"
	}
	return ""
}

func (a *App) noneTaken() string {
	if a.recheck != nil && a.recheck.end != nil {
		for i := range a.recheck.end.apart {
			if a.recheck.end.apart[i].taken {
				return ""
			}
		}
	}
	return "no verdict was replaced"
}

// takeAnswer gives the segment under the cursor the new verdict.
func (a *App) takeAnswer() tea.Cmd {
	p, lib := a.atApart(), a.recheck.blind.Library
	p.taken = true
	if e := a.recheck.end; e.cur < len(e.apart)-1 {
		e.cur++
	}
	j := review.Judgement{
		Curator: a.curator, IDs: []string{p.Segment}, Verdict: p.Answer, Seen: map[string]chat.Digest{p.Segment: p.segment.Digest},
	}
	return a.enqueue("", func(ctx context.Context, _ Library) (work.Show, error) {
		_, err := lib.Judge(ctx, j)
		return showing(func() { a.handleTaken(tookAnswer{id: j.IDs[0], err: err}) }), err
	})
}

// undoAnswer takes back the last one that was taken.
func (a *App) undoAnswer() tea.Cmd {
	lib, curator := a.recheck.blind.Library, a.curator
	return a.enqueue("", func(ctx context.Context, _ Library) (work.Show, error) {
		e, err := lib.Undo(ctx, curator)
		m := tookAnswer{back: true, err: err}
		if len(e.Changes) == 1 {
			m.id = e.Changes[0].Segment
		}
		return showing(func() { a.handleTaken(m) }), err
	})
}

func (a *App) handleTaken(m tookAnswer) {
	e := a.recheck.end
	for i := range e.apart {
		if p := &e.apart[i]; p.Segment == m.id {
			p.taken = !m.back == (m.err == nil)
			if m.back {
				e.cur = i
			}
		}
	}
	switch {
	case errors.Is(m.err, review.ErrNotFound):
		a.fail("not taken", errors.New("it was cut anew meanwhile"))
	case m.err != nil:
		a.fail("not taken", m.err)
	}
}

func (a *App) moveRecheck(m keys.Motion) {
	e := a.recheck.end
	switch m {
	case keys.LineDown:
		e.cur++
	case keys.LineUp:
		e.cur--
	case keys.ToStart, keys.HalfUp, keys.PageUp:
		e.cur = 0
	default:
		e.cur = len(e.apart) - 1
	}
	e.cur = max(0, min(e.cur, len(e.apart)-1))
}

func (a *App) recheckHeader(w int) string {
	parts := []draw.Part{
		{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("recheck"), Worth: 8},
		{Text: a.Ink.Muted.On(draw.Plural(len(a.recheck.Decided), "decided segment")), Worth: 5},
	}
	return a.FitParts(append(parts, a.placeParts(w, 2)...), w)
}

// recheckLines draw how it came out: the agreement, and below it what the
// curator says something else of now.
func (a *App) recheckLines(w, height int) []string {
	e := a.recheck.end
	answered, _ := e.agreement.Counts()
	lines := []string{"", " " + a.Ink.Name.On(draw.Fit(strings.ToUpper(e.agreement.String()[:1])+e.agreement.String()[1:], w-1, a.G.More))}
	if n := len(a.recheck.Decided); answered < n {
		lines = append(lines, " "+a.Ink.Muted.On(draw.Fit(draw.Plural(n-answered, "segment")+" not answered", w-1, a.G.More)))
	}
	for _, text := range e.agreement.Lines() {
		lines = append(lines, "   "+a.Ink.Text.On(draw.Fit(text, w-3, a.G.More)))
	}
	lines = append(lines, "")
	if len(e.apart) > 0 {
		lines = append(lines, " "+a.Ink.Muted.On(draw.Fit("Now you say something else. The verdicts stand unless you take the new ones:", w-1, a.G.More)), "")
	}
	room := max(1, height-len(lines))
	top := max(0, e.cur-room+1)
	for i := top; i < len(e.apart) && i < top+room; i++ {
		lines = append(lines, a.apartLine(&e.apart[i], i == e.cur, w))
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	for i := range lines {
		lines[i] = draw.Fit(lines[i], w, "")
	}
	return lines[:height]
}

// apartLine draws a segment: its verdict, the answer, and which of them stands.
func (a *App) apartLine(p *apart, selected bool, w int) string {
	k, mark := a.Row(selected)
	s := &p.segment
	topic := clean.Line(draw.Head(s.Topic))
	if topic == "" {
		topic = a.title(s)
	}
	before, after := review.Segment{Verdict: p.Was}, review.Segment{Verdict: p.Answer}
	state := string(p.Was) + " stays"
	if p.taken {
		state = string(p.Answer) + " taken"
	}
	const stateWidth = 16 // the longest: "approved stays"
	lead := k.Text.On(" ") + k.Verdict(&before).On(a.G.State(&before)) + k.Muted.On(" "+a.G.Arrow+" ") + k.Verdict(&after).On(a.G.State(&after)) +
		k.Text.On("  ") + draw.Score(k, a.G, s.Score) + k.Text.On("  ")
	return mark + lead + k.Text.On(draw.Fit(topic, max(1, w-1-14-stateWidth-len(a.G.Arrow)+1), a.G.More)) + k.Text.On("  ") + k.Muted.On(draw.Fit(state, stateWidth, ""))
}

// recheckTold says what was said of the segment before.
func (a *App) recheckTold() []string {
	p := a.atApart()
	if p == nil {
		return nil
	}
	told := []string{"was " + string(p.Was) + " by " + clean.Line(draw.Head(p.WasBy))}
	if !p.segment.ReviewedAt.IsZero() {
		told[0] += " on " + p.segment.ReviewedAt.In(a.zone).Format("2 Jan 2006")
	}
	if note := clean.Line(draw.Head(p.segment.Note)); note != "" {
		told = append(told, fmt.Sprintf("%s %s", a.G.Note, draw.Cut(note, 40, a.G.More)))
	}
	return told
}
