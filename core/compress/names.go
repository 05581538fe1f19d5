package compress

import (
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
)

// A name is what a later message can only repeat if it can be seen: an id, a
// path, a number, a word of code. Words of a language are none.
const (
	nameLeast = 3
	// nameMost is how long a name is at most: what is longer is data.
	nameMost = 200
	// codeLeast is how long a name is at least that is some digits among
	// letters: 2nd and x86 are words.
	codeLeast = 4
)

// What characters are, as bits.
const (
	lower uint8 = 1 << iota
	upper
	digit
	under // _
	slash // /
	dot   // .
	at    // @
	other // other characters that names are joined by
)

var kinds = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	t['_'], t['/'], t['.'], t['@'] = under, slash, dot, at
	t['-'], t['~'], t['+'], t['#'] = other, other, other, other
	return t
}()

// sort is what a name is.
type sort uint8

const (
	noName sort = iota
	word        // of code, or an abbreviation
	value       // an id, a path, a number
)

// sortOf tells what characters are by what is in them and after the first.
func sortOf(name string, all, rest uint8) sort {
	if len(name) < nameLeast || len(name) > nameMost {
		return noName
	}
	letters := all & (lower | upper)
	switch {
	case all&digit != 0 && letters == 0:
		return digits(name)
	case all&digit != 0 && (len(name) >= codeLeast || all&upper != 0):
		return value
	case letters == 0:
		return noName
	case all&at != 0:
		return value
	case all&slash != 0:
		if all&(dot|under) != 0 || name[0] == '/' || name[0] == '~' || slashes(name) > 1 {
			return value
		}
		return noName // and/or
	case all&under != 0:
		return word
	case all&dot != 0:
		return dotted(name)
	case rest&upper != 0 && all&other == 0: // HTTPClient, getUser, JFK
		return word
	}
	return noName
}

// digits tells numbers that stand for something from counts.
func digits(name string) sort {
	n := 0
	for i := range len(name) {
		if kinds[name[i]] == digit {
			n++
		}
	}
	if n < nameLeast {
		return noName
	}
	return value
}

func slashes(name string) (n int) {
	for i := range len(name) {
		if name[i] == '/' {
			n++
		}
	}
	return n
}

// dotted tells main.go and os.path from i.e. and from the end of a sentence with
// no space after it.
func dotted(name string) sort {
	for part := range strings.SplitSeq(name, ".") {
		if len(part) < 2 {
			return noName
		}
	}
	if last := name[strings.LastIndexByte(name, '.')+1:]; kinds[last[0]]&upper != 0 {
		return noName
	}
	return word
}

// eachName calls f with the names in a text and what they are. Escapes of JSON
// count as what stands between names; key says that the name is one of a member
// of an object.
func eachName(text string, f func(name string, what sort, key bool)) {
	for i := 0; i < len(text); {
		c := text[i]
		first := kinds[c]
		if first == 0 && letter(text, i) {
			first = lower
			i++
		} else if first == 0 {
			if i++; c == '\\' && i < len(text) {
				if text[i] == 'u' && i+5 <= len(text) {
					i += 4
				}
				i++
			}
			continue
		}
		from := i
		var rest uint8
		if i++; c >= utf8.RuneSelf {
			from = i - 2
		}
		for ; i < len(text); i++ {
			k := kinds[text[i]]
			if k == 0 {
				if !letter(text, i) {
					break
				}
				k = lower
				i++
			}
			rest |= k
		}
		if all := first | rest; all&^lower == 0 || all&(lower|upper|digit) == 0 || rest&^lower == 0 && first&(lower|upper) != 0 {
			continue // a plain word
		}
		nameAt(text, from, i, f)
	}
}

// letter reports whether a letter of two bytes begins at text[i]: those of
// European writings. Others are written without spaces beside names.
func letter(text string, i int) bool {
	return text[i] >= 0xC3 && text[i] <= 0xD3 && i+1 < len(text) && text[i+1]&0xC0 == 0x80
}

// nameAt calls f with the name at text[from:to], without what stands around it.
func nameAt(text string, from, to int, f func(string, sort, bool)) {
	end := to
	for from < to && kinds[text[from]]&(dot|at|other) != 0 && text[from] != '~' {
		from++
	}
	for from < to && kinds[text[to-1]]&(dot|at|slash|other) != 0 {
		to--
	}
	if to-from < nameLeast {
		return
	}
	var rest uint8
	for i := from + 1; i < to; i++ {
		rest |= kinds[text[i]]
	}
	name := text[from:to]
	if what := sortOf(name, kinds[text[from]]|rest, rest); what != noName {
		f(name, what, end+1 < len(text) && text[end] == '"' && text[end+1] == ':')
	}
}

// mentions are the names in messages.
type mentions struct {
	names []string
	ids   map[string]int32
	list  []mention
	ends  []int // of the mentions of each message
}

// mention is a name in a message: once for each message.
type mention struct {
	name int32
	used bool // the message needs to have seen it
}

// mentioned finds the names in all messages.
func (s *session) mentioned() *mentions {
	if s.names != nil {
		return s.names
	}
	t := &mentions{ids: map[string]int32{}, ends: make([]int, 0, len(s.messages))}
	s.names = t
	var last []int32 // the place of the mention in list, by name
	from := 0
	add := func(name string, used bool) {
		id, ok := t.ids[name]
		if !ok {
			id = int32(len(t.names))
			t.names = append(t.names, name)
			t.ids[name] = id
			last = append(last, -1)
		}
		if k := last[id]; k >= int32(from) {
			t.list[k].used = t.list[k].used || used
			return
		}
		last[id] = int32(len(t.list))
		t.list = append(t.list, mention{id, used})
	}
	for i := range s.messages {
		m := &s.messages[i]
		from = len(t.list)
		answer := m.Role == chat.Assistant
		said := func(name string, _ sort, key bool) { add(name, answer && !key) }
		eachName(m.Content, said)
		eachName(m.Reasoning, said)
		for k := range m.ToolCalls {
			eachName(m.ToolCalls[k].Name, func(name string, _ sort, _ bool) { add(name, false) }) // it is in the tools
			eachName(m.ToolCalls[k].Arguments, said)
		}
		t.ends = append(t.ends, len(t.list))
	}
	return t
}

// of returns the mentions of a message.
func (t *mentions) of(i int) []mention {
	if i == 0 {
		return t.list[:t.ends[0]]
	}
	return t.list[t.ends[i-1]:t.ends[i]]
}
