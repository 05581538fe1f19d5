package filter

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// testOptions is half past seven in the evening of a Friday, in Berlin.
func testOptions() Options {
	return Options{
		Now:  time.Date(2026, 11, 20, 18, 30, 0, 5e8, time.UTC),
		Zone: time.FixedZone("Berlin", 3600),
	}
}

// dump writes a tree in a form in which all of it can be seen.
func dump(n Node) string {
	switch n := n.(type) {
	case And:
		return "and(" + dumpAll(n) + ")"
	case Or:
		return "or(" + dumpAll(n) + ")"
	case Not:
		return "not(" + dump(n.Of) + ")"
	case Term:
		return dumpTerm(&n)
	case Text:
		kind := "word"
		if n.Phrase {
			kind = "phrase"
		}
		if n.Prefix {
			kind += "*"
		}
		return kind + "<" + n.Value + ">"
	}
	return "all"
}

func dumpAll(nodes []Node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = dump(n)
	}
	return strings.Join(parts, ", ")
}

func dumpTerm(t *Term) string {
	field := string(t.Field)
	if t.Metric != "" {
		field += "/" + t.Metric
	}
	info, _ := Lookup(string(t.Field))
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	date := func(d *Date) string {
		return fmt.Sprintf("%s to %s", d.From.Format("2006-01-02T15:04:05.999"), d.To.Format("2006-01-02T15:04:05.999"))
	}
	switch {
	case info.Kind == Number && t.Op == Between:
		return fmt.Sprintf("%s %s..%s", field, number(t.Num), number(t.Max))
	case info.Kind == Number:
		return fmt.Sprintf("%s %s %s", field, t.Op, number(t.Num))
	case info.Kind == Day && t.Op == Between:
		return fmt.Sprintf("%s [%s]..[%s]", field, date(&t.Date), date(&t.Last))
	case info.Kind == Day:
		return fmt.Sprintf("%s %s [%s]", field, t.Op, date(&t.Date))
	}
	return fmt.Sprintf("%s %s %s", field, t.Op, t.Value)
}
