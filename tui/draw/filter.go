package draw

import (
	"fmt"
	"slices"
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
	if g.Nameless {
		n = nameless(n)
	}
	terms, several := n.(filter.And)
	if !several {
		terms = filter.And{n}
	}
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = g.prettyTerm(t)
	}
	return clean.Line(Head(strings.Join(texts, g.Joint)))
}

// Secret reports whether a text tells a model whose name is hidden: a filter that does,
// or what is none and may.
func (g *Glyphs) Secret(text string) bool {
	if !g.Nameless {
		return false
	}
	n, err := filter.Parse(text, filter.Options{})
	if err != nil {
		return strings.Contains(strings.ToLower(text), string(filter.Model))
	}
	return n != nil && filter.Print(n) != filter.Print(nameless(n))
}

// Told is the text of a filter as it may be shown.
func (g *Glyphs) Told(text string) string {
	if !g.Secret(text) {
		return clean.Line(Head(text))
	}
	n, _ := filter.Parse(text, filter.Options{})
	return g.Filter(n)
}

// nameless is a filter without the names of models.
func nameless(n filter.Node) filter.Node {
	all := func(list []filter.Node) []filter.Node {
		list = slices.Clone(list)
		for i := range list {
			list[i] = nameless(list[i])
		}
		return list
	}
	switch n := n.(type) {
	case filter.And:
		return filter.And(all(n))
	case filter.Or:
		return filter.Or(all(n))
	case filter.Not:
		return filter.Not{Of: nameless(n.Of)}
	case filter.Term:
		if n.Field == filter.Model {
			n.Value = "hidden"
		}
		return n
	}
	return n
}

func (g *Glyphs) prettyTerm(n filter.Node) string {
	switch n := n.(type) {
	case filter.Term:
		switch {
		case speaks(n):
			return n.Value
		case n.Field == filter.Score && n.Op == filter.GreaterEqual:
			return fmt.Sprintf("score%s%.2f", g.AtLeast, n.Num)
		case n.Field == filter.Score && n.Op == filter.LessEqual:
			return fmt.Sprintf("score%s%.2f", g.AtMost, n.Num)
		}
	case filter.Text:
		if n.Prefix {
			n.Value += g.More
		}
		return g.Quote + n.Value + g.Unquote
	case filter.Or:
		if values := sameField(n); values != "" {
			return values
		}
		return "(" + filter.Print(n) + ")"
	case filter.Not:
		_, text := n.Of.(filter.Text)
		if text || speaks(n.Of) {
			return "-" + g.prettyTerm(n.Of)
		}
	}
	return filter.Print(n)
}

// speaks reports whether it is a term whose value says which field is meant.
func speaks(n filter.Node) bool {
	t, ok := n.(filter.Term)
	return ok && (t.Field == filter.Status || t.Field == filter.Type)
}

// sameField tells an or of values of one field: approved+unsure.
func sameField(n filter.Or) string {
	var values []string
	for _, of := range n {
		if !speaks(of) || of.(filter.Term).Field != n[0].(filter.Term).Field {
			return ""
		}
		values = append(values, of.(filter.Term).Value)
	}
	return strings.Join(values, "+")
}
