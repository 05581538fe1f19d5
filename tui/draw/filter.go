package draw

import (
	"fmt"
	"strings"

	"winnow/core/clean"
	"winnow/core/filter"
)

// Filter tells a filter in as few cells as possible, for the header:
// pending·score≥0.70. What has no short form is told in the language.
func (g *Glyphs) Filter(n filter.Node) string {
	if n == nil {
		return ""
	}
	terms, ok := n.(filter.And)
	if !ok {
		return clean.Line(Head(g.prettyTerm(n)))
	}
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = g.prettyTerm(t)
	}
	return clean.Line(Head(strings.Join(texts, g.Joint)))
}

func (g *Glyphs) prettyTerm(n filter.Node) string {
	switch n := n.(type) {
	case filter.Term:
		switch {
		case speaks(n):
			return n.Value
		case n.Field == filter.Score && (n.Op == filter.GreaterEqual || n.Op == filter.LessEqual):
			return "score" + g.compared(n.Op) + fmt.Sprintf("%.2f", n.Num)
		}
	case filter.Text:
		if n.Prefix {
			return g.Quote + n.Value + g.More + g.Unquote
		}
		return g.Quote + n.Value + g.Unquote
	case filter.Or:
		if values := g.sameField(n); values != "" {
			return values
		}
		return "(" + filter.Print(n) + ")"
	case filter.Not:
		switch of := n.Of.(type) {
		case filter.Text:
			return "-" + g.prettyTerm(of)
		case filter.Term:
			if speaks(of) {
				return "-" + of.Value
			}
		}
	}
	return filter.Print(n)
}

// speaks reports whether the value of a term says which field is meant.
func speaks(t filter.Term) bool { return t.Field == filter.Status || t.Field == filter.Type }

// sameField tells an or of values of one field: approved+unsure.
func (g *Glyphs) sameField(n filter.Or) string {
	var values []string
	var field filter.Field
	for _, of := range n {
		t, ok := of.(filter.Term)
		if !ok || !speaks(t) || field != "" && t.Field != field {
			return ""
		}
		field = t.Field
		values = append(values, t.Value)
	}
	return strings.Join(values, "+")
}

func (g *Glyphs) compared(op filter.Op) string {
	switch op {
	case filter.GreaterEqual:
		return g.AtLeast
	case filter.LessEqual:
		return g.AtMost
	}
	return string(op)
}
