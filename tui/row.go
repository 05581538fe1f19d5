package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
)

// columns are the widths of a row's parts in cells; 0 is left out. Every
// width includes the space before it.
type columns struct {
	kind, topic, messages, calls, fails, tokens int
	// units says that the first row names its numbers ("14 msg  9 tools"),
	// for which failures share the place of a name.
	units bool
}

const (
	rowHead      = 8  // mark, verdict, space, score of four, space
	wordMessages = 4  // " msg"
	wordCalls    = 6  // " tools", or the failures
	minTopic     = 24 // columns fall away before a topic gets shorter
	goodTopic    = 26 // units come only where topics stay readable
)

// columnsFor lays a row of width w out; typed says that any row has a task
// type. Columns fall away from the right.
func columnsFor(w int, typed bool) columns {
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
	_ = (!typed || take(&c.kind, 9)) && take(&c.messages, 5) && take(&c.calls, 5) && take(&c.fails, 5) && take(&c.tokens, 7)
	if extra := wordMessages + wordCalls - c.fails; c.tokens > 0 && rest-extra >= goodTopic {
		rest -= extra
		c.fails, c.units = 0, true
	}
	c.topic = max(0, rest)
	return c
}

// row draws one segment. title stands in for a topic that nobody gave yet;
// named puts the units behind the numbers.
func (c columns) row(k *inks, g *glyphs, s *review.Segment, title, mark string, named bool) string {
	var b strings.Builder
	b.WriteString(mark)
	b.WriteString(k.verdict(s).on(g.of(s)))
	b.WriteString(k.text.on(" "))
	if s.Score == nil || math.IsNaN(*s.Score) {
		b.WriteString(k.muted.on(" " + g.none + "  "))
	} else {
		v := min(max(*s.Score, 0), 1)
		b.WriteString(k.score(v).on(strconv.FormatFloat(v, 'f', 2, 64)))
	}
	b.WriteString(k.text.on(" "))
	if c.kind > 0 {
		b.WriteString(k.muted.on(fit(clean.Line(head(s.TaskType)), c.kind-1, g.more) + " "))
	}
	if s.Topic != "" {
		title = clean.Line(head(s.Topic))
	}
	b.WriteString(k.text.on(fit(title, c.topic, g.more)))
	c.numbers(&b, k, g, s, named)
	b.WriteString(k.text.on(" "))
	return b.String()
}

func (c columns) numbers(b *strings.Builder, k *inks, g *glyphs, s *review.Segment, named bool) {
	unit := func(word string, w int) {
		if !c.units {
			return
		}
		if !named {
			word = ""
		}
		b.WriteString(k.muted.on(fit(word, w, "")))
	}
	if c.messages > 0 {
		b.WriteString(k.text.on(right(tight(s.Messages), c.messages)))
		unit(" msg", wordMessages)
	}
	if c.calls > 0 {
		b.WriteString(k.text.on(right(tight(s.ToolCalls), c.calls)))
	}
	fails := ""
	if s.ToolFails > 0 {
		fails = g.warn + tight(s.ToolFails)
	}
	switch {
	case c.units && fails == "":
		unit(" tools", wordCalls)
	case c.units:
		b.WriteString(k.fail.on(right(fails, wordCalls)))
	case c.fails > 0:
		b.WriteString(k.fail.on(right(fails, c.fails)))
	}
	if c.tokens > 0 {
		b.WriteString(k.muted.on(right(short(s.Tokens), c.tokens)))
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
	return clean.Line(head(s.SessionFile[strings.LastIndexAny(s.SessionFile, `/\`)+1:]))
}
