package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/work"
)

// tagLine are the tags of a segment, or those that all marked ones have, being
// typed. What differs from them at the end is given, or taken away.
type tagLine struct {
	name   string          // of what gets them
	one    *review.Segment // nil: what is marked
	of     standings       // what is marked
	had    []string
	text   string // as it is now
	at     int    // where the cursor is, in characters
	err    string // why it was not kept
	popup  line.Popup
	number int // of the last question for tags
}

func tagKeys() []keyRow {
	return []keyRow{
		keys.Key("t", "tags", "the tags of the segment, or of the marked ones, to find them again by tag:", "", keys.InJudged, (*App).editTags, (*App).noVerdict),
		keys.Key("enter", "keep-tags", "keep the tags; with a completion chosen, take it", "keep", keys.InTags, (*App).enterTags, nil),
		keys.Key("tab down", "next-completion", "choose one of the tags there are, the next one", "complete", keys.InTags, with((*App).chooseTag, +1), nil),
		keys.Key("shift+tab up", "previous-completion", "the one before", "", keys.InTags, with((*App).chooseTag, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InTags, func(a *App) tea.Cmd { return a.setTags("") }, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InTags, (*App).putTagsAway, nil),
		keys.Key("esc", "drop", "close the choice, else the line; the tags stay as they were", "drop", keys.InTags, (*App).escTags, nil),
	}
}

// tagsText draws tags in a row or a title.
func tagsText(tags []string) string {
	const most = 20 // more fit nowhere
	var b strings.Builder
	for i, tag := range tags[:min(len(tags), most)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("#" + clean.Line(draw.Head(tag)))
	}
	return b.String()
}

// editTags opens the tags of the selected segment, or of what is marked.
func (a *App) editTags() tea.Cmd {
	if len(a.marks.ids) > 0 {
		return a.findTags()
	}
	s := *a.list.Selected()
	return a.openTags(&tagLine{name: a.nameOf(&s), one: &s, had: typableTags(s.Tags)}, s.ID)
}

// typableTags are the tags that can be typed, which leaves others as they are.
func typableTags(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return review.CheckTag(tag) != nil || clean.Line(tag) != tag })
}

// tagsFound answers which tags all marked segments have.
type tagsFound struct {
	of  standings
	had []string
	err error
}

// findTags looks for the tags that all marked segments have, behind the writes
// that are under way; keys wait for them.
func (a *App) findTags() tea.Cmd {
	if !a.rangeEnds() {
		return nil
	}
	ids := a.marks.list()
	a.wait.finding = true
	return a.askAfter(func(ctx context.Context, lib Library) work.Show {
		now, err := lib.Standing(ctx, ids)
		m := tagsFound{of: standings{in: map[string]bool{}}, err: err}
		for i := range now {
			m.of.ids = append(m.of.ids, now[i].ID)
			m.of.in[now[i].ID] = true
			if i == 0 {
				m.had = slices.Clone(now[i].Tags)
				continue
			}
			m.had = slices.DeleteFunc(m.had, func(tag string) bool { return !slices.Contains(now[i].Tags, tag) })
		}
		slices.Sort(m.of.ids)
		return func() tea.Cmd { return a.handleTags(m) }
	})
}

func (a *App) handleTags(m tagsFound) tea.Cmd {
	switch {
	case m.err != nil:
		a.fail("the tags could not be read", m.err)
		return a.nowhere()
	case len(m.of.ids) == 0:
		a.say("what was marked is not there any more")
		return a.nowhere()
	}
	name := "all " + draw.Grouped(len(m.of.ids)) + " marked"
	if len(m.of.ids) == 1 {
		name = "the marked one"
	}
	return tea.Batch(a.openTags(&tagLine{name: name, of: m.of, had: typableTags(m.had)}, markedDraft), a.arrived())
}

// markedDraft is where the tags of marked segments are kept that were put away.
const markedDraft = "marked"

func (a *App) openTags(l *tagLine, draft string) tea.Cmd {
	text, drafted := a.tagDrafts[draft]
	if !drafted {
		text = strings.Join(l.had, " ")
	}
	if text != "" {
		text += " " // the next tag can be typed at once
	}
	a.tags, l.at = l, -1
	cmd := a.openField(line.Field{Label: "tags", Away: func(string) {}}, "")
	return tea.Batch(cmd, a.setTags(text))
}

// draftOf is where the text of the line is kept when it is put away.
func (a *App) draftOf(l *tagLine) string {
	if l.one == nil {
		return markedDraft
	}
	return a.heirOf(l.one.ID)
}

// setTags replaces the text.
func (a *App) setTags(text string) tea.Cmd {
	a.field.Input.SetValue(text)
	a.field.Input.CursorEnd()
	return a.tagLineChanged()
}

// tagsKnown brings tags that segments have.
type tagsKnown struct {
	number int
	values []filter.Candidate
	err    error
}

// tagLineChanged follows the text and the cursor: what begins there is looked for
// among the tags there are.
func (a *App) tagLineChanged() tea.Cmd {
	l, text, at := a.tags, a.field.Input.Value(), a.field.Input.Position()
	if text == l.text && at == l.at {
		return nil
	}
	l.text, l.at, l.err = text, at, ""
	runes := []rune(text)
	p := line.Popup{From: at, To: at, Cur: -1, Show: true}
	for p.From > 0 && runes[p.From-1] != ' ' {
		p.From--
	}
	for p.To < len(runes) && runes[p.To] != ' ' {
		p.To++
	}
	p.Prefix = string(runes[p.From:at])
	p.Items = line.StartingWith(l.popup.Items, p.Prefix) // until the right ones come
	l.popup.StopAsking()
	l.popup = p
	a.typings++
	l.number = a.typings
	ctx, stop := context.WithCancel(a.ctx)
	l.popup.Stop = stop
	m, lib := tagsKnown{number: l.number}, a.lib
	return func() tea.Msg {
		defer stop()
		m.values, m.err = lib.Values(ctx, filter.Tag, p.Prefix, nil, valuesMost)
		return m
	}
}

// tookKnown offers tags but for those in the line. What could not be found out
// is not worth a word while one types.
func (a *App) tookKnown(m tagsKnown) {
	l := a.tags
	if l == nil || m.number != l.number || m.err != nil {
		return
	}
	typed := strings.Fields(l.text)
	var items []line.Completion
	for _, v := range m.values {
		if slices.Contains(typed, v.Value) || review.CheckTag(v.Value) != nil || clean.Line(v.Value) != v.Value {
			continue
		}
		items = append(items, line.Completion{Text: v.Value, Label: v.Value, Count: v.Count, Counted: true})
	}
	l.popup.Offer(items)
}

// chooseTag goes to the next completion, or the one before.
func (a *App) chooseTag(step int) func() tea.Cmd {
	return func() tea.Cmd {
		a.tags.popup.Choose(step)
		return nil
	}
}

// enterTags types the completion that is chosen, or keeps the tags.
func (a *App) enterTags() tea.Cmd {
	l := a.tags
	if p := &l.popup; p.Cur >= 0 {
		runes := []rune(l.text)
		put := []rune(p.Items[p.Cur].Text)
		if p.To == len(runes) {
			put = append(put, ' ')
		}
		a.field.Input.SetValue(string(slices.Concat(runes[:p.From], put, runes[p.To:])))
		a.field.Input.SetCursor(p.From + len(put))
		return a.tagLineChanged()
	}
	words := strings.FieldsFunc(a.field.Input.Value(), func(r rune) bool { return r == ' ' || r == ',' })
	for _, tag := range words {
		if err := review.CheckTag(tag); err != nil {
			l.err = err.Error()
			return nil
		}
	}
	a.closeTags()
	delete(a.tagDrafts, a.draftOf(l))
	return a.keepTags(l, words)
}

// keepTags gives the tags that came and takes those that went.
func (a *App) keepTags(l *tagLine, words []string) tea.Cmd {
	j := review.Judgement{Curator: a.curator, IDs: l.of.ids}
	for _, tag := range words {
		if !slices.Contains(l.had, tag) {
			j.TagsOn = append(j.TagsOn, tag)
		}
	}
	for _, tag := range l.had {
		if !slices.Contains(words, tag) {
			j.TagsOff = append(j.TagsOff, tag)
		}
	}
	switch {
	case !j.Retags():
		a.say("tags unchanged")
		return nil
	case l.one == nil:
		return a.applyMany(j, &l.of, false, "tagging", "tagged")
	}
	row := *l.one
	if i := a.list.index(a.heirOf(row.ID)); i >= 0 {
		row = a.list.Rows[i] // others may have changed it while it was typed
	}
	j.IDs = []string{row.ID}
	a.sayUndo("tags kept on "+l.name, a.keyFor("undo")+" undo")
	return a.apply(row, j)
}

func (a *App) closeTags() {
	a.tags.popup.StopAsking()
	a.tags, a.field = nil, nil
	a.typings++
}

// escTags closes the choice of a completion, else the line.
func (a *App) escTags() tea.Cmd {
	if a.tags.popup.Unchoose() {
		return nil
	}
	delete(a.tagDrafts, a.draftOf(a.tags))
	a.closeTags()
	return nil
}

// putTagsAway closes the line; what was typed is there again the next time.
func (a *App) putTagsAway() tea.Cmd {
	l := a.tags
	text, draft := strings.TrimSpace(a.field.Input.Value()), a.draftOf(l)
	a.closeTags()
	if a.tagDrafts.Put(draft, text, strings.Join(l.had, " ")) {
		a.say("tags put away: " + a.keyFor("tags") + " goes on with them")
	}
	return nil
}

// tagLines draws the line and what stands below it, and returns the column of
// the cursor.
func (a *App) tagLines(w int) (lines []string, x int) {
	l := a.tags
	n := ansi.StringWidth(tagLabel)
	text, column := viewText([]rune(l.text), l.at, max(1, w-n-1))
	lines = []string{draw.Fit(a.Ink.Key.On(tagLabel)+a.Ink.Text.On(text), w, "")}
	return append(lines, draw.Fit(" "+a.tagsTold(w-2), w, a.G.More)), min(w-1, n+column(l.at))
}

const tagLabel = " tags "

// tagsColumn is where on the screen the word begins that is completed.
func (a *App) tagsColumn(w int) int {
	l, n := a.tags, ansi.StringWidth(tagLabel)
	_, column := viewText([]rune(l.text), l.at, max(1, w-n-1))
	return n + column(l.popup.From)
}

// tagsTold says what is wrong with the tags, else the keys of the line and what
// gets them.
func (a *App) tagsTold(w int) string {
	l := a.tags
	if l.err != "" {
		text := clean.Line(draw.Head(l.err))
		return a.Ink.Fail.On(draw.Fit(text, min(w, ansi.StringWidth(text)), a.G.More))
	}
	keys := [][2]string{{a.keyIn("keep-tags", keys.InTags), "keep"}, {a.keyIn("drop", keys.InTags), "drop"}, {a.keyIn("next-completion", keys.InTags), "complete"}}
	if l.popup.Cur >= 0 {
		keys[0][1], keys[1][1], keys[2][1] = "take it", "back", "next"
	}
	text, used := line.Hints(a.Pen, keys, w)
	return text + a.Ink.Muted.On(draw.Fit("  of "+l.name, max(0, w-used), a.G.More))
}
