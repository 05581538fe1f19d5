package filter

import (
	"strings"
	"unicode"
)

// parser reads one expression, from left to right, and never back past the
// beginning of a term.
type parser struct {
	runes []rune
	i     int // the next rune
	opts  Options
	depth int // open parentheses
	terms int // read so far
}

// fail returns an error about the rune at a place.
func (p *parser) fail(at int, text, hint string) *Error {
	return &Error{Column: max(1, min(at+1, len(p.runes))), Text: text, Hint: hint}
}

// fold gives the wide forms that input methods for Chinese and Japanese write
// their common ones: ：＞（ and 0 for ０.
func fold(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

func folded(s string) string { return strings.Map(fold, s) }

// peek returns the rune at a place, folded, and 0 after the end. A NUL in a
// text looks the same, and is part of words as other characters are.
func (p *parser) peek(at int) rune {
	if at < len(p.runes) {
		return fold(p.runes[at])
	}
	return 0
}

func (p *parser) skip() {
	for p.i < len(p.runes) && unicode.IsSpace(p.runes[p.i]) {
		p.i++
	}
}

// ends reports whether no word goes on at a place.
func (p *parser) ends(at int) bool {
	return at >= len(p.runes) || unicode.IsSpace(p.runes[at]) || fold(p.runes[at]) == ')'
}

func isQuote(r rune) bool { return strings.ContainsRune(`"“”„＂`, r) }

// closes reports whether a quotation mark ends what another began. Word
// processors make “ ” and „ “ of what people type.
func closes(open, r rune) bool {
	if open == '"' || open == '＂' {
		return r == open
	}
	return r == '”' || r == '“'
}

func isApostrophe(r rune) bool { return r == '\'' || r == '‘' || r == '’' }

func isDash(r rune) bool { return r == '-' || r == '−' || r == '–' || r == '－' }

// quote reads a quoted text.
func (p *parser) quote() (string, *Error) {
	s, end, closed := unquote(p.runes, p.i)
	if !closed {
		return "", p.fail(p.i, "the quotation mark is not closed",
			`write another " at the end; one that is part of the text is written \", and \ at its end \\`)
	}
	p.i = end
	return s, nil
}

// unquote returns the text after the quotation mark at a place, and the place
// after the one that closes it, or after all. A backslash takes the meaning
// from a quotation mark and from another backslash; before all else it is
// itself.
func unquote(runes []rune, open int) (s string, end int, closed bool) {
	var b strings.Builder
	for i := open + 1; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && i+1 < len(runes) && (runes[i+1] == '\\' || isQuote(runes[i+1])):
			i++
			b.WriteRune(runes[i])
		case closes(runes[open], r):
			return b.String(), i + 1, true
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), len(runes), false
}

// quoted is the other way round, with no more backslashes than it takes.
func quoted(s string) string {
	runes := []rune(s)
	b := []rune{'"'}
	for i, r := range runes {
		if r == '"' || r == '\\' && (i+1 == len(runes) || runes[i+1] == '\\' || isQuote(runes[i+1])) {
			b = append(b, '\\')
		}
		b = append(b, r)
	}
	return string(append(b, '"'))
}

// bare reads a word without quotes, up to white space, a parenthesis that was
// opened before it, or a comma if one separates values. Parentheses within it
// belong to it, as in main().
func (p *parser) bare(comma func(rune) bool) (string, *Error) {
	start := p.i
	if isApostrophe(p.runes[start]) {
		return "", p.apostrophe(start)
	}
	var open []int
	for ; p.i < len(p.runes); p.i++ {
		r := p.runes[p.i]
		switch c := fold(r); {
		case isQuote(r):
			return "", p.fail(p.i, "a quotation mark within a word",
				`put a space before it, or all in quotes, with \" for each mark in it`)
		case c == '(':
			open = append(open, p.i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case p.ends(p.i) || len(open) == 0 && comma(r):
			if len(open) > 0 {
				return "", p.unclosed(start, open)
			}
			return string(p.runes[start:p.i]), nil
		}
	}
	if len(open) > 0 {
		return "", p.unclosed(start, open)
	}
	return string(p.runes[start:p.i]), nil
}

// apostrophe is the error about a word that begins with a single quotation
// mark, as quotes do elsewhere.
func (p *parser) apostrophe(start int) *Error {
	meant := p.whole(start)
	for i := start + 1; i < len(p.runes); i++ {
		if isApostrophe(p.runes[i]) && p.ends(i+1) {
			meant = string(p.runes[start+1 : i])
			break
		}
	}
	return p.fail(start, "a single quotation mark does not quote", "write "+show(meant))
}

func (p *parser) unclosed(start int, open []int) *Error {
	return p.fail(open[len(open)-1], "the parenthesis is not closed within its word",
		"put a space before it, or the text in quotes: "+show(string(p.runes[start:p.i])))
}

func noComma(rune) bool { return false }

// whole returns all that stands from a place up to the next white space, for
// errors.
func (p *parser) whole(at int) string {
	end := at
	for end < len(p.runes) && !unicode.IsSpace(p.runes[end]) {
		end++
	}
	return string(p.runes[at:end])
}

// keyword reports whether one of the words of the language stands at a place.
func (p *parser) keyword(at int, word string) bool {
	end := at + len(word)
	if end > len(p.runes) || !strings.EqualFold(string(p.runes[at:end]), word) {
		return false
	}
	return p.ends(end) || p.peek(end) == '(' || isQuote(p.runes[end])
}
