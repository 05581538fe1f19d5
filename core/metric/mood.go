package metric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/phrases"
)

// mood is what a message of the user says of the work so far.
type mood string

const (
	neutral  mood = ""
	corrects mood = "corrects"
	praises  mood = "praises"
)

// moodOf tells what a text says, and by which phrase. Corrections outweigh
// praise: "thanks, but it's still broken" corrects. With asked, the assistant
// had asked something: then "no, …" answers that.
func moodOf(text string, asked bool) (m mood, by string) {
	said := plainText(text)
	tables().moods.find(said, asked, func(p *phrases.Entry[usage[mood]], at int) bool {
		found := p.Means.means
		if found == neutral || found == praises && m != neutral || spared(said, p, at) {
			return true
		}
		m, by = found, p.Text
		return m != corrects
	})
	return m, by
}

// moodMost is how much of a message is looked at, in bytes: an opinion stands at
// its beginning, what was pasted after it.
const moodMost = 600

// plainText returns the beginning of a text in lower case, with white space
// folded and apostrophes made plain, without quotes and code.
func plainText(text string) string {
	b := make([]byte, 0, min(len(text), moodMost)+8)
	code := false
	for line := range strings.Lines(phrases.Clip(text, 4*moodMost)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code, line == "", line[0] == '>', line[0] == '<':
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = appendPlain(b, withoutQuotes(phrases.Clip(line, moodMost-min(len(b), moodMost))))
		if len(b) >= moodMost {
			break
		}
	}
	return string(b)
}

// appendPlain appends a line in lower case.
func appendPlain(b []byte, line string) []byte {
	space := false
	for _, r := range line {
		switch {
		case r == ' ' || r >= 0x80 && unicode.IsSpace(r) || r < ' ':
			space = true
			continue
		case r == '’' || r == '‘' || r == '´':
			r = '\''
		}
		if space {
			b = append(b, ' ')
			space = false
		}
		switch {
		case r >= 0x80:
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case 'A' <= r && r <= 'Z':
			b = append(b, byte(r)|0x20)
		default:
			b = append(b, byte(r))
		}
	}
	return b
}

// askedMost is how much of the end of an answer is searched for a question, in
// bytes: what follows it is mostly how to answer.
const askedMost = 400

// asks reports whether an answer ends with a question.
func asks(text string) bool {
	if len(text) > askedMost {
		text = text[len(text)-askedMost:]
	}
	return strings.Contains(text, "?") || strings.Contains(text, "？")
}

// words counts the words of a text, at most to most: of scripts without spaces,
// two characters are about one.
func words(text string, most int) (n int) {
	half, inside := 0, false
	for _, r := range text {
		dense := unspaced(r)
		switch {
		case dense:
			half++
		case letterOrDigit(r):
			if inside {
				continue
			}
			n++
		case r == '\'' || r == '-' || r == '_' || r == '.' || r == ',':
			continue // inside of a word or number
		}
		inside = !dense && letterOrDigit(r)
		if n+half/2 >= most {
			return most
		}
	}
	return min(n+(half+1)/2, most)
}

// wantsNothing reports whether a message says thanks or farewell, or agrees to
// what asked nothing, and asks for nothing, as "perfect, now deploy it" does.
func wantsNothing(text string, asked bool) bool {
	m, phrase := moodOf(text, false)
	switch {
	case m == corrects:
		return false
	case m == praises && words(text, wordsMost) <= words(phrase, wordsMost):
		return true
	}
	return phrases.Closes(text) || !asked && phrases.Nods(text)
}

// wordsMost is more words than any phrase has.
const wordsMost = 8
