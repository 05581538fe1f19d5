package filter

import (
	"math"
	"slices"
)

// both joins nodes, in normal form, by and; either joins them by or.
func both(nodes []Node) Node {
	var and And
	for _, n := range nodes {
		if inner, ok := n.(And); ok {
			and = append(and, inner...)
		} else if n != nil {
			and = append(and, n)
		}
	}
	switch len(and) {
	case 0:
		return nil
	case 1:
		return and[0]
	}
	return and
}

func either(nodes []Node) Node {
	var or Or
	for _, n := range nodes {
		if inner, ok := n.(Or); ok {
			or = append(or, inner...)
		} else if n != nil {
			or = append(or, n)
		}
	}
	switch len(or) {
	case 0:
		return nil
	case 1:
		return or[0]
	}
	return or
}

func not(n Node) Node {
	switch n := n.(type) {
	case nil:
		return nil
	case Not:
		return n.Of
	}
	return Not{n}
}

// normal brings a tree that was put together by hand into normal form.
func normal(n Node) Node {
	switch n := n.(type) {
	case And:
		return both(each(n))
	case Or:
		return either(each(n))
	case Not:
		return not(normal(n.Of))
	}
	return n
}

func each(nodes []Node) []Node {
	out := make([]Node, len(nodes))
	for i, n := range nodes {
		out[i] = normal(n)
	}
	return out
}

// All returns what lets through what all nodes do; nil nodes say nothing.
func All(nodes ...Node) Node { return both(each(nodes)) }

// ByStatus lets segments with one of some verdicts through, all without any.
func ByStatus(verdicts ...string) Node {
	nodes := make([]Node, len(verdicts))
	for i, v := range verdicts {
		nodes[i] = Term{Field: Status, Op: Is, Value: v}
	}
	return either(nodes)
}

// Conjuncts returns the nodes of a tree in normal form that must all hold: none of
// nil, and else the tree itself where it is no And.
func Conjuncts(n Node) []Node {
	switch n := n.(type) {
	case nil:
		return nil
	case And:
		return n
	}
	return []Node{n}
}

// Without returns a tree without what it says at its top about a field:
// terms, and groups and negations in which nothing else stands.
func Without(n Node, f Field) Node {
	var rest []Node
	for _, c := range Conjuncts(normal(n)) {
		if !only(c, f) {
			rest = append(rest, c)
		}
	}
	return both(rest)
}

// only reports whether a node speaks of nothing but a field.
func only(n Node, f Field) bool {
	return walk(n, func(n Node) bool {
		t, ok := n.(Term)
		return ok && t.Field == f
	})
}

// isThreshold reports whether a node is score>=x.
func isThreshold(n Node) bool {
	t, ok := n.(Term)
	return ok && t.Field == Score && t.Op == GreaterEqual
}

// Threshold returns the x of a term score>=x at the top of a tree, the
// greatest if it has several.
func Threshold(n Node) (x float64, ok bool) {
	for _, c := range Conjuncts(normal(n)) {
		if isThreshold(c) {
			x, ok = max(x, c.(Term).Num), true
		}
	}
	return x, ok
}

// WithThreshold returns a tree whose threshold is x, in steps of 0.0001 as
// scores are, at the place where one was. It has none if x is not above 0.
func WithThreshold(n Node, x float64) Node {
	x = math.Round(min(x, 1)*1e4) / 1e4
	nodes := Conjuncts(normal(n)) // normal copies
	at := slices.IndexFunc(nodes, isThreshold)
	if at < 0 {
		at = len(nodes)
	}
	nodes = slices.DeleteFunc(nodes, isThreshold)
	if x > 0 {
		nodes = slices.Insert(nodes, at, Node(Term{Field: Score, Op: GreaterEqual, Num: x}))
	}
	return both(nodes)
}

// Narrowed returns what lets through what two filters do. A threshold of the
// second takes the place of a lower one, and what the first one says already
// is not said twice.
func Narrowed(n, by Node) Node {
	for _, c := range Conjuncts(by) {
		if t, ok := c.(Term); ok && t.Field == Score && t.Op == GreaterEqual && t.Num > 0 {
			x, _ := Threshold(n)
			n = WithThreshold(n, max(x, t.Num))
			continue
		}
		if !slices.ContainsFunc(Conjuncts(n), func(of Node) bool { return Same(of, c) }) {
			n = All(n, c)
		}
	}
	return n
}

// Same reports whether two trees in normal form say the same in the same
// words and order.
func Same(a, b Node) bool {
	switch a := a.(type) {
	case And:
		b, ok := b.(And)
		return ok && slices.EqualFunc(a, b, Same)
	case Or:
		b, ok := b.(Or)
		return ok && slices.EqualFunc(a, b, Same)
	case Not:
		b, ok := b.(Not)
		return ok && Same(a.Of, b.Of)
	case Term:
		b, ok := b.(Term)
		return ok && a.equal(&b)
	case Text:
		b, ok := b.(Text)
		return ok && a == b
	}
	return a == nil && b == nil
}

func (t *Term) equal(o *Term) bool {
	return t.Field == o.Field && t.Metric == o.Metric && t.Op == o.Op && t.Num == o.Num && t.Max == o.Max &&
		t.Value == o.Value && t.Date.equal(&o.Date) && t.Last.equal(&o.Last)
}

func (d *Date) equal(o *Date) bool {
	return d.Text == o.Text && d.From.Equal(o.From) && d.To.Equal(o.To)
}

// TakeText takes apart a text that must be found, and the rest of a filter.
func TakeText(n Node) (text Text, rest Node, ok bool) {
	switch n := n.(type) {
	case Text:
		return n, nil, true
	case And:
		for i, of := range n {
			if text, ok := of.(Text); ok {
				return text, All(slices.Delete(slices.Clone(n), i, i+1)...), true
			}
		}
	}
	return text, nil, false
}
