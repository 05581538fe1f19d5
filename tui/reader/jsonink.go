package reader

import (
	"strings"

	"winnow/core/rawjson"
	"winnow/tui/reader/gist"
	"winnow/tui/reader/markdown"
)

// jsonMemo is the line of JSON taken apart last: a long one fills the screen,
// and each of its rows asks for it.
type jsonMemo struct {
	line string
	runs []markdown.Run
}

// json takes a line of JSON apart, which may be the beginning of a string that
// goes on in the next line: names, strings, other values, and what separates
// them.
func (k *inks) json(line string) (runs []markdown.Run) {
	for at := 0; at < len(line); {
		end, ink := at+1, k.muted
		switch c := rune(line[at]); {
		case c == '"':
			end, ink = rawjson.StringEnd(line, at), k.text
			if strings.HasPrefix(line[end:], ":") {
				ink = k.code
			}
		case inValue(c):
			end, ink = endOf(line, end, func(c rune) bool { return strings.ContainsRune(" ,]}", c) }), k.tool
		default:
			end = endOf(line, end, func(c rune) bool { return c == '"' || inValue(c) })
		}
		runs = append(runs, markdown.Run{Text: line[at:end], Ink: ink})
		at = end
	}
	return runs
}

// inValue reports whether a number, true, false or null begins with c.
func inValue(c rune) bool {
	return c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// endOf returns the place from at on of the first character that is so, else the
// end.
func endOf(line string, at int, is func(rune) bool) int {
	if i := strings.IndexFunc(line[at:], is); i >= 0 {
		return at + i
	}
	return len(line)
}

// drawJSON draws the row of JSON that begins at an offset in a text.
func (r *Reader) drawJSON(n, b, start int, row, text string) string {
	begin := 1 + strings.LastIndexByte(text[:start], '\n')
	line, _, _ := strings.Cut(text[begin:], "\n")
	if r.json.line != line {
		r.json = jsonMemo{line, r.inks.json(line)}
	}
	var out strings.Builder
	at := begin
	for _, run := range r.json.runs {
		from, to := max(at, start), min(at+len(run.Text), start+len(row))
		at += len(run.Text)
		switch {
		case to <= from:
		case run.Ink == r.inks.text:
			out.WriteString(r.drawString(n, b, from, text[from:to]))
		default:
			out.WriteString(r.highlight(n, b, from, text[from:to], run.Ink))
		}
	}
	return out.String()
}

// drawString draws a piece of a string, its escapes apart from the text.
func (r *Reader) drawString(n, b, at int, piece string) string {
	if strings.IndexByte(piece, '\\') < 0 {
		return r.highlight(n, b, at, piece, r.inks.text)
	}
	var out strings.Builder
	for i := 0; i < len(piece); {
		next := strings.IndexByte(piece[i:], '\\')
		if next < 0 {
			next = len(piece) - i
		}
		out.WriteString(r.highlight(n, b, at+i, piece[i:i+next], r.inks.text))
		i += next
		size := min(2, len(piece)-i)
		if size == 2 && piece[i+1] == 'u' {
			size = gist.Start(piece, min(i+len(`\u0000`), len(piece))) - i
		}
		out.WriteString(r.highlight(n, b, at+i, piece[i:i+size], r.inks.muted))
		i += size
	}
	return out.String()
}
