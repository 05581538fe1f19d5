package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hiding and hidingRuns put private characters, one cell wide, in the place of
// those that Markdown acts on, while it runs; of stars and tildes only those are
// hidden that are meant.
var (
	hiding     = strings.NewReplacer("<", "\ue0f1", "&", "\ue0f2", `\`, "\ue0f3", "_", "\ue0f4")
	hidingRuns = strings.NewReplacer("*", "\ue0f5", "~", "\ue0f6")
	showing    = strings.NewReplacer("\ue0f1", "<", "\ue0f2", "&", "\ue0f3", `\`, "\ue0f4", "_", "\ue0f5", "*", "\ue0f6", "~")
)

// isHidden reports whether c stands in for another character.
func isHidden(c rune) bool { return c >= '\ue0f1' && c <= '\ue0f6' }

// markdownSigns are what a text must hold to be worth rendering.
var markdownSigns = [...]string{"`", "**", "\n#", "\n- ", "\n* ", "\n1. ", "\n> ", "](", "\n|", "~~~"}

// plainAbove is the size of text that is not rendered as Markdown: glamour takes
// about 37 ms for this.
const plainAbove = 10 << 10

// Worth reports whether a clean text would look better rendered. A long one, which
// would take too long, does not.
func Worth(text string) bool {
	if len(text) > plainAbove || deeplyNested(text) {
		return false
	}
	if strings.ContainsFunc(text, isHidden) {
		return false
	}
	for _, sign := range markdownSigns {
		if strings.Contains(text, sign) || strings.HasPrefix(text, strings.TrimPrefix(sign, "\n")) {
			return true
		}
	}
	return false
}

// deepest is the nesting of quotes and lists that is rendered: people stop
// at four, and the renderer's time and memory explode with depth (a line of a
// few thousand ">" never ends).
const deepest = 8

// deeplyNested reports whether a line begins with more marks of quotes and
// lists than are rendered. The indent before a mark stands for the levels
// above it, roughly: one for as many cells as a page of nested lists needs.
func deeplyNested(text string) bool {
	const indent = 32
	for line := range strings.SplitSeq(text, "\n") {
		depth := 0
		for i := 0; i < len(line) && depth <= deepest; i++ {
			switch c := line[i]; {
			case c == '>':
				depth++
			case c == '-' || c == '*' || c == '+' || c == '.' || c == ')':
				// Not followed by a space it is text.
				if i+1 < len(line) && line[i+1] != ' ' {
					i = len(line)
					break
				}
				depth += 1 + i/indent
			case c != ' ' && (c < '0' || c > '9'):
				i = len(line)
			}
		}
		if depth > deepest {
			return true
		}
	}
	return false
}

// hide puts private characters in the place of those that rendering would
// swallow or act on although they are meant: tags, entities, backslashes,
// underscores, single tildes, and stars that are no emphasis.
func hide(text string) string {
	var b strings.Builder
	at := 0
	for i := strings.IndexAny(text, "*~"); i >= 0; i = strings.IndexAny(text[at:], "*~") {
		from := at + i
		to := len(text) - len(strings.TrimLeft(text[from:], text[from:from+1]))
		b.WriteString(text[at:from])
		if sign := text[from:to]; sign == "~" || sign[0] == '*' && !emphasis(text, from, to) {
			b.WriteString(hidingRuns.Replace(sign))
		} else {
			b.WriteString(sign)
		}
		at = to
	}
	b.WriteString(text[at:])
	return hiding.Replace(b.String())
}

// show undoes hide.
func show(text string) string { return showing.Replace(text) }

// emphasis reports whether the stars text[from:to] may be what Markdown takes
// them for: they stand at the edge of a word, as no operator, pattern of file
// names or comment does, or begin an item, or are a rule.
func emphasis(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, size := utf8.DecodeRuneInString(text[to:])
	if from == 0 {
		before = '\n'
	}
	if to == len(text) {
		after = '\n'
	}
	if unicode.IsSpace(before) && unicode.IsSpace(after) {
		// Stars with spaces between them are the fields of a crontab.
		rest := strings.TrimLeft(text[to:], " ")
		return !strings.HasPrefix(rest, "* ") && !strings.HasPrefix(rest, "*\n") && rest != "*"
	}
	if opens(before) && !unicode.IsSpace(after) {
		if letter, _ := utf8.DecodeRuneInString(text[min(len(text), to+size):]); after == '/' || after == '.' {
			return to-from > 1 && isWord(letter)
		}
		return isWord(after) || !strings.ContainsRune(",;:!?)]}|", after)
	}
	closes := unicode.IsSpace(after) || isWide(after) || strings.ContainsRune(".,;:!?)]}\"'”’»—–-|", after)
	return closes && !unicode.IsSpace(before) && !strings.ContainsRune("/([{", before)
}

// opens reports whether emphasis may begin after a character.
func opens(r rune) bool {
	return unicode.IsSpace(r) || isWide(r) || strings.ContainsRune("([{\"'“‘«—–-:,|>", r)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isWide reports whether r is of a script that puts no spaces between words,
// or a pictograph.
func isWide(r rune) bool { return r >= 0x2E80 && r != utf8.RuneError }
