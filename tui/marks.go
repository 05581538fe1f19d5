package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// marks are the segments that a curator marked, by id, for what is done to
// several at once. They stay marked wherever the list goes.
type marks struct {
	ids  map[string]bool
	span *span // the range that is being marked
	// away are those that the filter does not let through, of the filter with
	// the key.
	away    map[string]bool
	awayKey string
	asked   int // number of the last question about them
}

// span is a range of rows from one that was selected to the one that is.
type span struct {
	from, to string          // ids of the rows at its ends
	added    map[string]bool // those that it marked
	list     string          // the list that it is of; see listKey
	asked    int             // number of the last question for its rows
	closed   bool            // it ends with the answer,
	end      string          // at this row
}

// spanFound brings the rows of a range whose beginning is not in memory.
type spanFound struct {
	number int
	of     *span
	ids    []string
	err    error
}

// awayFound brings the marked segments that do not pass a filter.
type awayFound struct {
	number int
	key    string
	away   map[string]bool
	err    error
}

func markKeys() []keyRow {
	return []keyRow{
		keys.Key("space", "mark", "mark the segment, or not; in the list, go down", "", keys.InJudged, (*App).toggleMark, (*App).noVerdict),
		keys.Key("v", "mark-range", "mark from here to where one goes; once more ends it", "", keys.InSegment, (*App).markRange, (*App).noSegment),
		keys.Key("", "unmark", "take all marks away", "", keys.InSegment, (*App).unmark, (*App).noMarks),
	}
}

func (a *App) noMarks() string {
	if len(a.marks.ids) == 0 {
		return "nothing is marked"
	}
	return ""
}

// set marks a segment, or takes its mark away.
func (m *marks) set(id string, on bool) {
	if !on {
		delete(m.ids, id)
		delete(m.away, id)
		return
	}
	if m.ids == nil {
		m.ids = map[string]bool{}
	}
	m.ids[id] = true
}

// list returns the ids of what is marked, in a fixed order.
func (m *marks) list() []string {
	ids := make([]string, 0, len(m.ids))
	for id := range m.ids {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// toggleMark marks the selected segment, or not, and goes on. It ends a range.
func (a *App) toggleMark() tea.Cmd {
	m := &a.marks
	if m.span != nil {
		a.endSpan()
		return nil
	}
	s := a.list.Selected()
	m.set(s.ID, !m.ids[s.ID])
	if a.focus == onList {
		a.list.moveBy(1)
	} else {
		a.sayMarks()
	}
	return nil
}

// markRange begins a range at the selected row, or ends it there. In the reader
// there is one segment to be marked.
func (a *App) markRange() tea.Cmd {
	m := &a.marks
	if m.span != nil || a.focus != onList {
		return a.toggleMark()
	}
	id := a.list.Selected().ID
	m.span = &span{from: id, to: id, added: map[string]bool{}, list: a.listKey()}
	m.extend([]string{id})
	a.say("marks from here to where you go; v or space ends it")
	return nil
}

// listKey tells apart what a list shows, and in which order.
func (a *App) listKey() string {
	return a.sieve.key + "\n" + string(a.order) + "\n" + draw.Grouped(int(a.seed))
}

// endSpan ends the range: what it marked stays marked.
func (a *App) endSpan() {
	if s := a.marks.span; s.asked != 0 {
		s.closed, s.end = true, s.to // with its answer
		if row := a.list.Selected(); row != nil {
			s.end = row.ID
		}
	} else {
		a.marks.span = nil
	}
	a.sayMarks()
}

// rangeEnds ends the range if one is under way; it is false while its rows are
// still to come: what is done to the marked ones has to wait for them.
func (a *App) rangeEnds() bool {
	if a.marks.span == nil {
		return true
	}
	a.endSpan()
	if a.marks.span != nil {
		a.say("the range is still being marked: once more")
		return false
	}
	return true
}

func (a *App) sayMarks() {
	if n := len(a.marks.ids); n > 0 {
		a.say(draw.Grouped(n) + " marked")
		return
	}
	a.say("nothing is marked")
}

// extend makes a range what it is now.
func (m *marks) extend(ids []string) {
	s := m.span
	now := make(map[string]bool, len(ids))
	for _, id := range ids {
		now[id] = true
		if !m.ids[id] {
			m.set(id, true)
			s.added[id] = true
		}
	}
	for id := range s.added {
		if !now[id] {
			m.set(id, false)
			delete(s.added, id)
		}
	}
}

// followMarks lets the range follow the selection, and finds out which marked
// segments another filter does not let through.
func (a *App) followMarks() tea.Cmd { return tea.Batch(a.followSpan(), a.askAway()) }

func (a *App) followSpan() tea.Cmd {
	s, row := a.marks.span, a.list.Selected()
	switch {
	case s == nil || row == nil:
		return nil
	case s.list != a.listKey() || a.list.key != a.sieve.key:
		a.marks.span = nil // another list has other rows between
		return nil
	}
	end := row.ID
	if s.closed {
		end = s.end
	}
	if s.to == end || s.asked != 0 {
		return nil
	}
	s.to = end
	if from, to := a.list.index(s.from), a.list.index(end); from >= 0 && to >= 0 {
		first, last := min(from, to), max(from, to)
		ids := make([]string, 0, last-first+1)
		for i := first; i <= last; i++ {
			ids = append(ids, a.list.Rows[i].ID)
		}
		a.marks.extend(ids)
		a.closeSpan()
		return nil
	}
	a.marks.asked++
	s.asked = a.marks.asked
	m := spanFound{number: s.asked, of: s}
	q := review.Query{Filter: a.sieve.node, Order: a.order, Seed: a.seed, Threshold: a.list.doubt, Quotas: a.orders.quotas}
	a.clusters.into(&q)
	ctx, lib, ends := a.ctx, a.lib, [2]string{s.from, s.to}
	return func() tea.Msg {
		m.ids, m.err = idsBetween(ctx, lib, q, ends)
		return m
	}
}

// idsBetween returns the ids of a list from one row to another, whichever comes
// first; nil if one of them is not in it.
func idsBetween(ctx context.Context, lib Library, q review.Query, ends [2]string) ([]string, error) {
	all, err := lib.IDs(ctx, q)
	if err != nil {
		return nil, err
	}
	first, last := slices.Index(all, ends[0]), slices.Index(all, ends[1])
	if first < 0 || last < 0 {
		return nil, nil
	}
	return all[min(first, last) : max(first, last)+1], nil
}

func (m spanFound) took(a *App) {
	s := a.marks.span
	if s == nil || s != m.of || s.asked != m.number {
		return
	}
	s.asked = 0
	switch {
	case m.err != nil:
		a.fail("the range was not marked", m.err)
	case m.ids == nil:
		a.say("the range was not marked: where it began is not in the list any more")
	default:
		a.marks.extend(m.ids)
	}
	a.closeSpan()
}

// closeSpan ends a range whose end was waited for.
func (a *App) closeSpan() {
	if s := a.marks.span; s.closed && s.to == s.end {
		a.marks.span = nil
		a.sayMarks()
	}
}

// askAway finds out which of the marked segments do not pass a filter that was
// set since.
func (a *App) askAway() tea.Cmd {
	m := &a.marks
	if len(m.ids) == 0 || m.awayKey == a.sieve.key || a.list.key != a.sieve.key {
		return nil
	}
	m.awayKey, m.away = a.sieve.key, nil
	m.asked++
	if a.sieve.node == nil {
		return nil
	}
	found := awayFound{number: m.asked, key: a.sieve.key}
	ctx, lib, node, marked := a.ctx, a.lib, a.sieve.node, m.list()
	return func() tea.Msg {
		passing, err := lib.IDs(ctx, review.Query{Filter: node})
		found.err, found.away = err, map[string]bool{}
		for _, id := range marked {
			found.away[id] = true
		}
		for _, id := range passing {
			delete(found.away, id)
		}
		return found
	}
}

func (m awayFound) took(a *App) {
	if m.err != nil || m.key != a.marks.awayKey || m.number != a.marks.asked {
		return // it is not worth a word
	}
	a.marks.away = m.away
	for id := range m.away {
		if !a.marks.ids[id] {
			delete(m.away, id)
		}
	}
}

// unmark takes all marks away; a range that is being marked is given up first,
// with what it marked.
func (a *App) unmark() tea.Cmd {
	if s := a.marks.span; s != nil {
		a.marks.extend(nil)
		a.marks.span = nil
		a.say("range given up")
		return nil
	}
	n := len(a.marks.ids)
	a.marks = marks{asked: a.marks.asked}
	a.say(draw.Grouped(n) + " unmarked")
	return nil
}

// marksText says how many are marked, "" for none.
func (a *App) marksText() string {
	n := len(a.marks.ids)
	if n == 0 {
		return ""
	}
	text := draw.Grouped(n) + " marked"
	if away := len(a.marks.away); away > 0 && a.marks.awayKey == a.sieve.key {
		text += ", " + draw.Grouped(away) + " not in the filter"
	}
	return text
}
