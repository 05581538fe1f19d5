package digest

import (
	"slices"
	"strings"

	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// scalars writes the members of an object that are no lists or objects as
// "name=value", those that name what is meant and what decides first.
func scalars(object string, most int) string {
	type member struct {
		text string
		rank int
	}
	var all []member
	at := map[string]int{}
	walk(object, 0, func(name, value string) {
		value = word(phrases.Clip(value, 60))
		if i, seen := at[name]; seen {
			all[i].text += "," + value
			return
		}
		at[name] = len(all)
		all = append(all, member{name + "=" + value, rank(name)})
	})
	slices.SortStableFunc(all, func(a, b member) int { return a.rank - b.rank })
	var out strings.Builder
	for _, m := range all {
		if out.Len() < most {
			out.WriteString(" " + m.text)
		}
	}
	return word(out.String())
}

// walk calls f for what is no list or object, a few levels deep. Of lists the
// first three elements count.
func walk(v string, depth int, f func(name, value string)) {
	const deepest = 3
	if depth > deepest {
		return
	}
	for key, val := range rawjson.Members(v) {
		name := key
		switch {
		case rawjson.IsObject(val):
			walk(val, depth+1, f)
		case rawjson.IsList(val):
			n := 0
			for one := range rawjson.Elements(val) {
				if n++; n > 3 {
					break
				}
				if rawjson.IsObject(one) {
					walk(one, depth+1, f)
				} else if !rawjson.IsList(one) {
					f(name, text(one))
				}
			}
		case rawjson.IsNull(val):
		default:
			if value := text(val); strings.TrimSpace(value) != "" {
				f(name, value)
			}
		}
	}
}

// deciding are parts of the names of values on which a decision rests, those
// that tell most first.
var deciding = [...][]string{
	{"error", "status"},
	{"amount", "price", "total", "balance", "cost", "refund", "cabin", "class", "insurance", "membership", "reason", "count"},
	{"date", "time", "reservation", "order", "flight", "user_id", "number", "payment", "id"},
}

// rank says how early a value is told: 0 is first.
func rank(name string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(append(deciding[:], []string{""}), func(parts []string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
	})
}
