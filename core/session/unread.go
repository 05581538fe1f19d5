package session

import (
	"strings"
	"unicode"
)

// known returns what an object is that is not read, "" for one that could be
// anything.
func known(o *object) string {
	for i := range unread {
		if unread[i].is(o) {
			return unread[i].what
		}
	}
	return ""
}

// unrecognized says why an object that none of the formats accepts gives
// nothing.
func unrecognized(o *object) outcome {
	switch what := known(o); {
	case strings.HasPrefix(what, noSession), strings.HasPrefix(what, CompanionFile):
		return skipped(what)
	case what != "":
		return skipped(what + ", which winnow does not read")
	}
	return skipped("no message: " + keysOf(o))
}

const (
	// shownKeys and shownKey bound what a reason tells of an object: enough
	// to recognize the kind of file.
	shownKeys = 6
	shownKey  = 24
)

// keysOf names the first keys of an object, as in "keys id, text".
func keysOf(o *object) string {
	if len(o.Fields) == 0 {
		return "empty object"
	}
	var names []string
	for i := range o.Fields {
		if len(names) == shownKeys {
			names = append(names, "…")
			break
		}
		name, _ := o.At(i)
		names = append(names, shown(string(name[:min(len(name), 4*shownKey)]), shownKey))
	}
	return "keys " + strings.Join(names, ", ")
}

// shown returns s cut to n characters and without what a terminal would act
// on, for use in a reason.
func shown(s string, n int) string {
	special := func(r rune) bool { return r < ' ' || r > '~' }
	if len(s) <= n && strings.IndexFunc(s, special) < 0 {
		return s // as nearly all are
	}
	var b strings.Builder
	for _, r := range s {
		if n--; n < 0 {
			b.WriteString("…")
			break
		}
		if !unicode.IsPrint(r) {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}
