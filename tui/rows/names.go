package rows

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// source names the file of a row without what nearly all have in common, the ending.
func source(s *review.Segment) string {
	title := FileTitle(s)
	name, key, keyed := strings.Cut(title, "#")
	for _, ending := range [...]string{".jsonl", ".json"} {
		if short := strings.TrimSuffix(name, ending); short != "" {
			name = short
		}
	}
	if keyed {
		name += "#" + key
	}
	return name
}

// cutSource cuts the name of a file to w cells, and leaves a short key of a session
// in it, which tells its rows apart.
func cutSource(name string, w int, more string) string {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || ansi.StringWidth(name) <= w {
		return name
	}
	key := name[at:]
	if rest := w - ansi.StringWidth(key); rest >= w/2 {
		return draw.Cut(name[:at], rest, more) + key
	}
	return name
}

// modelName names a model without what says nothing beside others: the folder of a
// hub, the family that its names lead to, the day of its release.
func modelName(s *review.Segment) string {
	full := clean.Line(draw.Head(s.Model))
	name := full[strings.LastIndexByte(full, '/')+1:]
	name = strings.TrimPrefix(name, "claude-")
	if at := len(name) - len("-20060102"); at > 0 && name[at] == '-' && strings.Trim(name[at+1:], "0123456789") == "" {
		name = name[:at]
	}
	if name == "" {
		return full
	}
	return name
}

// Widest says how wide the widest of the names are that rows show in columns.
type Widest struct{ Files, Models int }

// Take widens it for rows. It never narrows, so that columns stay where they are
// while one scrolls.
func (n *Widest) Take(shown []review.Segment) {
	for i := range shown {
		n.Files = max(n.Files, ansi.StringWidth(source(&shown[i])))
		n.Models = max(n.Models, ansi.StringWidth(modelName(&shown[i])))
	}
}
