package export

import (
	"strings"

	"winnow/core/rawjson"
)

// eachMember calls f for the members of a valid JSON object, in their order.
// Of members with one name the first keeps its place and the last one counts.
func eachMember(object string, f func(name, value string)) {
	type member struct{ name, value string }
	var kept []member
	place := map[string]int{}
	for name, value := range rawjson.Members(strings.TrimLeft(object, blanks)) {
		if at, met := place[name]; met {
			kept[at].value = value
			continue
		}
		place[name] = len(kept)
		kept = append(kept, member{name, value})
	}
	for _, m := range kept {
		f(m.name, m.value)
	}
}
