package sheet

import (
	"strings"

	"winnow/tui/reader/gist"
)

// Exit returns the exit code, other than 0, that a JSON result tells, also
// inside of the objects that tools wrap their answer in; "" without one.
func (f Fields) Exit() string {
	for _, inside := range [...]string{"", "content", "metadata", "result"} {
		of := f
		if inside != "" {
			of, _ = FieldsOf(f.First(inside))
		}
		code := of.First("exit_code", "exitCode", "returncode", "exit")
		if code == "0" {
			return ""
		}
		if code != "" && code == digits(code) {
			return code
		}
	}
	return ""
}

// exitWords stand before an exit code in what shells and agents print.
var exitWords = [...]string{"exit code", "exit status", "exited with code", "exited with status", "exit_code"}

// ExitIn returns the exit code, other than 0, that the first or last line of
// a text tells, "" without one.
func ExitIn(text string) string {
	text = strings.Trim(text, " \n")
	first, last := text, text
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		first, last = text[:i], text[strings.LastIndexByte(text, '\n')+1:]
	}
	for _, line := range [...]string{first, last} {
		line = strings.ToLower(line[:min(len(line), gist.Most)])
		for _, words := range exitWords {
			_, code, ok := strings.Cut(line, words)
			if code = digits(strings.TrimLeft(code, " :=")); ok && code != "" && code != "0" {
				return code
			}
		}
	}
	return ""
}

// digits returns the number that s begins with, "" without one.
func digits(s string) string {
	end := 0
	if strings.HasPrefix(s, "-") {
		end = 1
	}
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	if strings.Trim(s[:end], "-") == "" || end > len("-2147483648") {
		return ""
	}
	return s[:end]
}
