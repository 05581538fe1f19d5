package filter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// operator reads the operator that begins at a place, and returns the place
// after it.
func (p *parser) operator(at int) (op string, end int, ok bool) {
	for _, op := range []string{"<=", ">=", "!=", "==", "=>", "=<", "<>", "<", ">", "=", ":"} {
		if p.peek(at) == rune(op[0]) && (len(op) == 1 || p.peek(at+1) == rune(op[1])) {
			return op, at + len(op), true
		}
	}
	switch p.peek(at) {
	case '≤':
		return "<=", at + 1, true
	case '≥':
		return ">=", at + 1, true
	case '≠':
		return "!=", at + 1, true
	}
	return "", at, false
}

// fieldName looks for the name of a field with an operator after it, known or
// not, and returns the end of the name. Spaces may stand before an operator
// that compares. What cannot be a field is none: a URL, a path with a drive, a
// word in front of the operator that does not begin with a Latin letter.
func (p *parser) fieldName() (end int, ok bool) {
	end = p.i
	for end < len(p.runes) && isNameRune(fold(p.runes[end]), end == p.i) {
		end++
	}
	if end == p.i {
		return 0, false
	}
	at := end
	for at < len(p.runes) && unicode.IsSpace(p.runes[at]) {
		at++
	}
	op, _, ok := p.operator(at)
	if !ok || op == ":" && at > end {
		return 0, false
	}
	if p.runes[at] == ':' && at+1 < len(p.runes) {
		drive := end == p.i+1 && (p.runes[at+1] == '\\' || p.runes[at+1] == '/')
		if _, known := Lookup(p.name(end)); drive || !known && p.doubleSlash(at+1) {
			return 0, false
		}
	}
	return end, true
}

func isNameRune(r rune, first bool) bool {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return true
	}
	return !first && (r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-')
}

func (p *parser) doubleSlash(at int) bool {
	return at+1 < len(p.runes) && p.runes[at] == '/' && p.runes[at+1] == '/'
}

// name returns what stands from the next rune up to a place as a field is
// called.
func (p *parser) name(end int) string { return strings.ToLower(folded(string(p.runes[p.i:end]))) }

// condition is a term of a field that is being read.
type condition struct {
	Info
	metric string
	start  int    // of the term
	op     string // as the language knows it
}

// condition reads a term whose field's name ends at a place.
func (p *parser) condition(end int) (Node, *Error) {
	name := p.name(end)
	c := condition{start: p.i}
	base, metric, dotted := strings.Cut(name, ".")
	info, known := Lookup(base)
	if !known || dotted != (info.Field == Metric) {
		return nil, p.unknownField(name, end)
	}
	c.Info, c.metric = info, metric
	if dotted && !slices.Contains(info.Values, metric) {
		return nil, p.unknownValue(p.i+len("metric."), "unknown metric "+show(metric), metric, info.Values)
	}
	for unicode.IsSpace(p.runes[end]) {
		end++
	}
	op, next, _ := p.operator(end)
	ranged := info.Kind == Number || info.Kind == Day
	if after, behind, ok := p.operator(next); op == ":" && ok && ranged && after != ":" {
		op, next = after, behind
	}
	if c.op = op; op == "==" {
		c.op = "="
	}
	if err := p.checkOperator(&c, end); err != nil {
		return nil, err
	}
	p.i = next
	if op != ":" {
		p.skip()
	}
	if p.ends(p.i) {
		return nil, p.valueless(&c, next)
	}
	if ranged {
		return p.ranged(&c)
	}
	return p.values(&c)
}

// valueless is the error about a term without a value after its operator.
func (p *parser) valueless(c *condition, end int) *Error {
	hint := "write one, as in " + c.example()
	if p.skip(); c.op == ":" && !p.ends(p.i) {
		hint = "write it right after the colon, as in " + c.example()
	}
	return p.fail(c.start, "there is no value after "+show(string(p.runes[c.start:end])), hint)
}

// example is a term of the field, with the metric that was meant.
func (c *condition) example() string {
	if c.metric != "" {
		return strings.Replace(c.Example, "tool_success", c.metric, 1)
	}
	return c.Example
}

// called is the name of the field as it is written.
func (c *condition) called() string {
	if c.metric != "" {
		return string(c.Field) + "." + c.metric
	}
	return string(c.Field)
}

func (p *parser) checkOperator(c *condition, at int) *Error {
	name := c.called()
	switch c.op {
	case "=>", "=<", "<>":
		right := map[string]string{"=>": ">=", "=<": "<=", "<>": "!="}[c.op]
		return p.fail(at, show(c.op)+" is no operator", "write "+name+right)
	}
	text := fmt.Sprintf("%s does not take %s", name, c.op)
	switch {
	case c.op == ":":
	case c.Field == After || c.Field == Before:
		if c.op != "=" {
			return p.fail(at, text, "write "+name+": and a date, as in "+c.Example)
		}
	case c.Kind == Number || c.Kind == Day:
	case c.op == "!=":
		return p.fail(at, text, "write - in front, as in -"+c.Example)
	case c.op == "=" && c.Kind != Substring:
	case c.Kind == Substring:
		return p.fail(at, text, "write "+name+":, which finds any part of it, as in "+c.Example)
	default:
		return p.fail(at, text, "write "+name+":, as in "+c.Example)
	}
	return nil
}

// values reads a value, or several with commas between: any of them.
func (p *parser) values(c *condition) (Node, *Error) {
	comma := func(r rune) bool { return r == ',' || r == '，' && c.Kind != Substring }
	var nodes []Node
	for {
		at := p.i
		v, err := p.value(c, comma)
		if err != nil {
			return nil, err
		}
		t := Term{Field: c.Field, Op: Is}
		if t.Value, err = p.checkValue(c, at, v); err != nil {
			return nil, err
		}
		nodes = append(nodes, t)
		if p.i == len(p.runes) || !comma(p.runes[p.i]) {
			break
		}
		if p.i++; p.ends(p.i) {
			return nil, p.fail(p.i-1, "there is no value after the comma", "write one right after it, without a space, or remove the comma")
		}
		if p.terms++; p.terms > maxTerms {
			return nil, p.fail(p.i, fmt.Sprintf("more than %d terms", maxTerms), "split the expression into several")
		}
	}
	if !p.ends(p.i) {
		return nil, p.fail(p.i, "a value in quotes ends within a word", "put a space after the quotation mark, or a comma before another value")
	}
	return either(nodes), nil
}

// value reads one value, quoted or not.
func (p *parser) value(c *condition, comma func(rune) bool) (string, *Error) {
	at := p.i
	switch r := p.runes[at]; {
	case isQuote(r):
		return p.quote()
	case comma(r):
		return "", p.fail(at, "no value stands before the comma", "remove the comma, or quote it if it is part of the value")
	case fold(r) == '(':
		return "", p.fail(at, "a value begins with a parenthesis",
			fmt.Sprintf(`several values are written %[1]s:a,b; one with a parenthesis in quotes`, c.Field))
	case p.doubleSlash(at):
		return "", p.fail(at, "a value begins with //", fmt.Sprintf(`put it in quotes; to search for the text, quote it all: "%s://…"`, c.Field))
	}
	v, err := p.bare(comma)
	if k := strings.IndexFunc(v, func(r rune) bool { return fold(r) == '*' }); err == nil && k >= 0 {
		hint := fmt.Sprintf("%s compares whole values; one with an asterisk is written in quotes", c.Field)
		if c.Kind == Substring {
			hint = fmt.Sprintf("%s finds any part of the text: leave it out, or write it in quotes", c.Field)
		}
		return "", p.fail(at+len([]rune(v[:k])), "an asterisk stands for nothing in a value", hint)
	}
	return v, err
}

// checkValue returns a value as the tree holds it.
func (p *parser) checkValue(c *condition, at int, v string) (string, *Error) {
	switch c.Kind {
	case Enum:
		low := strings.ToLower(folded(v))
		if !slices.Contains(c.Values, low) {
			return "", p.unknownValue(at, "unknown value "+show(v)+" of "+string(c.Field), v, c.Values)
		}
		return low, nil
	case ID:
		low := strings.ToLower(folded(v))
		if strings.Trim(low, "0123456789abcdef-") != "" || len(low) > 36 {
			return "", p.fail(at, show(v)+" is no id", "ids are made of 0-9, a-f and -, as in "+c.Example)
		}
		if len(low) < 4 {
			return "", p.fail(at, "an id of less than 4 characters", "write the first 4 at least, as in "+c.Example)
		}
		return low, nil
	}
	if v == "" {
		return "", p.fail(at, "an empty value", "write one, as in "+c.Example)
	}
	return v, nil
}
