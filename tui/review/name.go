package review

import (
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

const (
	// nameWidth is how much of a topic names its segment in a message.
	nameWidth = 24
	// nameBytes is more than those cells need.
	nameBytes = 40 * nameWidth
)

// NameOf names a segment as one sees it in the list: by the first words of its
// topic, and by its id, too, where another row begins with the same words.
func (r *Room) NameOf(s *review.Segment) string {
	words := r.firstWords(s)
	name := r.G.Quote + words + r.G.Unquote
	for i := range r.List.Rows {
		if o := &r.List.Rows[i]; o.ID != s.ID && r.firstWords(o) == words {
			return name + " " + s.Short()
		}
	}
	return name
}

func (r *Room) firstWords(s *review.Segment) string {
	text := clean.Line(s.Topic[:min(len(s.Topic), nameBytes)])
	if text == "" {
		text = r.Title(s)
	}
	return draw.CutWords(text, nameWidth, r.G.More)
}
