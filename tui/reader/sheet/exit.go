package sheet

import "strings"

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
