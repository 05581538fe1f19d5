package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
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
	name := a.g.quote + words + a.g.unquote
	for i := range a.list.rows {
		if r := &a.list.rows[i]; r.ID != s.ID && a.firstWords(r) == words {
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
	return cutWords(text, nameWidth, a.g.more)
}

// cutWords cuts text to w cells, behind a word if one ends in the second half.
func cutWords(text string, w int, more string) string {
	if ansi.StringWidth(text) <= w {
		return text
	}
	text = ansi.Truncate(text, w-ansi.StringWidth(more), "")
	if i := strings.LastIndexByte(text, ' '); i > len(text)/2 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ,.;:") + more
}
