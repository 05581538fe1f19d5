package memory

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"winnow/core/filter"
)

// Filter says which memories are meant: those that all of its terms let through.
// Without a term that says which statuses, it passes by the archived ones.
type Filter []Term

// Term is a condition of a Filter.
type Term struct {
	Field  string // one of FilterFields; "" for a word that a memory says
	Not    bool
	Op     filter.Op // of grade and created; else filter.Is
	Values []string  // any of them
	Num    float64
	Date   filter.Date
}

// FilterField is a field of filters.
type FilterField struct {
	Name, Help string
	Values     []string // all that it may be; nil: any text
	Example    string
}

// What status and flag may be, beside those there are.
const (
	StaleStatus = "stale" // approved, without a live source
	AnyFlag     = "any"
)

// FilterFields are the fields, in the order they are offered.
func FilterFields() []FilterField {
	return []FilterField{
		{"status", "what became of it", append(allOf(Statuses[:]), StaleStatus), "status:proposed"},
		{"kind", "what it is", allOf(Kinds[:]), "kind:rule"},
		{"tag", "one of its tags", nil, "tag:go"},
		{"agent", "agent id of its session", nil, "agent:main"},
		{"dir", "the folder it was learned in, or one above", nil, "dir:/home/ann/web"},
		{"flag", "a warning about it", append(allOf(Flags[:]), AnyFlag), "flag:from_tools"},
		{"topic", "part of the topic of its segment", nil, "topic:parser"},
		{"model", "part of the name of the model that found it", nil, "model:qwen"},
		{"session", "part of the path of a session it is from", nil, "session:projects/web"},
		{"segment", "the beginning of the id of a segment it is from", nil, "segment:1a2b3c4d"},
		{"grade", "how much there is for it, 0 to 1", nil, "grade>=0.5"},
		{"created", "when it was found", nil, "created>7d"},
	}
}

func allOf[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, x := range list {
		all[i] = string(x)
	}
	return all
}

// ParseFilter reads a filter: fields with values, as in "status:proposed,approved
// -flag:any grade>=0.5", and words that a memory says. An error is a *filter.Error.
func ParseFilter(text string, o filter.Options) (Filter, error) {
	var f Filter
	runes := []rune(text)
	for i := 0; i < len(runes); {
		if unicode.IsSpace(runes[i]) {
			i++
			continue
		}
		end := wordEnd(runes, i)
		t, err := parseTerm(string(runes[i:end]), o)
		if err != nil {
			err.Column += i
			return nil, err
		}
		f, i = append(f, t), end
	}
	return f, nil
}

// wordEnd is where a word that begins at a rune ends: at white space that is not in
// quotes.
func wordEnd(runes []rune, i int) int {
	for quoted := false; i < len(runes); i++ {
		switch {
		case runes[i] == '"':
			quoted = !quoted
		case unicode.IsSpace(runes[i]) && !quoted:
			return i
		}
	}
	return i
}

func parseTerm(word string, o filter.Options) (t Term, err *filter.Error) {
	rest, not := strings.CutPrefix(word, "-")
	if not = not && rest != ""; !not {
		rest = word
	}
	t = Term{Not: not, Op: filter.Is}
	at := strings.IndexAny(rest, `:=<>"`)
	if at <= 0 || rest[at] == '"' {
		t.Values = []string{strings.ReplaceAll(rest, `"`, "")}
		return t, nil
	}
	field := lookup(strings.ToLower(rest[:at]))
	if field == nil {
		var all []string
		for _, f := range FilterFields() {
			all = append(all, f.Name)
		}
		return t, &filter.Error{Column: 1, Text: fmt.Sprintf("no field %q", rest[:at]), Hint: "fields are " + strings.Join(all, ", ") + "; quotes make it a text"}
	}
	t.Field = field.Name
	op, value := cutOp(rest[at:])
	if value = strings.ReplaceAll(value, `"`, ""); value == "" {
		return t, &filter.Error{Column: len([]rune(word)) + 1, Text: field.Name + " without a value", Hint: "for example " + field.Example}
	}
	return t.valued(field, op, value, o)
}

// cutOp takes the operator from the front of a text.
func cutOp(text string) (op filter.Op, value string) {
	for _, op := range [...]filter.Op{filter.GreaterEqual, filter.LessEqual, filter.Greater, filter.Less, filter.Equal, filter.Is} {
		if value, ok := strings.CutPrefix(text, string(op)); ok {
			return op, value
		}
	}
	return "", text
}

// valued gives a term its value.
func (t Term) valued(field *FilterField, op filter.Op, value string, o filter.Options) (Term, *filter.Error) {
	wrong := func(text string) (Term, *filter.Error) {
		return t, &filter.Error{Column: 1, Text: text, Hint: "for example " + field.Example}
	}
	switch field.Name {
	case "grade":
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !(n >= 0 && n <= 1) {
			return wrong(fmt.Sprintf("a grade is from 0 to 1, not %q", value))
		}
		t.Op, t.Num = op, n
		return t, nil
	case "created":
		n, err := filter.Parse("after:"+filter.Quote(value), o)
		date, ok := n.(filter.Term)
		if err != nil || !ok {
			return wrong(fmt.Sprintf("%q is no date", value))
		}
		t.Op, t.Date = op, date.Date
		return t, nil
	}
	if op != filter.Is && op != filter.Equal {
		return wrong(field.Name + " has no order")
	}
	for v := range strings.SplitSeq(value, ",") {
		if field.Values != nil && v != "" {
			known, ok := parse(field.Values, strings.ToLower(v))
			if !ok {
				return t, &filter.Error{Column: 1, Text: fmt.Sprintf("%s can't be %q", field.Name, v), Hint: field.Name + " is one of " + strings.Join(field.Values, ", ")}
			}
			v = known
		}
		if v != "" {
			t.Values = append(t.Values, v)
		}
	}
	if len(t.Values) == 0 {
		return wrong(field.Name + " without a value")
	}
	return t, nil
}

func lookup(name string) *FilterField {
	for _, f := range FilterFields() {
		if f.Name == name {
			return &f
		}
	}
	return nil
}

// AsksStatus reports whether a filter says which statuses are meant.
func (f Filter) AsksStatus() bool {
	for i := range f {
		if f[i].Field == "status" && !f[i].Not {
			return true
		}
	}
	return false
}

// With returns the filter with another term: the field is to have one of the values.
func (f Filter) With(field string, values ...string) Filter {
	return append(f[:len(f):len(f)], Term{Field: field, Op: filter.Is, Values: values})
}

// AnyStatus is the filter that lets all memories through.
func AnyStatus() Filter { return Filter{}.With("status", append(allOf(Statuses[:]), StaleStatus)...) }
