package tui

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

// nameOf names a segment as one sees it in the list: by the first words of its
// topic, and by its id, too, where another row begins with the same words.
func (a *App) nameOf(s *review.Segment) string {
	words := a.firstWords(s)
	name := a.G.Quote + words + a.G.Unquote
	for i := range a.list.Rows {
		if r := &a.list.Rows[i]; r.ID != s.ID && a.firstWords(r) == words {
			return name + " " + s.Short()
		}
	}
	return name
}

func (a *App) firstWords(s *review.Segment) string {
	text := s.Topic
	if text == "" {
		text = a.title(s)
	} else {
		text = clean.Line(text[:min(len(text), nameBytes)])
	}
	return draw.CutWords(text, nameWidth, a.G.More)
}
