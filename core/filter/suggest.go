package filter

import (
	"strings"
	"unicode"

	"winnow/core/spell"
)

// unknownField is the error about a name, with its end, that stands in front
// of an operator.
func (p *parser) unknownField(name string, end int) *Error {
	text := "search for the text in quotes"
	if whole := p.written(end); !strings.ContainsFunc(whole, isQuote) {
		text += ": " + show(strings.TrimRight(whole, ")）"))
	}
	if like := like(name); like != "" {
		return p.fail(p.i, "unknown field "+show(name), "did you mean "+like+"? Or "+text)
	}
	return p.fail(p.i, "unknown field "+show(name), text+"; fields are "+strings.Join(fieldNames(), ", "))
}

// misspelledMetric is the error about a word such as metric.goal'<1: no name of
// a field, and hardly a text to search for.
func (p *parser) misspelledMetric() *Error {
	from := p.i + len("metric.")
	if from > len(p.runes) || p.name(from) != "metric." {
		return nil
	}
	for at := from; at < len(p.runes) && !unicode.IsSpace(p.runes[at]); at++ {
		if _, _, ok := p.operator(at); ok {
			name := string(p.runes[from:at])
			return p.unknownValue(from, "unknown metric "+show(name), name, metricNames())
		}
	}
	return nil
}

// written returns a term as it stands there, from its beginning up to the next
// white space after the operator that follows on the name's end.
func (p *parser) written(end int) string {
	q := parser{runes: p.runes, i: end}
	q.skip()
	if _, next, ok := q.operator(q.i); ok && q.i > end {
		q.i = next
		q.skip()
		end = q.i
	}
	return string(p.runes[p.i:end]) + p.whole(end)
}

func fieldNames() []string {
	var names []string
	for _, f := range Fields() {
		names = append(names, string(f.Field))
	}
	return names
}

// like returns the field that was probably meant, "" if there is none.
func like(name string) string {
	base, rest, dotted := strings.Cut(name, ".")
	if base == string(Metric) {
		return "metric." + metricNames()[0]
	}
	if f := meant(name); f != "" {
		return string(f)
	}
	near, metric := spell.Nearest(base, fieldNames()), spell.Nearest(name, metricNames())
	switch {
	case near == string(Metric) && dotted:
		return near + "." + rest
	case metric != "" && (near == "" || spell.Distance(name, metric) < spell.Distance(base, near)):
		return "metric." + metric
	}
	return near
}

// meant is the field that people look for under another name, as some columns
// are called in JSON.
func meant(name string) Field {
	return map[string]Field{
		"verdict": Status, "state": Status, "is": Status, "task_type": Type, "task": Type, "kind": Type,
		"title": Topic, "name": Topic, "path": File, "session_file": File, "source": File, "session_id": Session,
		"agent_id": Agent, "cut_by": Cut, "overall_score": Score, "since": After, "from": After, "date": After,
		"created_at": Came, "imported": Came, "arrived": Came, "uploaded": Came, "recorded": After, "until": Before, "to": Before, "reviewed_at": Reviewed, "by": Reviewer, "judge": Reviewer,
		"curator": Reviewer, "length": Messages, "size": Tokens, "failures": ToolFails,
		"calls": ToolCalls, "comment": Note, "reason": Why,
	}[name]
}

func (p *parser) unknownValue(at int, text, v string, values []string) *Error {
	return p.fail(at, text, spell.Known(v, values))
}
