package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrase reads a text in quotes.
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
		return nil, p.fail(p.i, "a text in quotes ends within a word", "put a space after the quotation mark")
	}
	return t, p.searchable(t, at)
}

// word reads a text without quotes.
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
		return p.fail(at, "the asterisk is not after a letter or a digit",
			"it stands for the rest of a word, as in conn*; to search for the text, put it in quotes: "+show(t.Value+"*"))
	}
	return nil
}

// indexed reports whether a character is part of what texts are found by:
// letters, digits, and of signs those that are emoji.
func indexed(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2600 && unicode.Is(unicode.So, r)
}
