package export

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// stringOf returns the text of a JSON string; halves of surrogate pairs become
// U+FFFD.
func stringOf(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // the error tells of such halves only
	return string(text)
}

// endOfJSON returns the end of the value that begins at a place of valid JSON.
func endOfJSON(json string, i int) int {
	switch json[i] {
	case '"':
		for i++; json[i] != '"'; i++ {
			if json[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; {
			switch json[i] {
			case '"':
				i = endOfJSON(json, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(json) && strings.IndexByte(",]} \t\r\n", json[i]) < 0 {
		i++
	}
	return i
}

// eachMember calls f for the members of a valid JSON object, in their order.
// Of members with one name the first keeps its place and the last one counts.
func eachMember(object string, f func(name, value string)) {
	var seen [8]struct{ name, value string }
	all := seen[:0]
	for i := strings.IndexByte(object, '{') + 1; ; {
		start := strings.IndexByte(object[i:], '"')
		if start < 0 {
			break
		}
		start += i
		end := endOfJSON(object, start)
		name := stringOf(object[start:end])
		start = end + strings.IndexByte(object[end:], ':') + 1
		for strings.IndexByte(" \t\r\n", object[start]) >= 0 {
			start++
		}
		i = endOfJSON(object, start)
		all = append(all, struct{ name, value string }{name, object[start:i]})
	}
	for _, m := range lastOfEach(all) {
		f(m.name, m.value)
	}
}

// lastOfEach keeps one member of each name.
func lastOfEach(all []struct{ name, value string }) []struct{ name, value string } {
	const few = 8 // comparing is faster then
	if len(all) <= few {
		return lastOfFew(all)
	}
	place := make(map[string]int, len(all))
	kept := all[:0]
	for _, m := range all {
		if at, met := place[m.name]; met {
			kept[at].value = m.value
			continue
		}
		place[m.name] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

func lastOfFew(all []struct{ name, value string }) []struct{ name, value string } {
	kept := all[:0]
	for _, m := range all {
		at := 0
		for at < len(kept) && kept[at].name != m.name {
			at++
		}
		if at == len(kept) {
			kept = append(kept, m)
		}
		kept[at].value = m.value
	}
	return kept
}
