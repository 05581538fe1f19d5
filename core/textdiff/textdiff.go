// Package textdiff lays two texts side by side: line by line, and lines that changed
// word by word.
package textdiff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/clean"
)

// Piece is a part of a line: words that stay, or that don't.
type Piece struct {
	Text    string
	Changed bool
}

// Line is a line before and after, nil where there is none.
type Line struct {
	Before, After []Piece
	Same          bool // both are equal
	Left          int  // so many equal lines are left out here; it has no texts
}

const (
	// around is how many equal lines are shown beside a change.
	around = 3
	// most bounds the lines that are shown: more are not read before a key is pressed.
	most = 2000
	// mostCells bounds the table in which what two texts share is looked for: beyond
	// it all between their equal ends counts as changed.
	mostCells = 1 << 21
	// alike is the share of words that two lines must have in common for their words
	// to be compared, in percent.
	alike = 30
)

// Compare lays two texts side by side, line by line, and the words of lines that
// changed. Its lines are safe to be shown; equal ones far from a change are left out,
// and of very long lists the end: left is how many lines that are. It may take long.
func Compare(before, after string) (list []Line, left int) {
	list = folded(beside(linesOf(before, clean.Line), linesOf(after, clean.Line)))
	if len(list) > most {
		left = len(list) - most
		list = list[:most]
	}
	return list, left
}

// Exact is Compare of the texts as they are, control characters included, with all
// their lines.
func Exact(before, after string) []Line {
	return beside(linesOf(before, nil), linesOf(after, nil))
}

// beside lays two lists of lines side by side.
func beside(a, b []string) (list []Line) {
	var olds, news []string
	flush := func() {
		list = append(list, besides(olds, news)...)
		olds, news = nil, nil
	}
	Walk(a, b, func(x, y *string) {
		switch {
		case x != nil && y != nil:
			flush()
			one := []Piece{{Text: *x}}
			list = append(list, Line{Before: one, After: one, Same: true})
		case x != nil:
			olds = append(olds, *x)
		default:
			news = append(news, *y)
		}
	})
	flush()
	return list
}

// linesOf are the lines of a text, each made safe by a function, nil for none.
func linesOf(text string, safe func(string) string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		if safe != nil {
			lines[i] = safe(lines[i])
		}
	}
	return lines
}

// besides puts lines that went beside those that came.
func besides(olds, news []string) []Line {
	list := make([]Line, max(len(olds), len(news)))
	for i := range list {
		p := &list[i]
		switch {
		case i >= len(news):
			p.Before = []Piece{{olds[i], true}}
		case i >= len(olds):
			p.After = []Piece{{news[i], true}}
		default:
			p.Before, p.After = Words(olds[i], news[i])
		}
	}
	return list
}

// Words compares two lines word by word. Lines that share too little count as changed
// as a whole.
func Words(before, after string) (olds, news []Piece) {
	a, b := Split(before), Split(after)
	shared := 0
	old, now := line{text: before}, line{text: after}
	Walk(a, b, func(x, y *string) {
		switch {
		case x != nil && y != nil:
			shared += len(*x)
			old.grow(len(*x), false)
			now.grow(len(*y), false)
		case x != nil:
			old.grow(len(*x), true)
		default:
			now.grow(len(*y), true)
		}
	})
	olds, news = old.pieces, now.pieces
	if shared*100 < alike*max(len(before), len(after)) {
		return []Piece{{before, true}}, []Piece{{after, true}}
	}
	return olds, news
}

// line is a text that is cut into pieces from its beginning on, without copying it.
type line struct {
	text     string
	pieces   []Piece
	from, to int // the last piece
}

// grow adds the next bytes of the text.
func (l *line) grow(bytes int, changed bool) {
	n := len(l.pieces)
	if n == 0 || l.pieces[n-1].Changed != changed {
		l.pieces = append(l.pieces, Piece{Changed: changed})
		l.from, n = l.to, n+1
	}
	l.to += bytes
	l.pieces[n-1].Text = l.text[l.from:l.to]
}

// Grow adds a text to a line, to its last piece if that changed as well or as little.
func Grow(list []Piece, text string, changed bool) []Piece {
	if n := len(list); n > 0 && list[n-1].Changed == changed {
		list[n-1].Text += text
		return list
	}
	return append(list, Piece{text, changed})
}

// Split splits a line into words, and what stands between them, sign by sign.
func Split(line string) (list []string) {
	for line != "" {
		n := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case n < 0:
			n = len(line)
		case n == 0:
			_, n = utf8.DecodeRuneInString(line)
		}
		list = append(list, line[:n])
		line = line[n:]
	}
	return list
}

// Walk goes through two lists in their order: what both have comes together, what
// only one has alone.
func Walk(a, b []string, f func(x, y *string)) {
	from, end := 0, 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		f(&a[from], &b[from])
		from++
	}
	for end < len(a)-from && end < len(b)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	between(a[from:len(a)-end], b[from:len(b)-end], f)
	for i := end; i > 0; i-- {
		f(&a[len(a)-i], &b[len(b)-i])
	}
}

// between is Walk where neither beginnings nor ends are equal: along the longest
// list of what both have.
func between(a, b []string, f func(x, y *string)) {
	w := len(b) + 1
	if len(a) == 0 || len(b) == 0 || (len(a)+1)*w > mostCells {
		for i := range a {
			f(&a[i], nil)
		}
		for i := range b {
			f(nil, &b[i])
		}
		return
	}
	table := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			f(&a[i], &b[j])
			i++
			j++
		case j == len(b) || i < len(a) && table[(i+1)*w+j] >= table[i*w+j+1]:
			f(&a[i], nil)
			i++
		default:
			f(nil, &b[j])
			j++
		}
	}
}

// folded leaves out equal lines that are far from what changed.
func folded(list []Line) (short []Line) {
	for i := 0; i < len(list); {
		if !list[i].Same {
			short = append(short, list[i])
			i++
			continue
		}
		end := i
		for end < len(list) && list[end].Same {
			end++
		}
		head, tail := around, around
		if i == 0 {
			head = 0
		}
		if end == len(list) {
			tail = 0
		}
		if left := end - i - head - tail; left > 1 {
			short = append(short, list[i:i+head]...)
			short = append(short, Line{Left: left})
			i = end - tail
		}
		short = append(short, list[i:end]...)
		i = end
	}
	return short
}
