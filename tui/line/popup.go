package line

import (
	"slices"
	"strings"

	"winnow/tui/draw"
)

// Popup are the completions of what is typed at the cursor.
type Popup struct {
	From, To int // characters that taking one replaces
	Items    []Completion
	Cur      int  // chosen, -1 for none
	Show     bool // else they come with tab
	top      int  // the first one shown
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
	Open    bool // what is typed next goes on with it
}

// countText is how many segments have it, "" if that is not known.
func (c *Completion) countText() string {
	if !c.Counted {
		return ""
	}
	return draw.Grouped(c.Count)
}

// StartingWith returns those of some completions that have a text in them.
func StartingWith(items []Completion, prefix string) []Completion {
	return slices.DeleteFunc(slices.Clone(items), func(c Completion) bool {
		return !strings.Contains(strings.ToLower(c.Label), strings.ToLower(prefix))
	})
}

// choose goes some completions on, or back.
func (p *Popup) choose(step int) {
	n := len(p.Items)
	switch {
	case n == 0:
		return
	case p.Cur < 0 && step < 0:
		p.Cur = n - 1
	default:
		p.Cur = (p.Cur + step + n) % n
	}
	p.Show = true
}

// Unchoose closes the choice; false if there is none.
func (p *Popup) Unchoose() bool {
	if p.Cur < 0 {
		return false
	}
	p.Cur, p.top = -1, 0
	return true
}

// offer shows other completions; the chosen one stays so.
func (p *Popup) offer(items []Completion) {
	chosen := ""
	if p.Cur >= 0 {
		chosen = p.Items[p.Cur].Text
	}
	p.Items, p.Cur = items, -1
	if chosen != "" {
		p.Cur = slices.IndexFunc(items, func(c Completion) bool { return c.Text == chosen })
	}
}
