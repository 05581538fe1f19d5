package filter

import (
	"strings"
	"unicode"
)

// Print writes a tree as people type it. Parsing that gives the same tree.
func Print(n Node) string {
	var b strings.Builder
	printNode(&b, normal(n), false)
	return b.String()
}

// printNode writes a node. An And or Or that stands in another node, besides
// an And in an Or, needs parentheses.
func printNode(b *strings.Builder, n Node, inner bool) {
	switch n := n.(type) {
	case And:
		group(b, inner, func() {
			for i, of := range n {
				if i > 0 {
					b.WriteByte(' ')
				}
				printNode(b, of, true)
			}
		})
	case Or:
		group(b, inner && listed(n) < len(n), func() { printOr(b, n) })
	case Not:
		b.WriteByte('-')
		printNode(b, n.Of, true)
	case Term:
		printHead(b, &n)
		printValue(b, &n)
	case Text:
		printText(b, n)
	}
}

func group(b *strings.Builder, parentheses bool, f func()) {
	if parentheses {
		b.WriteByte('(')
	}
	f()
	if parentheses {
		b.WriteByte(')')
	}
}

// printOr writes alternatives; values of one field are a list with commas.
func printOr(b *strings.Builder, n Or) {
	for i := 0; i < len(n); {
		if i > 0 {
			b.WriteString(" or ")
		}
		run := max(1, listed(n[i:]))
		if and, ok := n[i].(And); ok {
			printNode(b, and, false)
		} else {
			printNode(b, n[i], true)
		}
		for _, of := range n[i+1 : i+run] {
			t := of.(Term)
			b.WriteByte(',')
			printValue(b, &t)
		}
		i += run
	}
}

// listed counts the nodes at the beginning that are values of one field.
func listed(nodes []Node) int {
	first, ok := nodes[0].(Term)
	if !ok || first.Op != Is {
		return 0
	}
	for i, n := range nodes {
		if t, ok := n.(Term); !ok || t.Op != Is || t.Field != first.Field {
			return i
		}
	}
	return len(nodes)
}

// printHead writes a term up to its value.
func printHead(b *strings.Builder, t *Term) {
	b.WriteString(string(t.Field))
	if t.Field == Metric {
		b.WriteString("." + t.Metric)
	}
	switch info, _ := Lookup(string(t.Field)); {
	case t.Op == Between, t.Op == Equal && info.Kind == Day:
		b.WriteByte(':')
	default:
		b.WriteString(string(t.Op))
	}
}

func printValue(b *strings.Builder, t *Term) {
	info, _ := Lookup(string(t.Field))
	switch info.Kind {
	case Number:
		b.WriteString(numberText(t))
		if t.Op == Between {
			b.WriteString(".." + numberText(&Term{Field: t.Field, Num: t.Max}))
		}
	case Day:
		b.WriteString(t.Date.Text)
		if t.Op == Between {
			b.WriteString(".." + t.Last.Text)
		}
	default:
		b.WriteString(Quote(t.Value))
	}
}

// Quote writes a value as it stands after the colon of a field: in quotes if
// it needs any.
func Quote(value string) string {
	if value == "" || strings.HasPrefix(value, "//") || strings.ContainsFunc(value, func(r rune) bool { return !isPlain(r) }) {
		return quoted(value)
	}
	return value
}

func isPlain(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune(`_-./@+#~\:%`, r)
}

func printText(b *strings.Builder, t Text) {
	asterisk := ""
	if t.Prefix {
		asterisk = "*"
	}
	if !t.Phrase && isWord(t.Value+asterisk, t) {
		b.WriteString(t.Value + asterisk)
		return
	}
	b.WriteString(quoted(t.Value) + asterisk)
}

// isWord reports whether a word without quotes means the text.
func isWord(word string, t Text) bool {
	p := parser{runes: []rune(word)}
	n, err := p.expression()
	got, ok := n.(Text)
	return err == nil && ok && got == t
}
