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

// Best returns the index of the segment with the best score: of several the one
// in front of the others, else the first, as the exporter keeps it.
func Best(list []review.Segment, front string) int {
	best := 0
	score := func(i int) float64 {
		if list[i].Score == nil {
			return review.Unscored
		}
		return *list[i].Score
	}
	for i := range list {
		if score(i) > score(best) || score(i) == score(best) && list[i].ID == front {
			best = i
		}
	}
	return best
}
