package memories

import (
	"fmt"
	"strings"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/store/filtersql"
	"winnow/store/stamp"
)

// page is a statement for a page of ids, and its arguments. No value of a filter is
// part of the text.
func page(q *memory.Query) (text string, args []any, err error) {
	where, args, err := condition(q.Filter)
	if err != nil {
		return "", nil, err
	}
	key, at := "created_at", any(stamp.Of(q.After.Created))
	switch q.Order {
	case "", memory.Newest:
	case memory.Best:
		key, at = "grade", q.After.Grade
	default:
		return "", nil, fmt.Errorf("no order %q", q.Order)
	}
	if q.After.ID != "" {
		where = append(where, "(m."+key+", m.id) < (?, ?)")
		args = append(args, at, q.After.ID)
	}
	text = "SELECT m.id FROM memories m"
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	return text + " ORDER BY m." + key + " DESC, m.id DESC LIMIT ?", append(args, q.Limit), nil
}

// condition is what a filter asks for, as terms that must all hold.
func condition(f memory.Filter) (where []string, args []any, err error) {
	if !f.AsksStatus() {
		where = append(where, statusSQL+" <> 'archived'")
	}
	for i := range f {
		t := &f[i]
		text, more, err := term(t)
		if err != nil {
			return nil, nil, err
		}
		if t.Not {
			text = "NOT (" + text + ")"
		}
		where, args = append(where, "("+text+")"), append(args, more...)
	}
	return where, args, nil
}

// anyOf is a condition that holds for any of the values, each of which a text has as
// its arguments.
func anyOf(values []string, one func(v string) (string, []any)) (string, []any) {
	var texts []string
	var args []any
	for _, v := range values {
		text, more := one(v)
		texts, args = append(texts, text), append(args, more...)
	}
	return "(" + strings.Join(texts, " OR ") + ")", args
}

// is compares with a value by a text that takes it once.
func is(text string, arg func(string) any) func(string) (string, []any) {
	return func(v string) (string, []any) { return text, []any{arg(v)} }
}

func same(v string) any   { return v }
func folded(v string) any { return filter.Fold(v) }

// part is the pattern of texts that have another in them.
func part(v string) any {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(v) + "%"
}

// terms are what the fields mean that have values.
var terms = map[string]func(v string) (string, []any){
	"":        is("instr(m.words, ?) > 0", folded),
	"kind":    is("m.kind = ?", same),
	"agent":   is("m.agent_id = ?", same),
	"status":  is("iif("+staleSQL+", 'stale', "+statusSQL+") = ?", same),
	"topic":   is(`m.topic LIKE ? ESCAPE '\'`, part),
	"model":   is(`m.model LIKE ? ESCAPE '\'`, part),
	"session": is(`EXISTS (SELECT 1 FROM memory_sources o WHERE o.memory_id = m.id AND o.session_file LIKE ? ESCAPE '\')`, part),
	"segment": ofSegment,
	"flag": func(v string) (string, []any) {
		if v == memory.AnyFlag {
			return "m.flags <> ''", nil
		}
		return "instr(' ' || m.flags || ' ', ?) > 0", []any{" " + v + " "}
	},
	"tag": tagged,
	"dir": inFolder,
}

// inFolder is Memory.In.
func inFolder(folder string) (string, []any) {
	part, first := memory.FolderPart(folder)
	text := `instr(rtrim(replace(m.dir, '\', '/'), '/') || '/', ?) `
	if first {
		return text + "= 1", []any{part}
	}
	return text + "> 0", []any{part}
}

// ofSegment finds what was learned in a segment: what it was said to be from, and what
// is from the content that it has now.
func ofSegment(prefix string) (string, []any) {
	from, to := filtersql.IDs(prefix)
	return `m.id IN (SELECT memory_id FROM memory_sources WHERE segment_id >= ? AND segment_id < ?
		UNION SELECT o.memory_id FROM task_segments s CROSS JOIN memory_sources o ON ` + sameSQL + ` WHERE s.id >= ? AND s.id < ?)`, []any{from, to, from, to}
}

// tagged finds a tag: also those that follow from the memory, see memory.Tags.
func tagged(tag string) (string, []any) {
	head, value, _ := strings.Cut(tag, ":")
	if memory.Derived(tag) {
		switch head {
		case "trajectory":
			return "1", nil
		case "segment":
			from, to := filtersql.IDs(value)
			return "EXISTS (SELECT 1 FROM memory_sources o CROSS JOIN task_segments s ON " + sameSQL + " WHERE o.memory_id = m.id AND " + fitSQL + " AND s.id >= ? AND s.id < ?)", []any{from, to}
		case "type":
			return "m.task_type = ?", []any{value}
		case "agent":
			return "m.agent_id = ?", []any{value}
		case "topic":
			return `m.topic LIKE ? ESCAPE '\'`, []any{strings.TrimPrefix(part(value).(string), "%")}
		}
	}
	return "EXISTS (SELECT 1 FROM memory_tags g WHERE g.tag = ? AND g.memory_id = m.id)", []any{tag}
}

func term(t *memory.Term) (string, []any, error) {
	switch t.Field {
	case "grade":
		if t.Op == filter.Is || t.Op == filter.Equal {
			return "m.grade = ?", []any{t.Num}, nil
		}
		return "m.grade " + order(t.Op) + " ?", []any{t.Num}, nil
	case "created":
		text, args := created(t)
		return text, args, nil
	}
	one := terms[t.Field]
	if one == nil {
		return "", nil, fmt.Errorf("no field %q", t.Field)
	}
	text, args := anyOf(t.Values, one)
	return text, args, nil
}

// order is an operator in SQL.
func order(op filter.Op) string {
	switch op {
	case filter.Less, filter.LessEqual, filter.Greater, filter.GreaterEqual:
		return string(op)
	}
	return "="
}

// created compares with a stretch of time: what is later than a day is later than all
// of it. A date alone is all of it, and what "7d" ago is, is from then on.
func created(t *memory.Term) (string, []any) {
	from, to := stamp.Of(t.Date.From), stamp.Of(t.Date.To)
	switch t.Op {
	case filter.Less:
		return "m.created_at < ?", []any{from}
	case filter.LessEqual:
		return "m.created_at < ?", []any{to}
	case filter.Greater:
		return "m.created_at >= ?", []any{to}
	case filter.GreaterEqual:
		return "m.created_at >= ?", []any{from}
	}
	return "m.created_at >= ? AND m.created_at < ?", []any{from, to}
}
