package tui

import (
	"fmt"
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// done says what an entry did, safe to be shown.
func (a *App) done(e *review.Logged) string {
	if e.Action == review.ActAside {
		return fmt.Sprintf("entry %d could not be undone or redone", e.Target)
	}
	text := a.doneText(e)
	switch e.Action {
	case review.ActUndo:
		return fmt.Sprintf("undo of %d: %s", e.Target, text)
	case review.ActRedo:
		return fmt.Sprintf("redo of %d: %s", e.Target, text)
	}
	return text
}

func (a *App) doneText(e *review.Logged) string {
	if e.Recut != nil {
		return a.recutDone(e.Recut)
	}
	if len(e.Changes) == 0 {
		return "nothing"
	}
	text := a.changed(&e.Changes[0])
	for i := range e.Changes {
		if a.changed(&e.Changes[i]) != text {
			text = "changed"
		}
	}
	if e.Count > 1 {
		text += " " + a.G.Times + " " + draw.Plural(e.Count, "segment")
	}
	return text
}

// recutDone says how boundaries or topics changed.
func (a *App) recutDone(r *review.Recut) string {
	switch before, after := len(r.Before), len(r.After); {
	case before == 0 || after == 0:
		return "nothing"
	case recutText(r) == "topic of":
		topic := clean.Line(draw.Head(r.After[0].Topic))
		if before > 1 {
			return "topics"
		}
		return "topic " + a.G.Quote + draw.CutWords(topic, nameWidth, a.G.More) + a.G.Unquote
	case before == 1:
		return "split into " + draw.Grouped(after)
	case after == 1:
		return "merged " + draw.Grouped(before)
	case before == 2 && after == 2:
		return "moved a boundary"
	default:
		return "cut " + draw.Plural(before, "segment") + " into " + draw.Grouped(after)
	}
}

// changed says in a few words what happened to a segment.
func (a *App) changed(c *review.Change) string {
	b, n := &c.Before, &c.After
	var parts []string
	switch {
	case n.Verdict == "":
		return "left, was " + clean.Line(string(b.Verdict))
	case b.Verdict == "":
		return "came back, " + clean.Line(string(n.Verdict))
	case n.Stale && !b.Stale:
		parts = append(parts, "stale again")
	case b.Verdict != n.Verdict || b.Stale || b.Reviewer != n.Reviewer || !b.ReviewedAt.Equal(n.ReviewedAt):
		if n.Verdict == review.Pending {
			parts = append(parts, "back to pending")
		} else {
			parts = append(parts, clean.Line(string(n.Verdict)))
		}
	}
	if b.Note != n.Note && n.Note == "" {
		parts = append(parts, "note removed")
	} else if b.Note != n.Note {
		parts = append(parts, "note "+a.G.Quote+clean.Line(draw.Head(n.Note))+a.G.Unquote)
	}
	if b.Tags != n.Tags {
		parts = append(parts, a.tagsChanged(b.Tags, n.Tags))
	}
	if b.Masked != n.Masked {
		parts = append(parts, "training marks")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// tagsChanged names the tags that were given and taken.
func (a *App) tagsChanged(before, after string) string {
	had, err := review.ParseTags(before)
	has, fails := review.ParseTags(after)
	if err != nil || fails != nil {
		return "tags"
	}
	var parts []string
	for _, tag := range review.TagsWith(has, nil, had) {
		parts = append(parts, "+"+clean.Line(draw.Head(tag)))
	}
	for _, tag := range review.TagsWith(had, nil, has) {
		parts = append(parts, a.G.Minus+clean.Line(draw.Head(tag)))
	}
	return "tags " + strings.Join(parts, " ")
}

// names are the segments that an entry is about, safe to be shown.
func (r *logRow) about() string {
	var names []string
	one := func(id string) {
		name := clean.Line(draw.Head(r.names[id]))
		if name == "" {
			name = review.Short(id) + " (gone)"
		}
		names = append(names, name)
	}
	if r.Recut != nil {
		if id := r.segment(); id != "" {
			one(id)
		}
		return strings.Join(names, ", ")
	}
	for i := range r.Changes {
		one(r.Changes[i].Segment)
	}
	if more := r.Count - len(r.Changes); more > 0 {
		names = append(names, draw.Grouped(more)+" more")
	}
	return strings.Join(names, ", ")
}
