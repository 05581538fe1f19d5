package session

import (
	"strings"

	"winnow/core/rawjson"
)

// joiner joins the texts of one message as they come. A single one, which is
// the rule, is not copied.
type joiner struct {
	n     int
	first string // the only one
	b     strings.Builder
}

// text adds what the JSON string val stands for.
func (j *joiner) text(val []byte, separator string) {
	if j.n++; j.n == 1 {
		j.first = rawjson.Unquote(val)
		return
	}
	j.open(separator, len(val))
	rawjson.WriteUnquoted(&j.b, val)
}

// recorded adds a value as it stands there.
func (j *joiner) recorded(val []byte, separator string) {
	if j.n++; j.n == 1 {
		j.first = string(val)
		return
	}
	j.open(separator, len(val))
	j.b.Write(val)
}

// add adds a text.
func (j *joiner) add(text, separator string) {
	if j.n++; j.n == 1 {
		j.first = text
		return
	}
	j.open(separator, len(text))
	j.b.WriteString(text)
}

// open makes ready for a further text of about that size.
func (j *joiner) open(separator string, size int) {
	if j.n == 2 {
		j.b.Grow(len(j.first) + len(separator) + size)
		j.b.WriteString(j.first)
		j.first = ""
	}
	j.b.WriteString(separator)
}

// take returns the texts joined, and begins anew.
func (j *joiner) take() string {
	all := j.first
	if j.n > 1 {
		if all = j.b.String(); j.b.Cap() > len(all)+len(all)/4 {
			all = strings.Clone(all) // don't keep the larger buffer
		}
	}
	*j = joiner{}
	return all
}
