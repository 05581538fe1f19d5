package rows

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/reader"
)

// TitleOf names a session by its title, or one that has none and comes from
// another by how and where it did.
func TitleOf(g *draw.Glyphs, s *review.Session) string {
	if s.Title != "" || s.Origin.Kind == "" {
		return clean.Line(draw.Head(s.Title))
	}
	name := reader.NameOfKind(s.Origin.Kind)
	if s.Origin.At > 0 {
		name += " at " + draw.Grouped(s.Origin.At)
	}
	file := review.FileTitle(s.File)
	if i := strings.LastIndex(file, branchKey); i > 0 {
		file = file[:i]
	}
	return name + " " + g.Dot + " " + clean.Line(draw.Head(file))
}

// branchKey stands between the file of a branch and the id it begins with,
// which says nothing to people.
const branchKey = "#b="
