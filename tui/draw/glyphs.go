package draw

import (
	"cmp"
	"strconv"

	"winnow/core/review"
)

// Glyphs are the drawing characters. There are two sets because East Asian
// terminals draw several of the better-looking ones two cells wide.
type Glyphs struct {
	Nameless         bool // filters do not tell which models they are about
	Verdict          map[review.Verdict]string
	Share            map[review.Verdict]string // a cell of a bar, of those with a verdict
	Stale            string
	Compressed       map[review.Compression]string // beside a segment that has a proposal
	Mark             string                        // beside the selected row
	Marked           string                        // beside a row that the curator marked
	MarkedHere       string                        // beside one that is selected, too
	Wall             string                        // between panes
	Reader           string                        // beside a row that somebody else reads
	Warn, More, None string                        // failures; cut text; no score
	Minus            string
	AtLeast, AtMost  string
	Joint            string // between the terms of a filter
	Threshold, Caret string // markers of a score, and of an error
	Arrow            string // to what comes of it
	Dot, Times, Note string
	Edited           string // beside the verdict of a segment whose messages a curator changed
	About            string // so many, and one more or less
	Beneath          string // a row that belongs to the one above
	Quote, Unquote   string
	Bars             []string // of a histogram, from empty to full
	Seen             []string // how far something was seen, the last one: to its end
	Up, Down         string
	Came             string    // before who sent something
	Rule             string    // of a line across the screen
	Folded, Open     string    // what can be unfolded, and is
	corners          [4]string // of a box: above left and right, below
	Band             [4]string // of a segment: its first line, those between, its last; a single one
}

var unicodeGlyphs = Glyphs{
	Verdict: map[review.Verdict]string{review.Pending: "●", review.Approved: "✓", review.Rejected: "✗", review.Unsure: "◐"},
	Share:   map[review.Verdict]string{review.Pending: "░", review.Approved: "█", review.Rejected: "▓", review.Unsure: "▒"},
	Stale:   "~", Mark: "▌", Marked: "◆", MarkedHere: "◈", Wall: "│", Reader: "»", Warn: "⚠", More: "…", None: "–", Dot: "·", Times: "×", Note: "✎", Edited: "✎", About: "≈", Beneath: "└ ", Quote: "“", Unquote: "”",
	Minus: "−", AtLeast: "≥", AtMost: "≤", Joint: "·", Threshold: "▲", Caret: "^", Arrow: "→",
	Bars: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	Seen: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	Up:   "↑", Down: "↓", Came: "⇣", Rule: "─", Folded: "▸", Open: "▾", corners: [4]string{"┌", "┐", "└", "┘"},
	Band: [4]string{"┌", "│", "└", "["},

	Compressed: compressed("×"),
}

var asciiGlyphs = Glyphs{
	Verdict: map[review.Verdict]string{review.Pending: "o", review.Approved: "+", review.Rejected: "x", review.Unsure: "?"},
	Share:   map[review.Verdict]string{review.Pending: "o", review.Approved: "+", review.Rejected: "x", review.Unsure: "?"},
	Stale:   "~", Mark: ">", Marked: "*", MarkedHere: "#", Wall: "|", Reader: "@", Warn: "!", More: "~", None: "-", Dot: "-", Times: "x", Note: "n", Edited: "E", About: "~", Beneath: "- ", Quote: `"`, Unquote: `"`,
	Minus: "-", AtLeast: ">=", AtMost: "<=", Joint: " ", Threshold: "^", Caret: "^", Arrow: "->",
	Bars: []string{"_", ".", ":", "-", "=", "+", "*", "#"},
	Seen: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "#"},
	Up:   "^", Down: "v", Came: "<-", Rule: "-", Folded: "+", Open: "-", corners: [4]string{"+", "+", "+", "+"},
	Band: [4]string{"/", "|", "\\", "["},

	Compressed: compressed("x"),
}

// compressed are the marks of proposals: letters, so that they are told apart without
// colours, and read as what they are.
func compressed(rejected string) map[review.Compression]string {
	return map[review.Compression]string{
		review.CompressionProposed: "c", review.CompressionAccepted: "C", review.CompressionRejected: rejected,
		review.CompressionFailed: "!", review.CompressionOutdated: "~",
	}
}

// GlyphsFor returns one of the two sets.
func GlyphsFor(ascii bool) *Glyphs {
	if ascii {
		return &asciiGlyphs
	}
	return &unicodeGlyphs
}

// State returns the glyph of a segment's state.
func (g *Glyphs) State(s *review.Segment) string {
	if s.Stale {
		return g.Stale
	}
	return cmp.Or(g.Verdict[s.Verdict], g.Verdict[review.Pending])
}

// SeenShare is the mark of how much of something was seen: a space for nothing, and
// the last one only for all of it.
func (g *Glyphs) SeenShare(share float64) string {
	last := len(g.Seen) - 1
	switch {
	case share <= 0:
		return " "
	case share >= 1:
		return g.Seen[last]
	}
	return g.Seen[min(last-1, int(share*float64(last+1)))]
}

// Alike is the mark of a row that stands for several.
func (g *Glyphs) Alike(n int) string { return g.About + strconv.Itoa(n) }
