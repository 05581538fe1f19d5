package line

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"winnow/core/filter"
	"winnow/tui/draw"
)

// Popup are the completions of what is typed at the cursor.
type Popup struct {
	From, To int // characters that taking one replaces
	Items    []Completion
	Cur, Top int  // chosen, -1 for none; first one shown, put right when drawn
	Show     bool // else they come with tab
	Fields   bool // they are names of fields
	Field    filter.Field
	Prefix   string // of its value
	Static   []Completion
	Stop     context.CancelFunc
}

// Completion is what may stand in place of what was typed.
type Completion struct {
	Text    string // as it is typed, with quotes where it needs them
	Label   string // safe to be shown
	Keys    string // likewise, of an action
	Help    string // likewise
	Count   int    // segments
	Counted bool
	Whole   bool // replaces the whole line
	Typed   bool // taking it on a command line does not run it yet
}

// CountText is how many segments have it, "" if that is not known.
func (c *Completion) CountText() string {
	if !c.Counted {
		return ""
	}
	return draw.Grouped(c.Count)
}

// StopAsking gives up the question for completions, if there is one.
func (p *Popup) StopAsking() {
	if p.Stop != nil {
		p.Stop()
		p.Stop = nil
	}
}

// BeginsField reports whether the word at the cursor may become the name of a
// field. Until it is finished it is searched for as little as one half of a
// name would be: most words that begin so are meant as one.
func (p *Popup) BeginsField(text string) bool {
	if !p.Fields || p.Prefix == "" || p.To != len([]rune(text)) {
		return false
	}
	typed := strings.ToLower(p.Prefix)
	return slices.ContainsFunc(p.Static, func(c Completion) bool { return strings.HasPrefix(c.Text, typed) })
}

// WithoutTerm returns the text without the term at the cursor, and where that
// begins.
func (p *Popup) WithoutTerm(text string) (rest string, begin int) {
	runes := []rune(text)
	begin = min(p.From, len(runes))
	for begin > 0 && !unicode.IsSpace(runes[begin-1]) && runes[begin-1] != '(' {
		begin--
	}
	return string(runes[:begin]) + string(runes[min(p.To, len(runes)):]), begin
}

// StartingWith returns those of some completions that have a text in them.
func StartingWith(items []Completion, prefix string) []Completion {
	return slices.DeleteFunc(slices.Clone(items), func(c Completion) bool {
		return !strings.Contains(strings.ToLower(c.Label), strings.ToLower(prefix))
	})
}

// Choose goes some completions on, or back.
func (p *Popup) Choose(step int) {
	switch n := len(p.Items); {
	case n == 0:
	case p.Cur < 0 && step < 0:
		p.Cur = n - 1
	default:
		p.Cur = (p.Cur + step + n) % n
	}
}

// Unchoose closes the choice; false if there is none.
func (p *Popup) Unchoose() bool {
	if p.Cur < 0 {
		return false
	}
	p.Cur, p.Top = -1, 0
	return true
}

// chosen returns the text of the completion that is chosen, "" for none.
func (p *Popup) chosen() string {
	if p.Cur < 0 {
		return ""
	}
	return p.Items[p.Cur].Text
}

// Offer shows other completions; the chosen one stays so.
func (p *Popup) Offer(items []Completion) {
	chosen := p.chosen()
	p.Items, p.Cur = items, -1
	if chosen != "" {
		p.Cur = slices.IndexFunc(items, func(c Completion) bool { return c.Text == chosen })
	}
}
