package rows

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
	score, kind, Date, topic, file, messages, calls, fails, tokens int
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

// RowContent says what there is to show in any row.
type RowContent struct{ Scores, Kinds, Dates bool }

// ColumnsFor lays a row of width w out. Columns fall away from the right.
func ColumnsFor(w int, has RowContent) columns {
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
	if has.Scores {
		c.score = 5
		rest -= c.score
	}
	_ = (!has.Dates || take(&c.Date, 13)) && (!has.Kinds || take(&c.kind, 9)) &&
		take(&c.messages, 5) && take(&c.calls, 5) && take(&c.fails, 5) && take(&c.tokens, 7)
	if extra := wordMessages + wordCalls - c.fails; c.tokens > 0 && rest-extra >= goodTopic {
		rest -= extra
		c.fails, c.units = wordCalls, true
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

// Row is one segment as it is drawn.
type Row struct {
	*review.Segment
	Title string // stands in for a topic that nobody gave yet
	Date  string
	Was   []string // what else is told where there is room, the longest first
	Told  Telling  // what sort of thing Was tells
	Mark  string   // of the selected row, with its ink
	Named bool     // the units stand after the numbers
	Alike int      // how many it stands for, 0 for itself
	Under bool     // it belongs to the row above
}

// Telling is what a row tells after its topic.
type Telling int

const (
	TellsWas    Telling = iota // what a stale segment was
	TellsReader                // who else reads it
	TellsJudge                 // who else judged it
)

// on returns the ink for it.
func (t Telling) on(k *draw.Inks) draw.Ink {
	return [...]draw.Ink{k.Stale, k.Warn, k.Muted}[t]
}

// Draw draws a row in these columns.
func (c columns) Draw(k *draw.Inks, g *draw.Glyphs, r Row) string {
	var b strings.Builder
	b.WriteString(r.Mark)
	b.WriteString(k.Verdict(r.Segment).On(g.State(r.Segment)))
	b.WriteString(k.Text.On(" "))
	if c.score > 0 {
		b.WriteString(draw.Score(k, g, r.Score) + k.Text.On(" "))
	}
	if c.Date > 0 {
		b.WriteString(k.Muted.On(draw.Fit(r.Date, c.Date-1, "") + " "))
	}
	if c.kind > 0 {
		b.WriteString(k.Muted.On(draw.Fit(clean.Line(draw.Head(r.TaskType)), c.kind-1, g.More) + " "))
	}
	if r.Topic != "" {
		r.Title = clean.Line(draw.Head(r.Topic))
	}
	if len(r.Was) > 0 && r.Told != TellsJudge { // matters more than the file
		c.topic, c.file = c.topic+c.file, 0
	}
	alike := ""
	if r.Alike > 0 && c.topic > 12 {
		alike = " " + g.Alike(r.Alike)
		c.topic -= ansi.StringWidth(alike)
	}
	if r.Under {
		r.Title = g.Beneath + r.Title
	}
	topic, was := c.topicAndWas(r.Was)
	topic, tags := shareWithTags(topic, r.Tags, g.More)
	note := ""
	if r.Note != "" && topic > 2 {
		topic, note = topic-2, " "+g.Note
	}
	b.WriteString(k.Text.On(draw.Fit(r.Title, topic, g.More)) + k.Warn.On(note) + k.Key.On(alike))
	if tags != "" {
		b.WriteString(k.Text.On(" ") + k.Key.On(tags))
	}
	if was != "" {
		b.WriteString(k.Text.On("  ") + r.Told.on(k).On(was))
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
	text = TagsText(tags)
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

func (c columns) numbers(b *strings.Builder, k *draw.Inks, g *draw.Glyphs, r Row) {
	unit := func(word string, n, w int) {
		if !r.Named {
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

// TagsText draws tags in a row or a title.
func TagsText(tags []string) string {
	const most = 20 // more fit nowhere
	var texts []string
	for _, tag := range tags[:min(len(tags), most)] {
		texts = append(texts, "#"+clean.Line(draw.Head(tag)))
	}
	return strings.Join(texts, " ")
}
