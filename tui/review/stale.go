package review

import (
	"context"
	"maps"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/rows"
	"winnow/tui/work"
)

const (
	// ComparedMost is the number of messages, of what was judged and of what
	// there is, up to which a row of the list tells what changed: the reader
	// compares whatever is opened, a list must not read a database for it.
	ComparedMost = 4000
	// comparedTokens is the same for what they hold: some megabytes of text.
	comparedTokens = 1 << 20
	// comparedAtOnce is how many rows are compared before those on the screen
	// are looked at again: the hand may have scrolled on.
	comparedAtOnce = 4
	// changesKept bounds what is remembered of it.
	changesKept = 1024
	// reviewerWidth is how much of a curator's name a row shows.
	reviewerWidth = 8
)

// changes are what changed in segments since they were judged.
type changes struct {
	known  map[rows.Change]segment.Difference
	asking bool // for more of them
}

// askChanges asks what changed in the stale segments on screen.
func (r *Room) askChanges() tea.Cmd {
	if r.changes.asking || r.TooSmall() || r.app.Covered() {
		return nil
	}
	var stale []review.Segment
	for _, s := range r.List.Visible() {
		if !s.Stale || s.End-s.Start+s.WasEnd-s.WasStart > ComparedMost || s.Tokens > comparedTokens {
			continue
		}
		if len(stale) == comparedAtOnce {
			break
		}
		if _, known := r.changes.known[rows.ChangeOf(&s)]; !known {
			stale = append(stale, s)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	c := &r.changes
	c.asking = true
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		found := map[rows.Change]segment.Difference{}
		for i := range stale {
			d, err := segment.Since(ctx, &stale[i], lib.EachMessage)
			if err != nil {
				d = segment.Difference{Unknown: true}
			}
			found[rows.ChangeOf(&stale[i])] = d
		}
		return Showing(func() {
			if c.asking = false; len(c.known)+len(found) <= changesKept {
				maps.Copy(found, c.known)
			}
			c.known = found
		})
	})
}

// changeCounts says how many messages came to a stale segment and left it:
// " +4 −1"; "" if that is not known, or not yet.
func (r *Room) changeCounts(s *review.Segment) string {
	text := ""
	added, removed := r.changes.known[rows.ChangeOf(s)].Counts()
	if added > 0 {
		text = " +" + strconv.Itoa(added)
	}
	if removed > 0 {
		text += " " + r.G.Minus + strconv.Itoa(removed)
	}
	return text
}

// wasTexts say what a stale segment was and what changed since, for a row of
// the list: the first is the longest.
func (r *Room) wasTexts(s *review.Segment) []string {
	if !s.Stale {
		return nil
	}
	was := ""
	if g, ok := r.G.Verdict[s.Was]; ok && s.Was.Judged() {
		was = "was " + g
	}
	counts := r.changeCounts(s)
	who, when := "", ""
	if by := clean.Line(draw.Head(s.WasBy)); by != "" && was != "" {
		who = " " + draw.Cut(by, reviewerWidth, r.G.More)
	}
	if !s.WasAt.IsZero() && was != "" {
		when = s.WasAt.In(r.zone).Format(" 2 Jan")
	}
	var texts []string
	for _, text := range [...]string{was + who + when + counts, was + who + counts, was + counts, was} {
		if text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// again gives a stale segment the verdict that it had.
func (r *Room) again() tea.Cmd {
	s := r.List.Selected()
	return r.give(s.Was, string(s.Was)+" again: ")
}

// noOldVerdict says why there is none to be given again.
func (r *Room) noOldVerdict() string {
	if reason := r.NoVerdict(); reason != "" {
		return reason
	}
	switch s := r.List.Selected(); {
	case !s.Stale && s.Verdict.Judged():
		return "it is " + string(s.Verdict) + ", and has not changed since"
	case !s.Stale:
		return "it has no old verdict: " + r.keyFor("again") + " is for stale segments (" + r.G.Stale + ")"
	case !s.Was.Judged():
		return "its old verdict is not known: " + r.keyFor("approve") + " approves, " + r.keyFor("reject") + " rejects"
	}
	return ""
}

// judgedByOther reports whether somebody else gave a segment its verdict.
func (r *Room) judgedByOther(s *review.Segment) bool {
	return s.Verdict.Judged() && !s.Stale && s.Reviewer != "" && s.Reviewer != r.curator
}

// tells is what a row says after its topic where there is room, the longest
// text first: who else reads it, what it was, who else judged it.
func (r *Room) tells(s *review.Segment) ([]string, rows.Telling) {
	if o, ok := r.heldBy(s.ID); ok {
		return []string{r.readBy(s), draw.Cut(clean.Line(draw.Head(o.Curator)), reviewerWidth, r.G.More)}, rows.TellsReader
	}
	if r.judgedByOther(s) {
		name := draw.Cut(clean.Line(draw.Head(s.Reviewer)), reviewerWidth, r.G.More)
		return []string{string(s.Verdict) + " by " + name, "by " + name}, rows.TellsJudge
	}
	if was := r.wasTexts(s); len(was) > 0 {
		return was, rows.TellsWas
	}
	return r.leftTexts(s), rows.TellsAlike
}

// tellJudged says that somebody else judged what is read, or took its verdict
// back.
func (r *Room) tellJudged(before *review.Segment) {
	s := r.List.Selected()
	if s == nil || s.ID != before.ID || r.Message.Failed {
		return
	}
	news := ""
	switch changed := s.Verdict != before.Verdict || !s.ReviewedAt.Equal(before.ReviewedAt); {
	case !changed || s.Stale != before.Stale:
		return
	case r.judgedByOther(s):
		news = clean.Line(draw.Head(s.Reviewer)) + " just said " + string(s.Verdict) + " on " + r.NameOf(s)
	case s.Verdict == review.Pending && before.Verdict.Judged():
		news = r.NameOf(s) + " was set back to pending"
	default:
		return // by this curator, in another window
	}
	r.Say(news)
}
