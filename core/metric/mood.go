package metric

import (
	"strings"
	"sync"
	"unicode"
)

// mood is what a message of the user says of the work so far.
type mood uint8

const (
	neutral mood = iota
	corrects
	praises
)

// moods are the phrases that tell a mood.
var moods = sync.OnceValue(func() *lexicon[mood] { return newLexicon(moodTable()) })

// moodOf tells what a text says, and by which phrase. Corrections outweigh
// praise: "thanks, but it's still broken" corrects. With asked, the assistant
// had asked something: then "no, …" answers that.
func moodOf(text string, asked bool) (m mood, by string) {
	moods().each(plainText(text), asked, func(found mood, phrase string) bool {
		if found == corrects || found == praises && m == neutral {
			m, by = found, phrase
		}
		return m != corrects
	})
	return m, by
}

// moodMost is how much of a message is looked at, in bytes: an opinion stands at
// its beginning, what was pasted behind it.
const moodMost = 600

// plainText returns the beginning of a text in lower case, with white space
// folded and apostrophes made plain, without quoted lines and code.
func plainText(text string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(clip(text, 4*moodMost)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code, line == "", strings.HasPrefix(line, ">"), strings.HasPrefix(line, "<"):
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		space := false
		for _, r := range line {
			switch {
			case r == '’' || r == '‘' || r == '`' || r == '´':
				r = '\''
			case unicode.IsSpace(r):
				space = true
				continue
			}
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(unicode.ToLower(r))
		}
		if b.Len() > moodMost {
			break
		}
	}
	return b.String()
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
		switch {
		case unspaced(r):
			half, inside = half+1, false
		case letterOrDigit(r):
			if !inside {
				n++
			}
			inside = true
		case r != '\'' && r != '-' && r != '_' && r != '.' && r != ',':
			inside = false
		}
		if n+half/2 >= most && n+half/2 > 0 {
			break
		}
	}
	return min(n+(half+1)/2, most)
}

// onlyThanks reports whether a message says thanks and asks for nothing.
func onlyThanks(text string) bool {
	if len(text) > thanksMost {
		return false
	}
	m, _ := moodOf(text, false)
	return m == praises && !strings.ContainsAny(text, "?？") && words(text, thanksWords+1) <= thanksWords
}

const (
	// thanksMost and thanksWords bound a message that only thanks: a longer one
	// asks for something, too.
	thanksMost  = 120
	thanksWords = 5
)
