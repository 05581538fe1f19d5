package review

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
)

// lastVerdict is what got the last verdict of this screen: a segment, or several.
type lastVerdict struct {
	one  *review.Segment
	many []string
}

// WhyKeys are the keys that give a verdict its reason: one opens the choice, and each
// reason has one there.
func WhyKeys(whys []review.Why) []roomRow {
	all := []roomRow{
		keys.Key(",", "why", "give a verdict its reason: the selected, else the last one; or the marked", "why", keys.InJudged, (*Room).askWhy, (*Room).noWhy),
	}
	for _, w := range whys {
		all = append(all, keys.Key(w.Key, whyAction(w.Tag()), "give the reason \""+w.Word+"\", or take it away", w.Word, keys.InWhy, withRoom((*Room).giveWhy, w), nil))
	}
	return append(all, keys.Key("esc ctrl+c", keys.Back, "give no reason", "no", keys.InWhy, keys.Do((*Room).dropWhy), nil))
}

// whyAction names the action that gives a reason, by its tag.
func whyAction(tag string) string { return strings.Replace(tag, ":", "-", 1) }

// lastOne is the segment that got the last verdict, as it is now; nil if that was
// several, or if the verdict was taken back.
func (r *Room) lastOne() *review.Segment {
	s := r.last.one
	if s == nil {
		return nil
	}
	if i := r.List.Index(r.heirOf(s.ID)); i >= 0 {
		s = &r.List.Rows[i]
	}
	if !s.Verdict.Judged() {
		return nil
	}
	return s
}

// stepped has it as an undo or redo left it.
func (l *lastVerdict) stepped(s review.Segment) {
	if l.one != nil && l.one.ID == s.ID {
		l.one = &s
	}
}

// noWhy says why no reason can be given.
func (r *Room) noWhy() string {
	if reason := r.NoVerdict(); reason != "" {
		return reason
	}
	some := len(r.marks.IDs) > 0 || r.judgedHere() || r.lastOne() != nil || r.last.many != nil
	return keys.Reason(r.rechecks, "a recheck asks for verdicts only") + keys.Reason(!r.rechecks && !some, "a reason is for a verdict: none was given yet")
}

// judgedHere reports whether the selected segment has a verdict.
func (r *Room) judgedHere() bool {
	s := r.List.Selected()
	return s != nil && s.Verdict.Judged()
}

// askWhy opens the choice of a reason.
func (r *Room) askWhy() tea.Cmd {
	open := func(of *tagged) tea.Cmd { r.why = of; return nil }
	switch last := r.last; {
	case len(r.marks.IDs) > 0:
		return r.findTags(r.marks.List(), "marked", nil, open)
	case r.judgedHere():
		return open(r.tagsOf(*r.List.Selected()))
	case last.many != nil:
		return r.findTags(last.many, "last judged", review.Verdict.Judged, open)
	default:
		return open(r.tagsOf(*r.lastOne()))
	}
}

// AsksWhy reports whether a reason is being chosen.
func (r *Room) AsksWhy() bool { return r.why != nil }

// WhyOf names what the reason is for.
func (r *Room) WhyOf() string { return r.why.name }

// HasWhy reports whether a reason is given already, by the name of its action.
func (r *Room) HasWhy(action string) bool {
	return slices.ContainsFunc(r.why.had, func(tag string) bool { return whyAction(tag) == action })
}

func (r *Room) dropWhy() { r.why = nil }

// giveWhy gives the reason, or takes it away if it is given.
func (r *Room) giveWhy(w review.Why) tea.Cmd {
	of := r.why
	r.why = nil
	words, said := append(slices.Clone(of.had), w.Tag()), "why: "+w.Word+" "+r.G.Dot+" "+of.name
	if slices.Contains(of.had, w.Tag()) {
		words, said = slices.DeleteFunc(words, func(tag string) bool { return tag == w.Tag() }), "no longer "+w.Word+" "+r.G.Dot+" "+of.name
	}
	cmd := r.keepTags(of, words, said)
	if last := r.last.one; of.one != nil && last != nil && last.ID == of.one.ID {
		after := *of.one
		after.Tags = review.TagsWith(nil, words, nil)
		r.last.one = &after
	}
	return cmd
}
