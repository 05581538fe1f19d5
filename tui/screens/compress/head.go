package compress

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
)

// mostFindings is how many findings are listed, of a screen with so many lines.
func mostFindings(height int) int { return max(1, min(8, height/7)) }

// head draws what is known of the proposal above the sample.
func (s *Screen) head(w int) (lines []string) {
	lines = append(lines, s.titleLine(w))
	g := &s.seen.Got
	if p := s.proposal(); p != nil {
		lines = append(lines, s.factsLine(p, w))
		for _, said := range s.warnings(p) {
			for _, l := range draw.WrapTo(said.text, max(8, w-4), 2, s.G.More) {
				lines = append(lines, "  "+said.ink.On(l))
			}
		}
		if len(g.samples) > 1 {
			lines = append(lines, s.sampleLine(w))
		}
		lines = append(lines, s.findingLines(w)...)
	}
	return append(lines, s.Rule(w))
}

// titleLine says whose compression it is, and what became of it.
func (s *Screen) titleLine(w int) string {
	title := s.Ink.Key.On(s.G.Mark) + " " + s.Ink.Name.On("compression")
	if !s.seen.Came {
		return draw.Fit(title, w, s.G.More)
	}
	g := &s.seen.Got
	name := " of " + s.G.Quote + s.program.Title(&g.Segment) + s.G.Unquote
	status := ""
	if p := g.Proposal; p != nil {
		status = "  " + s.status(g)
		if by := clean.Line(draw.Head(cmp.Or(p.Judge, p.By))); by != "" {
			status += s.Ink.Muted.On(" by " + by + ", " + s.Day(later(p)))
		}
		if p.Changed {
			status += s.Ink.Muted.On(" " + s.G.Dot + " changed by hand")
		}
	}
	room := max(12, w-ansi.StringWidth(title)-ansi.StringWidth(status))
	return draw.Fit(title+s.Ink.Text.On(draw.Cut(name, room, s.G.More))+status, w, s.G.More)
}

// status names what became of a proposal, in its colour and with its glyph.
func (s *Screen) status(g *seen) string {
	p := g.Proposal
	if g.stale {
		return s.Ink.Stale.On(s.G.Stale+" stale") + s.Ink.Muted.On(", it was "+statusWords[p.Status])
	}
	switch p.Status {
	case proposal.Accepted:
		return s.Ink.Approved.On(s.G.Verdict[review.Approved] + " accepted")
	case proposal.Rejected:
		return s.Ink.Rejected.On(s.G.Verdict[review.Rejected] + " rejected")
	case proposal.Failed:
		return s.Ink.Fail.On(s.G.Warn + " failed")
	}
	return s.Ink.Muted.On(s.G.Verdict[review.Pending] + " proposed")
}

// factsLine tells what it costs and how it was made.
func (s *Screen) factsLine(p *proposal.Proposal, w int) string {
	k := &s.Ink
	parts := []draw.Part{{Text: s.costLine(p), Worth: 10}}
	put := func(ink draw.Ink, action, text string, worth int) {
		text = ink.On(clean.Line(draw.Head(text)))
		if action != "" && s.program.NoChange() == "" {
			text = k.Key.On(s.keys[action]) + ink.On(" ") + text
		}
		parts = append(parts, draw.Part{Text: text, Worth: worth})
	}
	put(k.Muted, "target", "target "+draw.Grouped(p.Target), 9)
	put(k.Text, "strategy", p.Made.Strategy, 8)
	put(k.Text, "form", p.Made.Form, 7)
	if len(s.seen.Got.samples) == 0 && p.Samples > 1 { // else the line of the sample says it
		put(k.Muted, "", draw.Plural(p.Samples, "sample"), 6)
	}
	if p.Made.Model != "" {
		put(k.Muted, "", "by "+p.Made.Model, 5)
	}
	put(k.Muted, "", p.Made.Counter, 4)
	if p.Made.Hindsight {
		put(k.Muted, "", "names by hindsight", 2)
	}
	return s.FitParts(parts, w)
}

// costLine tells what the conversation costs, and what all that comes of it costs
// together: that is what is trained on.
func (s *Screen) costLine(p *proposal.Proposal) string {
	k := &s.Ink
	if p.Layers == nil {
		return k.Text.On("  " + draw.Plural(p.Before, "token"))
	}
	after, ink, all := draw.Grouped(p.After), k.Text, ""
	if p.Over {
		ink = k.Fail
	}
	if p.Samples > 1 && !s.seen.Got.stale {
		all, after = " in all", s.G.More
		if len(s.costs.Got) == p.Samples {
			sum := 0
			for _, n := range s.costs.Got {
				sum += n
			}
			after = draw.Grouped(sum)
		}
	}
	return k.Text.On("  "+draw.Grouped(p.Before)+" "+s.G.Arrow+" ") + ink.On(after) + k.Text.On(" tokens"+all)
}

// warning is a line in red or amber.
type warning struct {
	ink  draw.Ink
	text string
}

// warnings say what is wrong with a proposal.
func (s *Screen) warnings(p *proposal.Proposal) (list []warning) {
	g := &s.seen.Got
	say := func(ink draw.Ink, text string) { list = append(list, warning{ink, text}) }
	switch {
	case g.stale:
		say(s.Ink.Stale, "Its messages have changed since: exports write the segment whole. "+s.keys["make"]+" makes it anew, "+s.keys["reject"]+" rejects it.")
		return list
	case p.Status == proposal.Failed:
		say(s.Ink.Fail, "Nothing can be accepted: "+s.whyFailed(p)+".")
		return list
	}
	if p.Dropped > 0 {
		say(s.Ink.Warn, draw.Plural(p.Dropped, "answer")+" no longer trained.")
	}
	if p.Over {
		most := 0
		for i := range g.samples {
			most = max(most, s.cost(i))
		}
		text := "Over the target"
		if most > p.Target {
			text += " by " + draw.Plural(most-p.Target, "token")
		}
		if len(g.samples) > 1 {
			text += " in the longest sample"
		}
		say(s.Ink.Fail, text+".")
	}
	if p.Reason != "" {
		say(s.Ink.Warn, "It could not be shortened further: "+clean.Line(draw.Head(p.Reason))+".")
	}
	return list
}

// whyFailed says why nothing came of it.
func (s *Screen) whyFailed(p *proposal.Proposal) string {
	if p.Reason != "" {
		return clean.Line(draw.Head(strings.TrimSuffix(p.Reason, ".")))
	}
	return whyNot(p.Outcome, s.seen.Got.outline.Least, p.Target)
}

// whyNot says why nothing is left out.
func whyNot(o compress.Outcome, least, target int) string {
	text := string(o)
	switch o {
	case compress.Nothing:
		text = "all messages have to stay"
	case compress.NoSavings:
		text = "what may go costs no more than what would stand for it"
	case compress.Failed:
		text = "no summary came that may be used"
	}
	if least > target {
		text += "; what has to stay costs " + draw.Plural(least, "token") + ", the target is " + draw.Grouped(target)
	}
	return text
}

// sampleLine says which sample is shown, and what it trains.
func (s *Screen) sampleLine(w int) string {
	g := &s.seen.Got
	of := &g.samples[s.sample]
	n, first, last := 0, -1, 0
	for _, piece := range of.Pieces {
		for i := max(piece.From, g.Conversation.Own); i < piece.To && piece.Train && piece.Stand == nil; i++ {
			if g.Conversation.Messages[i].Role == chat.Assistant {
				if n++; first < 0 {
					first = i
				}
				last = i
			}
		}
	}
	cost := s.Ink.Muted.On("counting")
	switch tokens := s.cost(s.sample); {
	case tokens > g.Proposal.Target:
		cost = s.Ink.Fail.On(draw.Plural(tokens, "token"))
	case tokens > 0:
		cost = s.Ink.Muted.On(draw.Plural(tokens, "token"))
	}
	trains := "trains no answer"
	if n > 0 {
		trains = fmt.Sprintf("trains %s, %s", draw.Plural(n, "answer"), namesOf(&g.Conversation, first, last+1, s.G))
	}
	another := s.keys["previous-sample"] + " " + s.keys["next-sample"] + " another sample"
	return s.FitParts([]draw.Part{
		{Text: "  " + s.Ink.Name.On(fmt.Sprintf("sample %d of %d", s.sample+1, len(g.samples))), Worth: 9},
		{Text: cost, Worth: 7}, {Text: s.Ink.Text.On(trains), Worth: 8}, {Text: s.Ink.Muted.On(another), Worth: 3},
	}, w)
}

// findingLines list what was found, around the finding that was gone to.
func (s *Screen) findingLines(w int) (lines []string) {
	all := s.findings()
	most := mostFindings(s.frame.Height)
	from := max(0, min(s.finding-1-most/2, len(all)-most))
	to := min(len(all), from+most)
	for i := from; i < to; i++ {
		f := &all[i]
		mark, ink := s.G.Warn, s.Ink.Warn
		if f.Check != compress.Dangling && f.Check != compress.TooLong {
			ink = s.Ink.Fail
		}
		if i == s.finding-1 {
			mark = s.G.Arrow
		}
		text := clean.Line(draw.Head(f.Detail))
		if f.N > 0 {
			text = fmt.Sprintf("#%d ", f.N) + text
		}
		if left := len(all) - to; i == to-1 && (from > 0 || left > 0) {
			tail := fmt.Sprintf("  %d of %d, %s goes to each", max(1, s.finding), len(all), s.keys["next-finding"])
			lines = append(lines, "  "+ink.On(draw.Fit(mark+" "+text, max(8, w-4-ansi.StringWidth(tail)), s.G.More))+s.Ink.Muted.On(tail))
			continue
		}
		lines = append(lines, "  "+ink.On(draw.Cut(mark+" "+text, w-4, s.G.More)))
	}
	return lines
}

// empty says what there is instead of a sample.
func (s *Screen) empty(w int) (lines []string) {
	g := &s.seen.Got
	say := func(k draw.Ink, text string) { lines = append(append(lines, s.Wrap(k, text, w)...), "") }
	o := &g.outline
	switch {
	case g.Proposal != nil && g.stale:
		for _, layer := range g.Proposal.Layers {
			for i := range layer {
				if !layer[i].Cleared {
					say(s.Ink.Muted, clean.Line(draw.Head(layer[i].Text)))
				}
			}
		}
		return lines
	case o.Before <= s.way.Target && g.Proposal == nil:
		say(s.Ink.Name, "It fits: there is nothing to compress.")
		say(s.Ink.Text, fmt.Sprintf("The segment costs %s with what stands in front of it, the target is %s (%s).", draw.Plural(o.Before, "token"), draw.Grouped(s.way.Target), counterOf(g)))
		say(s.Ink.Muted, s.keys["target"]+" sets another target")
		return lines
	case g.Proposal == nil:
		say(s.Ink.Name, "There is no proposal yet.")
		say(s.Ink.Text, fmt.Sprintf("The segment costs %s with what stands in front of it, the target is %s (%s).", draw.Plural(o.Before, "token"), draw.Grouped(s.way.Target), counterOf(g)))
		if o.Least > s.way.Target {
			say(s.Ink.Warn, "What has to stay costs "+draw.Plural(o.Least, "token")+" alone: it cannot fit.")
		}
	}
	lines = append(lines,
		s.Ink.Key.On(s.keys["make"])+s.Ink.Text.On(" makes one: "+s.way.Strategy+" "+s.G.Dot+" "+s.way.Form+" "+s.G.Dot+" target "+draw.Grouped(s.way.Target)),
		s.Ink.Key.On(s.keys["strategy"])+s.Ink.Muted.On(" another strategy  ")+s.Ink.Key.On(s.keys["form"])+s.Ink.Muted.On(" split or fold  ")+s.Ink.Key.On(s.keys["target"])+s.Ink.Muted.On(" another target"))
	return append(lines, "", s.Ink.Key.On("winnow compress --to "+fmt.Sprint(s.way.Target))+s.Ink.Muted.On(" makes those of many segments"))
}

func counterOf(g *seen) string {
	if g.Options.Price == nil {
		return compress.Plain{}.Name()
	}
	return g.Options.Price.Name()
}

// later is when a proposal was judged, else made.
func later(p *proposal.Proposal) time.Time {
	if !p.Judged.IsZero() {
		return p.Judged
	}
	return p.At
}
