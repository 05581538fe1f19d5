package rows

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Row is one segment as it is drawn.
type Row struct {
	*review.Segment
	Title string // stands in for a topic that nobody gave yet
	Date  string
	Seen  float64  // how much of it was seen, a share
	Was   []string // what else is told where there is room, the longest first
	Told  Telling  // what sort of thing Was tells
	Mark  string   // of the selected row, with its ink
	Alike int      // how many it stands for, 0 for itself
	Under bool     // it belongs to the row above
}

// Telling is what a row tells after its topic.
type Telling int

const (
	TellsWas    Telling = iota // what a stale segment was
	TellsReader                // who else reads it
	TellsJudge                 // who else judged it
	TellsAlike                 // what is left of those it stands for
)

// on returns the ink for it.
func (t Telling) on(k *draw.Inks) draw.Ink {
	return [...]draw.Ink{k.Stale, k.Warn, k.Muted, k.Key}[t]
}

// Draw draws a row in these columns.
func (c Columns) Draw(k *draw.Inks, g *draw.Glyphs, r Row) string {
	var b strings.Builder
	b.WriteString(r.Mark)
	b.WriteString(k.Verdict(r.Segment).On(g.State(r.Segment)))
	if c.seen {
		b.WriteString(k.Muted.On(g.SeenShare(r.Seen)))
	}
	if r.Edited != "" {
		b.WriteString(k.Key.On(g.Edited))
	} else {
		b.WriteString(k.Text.On(" "))
	}
	if c.of[score] > 0 {
		b.WriteString(draw.Score(k, g, r.Score) + k.Text.On(" "))
	}
	if n := c.of[likely]; n > 0 {
		b.WriteString(k.Text.On(strings.Repeat(" ", n-5)) + draw.Score(k, g, r.Likely) + k.Text.On(" "))
	}
	before := func(text string, col column) {
		if n := c.of[col]; n > 0 {
			b.WriteString(k.Muted.On(draw.Fit(text, n-1, g.More) + " "))
		}
	}
	before(r.Date, date)
	before(clean.Line(draw.Head(r.TaskType)), kind)
	if r.Topic != "" {
		r.Title = clean.Line(draw.Head(r.Topic))
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
	packed := ""
	if mark := g.Compressed[r.Compression]; mark != "" && topic > 2 {
		topic, packed = topic-2, " "+mark
	}
	b.WriteString(k.Text.On(draw.Fit(r.Title, topic, g.More)) + k.Warn.On(note) + k.Compression(r.Compression).On(packed) + k.Key.On(alike))
	if tags != "" {
		b.WriteString(k.Text.On(" ") + k.Key.On(tags))
	}
	if was != "" {
		b.WriteString(k.Text.On("  ") + r.Told.on(k).On(was))
	}
	behind := func(text string, col column) {
		if n := c.of[col]; n > 0 {
			b.WriteString(k.Muted.On("  " + draw.Fit(text, n-2, g.More)))
		}
	}
	behind(cutSource(source(r.Segment), c.of[file]-2, g.More), file)
	behind(modelName(r.Segment), model)
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

// A topic that shares its cells with what a row tells has toldTopic left, and beside
// the shortest text leastTopic: the other columns keep their places.
const toldTopic, leastTopic = 14, 12

// topicAndWas shares the cells of the topic with the longest of the texts that leaves
// it enough.
func (c Columns) topicAndWas(texts []string) (topic int, was string) {
	for i, text := range texts {
		least := toldTopic
		if i == len(texts)-1 {
			least = leastTopic
		}
		if rest := c.topic - 2 - ansi.StringWidth(text); rest >= least {
			return rest, text
		}
	}
	return c.topic, ""
}

// numbers draws the counts of a row.
func (c Columns) numbers(b *strings.Builder, k *draw.Inks, g *draw.Glyphs, r Row) {
	failed, failing := "", k.Fail
	if n := r.Errors + r.Exits; n > 0 {
		failed = g.Warn + draw.Tight(n)
	}
	if r.Errors == 0 {
		failing = k.Warn // all of them are exits
	}
	b.WriteString(k.Text.On(draw.Right(draw.Tight(r.Messages), c.of[messages])))
	b.WriteString(k.Text.On(draw.Right(draw.Tight(r.ToolCalls), c.of[calls])))
	b.WriteString(failing.On(draw.Right(failed, c.of[fails])))
	b.WriteString(k.Muted.On(draw.Right(draw.Short(r.Tokens), c.of[tokens])))
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
