package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/voice"
)

// titleMax is the length of a title in characters: what a wide list shows.
const titleMax = 80

// Title makes a short, one-line task description from a user message: its
// first line with words in it, white space folded, markup that recorders put
// around commands and Markdown heading marks taken off, cut at a word. Where that
// line only announces a document ("Implement this plan:"), it is the document's
// heading. It is "" if there is nothing to say.
func Title(message string) string {
	for rest := message; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if len(line) > 4*titleMax {
			// Enough for any title; a giant line is not walked through.
			line = strings.ToValidUTF8(line[:4*titleMax], "")
		}
		line = strings.TrimLeft(fold(dropTags(line)), "#>*- ")
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0 {
			if document := strings.TrimLeft(rest, " \t\r\n"); strings.HasSuffix(line, ":") && strings.HasPrefix(document, "#") {
				if heading := Title(document); heading != "" {
					return heading
				}
			}
			return cut(line, titleMax)
		}
	}
	return ""
}

// TitleFrom is the Title that a message gives to what begins with it: "" for
// what no user says, and for a summary. written is false if a recorder, a hook or an interruption
// is in the user's place; such a title is better than none.
func TitleFrom(m *chat.Message) (title string, written bool) {
	if m.Role != chat.User {
		return "", false
	}
	said, written := voice.Written(m)
	return Title(said), written
}

// dropTags removes <tags> such as recorders' command wrappers.
func dropTags(line string) string {
	if !strings.Contains(line, "<") {
		return line
	}
	var b strings.Builder
	for line != "" {
		before, after, found := strings.Cut(line, "<")
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, closed := strings.Cut(after, ">")
		if !closed || !isTag(name) {
			b.WriteByte('<')
			line = after
			continue
		}
		b.WriteByte(' ')
		line = rest
	}
	return b.String()
}

// isTag reports whether s looks like the inside of a tag without attributes.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "/")
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_')
	}) < 0
}

// fold turns runs of white space and control characters into one space.
func fold(line string) string {
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// cut shortens s to at most n characters, at a space if one is near.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)[:n-1]
	for i := len(runes) - 1; i > n*2/3; i-- {
		if runes[i] == ' ' {
			runes = runes[:i]
			break
		}
	}
	return string(runes) + "…"
}
