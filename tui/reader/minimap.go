package reader

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/tui/draw"
)

// At the right edge stands a map of the segment, one cell wide: its messages from
// top to bottom, those that share a cell as the one that counts most. What the
// index does not tell yet is empty.

const (
	// mapFrom is the width of the pane from which a map is drawn. It takes a cell,
	// and another one before it.
	mapFrom, mapCells = 48, 2
	// mapPages is how many pages the index of a segment has at most to be asked for
	// ahead: in longer ones the map fills where somebody goes.
	mapPages = 8
)

// mapMark is what a cell of the map shows, what counts most last.
type mapMark uint8

const (
	unknownMark mapMark = iota
	workMark            // calls and results
	speechMark          // an answer
	systemMark
	promptMark
	exitMark // what a call ran failed
	errorMark
	hitMark
	marksThere // their number
)

// mapSigns are the marks as they are drawn, and where one is.
type mapSigns struct {
	marks [marksThere]string
	here  string
}

func mapSignsOf(ascii bool) mapSigns {
	if ascii {
		return mapSigns{[...]string{unknownMark: " ", workMark: ".", speechMark: "|", systemMark: "=", promptMark: "o", exitMark: "!", errorMark: "x", hitMark: "*"}, "#"}
	}
	return mapSigns{[...]string{unknownMark: " ", workMark: "·", speechMark: "│", systemMark: "═", promptMark: "■", exitMark: "!", errorMark: "✗", hitMark: "◆"}, "█"}
}

// MapLegend says what the signs of the map mean, in one line.
func MapLegend(ascii bool) string {
	signs := mapSignsOf(ascii)
	m := &signs.marks
	return m[promptMark] + " prompts, " + m[speechMark] + " answers, " + m[workMark] + " calls and results, " + m[systemMark] + " system messages, " +
		m[exitMark] + " exits, " + m[errorMark] + " errors, " + m[hitMark] + " hits; " + signs.here + " is what you see"
}

// mapInksOf are the inks of the marks.
func (k *inks) mapInksOf() [marksThere]draw.Ink {
	return [...]draw.Ink{
		unknownMark: k.muted, workMark: k.muted, speechMark: k.roles[chat.Assistant], systemMark: k.roles[chat.System],
		promptMark: k.roles[chat.User], exitMark: k.exit, errorMark: k.failed, hitMark: k.titles[chat.User],
	}
}

// minimap is the map last drawn, without where one is.
type minimap struct {
	rows, pages, gen int
	find             *search
	hits             int
	marks            []mapMark
}

// mapRoom returns the cells that the map takes of a row.
func (r *Reader) mapRoom() int {
	if r.page != nil || r.w < mapFrom {
		return 0
	}
	return mapCells
}

// markOf tells what a message is on the map.
func markOf(h *review.Head) mapMark {
	switch found := h.Outcome().Outcome; {
	case found == outcome.Error:
		return errorMark
	case found == outcome.Exit:
		return exitMark
	case IsPrompt(h):
		return promptMark
	case h.Role == chat.System || h.Marks.Has(chat.MarkCompaction):
		return systemMark
	case h.Role == chat.Assistant && h.ContentLen > 0:
		return speechMark
	}
	return workMark
}

// marks returns the map in so many rows.
func (r *Reader) marks(rows int) []mapMark {
	m := &r.mapped
	hits := 0
	if r.find != nil {
		hits = r.find.count()
	}
	if m.rows == rows && m.pages == len(r.heads) && m.gen == r.gen && m.find == r.find && m.hits == hits {
		return m.marks
	}
	*m = minimap{rows, len(r.heads), r.gen, r.find, hits, make([]mapMark, rows)}
	count := r.seg.End - r.seg.Start + 1
	for page, heads := range r.heads {
		for i := range heads {
			if heads[i].N == 0 {
				continue
			}
			m.put(page*headPage+i, count, markOf(&heads[i]))
		}
	}
	if r.find != nil {
		for i := range r.find.hits {
			m.put(r.find.hits[i].n-r.seg.Start, count, hitMark)
		}
	}
	return m.marks
}

// put marks the cells of message i of count.
func (m *minimap) put(i, count int, mark mapMark) {
	if i < 0 || i >= count {
		return
	}
	rows := len(m.marks)
	from := i * rows / count
	for row := from; row <= max(from, (i+1)*rows/count-1); row++ {
		m.marks[row] = max(m.marks[row], mark)
	}
}

// drawMap adds the map to the rows of a view that is w cells wide, unless all of the
// segment is on the screen.
func (r *Reader) drawMap(lines []string, rows []place, w int) {
	if r.mapRoom() == 0 || len(rows) == 0 {
		return
	}
	_, above := r.prev(rows[0])
	_, below := r.next(rows[len(rows)-1])
	if !above && !below {
		return
	}
	h := len(lines)
	from, to := int(r.share(rows[0])*float64(h)), int(r.share(rows[len(rows)-1])*float64(h))
	if !above {
		from = 0
	}
	if !below {
		to = h - 1
	}
	from = min(from, h-1)
	to = min(max(from, to), h-1)
	for i, mark := range r.marks(h) {
		sign := r.mapSigns.marks[mark]
		if i >= from && i <= to {
			sign = r.mapSigns.here
		}
		lines[i] += strings.Repeat(" ", max(0, w-1-ansi.StringWidth(lines[i]))) + r.mapInks[mark].On(sign)
	}
}

// share tells how far down in the segment a row is, from 0 to less than 1: by its
// message, and by the text in that.
func (r *Reader) share(p place) float64 {
	d := r.document(p.n)
	before, all := 0, 1
	for b := range d.blocks {
		size := len(d.blocks[b].text)
		switch {
		case b < p.b:
			before += size
		case b == p.b && p.part == bodyPart:
			before += p.form.plainAt(p.at, size)
		case b == p.b && p.part == tailPart:
			before += size
		}
		all += size
	}
	count := float64(r.seg.End - r.seg.Start + 1)
	return (float64(p.n-r.seg.Start) + float64(before)/float64(all)) / count
}

// askMap asks for the next page of the index that the map lacks, one at a time.
func (r *Reader) askMap() tea.Cmd {
	pages := (r.seg.End-r.seg.Start)/headPage + 1
	if r.w <= 0 || r.mapRoom() == 0 || len(r.asked) > 0 || pages > mapPages {
		return nil
	}
	for page := range pages {
		if n := r.seg.Start + page*headPage; r.heads[page] == nil && r.problems[n] == "" {
			return r.askPage(page, 0)
		}
	}
	return nil
}
