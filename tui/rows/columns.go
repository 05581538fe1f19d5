package rows

import (
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// column is a part of a row beside its topic.
type column int

// The columns, in the order in which they stand. The topic is before the file.
const (
	score column = iota
	likely
	date
	kind
	file
	model
	messages
	calls
	fails
	tokens
	columnCount
)

// columnOf are the headings of columns and their widths, which include the space
// before (the score: behind) them. by are what orders sort by that show in them.
var columnOf = [columnCount]struct {
	heading string
	width   int
	right   bool // the heading stands over digits
	by      []filter.Column
}{
	score:    {"score", 5, true, []filter.Column{review.ByScore, review.ByDoubt}},
	likely:   {"likely", 7, true, []filter.Column{review.ByLikely, review.ByDoubt}},
	date:     {"date", 13, false, []filter.Column{review.ByDate}},
	kind:     {"type", 9, false, []filter.Column{review.ByTurn}},
	file:     {"source", 14, false, nil},
	model:    {"model", 10, false, nil},
	messages: {"msg", 5, true, []filter.Column{"messages"}},
	calls:    {"tool", 5, true, nil},
	fails:    {"fail", 6, true, []filter.Column{review.ByFailed}},
	tokens:   {"tok", 6, true, []filter.Column{"tokens"}},
}

const (
	rowHead   = 3  // mark, verdict, space or the mark of an edit
	minTopic  = 24 // columns fall away before a topic gets shorter
	longTopic = 36 // sources come in any list where topics have this
	fewTopic  = 20 // and before columns that come in a wide list do
	wideList  = 88 // the list beside a reader that has all the room it needs
	shortDate = 9  // of a date that the list is not sorted by: "Jan 2006"
	wideFile  = 28 // sources and models are not wider, however long
	wideModel = 20
)

// fallAway are the columns in the order in which they get room.
var fallAway = [...]column{kind, likely, messages, calls, fails, tokens}

// extras are those that come where there is much room; only the first of them in a
// list that is not.
var extras = [...]column{file, date, model}

// RowContent says what there is to show in any row, and what the list is sorted by.
type RowContent struct {
	Scores, Kinds, Likely bool
	Widest                // of sources and models, 0 for none

	Seen bool // it is known how far they were seen

	By filter.Column
	// Beside says that the list is beside the reader, above which the topic stands,
	// too.
	Beside bool
}

// Columns are the widths of a row's parts in cells; 0 is left out.
type Columns struct {
	of     [columnCount]int
	topic  int
	seen   bool   // a cell beside the verdict
	sorted column // columnCount: by none of them
}

// has reports whether a column has anything to show.
func (has *RowContent) has(c column) bool {
	switch c {
	case score:
		return has.Scores
	case kind:
		return has.Kinds
	case likely:
		return has.Likely
	case model:
		return has.Models > 0
	}
	return true
}

// ColumnsFor lays a row of width w out. The column that the list is sorted by, and
// the score, are always there; the others fall away from the right.
func ColumnsFor(w int, has RowContent) Columns {
	c := Columns{sorted: columnCount}
	rest := w - rowHead - 1 // one space at the end
	give := func(col column, n int) {
		c.of[col] = n
		rest -= n
	}
	for col := range columnCount {
		if slices.Contains(columnOf[col].by, has.By) && has.has(col) {
			c.sorted = col
			give(col, columnOf[col].width)
		}
	}
	if has.Scores && c.of[score] == 0 {
		give(score, columnOf[score].width)
	}
	if has.Seen && rest > minTopic {
		c.seen = true
		rest--
	}
	for _, col := range fallAway {
		if n := columnOf[col].width; c.of[col] == 0 && has.has(col) {
			if rest-n < minTopic {
				break
			}
			give(col, n)
		}
	}
	least, more := longTopic, extras[:1]
	if has.Beside && w >= wideList {
		least, more = fewTopic, extras[:]
	}
	for _, col := range more {
		n := columnOf[col].width
		switch col {
		case date:
			n = shortDate
		case model:
			n = max(len("  model"), min(n, has.Models+2))
		}
		if c.of[col] == 0 && has.has(col) && c.of[tokens] > 0 && rest-n >= least {
			give(col, n)
		}
	}
	for _, wider := range [...]struct {
		col      column
		need, to int
	}{{model, has.Models + 2, wideModel}, {file, has.Files + 2, wideFile}} {
		if n := c.of[wider.col]; n > 0 {
			give(wider.col, max(n, min(wider.need, wider.to, n+rest-longTopic)))
			rest += n
		}
	}
	c.topic = max(0, rest)
	return c
}

// Dated reports whether dates are shown.
func (c *Columns) Dated() bool { return c.of[date] > 0 }

// Headings draws what the columns are, the one the list is sorted by in another
// ink, and at the end of the topics where in the list one is.
func (c *Columns) Headings(k *draw.Inks, where string) string {
	var b strings.Builder
	lead := rowHead
	if c.seen {
		lead++
	}
	if c.of[score] > 0 {
		lead-- // its heading is as wide as the column with its space
	}
	b.WriteString(k.Muted.On(strings.Repeat(" ", lead)))
	heading := func(col column) {
		n := c.of[col]
		if n == 0 {
			return
		}
		ink := k.Muted
		if col == c.sorted {
			ink = k.Key
		}
		text := columnOf[col].heading
		switch {
		case col == score:
			text = draw.Fit(text, n+1, "")
		case col == likely:
			text = draw.Right(text, n-1) + " "
		case columnOf[col].right:
			text = draw.Right(text, n)
		case col < file: // the space is behind it
			text = draw.Fit(text, n, "")
		default:
			text = draw.Fit("  "+text, n, "")
		}
		b.WriteString(ink.On(text))
	}
	for col := range file {
		heading(col)
	}
	n := len(where) + 1
	if n > c.topic-len("topic ") {
		where, n = "", 0
	}
	b.WriteString(k.Muted.On(draw.Fit("topic", c.topic-n, "")))
	if n > 0 {
		b.WriteString(k.Text.On(" " + where))
	}
	for col := file; col < columnCount; col++ {
		heading(col)
	}
	b.WriteString(k.Text.On(" "))
	return b.String()
}
