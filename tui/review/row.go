package review

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// columns are the widths of a row's parts in cells; 0 is left out. Every
// width includes the space before it.
type columns struct {
	score, kind, date, topic, file, messages, calls, fails, tokens int
	// units says that the first row names its numbers ("14 msg  9 tools"),
	// for which failures share the place of a name; tokenUnit, that it names
	// the tokens, too.
	units, tokenUnit bool
}

const (
	rowHead      = 3  // mark, verdict, space
	wordMessages = 4  // " msg"
	wordCalls    = 6  // " tools", or the failures
	wordTokens   = 4  // " tok"
	minTopic     = 24 // columns fall away before a topic gets shorter
	goodTopic    = 26 // units come only where topics stay readable
	fileWidth    = 18
	longTopic    = 36 // files come only where topics have this
)

// rowContent says what there is to show in any row.
type rowContent struct{ scores, kinds, dates bool }

// columnsFor lays a row of width w out. Columns fall away from the right.
func columnsFor(w int, has rowContent) columns {
	var c columns
	rest := w - rowHead - 1 // one space at the end
	take := func(into *int, n int) bool {
		if rest-n < minTopic {
			return false
		}
		rest -= n
		*into = n
		return true
	}
	if has.scores {
		c.score = 5
		rest -= c.score
	}
	_ = (!has.dates || take(&c.date, 13)) && (!has.kinds || take(&c.kind, 9)) &&
		take(&c.messages, 5) && take(&c.calls, 5) && take(&c.fails, 5) && take(&c.tokens, 7)
	if extra := wordMessages + wordCalls - c.fails; c.tokens > 0 && rest-extra >= goodTopic {
		rest -= extra
		c.fails, c.units = 0, true
		if c.tokenUnit = rest-wordTokens >= goodTopic; c.tokenUnit {
			rest -= wordTokens
		}
	}
	if c.tokenUnit && rest-fileWidth >= longTopic {
		c.file = fileWidth
		rest -= fileWidth
	}
	c.topic = max(0, rest)
	return c
}

// row is one segment as it is drawn.
type row struct {
	*review.Segment
	title string // stands in for a topic that nobody gave yet
	date  string
	was   []string // what else is told where there is room, the longest first
	told  telling  // what was is
	mark  string   // of the selected row, with its ink
	named bool     // the units stand behind the numbers
	alike int      // how many it stands for, 0 for itself
	under bool     // it belongs to the row above
}

// telling is what a row tells behind its topic.
type telling int

const (
	tellsWas    telling = iota // what a stale segment was
	tellsReader                // who else reads it
	tellsJudge                 // who else judged it
)

// on returns the ink for it.
func (t telling) on(k *draw.Inks) draw.Ink {
	switch t {
	case tellsReader:
		return k.Warn
	case tellsJudge:
		return k.Muted
	}
	return k.Stale
}

func (c columns) draw(k *draw.Inks, g *draw.Glyphs, r row) string {
	var b strings.Builder
	b.WriteString(r.mark)
	b.WriteString(k.Verdict(r.Segment).On(g.State(r.Segment)))
	b.WriteString(k.Text.On(" "))
	if c.score > 0 {
		b.WriteString(draw.Score(k, g, r.Score) + k.Text.On(" "))
	}
	if c.date > 0 {
		b.WriteString(k.Muted.On(draw.Fit(r.date, c.date-1, "") + " "))
	}
	if c.kind > 0 {
		b.WriteString(k.Muted.On(draw.Fit(clean.Line(draw.Head(r.TaskType)), c.kind-1, g.More) + " "))
	}
	if r.Topic != "" {
		r.title = clean.Line(draw.Head(r.Topic))
	}
	if len(r.was) > 0 && r.told != tellsJudge { // matters more than the file
		c.topic, c.file = c.topic+c.file, 0
	}
	alike := ""
	if r.alike > 0 && c.topic > 12 {
		alike = " " + g.Alike(r.alike)
		c.topic -= ansi.StringWidth(alike)
	}
	if r.under {
		r.title = g.Beneath + r.title
	}
	topic, was := c.topicAndWas(r.was)
	topic, tags := shareWithTags(topic, r.Tags, g.More)
	if r.Note != "" && topic > 2 {
		b.WriteString(k.Text.On(draw.Fit(r.title, topic-2, g.More)) + k.Warn.On(" "+g.Note))
	} else {
		b.WriteString(k.Text.On(draw.Fit(r.title, topic, g.More)))
	}
	b.WriteString(k.Key.On(alike))
	if tags != "" {
		b.WriteString(k.Text.On(" ") + k.Key.On(tags))
	}
	if was != "" {
		b.WriteString(k.Text.On("  ") + r.told.on(k).On(was))
	}
	if c.file > 0 {
		b.WriteString(k.Muted.On("  " + draw.Fit(FileTitle(r.Segment), c.file-2, g.More)))
	}
	c.numbers(&b, k, g, r)
	b.WriteString(k.Text.On(" "))
	return b.String()
}

// mostTags is the width that the tags of a row take at most.
const mostTags = 24

// shareWithTags shares the cells of the topic with tags, where a good deal of
// both fits.
func shareWithTags(cells int, tags []string, more string) (topic int, text string) {
	if len(tags) == 0 {
		return cells, ""
	}
	text = tagsText(tags)
	n := min(ansi.StringWidth(text), mostTags)
	if cells-n-1 < minTopic {
		return cells, ""
	}
	return cells - n - 1, draw.Fit(text, n, more)
}

// topicAndWas shares the cells of the topic with what a stale segment was, if
// there is room for both.
func (c columns) topicAndWas(texts []string) (topic int, was string) {
	for _, text := range texts {
		if rest := c.topic - 2 - ansi.StringWidth(text); rest >= minTopic {
			return rest, text
		}
	}
	return c.topic, ""
}

func (c columns) numbers(b *strings.Builder, k *draw.Inks, g *draw.Glyphs, r row) {
	unit := func(word string, n, w int) {
		if !r.named {
			word = ""
		} else if n == 1 {
			word = strings.TrimSuffix(word, "s")
		}
		b.WriteString(k.Muted.On(draw.Fit(word, w, "")))
	}
	if c.messages > 0 {
		b.WriteString(k.Text.On(draw.Right(draw.Tight(r.Messages), c.messages)))
		if c.units {
			unit(" msg", r.Messages, wordMessages)
		}
	}
	if c.calls > 0 {
		b.WriteString(k.Text.On(draw.Right(draw.Tight(r.ToolCalls), c.calls)))
	}
	fails := ""
	if r.ToolFails > 0 {
		fails = g.Warn + draw.Tight(r.ToolFails)
	}
	switch {
	case c.units && fails == "":
		unit(" tools", r.ToolCalls, wordCalls)
	case c.units:
		b.WriteString(k.Fail.On(draw.Right(fails, wordCalls)))
	case c.fails > 0:
		b.WriteString(k.Fail.On(draw.Right(fails, c.fails)))
	}
	if c.tokens > 0 {
		b.WriteString(k.Muted.On(draw.Right(draw.Short(r.Tokens), c.tokens)))
		if c.tokenUnit {
			unit(" tok", r.Tokens, wordTokens)
		}
	}
}

// FileTitle names a segment by the file it came from.
func FileTitle(s *review.Segment) string {
	return clean.Line(draw.Head(review.FileTitle(s.SessionFile)))
}
