package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// intact reports whether a rendered text shows all that its source says, and
// nothing else: the same letters, digits and signs in the same order, apart
// where they are apart and together where they are together. Only what marks
// Markdown up may be gone. Rows may break anywhere.
func intact(source, shown string) bool {
	source = withoutLanguages(source)
	last := ' '
	for i, j := 0, 0; ; {
		gap, r, next := nextInk(source, i)
		gapShown, rShown, nextShown := nextInk(shown, j)
		if r != rShown {
			return false
		}
		if r == 0 {
			return true
		}
		if last != ' ' {
			switch {
			case gap != "" && gapShown == "" && !mayVanish(gap, last, r):
				return false
			case gap == "" && gapShown != "" && !strings.Contains(gapShown, "\n"):
				return false
			}
		}
		i, j, last = next, nextShown, r
	}
}

// nextInk returns the next character of s from i on that rendering leaves
// alone, 0 if there is none, and what lies before it.
func nextInk(s string, i int) (gap string, r rune, next int) {
	for at := i; at < len(s); {
		r, size := rune(s[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[at:])
		}
		if isInk(r) {
			return s[i:at], r, at + size
		}
		at += size
	}
	return s[i:], 0, len(s)
}

// isInk reports whether a character is no space, no mark of Markdown and none
// that the renderer draws.
func isInk(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.IndexByte(`$%&',/;<?@\^_{}"`, byte(r)) >= 0
	}
	return r != '•' && (r < 0x2500 || r > 0x257F) && !unicode.IsSpace(r)
}

// mayVanish reports whether marks between two characters may be replaced by a
// colour: of code and deletions, and of emphasis where it stands at the edge
// of a word, or in a script without spaces.
func mayVanish(gap string, before, after rune) bool {
	return strings.Trim(gap, "`") == "" || gap == "~~" || strings.Trim(gap, "*") == "" && !(isLatin(before) && isLatin(after))
}

func isLatin(r rune) bool { return isWord(r) && !isWide(r) }

// sameWords reports whether a rendered table, whose cells may be broken over
// several rows, holds the words of its source, each as often.
func sameWords(source, shown string) bool {
	count := map[string]int{}
	for word := range strings.FieldsFuncSeq(source, func(r rune) bool { return !isInk(r) }) {
		count[word]++
	}
	for word := range strings.FieldsFuncSeq(shown, func(r rune) bool { return !isInk(r) }) {
		if count[word]--; count[word] == 0 {
			delete(count, word)
		}
	}
	return len(count) == 0
}

// withoutLanguages leaves out what code blocks say of their language: that is
// not shown.
func withoutLanguages(source string) string {
	if !strings.Contains(source, "```") && !strings.Contains(source, "~~~") {
		return source
	}
	var b strings.Builder
	fence := "" // that opened the block
	for line := range strings.SplitAfterSeq(source, "\n") {
		inner := strings.TrimLeft(line, " >")
		rest := strings.TrimLeft(inner, inner[:min(1, len(inner))])
		mark := inner[:len(inner)-len(rest)]
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(rest) == "" {
				fence = ""
			}
		case strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~"):
			fence = mark
			word, more, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
			if strings.HasSuffix(word, "\n") {
				more = "\n"
			}
			line = mark + " " + more
		}
		b.WriteString(line)
	}
	return b.String()
}
