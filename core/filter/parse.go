package filter

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Options are what the meaning of dates depends on.
type Options struct {
	Now  time.Time      // of "today" and "7d"
	Zone *time.Location // of days and hours, nil: UTC
}

// Bounds of an expression. A tree within them is compiled and walked without
// further care.
const (
	maxText  = 64 << 10 // bytes, of the text and of its printed form
	maxDepth = 200      // parentheses in each other
	maxTerms = 500      // as many conditions as SQLite nests without complaint
)

// Parse reads an expression. It returns nil for an empty one. An error is an
// *Error. What it returns is in normal form: no And in an And, no Or in an Or,
// no Not of a Not.
func Parse(text string, o Options) (Node, error) {
	n, err := parse(text, o)
	if err != nil {
		return nil, err
	}
	return n, nil
}

func parse(text string, o Options) (Node, *Error) {
	if len(text) > maxText {
		return nil, tooLong(text)
	}
	if !utf8.ValidString(text) {
		at := 0
		for i, r := range text {
			if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
				break
			}
			at++
		}
		return nil, &Error{at + 1, "this is no text in UTF-8", "write it anew, or paste it from somewhere else"}
	}
	p := &parser{runes: []rune(text), opts: o}
	n, err := p.expression()
	if err == nil && len(text) > maxText/4 && len(Print(n)) > maxText {
		return nil, tooLong(text)
	}
	return n, err
}

// expression reads all of the text.
func (p *parser) expression() (Node, *Error) {
	p.skip()
	if p.i == len(p.runes) {
		return nil, nil
	}
	n, err := p.or("", 0)
	if err == nil && p.i < len(p.runes) {
		return nil, p.unopened()
	}
	return n, err
}

func tooLong(text string) *Error {
	at := min(utf8.RuneCountInString(text[:min(maxText, len(text))])+1, utf8.RuneCountInString(text))
	return &Error{at, fmt.Sprintf("the expression is longer than %d KiB", maxText>>10), "split it into several"}
}

// or reads up to a closing parenthesis or the end. What stands before it, at
// which place, is for errors.
func (p *parser) or(before string, at int) (Node, *Error) {
	var nodes []Node
	for {
		n, err := p.and(before, at)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
		if !p.keyword(p.i, "or") {
			return either(nodes), nil
		}
		before, at = "or", p.i
		p.i += len("or")
	}
}

// and reads terms up to an or, a closing parenthesis or the end.
func (p *parser) and(before string, at int) (Node, *Error) {
	var nodes []Node
	for {
		p.skip()
		switch {
		case p.i == len(p.runes) || p.peek(p.i) == ')' || p.keyword(p.i, "or"):
			if before != "" || len(nodes) == 0 {
				return nil, p.nothing(before, at)
			}
			return both(nodes), nil
		case p.keyword(p.i, "and"):
			if before != "" || len(nodes) == 0 {
				return nil, p.nothing(before, at)
			}
			before, at = "and", p.i
			p.i += len("and")
			continue
		}
		n, err := p.unary()
		if err != nil {
			return nil, err
		}
		nodes, before = append(nodes, n), ""
	}
}

// nothing is the error that a term is missing at the next rune.
func (p *parser) nothing(before string, at int) *Error {
	switch {
	case before == "(" && p.peek(p.i) == ')':
		return p.fail(at, "nothing is between the parentheses", `remove them, or put the text in quotes: "()"`)
	case before == "(" && p.i == len(p.runes):
		return p.open(at)
	case before == "or", before == "and", before == "not":
		return p.fail(at, "there is nothing after "+show(before),
			fmt.Sprintf(`write a term behind it, or put the word in quotes: "%s"`, before))
	case p.peek(p.i) == ')':
		return p.unopened()
	}
	word := strings.ToLower(p.whole(p.i)[:2])
	if word == "an" {
		word = "and"
	}
	return p.fail(p.i, "nothing stands before "+show(word),
		fmt.Sprintf(`write a term before it, or put the word in quotes: "%s"`, word))
}

func (p *parser) unopened() *Error {
	return p.fail(p.i, "no parenthesis is open here", `remove it, or put the text in quotes: ")"`)
}

func (p *parser) open(at int) *Error {
	return p.fail(at, "the parenthesis is not closed", `write ) at the end, or put the text in quotes: "("`)
}

// unary reads a term or a group and what negates it.
func (p *parser) unary() (Node, *Error) {
	negated := false
	for p.keyword(p.i, "not") {
		at := p.i
		negated = !negated
		p.i += len("not")
		p.skip()
		if p.ends(p.i) || p.keyword(p.i, "or") || p.keyword(p.i, "and") {
			return nil, p.nothing("not", at)
		}
	}
	if isDash(p.runes[p.i]) {
		negated = !negated
		if err := p.dash(); err != nil {
			return nil, err
		}
	}
	n, err := p.primary()
	if err == nil && negated {
		n = not(n)
	}
	return n, err
}

// dash reads the dash that negates what stands right after it.
func (p *parser) dash() *Error {
	at := p.i
	p.i++
	switch {
	case p.ends(p.i):
		return p.fail(at, "there is nothing after -", `write it right before a term, as in -has:error, or put the text in quotes: "-"`)
	case isDash(p.runes[p.i]):
		return p.fail(at, "two dashes in front of a word", "to search for the text, put it in quotes: "+show(p.whole(at)))
	case p.keyword(p.i, "or") || p.keyword(p.i, "and") || p.keyword(p.i, "not"):
		word := show(p.whole(p.i))
		return p.fail(p.i, word+" is a word of the language", "to search for it, put it in quotes: -"+word)
	}
	return nil
}

func (p *parser) primary() (Node, *Error) {
	if p.peek(p.i) != '(' {
		if p.terms++; p.terms > maxTerms {
			return nil, p.fail(p.i, fmt.Sprintf("more than %d terms", maxTerms), "split the expression into several")
		}
		return p.term()
	}
	at := p.i
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(at, fmt.Sprintf("more than %d nested parentheses", maxDepth), "write it with fewer")
	}
	p.i++
	n, err := p.or("(", at)
	if err != nil {
		return nil, err
	}
	if p.i == len(p.runes) {
		return nil, p.open(at)
	}
	p.i++
	p.depth--
	return n, nil
}

// term reads a text or a condition on a field.
func (p *parser) term() (Node, *Error) {
	if isQuote(p.runes[p.i]) {
		return p.phrase()
	}
	if _, _, ok := p.operator(p.i); ok || p.peek(p.i) == '!' {
		return nil, p.fieldless()
	}
	if end, ok := p.fieldName(); ok {
		return p.condition(end)
	}
	if err := p.misspelledMetric(); err != nil {
		return nil, err
	}
	return p.word()
}

// fieldless is the error about a word that begins with an operator.
func (p *parser) fieldless() *Error {
	at := p.i
	if at > 0 && isDash(p.runes[at-1]) {
		at-- // part of an arrow, not what negates
	}
	word := p.whole(at)
	if p.peek(at) == '!' && p.peek(at+1) != '=' {
		return p.fail(at, "! negates nothing here", "write - in front of a term; to search for the text, put it in quotes: "+show(word))
	}
	return p.fail(at, "no field stands in front of "+show(word),
		"write one right before it, as in score>=0.8; to search for the text, put it in quotes: "+show(word))
}
