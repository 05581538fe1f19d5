package review

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// tagLine are the tags of a segment, or those that all marked ones have, being
// typed. What differs from them at the end is given, or taken away.
type tagLine struct {
	line.Line
	tagged
	room *Room
}

// tagged is what tags are given to: a segment, or several.
type tagged struct {
	name string          // of what gets them
	one  *review.Segment // nil: several
	of   standings       // these
	had  []string        // the tags that all of them have
}

// TagKeys are the keys of tags.
func TagKeys() []roomRow {
	return []roomRow{
		keys.Key("t", "tags", "edit the tags of the segment, or of the marked ones; the filter tag: finds them", "", keys.InJudged, (*Room).editTags, (*Room).NoVerdict),
	}
}

// editTags opens the tags of the selected segment, or of what is marked.
func (r *Room) editTags() tea.Cmd {
	if len(r.marks.IDs) > 0 {
		return r.findTags(r.marks.List(), "marked", nil, r.openTags)
	}
	return r.openTags(r.tagsOf(*r.List.Selected()))
}

func (r *Room) tagsOf(s review.Segment) *tagged {
	return &tagged{name: r.NameOf(&s), one: &s, had: typableTags(s.Tags)}
}

// typableTags are the tags that can be typed, which leaves others as they are.
func typableTags(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return !canBeTyped(tag) })
}

func canBeTyped(tag string) bool { return review.CheckTag(tag) == nil && clean.Line(tag) == tag }

// findTags looks for the tags that all of some segments have, after the writes
// that are under way; keys wait for them. What they are is in a word; only is the
// verdicts that they may have, nil for any.
func (r *Room) findTags(ids []string, are string, only func(review.Verdict) bool, found func(*tagged) tea.Cmd) tea.Cmd {
	if !r.rangeEnds() {
		return nil
	}
	r.wait.finding = true
	return r.askAfter(func(ctx context.Context, lib rows.Library) work.Show {
		now, err := lib.Standing(ctx, ids)
		there := len(now)
		if only != nil {
			now = slices.DeleteFunc(now, func(s review.Standing) bool { return !only(s.Verdict) })
		}
		l := &tagged{of: standings{in: map[string]bool{}}}
		for i := range now {
			l.of.ids = append(l.of.ids, now[i].ID)
			l.of.in[now[i].ID] = true
			if i == 0 {
				l.had = typableTags(now[i].Tags)
			}
			l.had = slices.DeleteFunc(l.had, func(tag string) bool { return !slices.Contains(now[i].Tags, tag) })
		}
		slices.Sort(l.of.ids)
		return func() tea.Cmd {
			switch n := len(now); {
			case err != nil:
				r.Fail("the tags could not be read", err)
				return r.Nowhere()
			case n == 0 && there > 0:
				r.Say("the " + are + " segments have no verdict any more")
				return r.Nowhere()
			case n == 0:
				r.Say("the " + are + " segments no longer exist")
				return r.Nowhere()
			case n == 1:
				l.name = "the " + are + " one"
			default:
				l.name = "all " + draw.Grouped(n) + " " + are
			}
			return tea.Batch(found(l), r.Arrived())
		}
	})
}

// markedDraft is where the tags of marked segments are kept that were put away.
const markedDraft = "marked"

func (r *Room) openTags(of *tagged) tea.Cmd {
	l := &tagLine{tagged: *of, room: r}
	l.Line = line.Line{Label: " tags ", In: keys.InTags, Depth: 1, Use: l}
	text, drafted := r.tagDrafts[l.draft()]
	if !drafted {
		text = strings.Join(l.had, " ")
	}
	if text != "" {
		text += " " // the next tag can be typed at once
	}
	return r.app.OpenLine(&l.Line, text)
}

// draft is where the text of the line is kept when it is put away.
func (l *tagLine) draft() string {
	if l.one == nil {
		return markedDraft
	}
	return l.room.heirOf(l.one.ID)
}

// Changed looks for what begins at the cursor among the tags there are, but for
// those in the line.
func (l *tagLine) Changed(bool) tea.Cmd {
	runes, at := []rune(l.Text()), l.Cursor()
	p := line.Popup{From: at, To: at, Cur: -1, Show: true}
	for p.From > 0 && runes[p.From-1] != ' ' {
		p.From--
	}
	for p.To < len(runes) && runes[p.To] != ' ' {
		p.To++
	}
	prefix := string(runes[p.From:at])
	p.Items = line.StartingWith(l.Popup.Items, prefix) // until the right ones come
	l.Popup, l.Err = p, nil
	lib, typed := l.room.Lib, strings.Fields(l.Text())
	return l.Ask(l.room.Ctx, func(ctx context.Context) (items []line.Completion, err error) {
		values, err := lib.Values(ctx, filter.Tag, prefix, nil, valuesMost)
		for _, v := range values {
			if !slices.Contains(typed, v.Value) && canBeTyped(v.Value) {
				items = append(items, line.Completion{Text: v.Value, Label: v.Value, Count: v.Count, Counted: true})
			}
		}
		return items, err
	})
}

// Keep gives the tags that came and takes those that went.
func (l *tagLine) Keep(text string) (func() tea.Cmd, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	for _, tag := range words {
		if err := review.CheckTag(tag); err != nil {
			return nil, err
		}
	}
	return func() tea.Cmd {
		l.Drop()
		return l.room.keepTags(&l.tagged, words, "tags kept on "+l.name)
	}, nil
}

// keepTags gives the tags that came and takes those that went. said tells of it for
// a segment.
func (r *Room) keepTags(l *tagged, words []string, said string) tea.Cmd {
	j := review.Judgement{Curator: r.curator, IDs: l.of.ids}
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
		r.Say("tags unchanged")
		return nil
	case l.one == nil:
		return r.applyMany(j, &l.of, false, "tagging", "tagged")
	}
	row := *l.one
	if i := r.List.Index(r.heirOf(row.ID)); i >= 0 {
		row = r.List.Rows[i] // others may have changed it while it was typed
	}
	j.IDs = []string{row.ID}
	r.SayUndo(said, r.keyFor("undo")+" undo")
	return r.apply(row, j)
}

// PutAway keeps the text for the next time.
func (l *tagLine) PutAway(text string) {
	if l.room.tagDrafts.Put(l.draft(), strings.TrimSpace(text), strings.Join(l.had, " ")) {
		l.room.Say("tags put away: " + l.room.keyFor("tags") + " brings them back")
	}
}

// Drop leaves nothing for the next time.
func (l *tagLine) Drop() { delete(l.room.tagDrafts, l.draft()) }

// Below says what is wrong with the tags, else names the keys of the line and what
// gets them.
func (l *tagLine) Below(w int) []string {
	return []string{draw.Fit(" "+l.says(w-2), w, l.room.G.More)}
}

func (l *tagLine) says(w int) string {
	r := l.room
	if l.Err != nil {
		return r.Ink.Fail.On(draw.Cut(clean.Line(draw.Head(l.Err.Error())), w, r.G.More))
	}
	keys := [][2]string{{r.keys.Key("keep-tags", keys.InTags), "keep"}, {r.keys.Key("drop", keys.InTags), "drop"}, {r.keys.Key("next-completion", keys.InTags), "complete"}}
	if l.Popup.Cur >= 0 {
		keys[0][1], keys[1][1], keys[2][1] = "take it", "back", "next"
	}
	text, used := line.Hints(r.Pen, keys, w)
	return text + r.Ink.Muted.On(draw.Fit("  of "+l.name, max(0, w-used), r.G.More))
}
