package tui

import "winnow/core/review"

// glyphs are the drawing characters. There are two sets because East Asian
// terminals draw several of the better-looking ones two cells wide.
type glyphs struct {
	verdict          map[review.Verdict]string
	stale            string
	mark             string // beside the selected row
	marked           string // beside a row that the curator marked
	markedHere       string // beside one that is selected, too
	wall             string // between panes
	reader           string // beside a row that somebody else reads
	warn, more, none string // failures; cut text; no score
	minus            string
	atLeast, atMost  string
	joint            string // between the terms of a filter
	threshold, caret string // markers of a score, and of an error
	arrow            string // to what comes of it
	dot, times, note string
	about            string // so many, and one more or less
	beneath          string // a row that belongs to the one above
	quote, unquote   string
	bars             []string // of a histogram, from empty to full
	up, down         string
	rule             string    // of a line across the screen
	folded, open     string    // what can be unfolded, and is
	corners          [4]string // of a box: above left and right, below
	band             [4]string // of a segment: its first line, those between, its last; a single one
}

var unicodeGlyphs = glyphs{
	verdict: map[review.Verdict]string{review.Pending: "●", review.Approved: "✓", review.Rejected: "✗", review.Unsure: "◐"},
	stale:   "~", mark: "▌", marked: "◆", markedHere: "◈", wall: "│", reader: "»", warn: "⚠", more: "…", none: "–", dot: "·", times: "×", note: "✎", about: "≈", beneath: "└ ", quote: "“", unquote: "”",
	minus: "−", atLeast: "≥", atMost: "≤", joint: "·", threshold: "▲", caret: "^", arrow: "→",
	bars: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	up:   "↑", down: "↓", rule: "─", folded: "▸", open: "▾", corners: [4]string{"┌", "┐", "└", "┘"},
	band: [4]string{"┌", "│", "└", "["},
}

var asciiGlyphs = glyphs{
	verdict: map[review.Verdict]string{review.Pending: "o", review.Approved: "+", review.Rejected: "x", review.Unsure: "?"},
	stale:   "~", mark: ">", marked: "*", markedHere: "#", wall: "|", reader: "@", warn: "!", more: "~", none: "-", dot: "-", times: "x", note: "n", about: "~", beneath: "- ", quote: `"`, unquote: `"`,
	minus: "-", atLeast: ">=", atMost: "<=", joint: " ", threshold: "^", caret: "^", arrow: "->",
	bars: []string{"_", ".", ":", "-", "=", "+", "*", "#"},
	up:   "^", down: "v", rule: "-", folded: "+", open: "-", corners: [4]string{"+", "+", "+", "+"},
	band: [4]string{"/", "|", "\\", "["},
}

func glyphsFor(ascii bool) *glyphs {
	if ascii {
		return &asciiGlyphs
	}
	return &unicodeGlyphs
}

// of returns the glyph of a segment's state.
func (g *glyphs) of(s *review.Segment) string {
	if s.Stale {
		return g.stale
	}
	if v, ok := g.verdict[s.Verdict]; ok {
		return v
	}
	return g.verdict[review.Pending]
}
