package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	"winnow/tui/keys"
)

// hint is a key in the footer.
type hint struct{ key, word string }

// hints are the keys of the footer, in the order of the table: first and last
// always stand there, those between as far as there is room.
type hints struct {
	app                  *App
	lead                 string // stands before them
	first, between, last []hint
}

// always are the actions whose hints are never left out; back and the way to
// all keys stand last.
var always = map[string]bool{"approve": true, "reject": true, "unsure": true, "undo": true, "keep-cut": true, "judge-all": true, "send": true, "rules": true, "next-format": true, keys.Back: true, keys.Help: true}

// alwaysFinding are they during a find.
var alwaysFinding = map[string]bool{"next-hit": true, "previous-hit": true, keys.Back: true, keys.Help: true}

// hints collects the keys that do something now.
func (a *App) hints() hints {
	h := hints{app: a, lead: a.findState()}
	must := always
	if h.lead != "" {
		must = alwaysFinding
	}
	context := a.Context()
	if h.lead == "" && context&keys.InSegment != 0 && len(a.Marked()) > 0 {
		return a.markHints(h)
	}
	for i := range a.keys.Rows {
		b := &a.keys.Rows[i]
		if b.Foot == "" || len(b.Keys) == 0 || b.In&context == 0 || b.Why(a.receiver(b)) != "" {
			continue
		}
		one := hint{b.Keys[0], b.Foot}
		switch {
		case b.Name == keys.Back && h.lead != "":
			h.first = append(h.first, hint{b.Keys[len(b.Keys)-1], "done"})
		case b.Name == keys.Back || b.Name == keys.Help:
			h.last = append(h.last, one)
		case must[b.Name]:
			h.first = append(h.first, one)
		default:
			h.between = append(h.between, one)
		}
	}
	return h
}

// markHints are the keys that act on what is marked, in place of those that act
// on one segment.
func (a *App) markHints(h hints) hints {
	if a.Ranging() {
		h.lead = "range: " + a.keyIn("mark-range", keys.InList) + " ends it"
	}
	n := " " + draw.Grouped(len(a.Marked()))
	for _, k := range [...]hint{{"bulk-approve", "approve" + n}, {"bulk-reject", "reject" + n}, {"bulk-unsure", "unsure"}} {
		h.first = append(h.first, hint{a.keyIn(k.key, keys.InList), k.word})
	}
	h.between = append(h.between, hint{a.keyIn("tags", keys.InList), "tags"})
	if a.Context() == keys.InList {
		h.last = append(h.last, hint{a.keyIn("close-find", keys.InList), "unmark"})
	}
	h.last = append(h.last, hint{a.keyIn(keys.Help, keys.InList), a.keys.Named(keys.Help, keys.InList).Foot})
	return h
}

// width is what the keys that always stand there take, with their words or
// without.
func (h *hints) width(words bool) int {
	n := -hint{}.gap(words) // none behind the last one
	for _, k := range slices.Concat(h.first, h.last) {
		n += k.width(words) + k.gap(words)
	}
	if h.lead != "" {
		n += ansi.StringWidth(h.lead) + 2
	}
	return n
}

func (k hint) width(words bool) int {
	n := ansi.StringWidth(k.key)
	if words {
		n += 1 + ansi.StringWidth(k.word)
	}
	return n
}

// gap is the space behind a key.
func (k hint) gap(words bool) int {
	if words {
		return 2
	}
	return 1
}

// render draws the keys in w cells.
func (h *hints) render(w int, words bool) string {
	var fits []hint
	if words {
		for len(h.first) > 1 && h.width(true) > w {
			h.first = h.first[:len(h.first)-1] // the way to all keys tells of them
		}
		rest := w - h.width(true)
		for _, k := range h.between {
			if n := k.width(true) + 2; n <= rest {
				fits = append(fits, k)
				rest -= n
			}
		}
	}
	shown := slices.Concat(h.first, fits, h.last)
	var b strings.Builder
	if h.lead != "" {
		b.WriteString(h.app.Ink.Text.On(h.lead) + "  ")
	}
	x := 1 // of the footer
	if h.lead != "" {
		x += ansi.StringWidth(h.lead) + 2
	}
	h.app.hand.spots = h.app.hand.spots[:0]
	for i, k := range shown {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", k.gap(words)))
			x += k.gap(words)
		}
		h.app.hand.spots = append(h.app.hand.spots, spot{x, x + k.width(words), k.key})
		x += k.width(words)
		b.WriteString(h.app.Ink.Key.On(k.key))
		if words {
			b.WriteString(h.app.Ink.Muted.On(" " + k.word))
		}
	}
	return b.String()
}
