package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/textdiff"
)

// Taken returns the texts that a redaction took out of a message: what stood where
// another text stands now. Words that anything may hold are not among them, nor what
// is shorter than three letters: they tell nothing.
func Taken(before, after *chat.Message) (list []string) {
	was, is := sayings(before), sayings(after)
	for i, text := range was {
		instead := ""
		if i < len(is) {
			instead = is[i]
		}
		if text != instead {
			list = append(list, takenOf(text, instead)...)
		}
	}
	return list
}

// mostLines is how many lines of a dropped message are looked for elsewhere.
const mostLines = 200

// Lines returns the lines of a message that a redaction drops, the first ones of many,
// but for short ones and those that anything may hold.
func Lines(m *chat.Message) (list []string) {
	for _, text := range sayings(m) {
		for line := range strings.Lines(text) {
			if len(list) == mostLines {
				return list
			}
			if line = strings.TrimSpace(line); tellsLine(line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// tellsLine reports whether a whole line is worth being looked for elsewhere.
func tellsLine(line string) bool {
	n := utf8.RuneCountInString(line)
	return n >= 16 || n >= 8 && strings.ContainsFunc(line, unicode.IsDigit)
}

// sayings are the texts of a message that Replace changes.
func sayings(m *chat.Message) []string {
	list := []string{m.Content, m.Reasoning, m.Name}
	for i := range m.ToolCalls {
		list = append(list, m.ToolCalls[i].Name, unescaped(m.ToolCalls[i].Arguments))
	}
	return list
}

// unescaped is a JSON text whose strings stand as they are said.
func unescaped(text string) string {
	var b strings.Builder
	ReplaceJSON(text, func(said string) string {
		b.WriteString(said + "\n")
		return said
	})
	return b.String()
}

// takenOf returns what one text lacks of another one.
func takenOf(before, after string) (list []string) {
	for _, line := range textdiff.Exact(before, after) {
		olds, news := runs(line.Before), runs(line.After)
		for i, old := range olds {
			now := ""
			if i < len(news) {
				now = news[i]
			}
			for _, text := range []string{strings.TrimSpace(old), strings.TrimSpace(inside(old, now))} {
				if tells(text, strings.TrimSpace(now), text == strings.TrimSpace(before)) {
					list = append(list, text)
				}
			}
		}
	}
	return list
}

// runs are the texts between what stays, "" where nothing is.
func runs(pieces []textdiff.Piece) []string {
	list := []string{""}
	for _, p := range pieces {
		if p.Changed {
			list[len(list)-1] += p.Text
		} else {
			list = append(list, "")
		}
	}
	return list
}

// inside is a text without what it begins and ends with like another one.
func inside(old, now string) string {
	for old != "" && now != "" {
		a, n := utf8.DecodeRuneInString(old)
		b, k := utf8.DecodeRuneInString(now)
		if a != b {
			break
		}
		old, now = old[n:], now[k:]
	}
	for old != "" && now != "" {
		a, n := utf8.DecodeLastRuneInString(old)
		b, k := utf8.DecodeLastRuneInString(now)
		if a != b {
			break
		}
		old, now = old[:len(old)-n], now[:len(now)-k]
	}
	return old
}

// tells reports whether a text is worth being looked for elsewhere: a part that gave
// way to a placeholder, else a name, a number or a longer text. All of what a message
// says (whole) has to be longer: "Yes, Sir" is not what the redaction is about.
func tells(text, instead string, whole bool) bool {
	n := utf8.RuneCountInString(text)
	numbered := strings.ContainsFunc(text, unicode.IsDigit)
	switch {
	case n < 3, strings.Contains(text, "[") != strings.Contains(text, "]"): // a part of a placeholder
		return false
	case n >= 16:
		return true
	case whole:
		return numbered && n >= 6
	}
	return placeholder(instead) || numbered || n >= 5 && strings.ContainsFunc(text, unicode.IsUpper)
}

// placeholder reports whether a text looks like what is put where something is taken
// out: [name], <key>, ***, NAME.
func placeholder(text string) bool {
	return strings.ContainsAny(text, "[]<>{}*") ||
		strings.ContainsFunc(text, unicode.IsUpper) && !strings.ContainsFunc(text, unicode.IsLower)
}
