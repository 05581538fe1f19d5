package tui

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"winnow/core/filter"
)

// popup are the completions of what is typed at the cursor.
type popup struct {
	from, to int // characters that taking one replaces
	items    []completion
	cur, top int  // chosen, -1 for none; first one shown, put right when drawn
	show     bool // else they come with tab
	fields   bool // they are names of fields
	field    filter.Field
	prefix   string // of its value
	static   []completion
	stop     context.CancelFunc
}

// completion is what may stand in place of what was typed.
type completion struct {
	text    string // as it is typed, with quotes where it needs them
	label   string // safe to be shown
	keys    string // likewise, of an action
	help    string // likewise
	count   int    // segments
	counted bool
	whole   bool // replaces the whole line
	typed   bool // taking it on a command line does not run it yet
}

func (p *popup) stopAsking() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// beginsField reports whether the word at the cursor may become the name of a
// field. Until it is finished it is searched for as little as one half of a
// name would be: most words that begin so are meant as one.
func (p *popup) beginsField(text string) bool {
	if !p.fields || p.prefix == "" || p.to != len([]rune(text)) {
		return false
	}
	typed := strings.ToLower(p.prefix)
	return slices.ContainsFunc(p.static, func(c completion) bool { return strings.HasPrefix(c.text, typed) })
}

// withoutTerm returns the text without the term at the cursor, and where that
// begins.
func (p *popup) withoutTerm(text string) (rest string, begin int) {
	runes := []rune(text)
	begin = min(p.from, len(runes))
	for begin > 0 && !unicode.IsSpace(runes[begin-1]) && runes[begin-1] != '(' {
		begin--
	}
	return string(runes[:begin]) + string(runes[min(p.to, len(runes)):]), begin
}

func startingWith(items []completion, prefix string) []completion {
	return slices.DeleteFunc(slices.Clone(items), func(c completion) bool {
		return !strings.Contains(strings.ToLower(c.label), strings.ToLower(prefix))
	})
}

// choose goes some completions on, or back.
func (p *popup) choose(step int) {
	switch n := len(p.items); {
	case n == 0:
	case p.cur < 0 && step < 0:
		p.cur = n - 1
	default:
		p.cur = (p.cur + step + n) % n
	}
}

// unchoose closes the choice; false if there is none.
func (p *popup) unchoose() bool {
	if p.cur < 0 {
		return false
	}
	p.cur, p.top = -1, 0
	return true
}

// chosen returns the text of the completion that is chosen, "" for none.
func (p *popup) chosen() string {
	if p.cur < 0 {
		return ""
	}
	return p.items[p.cur].text
}

// offer shows other completions; the chosen one stays so.
func (p *popup) offer(items []completion) {
	chosen := p.chosen()
	p.items, p.cur = items, -1
	if chosen != "" {
		p.cur = slices.IndexFunc(items, func(c completion) bool { return c.text == chosen })
	}
}
