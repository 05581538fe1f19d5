package journal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/clean"
	"winnow/core/memory"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
)

// done says what an entry did, safe to be shown.
func (j *Screen) done(e *review.Logged) string {
	if e.Action == review.ActAside {
		return fmt.Sprintf("entry %d could not be undone or redone", e.Target)
	}
	text := j.doneText(e)
	switch e.Action {
	case review.ActUndo:
		return fmt.Sprintf("undo of %d: %s", e.Target, text)
	case review.ActRedo:
		return fmt.Sprintf("redo of %d: %s", e.Target, text)
	}
	return text
}

func (j *Screen) doneText(e *review.Logged) string {
	if e.Recut != nil {
		return j.recutDone(e.Recut)
	}
	switch {
	case len(e.Edits) == 1:
		return "message " + draw.Grouped(e.Edits[0].N) + " changed" + j.noted(e)
	case len(e.Edits) > 1:
		return draw.Plural(len(e.Edits), "message") + " changed" + j.noted(e)
	case len(e.Proposals) > 0:
		return "compression of " + draw.Plural(e.Count, "segment") + " " + compressed(e.Proposals)
	case len(e.Memories) > 0:
		return memory.ChangesText(e.Memories, e.Count)
	case len(e.Promotions) > 0:
		return train.PromotionsText(e.Promotions)
	case len(e.Changes) == 0:
		return "nothing"
	}
	text := j.changed(&e.Changes[0])
	for i := range e.Changes {
		if j.changed(&e.Changes[i]) != text {
			text = "changed"
		}
	}
	if e.Count > 1 {
		text += " " + j.G.Times + " " + draw.Plural(e.Count, "segment")
	}
	return text
}

// compressed is what became of compressions.
func compressed(list []review.ProposalChange) string {
	status := list[0].After.Status
	for i := range list {
		if c := &list[i]; c.Before.Sum != "" || c.After.Status != status { // what they say is told where it changed
			return "changed"
		}
	}
	if status == proposal.Proposed {
		return "left open"
	}
	return string(status)
}

// noted is what an edit is for in its curator's words, with what leads to them.
func (j *Screen) noted(e *review.Logged) string {
	if e.Note == "" {
		return ""
	}
	return ", " + j.G.Quote + clean.Line(draw.Head(e.Note)) + j.G.Unquote
}

// recutDone says how boundaries or topics changed.
func (j *Screen) recutDone(r *review.Recut) string {
	switch before, after := len(r.Before), len(r.After); {
	case before == 0 || after == 0:
		return "nothing"
	case sameBoundaries(r):
		topic := clean.Line(draw.Head(r.After[0].Topic))
		if before > 1 {
			return "topics"
		}
		return "topic " + j.G.Quote + draw.CutWords(topic, topicWidth, j.G.More) + j.G.Unquote
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

// numbered says in a few words what happened to a segment of an entry.
func (j *Screen) numbered(c *review.NumberedChange) string {
	if c.Proposal != nil {
		return "compression " + compressed([]review.ProposalChange{*c.Proposal})
	}
	if c.Memory != nil {
		return memory.ChangesText([]memory.Change{*c.Memory}, 1)
	}
	if c.Promotion != nil {
		return train.PromotionsText([]train.Promotion{*c.Promotion})
	}
	return j.changed(&c.Change)
}

// changed says in a few words what happened to a segment.
func (j *Screen) changed(c *review.Change) string {
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
		parts = append(parts, "note "+j.G.Quote+clean.Line(draw.Head(n.Note))+j.G.Unquote)
	}
	if b.Tags != n.Tags {
		parts = append(parts, j.tagsChanged(b.Tags, n.Tags))
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
func (j *Screen) tagsChanged(before, after string) string {
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
		parts = append(parts, j.G.Minus+clean.Line(draw.Head(tag)))
	}
	return "tags " + strings.Join(parts, " ")
}

// about names the segments that an entry is about, safe to be shown.
func (r *logRow) about() string {
	var names []string
	one := func(id string) {
		name := cmp.Or(clean.Line(draw.Head(r.names[id])), review.Short(id)+" (gone)")
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
	for i := range r.Memories {
		if m := r.Memories[i].Any(); m != nil {
			names = append(names, clean.Line(draw.Head(m.Title)))
		}
	}
	for i := range r.Proposals {
		one(r.Proposals[i].Segment)
	}
	for i := range r.Promotions {
		names = append(names, fmt.Sprint("run ", r.Promotions[i].Run))
	}
	if more := r.Count - len(r.Changes) - len(r.Proposals) - len(r.Memories) - len(r.Promotions); more > 0 {
		names = append(names, draw.Grouped(more)+" more")
	}
	return strings.Join(names, ", ")
}

// sameBoundaries reports whether an entry changed nothing but topics.
func sameBoundaries(r *review.Recut) bool {
	return slices.EqualFunc(r.Before, r.After, func(x, y review.Segment) bool { return x.Start == y.Start && x.End == y.End })
}
