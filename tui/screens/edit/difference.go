package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/clean"
)

// piece is a part of a line: words that stay, or that don't.
type piece struct {
	text    string
	changed bool
}

// pair is a line before and after, nil where there is none.
type pair struct {
	before, after []piece
	same          bool
	left          int // so many equal lines are left out here, no others
}

const (
	// around is how many equal lines are shown beside a change.
	around = 3
	// mostPairs bounds the lines that are shown: more are not read before a key is
	// pressed.
	mostPairs = 2000
	// mostCells bounds the table in which what two texts share is looked for: beyond
	// it all between their equal ends counts as changed.
	mostCells = 1 << 21
	// alike is the share of words that two lines must have in common for their words
	// to be compared, in percent.
	alike = 30
)

// compare lays two texts side by side, line by line, and the words of lines that
// changed. Its lines are safe to be shown. It may take long.
func compare(before, after string) (list []pair, left int) {
	a, b := linesOf(before), linesOf(after)
	var olds, news []string
	flush := func() {
		list = append(list, besides(olds, news)...)
		olds, news = nil, nil
	}
	walk(a, b, func(x, y *string) {
		switch {
		case x != nil && y != nil:
			flush()
			one := []piece{{text: *x}}
			list = append(list, pair{before: one, after: one, same: true})
		case x != nil:
			olds = append(olds, *x)
		default:
			news = append(news, *y)
		}
	})
	flush()
	list = folded(list)
	if len(list) > mostPairs {
		left = len(list) - mostPairs
		list = list[:mostPairs]
	}
	return list, left
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = clean.Line(lines[i])
	}
	return lines
}

// besides puts lines that went beside those that came.
func besides(olds, news []string) []pair {
	list := make([]pair, max(len(olds), len(news)))
	for i := range list {
		p := &list[i]
		switch {
		case i >= len(news):
			p.before = []piece{{olds[i], true}}
		case i >= len(olds):
			p.after = []piece{{news[i], true}}
		default:
			p.before, p.after = words(olds[i], news[i])
		}
	}
	return list
}

// words compares two lines word by word.
func words(before, after string) (olds, news []piece) {
	a, b := wordsOf(before), wordsOf(after)
	shared := 0
	walk(a, b, func(x, y *string) {
		switch {
		case x != nil && y != nil:
			shared += len(*x)
			olds, news = grown(olds, *x, false), grown(news, *y, false)
		case x != nil:
			olds = grown(olds, *x, true)
		default:
			news = grown(news, *y, true)
		}
	})
	if shared*100 < alike*max(len(before), len(after)) {
		return []piece{{before, true}}, []piece{{after, true}}
	}
	return olds, news
}

func grown(list []piece, text string, changed bool) []piece {
	if n := len(list); n > 0 && list[n-1].changed == changed {
		list[n-1].text += text
		return list
	}
	return append(list, piece{text, changed})
}

// wordsOf splits a line into words, and what stands between them, sign by sign.
func wordsOf(line string) (list []string) {
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

// walk goes through two lists in their order: what both have comes together, what
// only one has alone.
func walk(a, b []string, f func(x, y *string)) {
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

// between is walk where neither beginnings nor ends are equal: along the longest
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
func folded(list []pair) (short []pair) {
	for i := 0; i < len(list); {
		if !list[i].same {
			short = append(short, list[i])
			i++
			continue
		}
		end := i
		for end < len(list) && list[end].same {
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
			short = append(short, pair{left: left})
			i = end - tail
		}
		short = append(short, list[i:end]...)
		i = end
	}
	return short
}
