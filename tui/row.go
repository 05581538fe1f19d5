package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
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
func (t telling) on(k *inks) ink {
	switch t {
	case tellsReader:
		return k.warn
	case tellsJudge:
		return k.muted
	}
	return k.stale
}

func (c columns) draw(k *inks, g *glyphs, r row) string {
	var b strings.Builder
	b.WriteString(r.mark)
	b.WriteString(k.verdict(r.Segment).on(g.of(r.Segment)))
	b.WriteString(k.text.on(" "))
	if c.score > 0 {
		b.WriteString(scoreText(k, g, r.Score) + k.text.on(" "))
	}
	if c.date > 0 {
		b.WriteString(k.muted.on(fit(r.date, c.date-1, "") + " "))
	}
	if c.kind > 0 {
		b.WriteString(k.muted.on(fit(clean.Line(head(r.TaskType)), c.kind-1, g.more) + " "))
	}
	if r.Topic != "" {
		r.title = clean.Line(head(r.Topic))
	}
	if len(r.was) > 0 && r.told != tellsJudge { // matters more than the file
		c.topic, c.file = c.topic+c.file, 0
	}
	alike := ""
	if r.alike > 0 && c.topic > 12 {
		alike = " " + g.alikeText(r.alike)
		c.topic -= ansi.StringWidth(alike)
	}
	if r.under {
		r.title = g.beneath + r.title
	}
	topic, was := c.topicAndWas(r.was)
	topic, tags := shareWithTags(topic, r.Tags, g.more)
	if r.Note != "" && topic > 2 {
		b.WriteString(k.text.on(fit(r.title, topic-2, g.more)) + k.warn.on(" "+g.note))
	} else {
		b.WriteString(k.text.on(fit(r.title, topic, g.more)))
	}
	b.WriteString(k.key.on(alike))
	if tags != "" {
		b.WriteString(k.text.on(" ") + k.key.on(tags))
	}
	if was != "" {
		b.WriteString(k.text.on("  ") + r.told.on(k).on(was))
	}
	if c.file > 0 {
		b.WriteString(k.muted.on("  " + fit(fileTitle(r.Segment), c.file-2, g.more)))
	}
	c.numbers(&b, k, g, r)
	b.WriteString(k.text.on(" "))
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
	return cells - n - 1, fit(text, n, more)
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

// scoreText renders a score in four cells.
func scoreText(k *inks, g *glyphs, score *float64) string {
	if score == nil || math.IsNaN(*score) {
		return k.muted.on(" " + g.none + "  ")
	}
	v := min(max(*score, 0), 1)
	return k.score(v).on(metric.ScoreText(v))
}

func (c columns) numbers(b *strings.Builder, k *inks, g *glyphs, r row) {
	unit := func(word string, n, w int) {
		if !r.named {
			word = ""
		} else if n == 1 {
			word = strings.TrimSuffix(word, "s")
		}
		b.WriteString(k.muted.on(fit(word, w, "")))
	}
	if c.messages > 0 {
		b.WriteString(k.text.on(right(tight(r.Messages), c.messages)))
		if c.units {
			unit(" msg", r.Messages, wordMessages)
		}
	}
	if c.calls > 0 {
		b.WriteString(k.text.on(right(tight(r.ToolCalls), c.calls)))
	}
	fails := ""
	if r.ToolFails > 0 {
		fails = g.warn + tight(r.ToolFails)
	}
	switch {
	case c.units && fails == "":
		unit(" tools", r.ToolCalls, wordCalls)
	case c.units:
		b.WriteString(k.fail.on(right(fails, wordCalls)))
	case c.fails > 0:
		b.WriteString(k.fail.on(right(fails, c.fails)))
	}
	if c.tokens > 0 {
		b.WriteString(k.muted.on(right(short(r.Tokens), c.tokens)))
		if c.tokenUnit {
			unit(" tok", r.Tokens, wordTokens)
		}
	}
}

// short renders a count in at most five cells: 60, 1.9k, 14.2k, 120k, 1.2M.
func short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n < 99_950_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0fM", float64(n)/1e6)
}

// tight renders a count in at most four cells: 999, 9.9k, 14k, 120k, 1.2M.
func tight(n int) string {
	if n < 9_950 || n >= 999_500 && n < 9_950_000 {
		return short(n)
	}
	if n < 999_500 {
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.0fM", float64(n)/1e6)
}

// grouped renders a count with commas: 8,931.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// head is as much of a text as one line can show: recorded titles may be of
// any length, and a frame must not pay for them.
func head(s string) string { return s[:min(len(s), 2<<10)] }

// fileTitle names a segment by the file it came from.
func fileTitle(s *review.Segment) string {
	return clean.Line(head(review.FileTitle(s.SessionFile)))
}
