package reader

import "strings"

// tokenMemo is the line of JSON taken apart last: a long one fills the screen,
// and each of its rows asks for it.
type tokenMemo struct {
	text   string
	tokens []jsonToken
}

// jsonToken is a run of a line of JSON that has one ink.
type jsonToken struct {
	end  int // offset in the line
	kind tokenKind
}

type tokenKind uint8

const (
	punctuation tokenKind = iota
	keyToken
	stringToken
	valueToken // a number, true, false or null
)

// tokensOf takes a line of JSON apart. It may be the beginning of a string that
// goes on in the next line.
func tokensOf(line string) (tokens []jsonToken) {
	for i := 0; i < len(line); {
		kind := punctuation
		end := i + 1
		switch c := line[i]; {
		case c == '"':
			kind, end = stringToken, stringEnd(line, i)
			if strings.HasPrefix(line[end:], ":") {
				kind = keyToken
			}
		case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			kind = valueToken
			for end < len(line) && strings.IndexByte(" ,]}", line[end]) < 0 {
				end++
			}
		}
		if n := len(tokens); n > 0 && tokens[n-1].kind == kind {
			tokens[n-1].end = end
		} else {
			tokens = append(tokens, jsonToken{end, kind})
		}
		i = end
	}
	return tokens
}

// drawJSON draws the row of a text that begins at an offset in it: JSON, or with
// rest what follows a line break in a string.
func (r *Reader) drawJSON(n, b, start int, row, text string, rest bool) string {
	if rest {
		return r.drawString(n, b, start, row)
	}
	begin := 1 + strings.LastIndexByte(text[:start], '\n')
	end := len(text)
	if feed := strings.IndexByte(text[start:], '\n'); feed >= 0 {
		end = start + feed
	}
	line := text[begin:end]
	if r.tokens.text != line {
		r.tokens = tokenMemo{line, tokensOf(line)}
	}
	var out strings.Builder
	at := 0
	for _, t := range r.tokens.tokens {
		from, to := max(at, start-begin), min(t.end, start-begin+len(row))
		at = t.end
		if to <= from {
			continue
		}
		piece := line[from:to]
		if t.kind == stringToken {
			out.WriteString(r.drawString(n, b, begin+from, piece))
		} else {
			out.WriteString(r.highlight(n, b, begin+from, piece, r.inks.token(t.kind)))
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
			size = runeStart(piece, min(i+len(`\u0000`), len(piece))) - i
		}
		out.WriteString(r.highlight(n, b, at+i, piece[i:i+size], r.inks.muted))
		i += size
	}
	return out.String()
}
