package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
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
var always = map[string]bool{"approve": true, "reject": true, "unsure": true, "undo": true, "keep-cut": true, "judge-all": true, "send": true, "rules": true, "next-format": true, "yes": true, keys.Back: true, keys.Help: true}

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
		if context == keys.InWhy && a.HasWhy(b.Name) {
			one.word = a.G.Verdict[review.Approved] + " " + b.Foot
		}
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
	key := func(name, word string) hint { return hint{a.keyIn(name, keys.InList), word} }
	n := " " + draw.Grouped(len(a.Marked()))
	h.first = []hint{key("bulk-approve", "approve"+n), key("bulk-reject", "reject"+n), key("bulk-unsure", "unsure")}
	h.between = []hint{key("tags", "tags")}
	if a.Context() == keys.InList {
		h.last = []hint{key("close-find", "unmark")}
	}
	h.last = append(h.last, key(keys.Help, a.keys.Named(keys.Help, keys.InList).Foot))
	return h
}

// width is what the keys that always stand there take, with their words or
// without.
func (h *hints) width(words bool) int {
	n := -len(gap(words)) // none after the last one
	for _, k := range slices.Concat(h.first, h.last) {
		n += k.width(words)
	}
	if h.lead != "" {
		n += ansi.StringWidth(h.lead) + 2
	}
	return n
}

// width is what a key takes, with the space after it.
func (k hint) width(words bool) int {
	n := ansi.StringWidth(k.key) + len(gap(words))
	if words {
		n += 1 + ansi.StringWidth(k.word)
	}
	return n
}

// gap stands between keys.
func gap(words bool) string {
	if words {
		return "  "
	}
	return " "
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
			if n := k.width(true); n <= rest {
				fits = append(fits, k)
				rest -= n
			}
		}
	}
	var b strings.Builder
	x := 1 // of the footer
	if h.lead != "" {
		b.WriteString(h.app.Ink.Text.On(h.lead) + "  ")
		x += ansi.StringWidth(h.lead) + 2
	}
	h.app.hand.spots = h.app.hand.spots[:0]
	for _, k := range slices.Concat(h.first, fits, h.last) {
		if len(h.app.hand.spots) > 0 {
			b.WriteString(gap(words))
		}
		b.WriteString(h.app.Ink.Key.On(k.key))
		if words {
			b.WriteString(h.app.Ink.Muted.On(" " + k.word))
		}
		end := x + k.width(words)
		h.app.hand.spots = append(h.app.hand.spots, spot{x, end - len(gap(words)), k.key})
		x = end
	}
	return b.String()
}
