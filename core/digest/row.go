package digest

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Kind says what a piece of a row is.
type Kind uint8

// The kinds of pieces.
const (
	Plain   Kind = iota
	Muted        // where, how long, how much is left out
	User         // the name of who speaks
	Agent        //
	System       //
	Tool         // the name of a tool
	Code         // its argument
	Added        // lines
	Removed      //
	Passed       // a check that passed
	Exit         // what ran and failed
	Failed       // what could not run
	Thought      // reasoning
)

// Piece is a part of a row that is of one kind. Its text is clean.
type Piece struct {
	Kind Kind
	Text string
}

// Row is a row of the screen.
type Row []Piece

// String returns its text.
func (r Row) String() string {
	var b strings.Builder
	for _, p := range r {
		b.WriteString(p.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

func (r Row) width() int {
	w := 0
	for _, p := range r {
		w += ansi.StringWidth(p.Text)
	}
	return w
}

// cut shortens a row to a width.
func (r Row) cut(width int, more string) Row {
	if r.width() <= width {
		return r
	}
	var out Row
	for _, p := range r {
		w := ansi.StringWidth(p.Text)
		if w > width {
			if p.Text = ansi.Truncate(p.Text, max(0, width), more); p.Text != "" {
				out = append(out, p)
			}
			return out
		}
		out, width = append(out, p), width-w
	}
	return out
}

// with puts a note at the right end of a row.
func (r Row) with(note string, width int, more string) Row {
	if note == "" {
		return r.cut(width, more)
	}
	w := ansi.StringWidth(note)
	if width < 4*w {
		return r.cut(width, more)
	}
	r = r.cut(width-w-1, more)
	return append(r, Piece{Plain, strings.Repeat(" ", max(1, width-w-r.width()))}, Piece{Muted, note})
}

// wrap breaks lines at words into rows of a width.
func wrap(lines []string, width int) []string {
	var rows []string
	for _, line := range lines {
		rows = append(rows, strings.Split(ansi.Wrap(line, width, " "), "\n")...)
	}
	return rows
}

// rows returns how many rows a speech takes at a width, all of it.
func (s *speech) rows(width int) int {
	n := len(wrap(s.head, width)) + len(wrap(s.tail, width))
	if s.left > 0 {
		n++
	}
	return max(1, n)
}

// lay returns the rows of a speech, at most so many: its beginning and its end.
func (s *speech) lay(width, most int, more string) []Row {
	head, tail := wrap(s.head, width), wrap(s.tail, width)
	if len(head) == 0 {
		return []Row{{{Muted, "(empty)"}}}
	}
	all, left := len(head)+len(tail), s.left
	var out []Row
	put := func(rows []string) {
		for _, row := range rows {
			out = append(out, Row{{Plain, row}})
		}
	}
	switch {
	case left == 0 && all <= most:
		put(head)
		return out
	}
	if len(tail) == 0 {
		tail = head
	}
	if most <= 1 {
		return []Row{{{Plain, ends(strings.Join(head[:min(2, len(head))], " "), tail[len(tail)-1], width, more)}}}
	}
	texts := s.tail
	if len(texts) == 0 {
		texts = s.head
	}
	if most <= 3 {
		put(head[:min(most-1, len(head))])
		last := more + " " + strings.TrimSpace(ending(texts, width-2, 1)[0])
		return append(out, Row{{Plain, last}}.cut(width, more))
	}
	last := ending(texts, width, max(1, min(len(tail), (most-1)/3)))
	end := len(last)
	begin := min(len(head), most-1-end)
	if s.left == 0 {
		left = max(1, all-begin-end)
	} else {
		left += len(head) - begin + len(tail) - end
	}
	put(head[:begin])
	out = append(out, Row{{Muted, more + " " + plural(left, "more line")}})
	put(last)
	return out
}

// ending returns the last rows of lines, at most so many: they begin with a line
// or a sentence, if one is short enough, else with a word.
func ending(lines []string, width, most int) []string {
	var rows []string
	for i := len(lines) - 1; i >= 0; i-- {
		more := wrap(lines[i:i+1], width)
		if len(rows)+len(more) <= most {
			rows = append(more, rows...)
			continue
		}
		if room := most - len(rows); len(rows) == 0 {
			for _, at := range sentences(lines[i]) {
				if rows = wrap([]string{lines[i][at:]}, width); len(rows) <= room {
					return rows
				}
			}
			rows = more[len(more)-room:]
		}
		break
	}
	return rows
}

// sentences returns where the sentences of a line begin.
func sentences(line string) []int {
	var all []int
	for i := 0; i+2 < len(line); i++ {
		if strings.IndexByte(".!?:", line[i]) >= 0 && line[i+1] == ' ' && line[i+2] != ' ' {
			all = append(all, i+2)
		}
		for _, end := range [...]string{"。", "！", "？"} {
			if strings.HasPrefix(line[i:], end) && i+len(end) < len(line) {
				all = append(all, i+len(end))
			}
		}
	}
	return all
}

// ends writes the beginning and the end of a text in one row.
func ends(begin, end string, width int, more string) string {
	begin = strings.Join(strings.Fields(begin), " ")
	if ansi.StringWidth(begin) <= width && strings.HasSuffix(begin, end) {
		return begin // it is all there is
	}
	end = strings.Join(strings.Fields(end), " ")
	room := width - ansi.StringWidth(more) - 2
	if most := room * 4 / 10; ansi.StringWidth(end) > most {
		end = shortened(end, most)
	}
	if begins := room - ansi.StringWidth(end); width >= 40 && begins >= room/2 {
		return ansi.Truncate(begin, begins, "") + " " + more + " " + end
	}
	return ansi.Truncate(begin, width, more)
}

// shortened returns the end of a line in a width: its last sentences, else its
// last words.
func shortened(end string, width int) string {
	for _, at := range sentences(end) {
		if ansi.StringWidth(end[at:]) <= width {
			return end[at:]
		}
	}
	words := strings.Fields(end)
	for len(words) > 1 && ansi.StringWidth(strings.Join(words, " ")) > width {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
