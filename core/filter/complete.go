package filter

import (
	"strings"
	"unicode"
)

// Completion is what may stand at a place of an expression, which need not be
// complete or right.
type Completion struct {
	// From and To are the runes that an accepted candidate replaces.
	From, To int
	// Fields says that a field is being typed, or a word of a text: Words are
	// names of fields, each with an operator after it.
	Fields bool
	// Field is the field one of whose values is being typed, "" if that is
	// not so or if it takes numbers or dates. Values other than those of an
	// Enum are known to what keeps the segments only; Quote writes them.
	Field Field
	// Prefix is what was typed of it, up to the cursor and without quotes.
	Prefix string
	// Words are the candidates that are known here, best first.
	Words []Item
}

// Item is a candidate.
type Item struct {
	Text string // what takes the place of From..To
	Help string // a few words about it, may be empty
}

// Complete returns what may stand at the cursor, which lies before that rune.
func Complete(text string, cursor int) Completion {
	p := &parser{runes: []rune(text)}
	cursor = max(0, min(cursor, len(p.runes)))
	from, to := p.around(cursor)
	if from < to && isQuote(p.runes[from]) {
		return Completion{From: cursor, To: cursor} // a text, which may be anything
	}
	name := from
	for name < to && isNameRune(fold(p.runes[name]), name == from) {
		name++
	}
	op, value, ok := p.operator(name)
	if !ok || name == from || value > to {
		return p.completeName(from, cursor, to)
	}
	if after, behind, more := p.operator(value); op == ":" && more && after != ":" {
		value = behind
	}
	if cursor < value || cursor == value && op != ":" {
		return p.completeName(from, cursor, value)
	}
	p.i = from
	info, known := Lookup(p.name(name))
	if !known {
		return Completion{From: cursor, To: cursor}
	}
	return p.completeValue(info, value, cursor, to)
}

// around returns the term in which the cursor stands or after which it does,
// without what negates it; from and to are the cursor if there is none.
func (p *parser) around(cursor int) (from, to int) {
	for p.i < cursor {
		if r := p.runes[p.i]; unicode.IsSpace(r) || fold(r) == '(' || fold(r) == ')' || isDash(r) {
			p.i++
			continue
		}
		from, to = p.i, p.termEnd(p.i)
		if cursor <= to {
			return from, to
		}
		p.i = to
	}
	if to = p.termEnd(cursor); to > cursor && !isDash(p.runes[cursor]) && fold(p.runes[cursor]) != '(' {
		return cursor, to
	}
	return cursor, cursor
}

// termEnd returns where the term ends that begins at a place.
func (p *parser) termEnd(at int) int {
	depth := 0
	for quotable := true; at < len(p.runes); at++ {
		r := p.runes[at]
		if isQuote(r) && quotable {
			_, end, _ := unquote(p.runes, at)
			at = end - 1
			continue
		}
		c := fold(r)
		quotable = strings.ContainsRune(`:=<>,`, c)
		if c == '(' {
			depth++
		} else if c == ')' && depth > 0 {
			depth--
		} else if p.ends(at) {
			break
		}
	}
	return at
}

// completeName completes the name of a field that begins at from, of which to
// is the end with its operator.
func (p *parser) completeName(from, cursor, to int) Completion {
	typed := strings.ToLower(folded(string(p.runes[from:cursor])))
	c := Completion{From: from, To: to, Fields: true, Prefix: string(p.runes[from:cursor])}
	var names []Item
	for _, f := range Fields() {
		name := string(f.Field)
		switch {
		case f.Field == Metric && typed == "":
			names = append(names, Item{name + ".", f.Help})
		case f.Field == Metric:
			for _, metric := range f.Values {
				if metric = name + "." + metric; strings.HasPrefix(typed, metric) {
					c.Words = append(c.Words, operators(f.Field, metric, "", typed)...)
				} else {
					names = append(names, Item{metric + ">=", ""})
				}
			}
		case f.Kind == Number || f.compared():
			if strings.HasPrefix(typed, name) {
				c.Words = append(c.Words, operators(f.Field, name, f.Help, typed)...)
			} else {
				names = append(names, Item{name + ">=", f.Help})
			}
		default:
			names = append(names, Item{name + ":", f.Help})
		}
	}
	c.Words = append(c.Words, matching(names, typed)...)
	return c
}

// operators returns the name of a field that takes them with all operators of
// which typed is the beginning.
func operators(f Field, name, help, typed string) []Item {
	var items []Item
	words := map[Op]string{
		GreaterEqual: "at least", LessEqual: "at most", Greater: "more than", Less: "less than",
		Equal: "exactly", NotEqual: "all but",
	}
	if info, _ := Lookup(string(f)); info.compared() {
		words = map[Op]string{
			GreaterEqual: "then or later", LessEqual: "then or earlier", Greater: "later than", Less: "earlier than",
			Equal: "at that time", NotEqual: "at another time",
		}
	}
	for _, op := range []Op{GreaterEqual, Less, Greater, LessEqual, Equal, NotEqual} {
		if text := name + string(op); strings.HasPrefix(text, typed) {
			items = append(items, Item{text, strings.TrimPrefix(help+", "+words[op], ", ")})
		}
	}
	return items
}

// matching returns the items that begin with what was typed, then those that
// have it elsewhere.
func matching(items []Item, typed string) []Item {
	var first, others []Item
	for _, it := range items {
		if strings.HasPrefix(it.Text, typed) {
			first = append(first, it)
		} else if strings.Contains(it.Text, typed) {
			others = append(others, it)
		}
	}
	return append(first, others...)
}

// completeValue completes a value of a field, or one of several that have
// commas between them.
func (p *parser) completeValue(f Info, from, cursor, to int) Completion {
	for i := from; i < cursor && f.Kind != Number && f.Kind != Day; i++ {
		if isQuote(p.runes[i]) && i == from {
			_, end, _ := unquote(p.runes, i)
			i = end - 1
		} else if p.runes[i] == ',' {
			from = i + 1
		}
	}
	end, prefix := p.valueEnd(from, cursor, to)
	c := Completion{From: from, To: end, Field: f.Field, Prefix: prefix}
	switch f.Kind {
	case Enum:
		items := make([]Item, len(f.Values))
		for i, v := range f.Values {
			items[i] = Item{v, valueHelp(f.Field, v)}
		}
		c.Words = matching(items, strings.ToLower(folded(prefix)))
	case Day:
		c.Field, c.Words = "", matching([]Item{
			{"today", ""}, {"yesterday", ""}, {"12h", "12 hours ago"}, {"7d", "7 days ago"}, {"4w", "4 weeks ago"},
		}, strings.ToLower(prefix))
	case Number:
		c.Field = ""
	}
	return c
}

// valueEnd returns the end of the value that begins at a place, and what was
// typed of it up to the cursor.
func (p *parser) valueEnd(from, cursor, to int) (end int, typed string) {
	if from < cursor && isQuote(p.runes[from]) {
		typed, _, _ = unquote(p.runes[:cursor], from)
		if _, end, closed := unquote(p.runes, from); closed && cursor <= end {
			return end, typed
		}
		return cursor, typed // what follows an open quotation mark stays
	}
	for end = cursor; end < to && p.runes[end] != ','; {
		end++
	}
	return end, string(p.runes[from:cursor])
}

// valueHelp is about a value whose name does not say what it is.
func valueHelp(f Field, v string) string {
	if m, ok := MarkOf(f, v); ok {
		return m.Help
	}
	return ""
}
