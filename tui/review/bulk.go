package review

import (
	"cmp"
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// bulk is a verdict on several segments that is asked about: on those that are
// marked, or on all that pass the filter.
type bulk struct {
	verdict review.Verdict
	marked  bool
	away    int // of the marked ones, those that do not pass the filter
	standings
	known bool // the standings are
}

// standings are the segments that a verdict would be given to, and what they
// are now.
type standings struct {
	ids   []string // that get it
	in    map[string]bool
	from  map[review.Verdict]int // of ids
	same  int                    // have the verdict already
	gone  int                    // are not there any more
	stale int
	over  review.Overruled
}

// bulkWords are how a verdict on many is told: before and after what it is
// given to, while it is written, and when it is.
var bulkWords = map[review.Verdict][4]string{
	review.Approved: {"Approve", "", "approving", "approved"},
	review.Rejected: {"Reject", "", "rejecting", "rejected"},
	review.Unsure:   {"Mark", " unsure", "marking unsure:", "marked unsure:"},
	review.Pending:  {"Set", " back to pending", "setting back to pending:", "back to pending:"},
}

// BulkKeys are the keys that judge many, and those of the question before it.
func BulkKeys() []roomRow {
	all := func(key, name, help string, v review.Verdict) roomRow {
		return keys.Key(key, name, help, "", keys.InSegment, withRoom((*Room).askBulk, v), (*Room).NoVerdict)
	}
	return []roomRow{
		all("A", "bulk-approve", "approve the marked segments, else all that pass the filter; asks first", review.Approved),
		all("R", "bulk-reject", "reject them", review.Rejected),
		all("F", "bulk-unsure", "mark them unsure", review.Unsure),
		all("X", "bulk-pending", "set them back to pending", review.Pending),
		keys.Key("", "unsure-queue", "show the unsure segments, for a second look", "", keys.InSegment, (*Room).unsureQueue, (*Room).noUnsure),
		keys.Key("y", "judge-all", "do it; one undo takes all of it back", "do it", keys.InBulk, (*Room).doBulk, (*Room).stillCounting),
		keys.Key("enter", "judge-marked", "do it, if it is for marked segments", "", keys.InBulk, (*Room).doBulk, (*Room).notOfMarks),
		keys.Key("n q esc", keys.Back, "leave them as they are", "leave", keys.InBulk, keys.Do((*Room).dropBulk), nil),
	}
}

// askBulk asks whether many segments are to get a verdict. They are counted
// after the writes that are under way; keys wait for it.
func (r *Room) askBulk(v review.Verdict) tea.Cmd {
	if !r.rangeEnds() {
		return nil
	}
	b := &bulk{verdict: v, marked: len(r.marks.IDs) > 0, away: len(r.marks.Away)}
	ids := r.marks.List()
	r.bulk, r.wait.finding, r.Message = b, true, screen.Message{}
	q := review.Query{Filter: r.Filter.Node}
	return r.askAfter(func(ctx context.Context, lib rows.Library) work.Show {
		var of standings
		var err error
		if !b.marked {
			ids, err = lib.IDs(ctx, q)
		}
		if err == nil {
			of, err = standingsOf(ctx, lib, ids, v)
		}
		return func() tea.Cmd { return r.bulkCounted(b, of, err) }
	})
}

// standingsOf finds out which segments a verdict changes.
func standingsOf(ctx context.Context, lib rows.Library, ids []string, v review.Verdict) (standings, error) {
	now, err := lib.Standing(ctx, ids)
	if err != nil {
		return standings{}, err
	}
	s := standings{in: make(map[string]bool, len(now)), from: map[review.Verdict]int{}, over: review.Overruled{}, gone: len(ids) - len(now)}
	for i := range now {
		n := &now[i]
		if n.Verdict == v && !n.Stale {
			s.same++
			continue
		}
		s.in[n.ID] = true
		s.from[n.Verdict]++
		s.over.Add(n.Reviewer, n.Verdict, v)
		if n.Stale {
			s.stale++
		}
	}
	for _, id := range ids { // in the order of the list
		if s.in[id] {
			s.ids = append(s.ids, id)
		}
	}
	return s, nil
}

// bulkCounted shows the question, and presses the keys that waited for it.
func (r *Room) bulkCounted(b *bulk, of standings, err error) tea.Cmd {
	switch {
	case b != r.bulk:
		return r.Nowhere()
	case err != nil:
		r.Fail("the segments could not be counted", err)
	case len(of.ids) > 0:
		b.standings, b.known = of, true
		return r.Arrived()
	case of.same == 0:
		r.Say("nothing to do")
	case of.same == 1:
		r.Say("nothing to do: the segment is already " + string(b.verdict))
	default:
		r.Say("nothing to do: all " + draw.Grouped(of.same) + " are already " + string(b.verdict))
	}
	r.bulk = nil
	return r.Nowhere()
}

func (r *Room) stillCounting() string { return keys.Reason(!r.bulk.known, "still counting") }

// notOfMarks says why enter is no yes: what passes the filter may be far more than
// one has seen.
func (r *Room) notOfMarks() string {
	confirms := r.keys.Key("judge-all", keys.InBulk) + " confirms: this is for all that pass, not for marked ones"
	return cmp.Or(r.stillCounting(), keys.Reason(!r.bulk.marked, confirms))
}

// dropBulk leaves the segments as they are.
func (r *Room) dropBulk() {
	r.bulk = nil
	r.Say("nothing was changed")
}

// doBulk gives the verdict.
func (r *Room) doBulk() tea.Cmd {
	b := r.bulk
	r.bulk = nil
	j := review.Judgement{Curator: r.curator, IDs: b.ids, Verdict: b.verdict}
	r.last = lastVerdict{many: b.ids}
	words := bulkWords[b.verdict]
	cmd := r.applyMany(j, &b.standings, b.marked, words[2], words[3])
	if s := r.List.Selected(); s != nil && b.in[s.ID] {
		cmd = tea.Batch(cmd, r.advance())
	}
	return cmd
}

// BulkLines draws the question.
func (r *Room) BulkLines(w int) []string {
	b := r.bulk
	if b == nil {
		return nil
	}
	words, what, count := bulkWords[b.verdict], "all segments", ""
	if b.known {
		what, count = draw.Plural(len(b.ids), "segment")+", all there are", draw.Grouped(len(b.ids))+" "
	}
	switch filtered := r.Filter.Node != nil; {
	case b.marked && len(b.ids) == 1:
		what = "the marked segment"
	case b.marked:
		what = "the " + count + "marked segments"
	case filtered && b.known:
		what = draw.Plural(len(b.ids), "segment") + " that pass the filter"
	case filtered:
		what = "all that pass the filter"
	}
	question := words[0] + " " + what + words[1] + "?"
	if !b.known {
		return []string{draw.Fit(" "+r.Ink.Warn.On(question+" counting "+r.G.More), w, r.G.More)}
	}
	var lines []string
	add := func(k draw.Ink, text string) {
		for l := range strings.SplitSeq(ansi.Wrap(text, w-2, ""), "\n") {
			lines = append(lines, draw.Fit(" "+k.On(l), w, r.G.More))
		}
	}
	add(r.Ink.Warn, question)
	if told := r.bulkTold(b); len(told) > 0 {
		add(r.Ink.Muted, strings.Join(told, " "+r.G.Dot+" "))
	}
	return lines[:min(len(lines), max(1, r.H-screen.LeastAround))]
}

// bulkTold says what the segments are that get the verdict.
func (r *Room) bulkTold(b *bulk) []string {
	var told []string
	if over := clean.Line(draw.Head(b.over.Text(r.curator, draw.Grouped))); over != "" {
		told = append(told, over)
	}
	count := func(n int, one, many string) {
		if n > 0 {
			told = append(told, draw.OneOrMany(n, one, many))
		}
	}
	count(b.stale, "changed since it was judged", "changed since they were judged")
	count(b.same, "more is already "+string(b.verdict), "more are already "+string(b.verdict))
	count(b.away, "marked one does not pass the filter", "marked ones do not pass the filter")
	count(b.gone, "no longer exists", "no longer exist")
	return told
}

// unsureQueue shows what wants a second look, of what passes the filter.
func (r *Room) unsureQueue() tea.Cmd {
	n := filter.Narrowed(r.Filter.Base, review.HasVerdict(review.Unsure))
	return r.Take(r.NewFilter(n, filter.Print(n)), rows.WantStart)
}

// noUnsure says why there is nothing to look at again.
func (r *Room) noUnsure() string { return keys.Reason(r.unsures() == 0, "no segment is unsure") }

// unsures counts what wants a second look, of what passes the filter.
func (r *Room) unsures() int {
	c, known := r.Base()
	if !known {
		c = r.Totals.Counts()
	}
	return c.ByVerdict[review.Unsure]
}

// pendingOutside counts the pending segments that the filter leaves out, where
// it is one of more than the status.
func (r *Room) pendingOutside() int {
	c, known := r.Base()
	if !known {
		return 0
	}
	return max(0, r.Totals.ByVerdict[review.Pending]-c.ByVerdict[review.Pending])
}

// allJudged says that nothing is pending, and what is left to do.
func (r *Room) allJudged() string {
	text, dot := "nothing is pending: all is judged", " "+r.G.Dot+" "
	if n := r.pendingOutside(); n > 0 {
		text = "nothing that passes the filter is pending" + dot + draw.OneOrMany(n, "other is", "others are")
	}
	if n := r.unsures(); n > 0 {
		text += dot + draw.OneOrMany(n, "unsure wants", "unsure want") + " a second look: " + r.keyFor("unsure-queue")
	}
	return text
}
