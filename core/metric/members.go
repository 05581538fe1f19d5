package metric

import "strings"

// eachMember calls f for the members of a valid JSON object, with the raw text
// of name (in its quotes) and value. It allocates nothing, and passes over
// strings by searching: arguments are mostly one long string.
func eachMember(object string, f func(name, value string)) {
	i := 1
	for {
		i = skipTo(object, i, '"', '}')
		if i >= len(object) || object[i] == '}' {
			return
		}
		from := i
		i = stringEnd(object, i)
		name := object[from:i]
		if i = skipTo(object, i, ':', '}'); i >= len(object) || object[i] == '}' {
			return
		}
		for i++; i < len(object) && isSpace(object[i]); i++ {
		}
		from = i
		i = valueEnd(object, i)
		f(name, strings.TrimRight(object[from:i], " \t\r\n"))
	}
}

// skipTo returns the place of the next a or b, from i on.
func skipTo(s string, i int, a, b byte) int {
	for i < len(s) && s[i] != a && s[i] != b {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// stringEnd returns the place behind the string that begins at s[i].
func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		at := strings.IndexByte(s[i:], '"')
		if at < 0 {
			break
		}
		i += at
		escapes := 0
		for s[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return len(s)
}

// valueEnd returns the place behind the value that begins at s[i]: where a
// comma or bracket of the object around it stands.
func valueEnd(s string, i int) int {
	for depth := 0; i < len(s); {
		switch s[i] {
		case '"':
			i = stringEnd(s, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}
