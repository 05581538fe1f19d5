package filter

import (
	"fmt"
	"strings"
	"time"
	"unicode"
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
	p.skip()
	if p.i == len(p.runes) {
		return nil, nil
	}
	n, err := p.or("", 0)
	if err != nil {
		return nil, err
	}
	if p.i < len(p.runes) {
		return nil, p.fail(p.i, "no parenthesis is open here", `remove it, or put the text in quotes: ")"`)
	}
	if len(text) > maxText/4 && len(Print(n)) > maxText {
		return nil, tooLong(text)
	}
	return n, nil
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
		return p.fail(at, "nothing stands between the parentheses", `remove them, or put the text in quotes: "()"`)
	case before == "(" && p.i == len(p.runes):
		return p.open(at)
	case before == "or", before == "and", before == "not":
		return p.fail(at, "nothing stands behind "+show(before),
			fmt.Sprintf(`write a term behind it, or put the word in quotes: "%s"`, before))
	case p.peek(p.i) == ')':
		return p.fail(p.i, "no parenthesis is open here", `remove it, or put the text in quotes: ")"`)
	}
	word := strings.ToLower(p.whole(p.i)[:2])
	if word == "an" {
		word = "and"
	}
	return p.fail(p.i, "nothing stands before "+show(word),
		fmt.Sprintf(`write a term before it, or put the word in quotes: "%s"`, word))
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

// dash reads the dash that negates what stands right behind it.
func (p *parser) dash() *Error {
	at := p.i
	p.i++
	switch {
	case p.ends(p.i):
		return p.fail(at, "nothing stands behind -", `write it right before a term, as in -has:error, or put the text in quotes: "-"`)
	case isDash(p.runes[p.i]):
		return p.fail(at, "two dashes in front of a word", "to search for the text, put it in quotes: "+show(p.whole(at)))
	case p.keyword(p.i, "or") || p.keyword(p.i, "and") || p.keyword(p.i, "not"):
		return p.fail(p.i, show(p.whole(p.i))+" is a word of the language", `to search for it, put it in quotes, as in -"or"`)
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
		return nil, p.fail(at, fmt.Sprintf("more than %d parentheses in each other", maxDepth), "write it with fewer")
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
	return p.word()
}

// fieldless is the error about a word that begins with an operator.
func (p *parser) fieldless() *Error {
	word := p.whole(p.i)
	if p.peek(p.i) == '!' && p.peek(p.i+1) != '=' {
		return p.fail(p.i, "! negates nothing here", "write - in front of a term; to search for the text, put it in quotes: "+show(word))
	}
	return p.fail(p.i, "no field stands in front of "+show(word),
		"write one right before it, as in score>=0.8; to search for the text, put it in quotes: "+show(word))
}

func (p *parser) phrase() (Node, *Error) {
	at := p.i
	s, err := p.quote()
	if err != nil {
		return nil, err
	}
	t := Text{Value: strings.Join(strings.Fields(s), " "), Phrase: true}
	if p.peek(p.i) == '*' {
		t.Prefix = true
		p.i++
	}
	if !p.ends(p.i) {
		return nil, p.fail(p.i, "a text in quotes ends within a word", "put a space behind the quotation mark")
	}
	return t, p.searchable(t, at)
}

func (p *parser) word() (Node, *Error) {
	at := p.i
	s, err := p.bare(noComma)
	if err != nil {
		return nil, err
	}
	t := Text{Value: s}
	if r := []rune(s); fold(r[len(r)-1]) == '*' {
		t.Value, t.Prefix = string(r[:len(r)-1]), true
	}
	if err := p.searchable(t, at); err != nil {
		return nil, err
	}
	if k := strings.IndexFunc(t.Value, func(r rune) bool { return fold(r) == '*' }); k >= 0 {
		return nil, p.fail(at+utf8.RuneCountInString(t.Value[:k]), "an asterisk stands at the end of a word only",
			"as in conn*; to search for the text, put it in quotes: "+show(s))
	}
	return t, nil
}

// searchable checks that there is something in a text that can be found: signs
// alone are not indexed.
func (p *parser) searchable(t Text, at int) *Error {
	hint := `write a word, or several in quotes: "connection refused"`
	switch t.Value {
	case "":
		if t.Prefix {
			return p.fail(at, "nothing stands before the asterisk", "write the beginning of a word before it: conn*")
		}
		return p.fail(at, "an empty text finds nothing", hint)
	case "|", "||":
		hint = "to join terms, write or: type:code or type:data"
	case "&", "&&":
		hint = "terms are joined by a space: type:code score>=0.8"
	}
	if !strings.ContainsFunc(t.Value, indexed) {
		return p.fail(at, "no letter and no digit to search for in "+show(t.Value), hint)
	}
	if last, _ := utf8.DecodeLastRuneInString(t.Value); t.Prefix && !indexed(last) && !unicode.IsMark(last) {
		return p.fail(at, "the asterisk does not stand behind a letter or a digit",
			"it stands for the rest of a word, as in conn*; to search for the text, put it in quotes: "+show(t.Value+"*"))
	}
	return nil
}

// indexed reports whether a character is part of what texts are found by:
// letters, digits, and of signs those that are emoji.
func indexed(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2600 && unicode.Is(unicode.So, r)
}
