package digest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/outcome"
)

// leads is the length, in messages, from which a digest begins with what it counts.
const leads = 12

// counted says what the messages are a part of, how much there is of what, and
// how many changed files no row shows. What matters least is left out if there is
// no room.
func (l *layout) counted(hidden int) string {
	d, part := l.draft, l.part
	if d.count < leads {
		return part
	}
	calls, open, failed := 0, 0, 0
	var end time.Time
	for _, t := range d.turns {
		for _, b := range t.beats {
			end = later(end, b.last)
			for _, c := range b.calls {
				calls++
				if c.outcome != outcome.OK {
					failed++
				}
				if c.open {
					open++
				}
			}
		}
	}
	parts := []string{part, plural(d.count, "message"), plural(calls, "call"), left(open, failed), took(d.begin, end), ""}
	if calls == 0 {
		parts[2], parts[3] = "", ""
	}
	if hidden > 0 {
		parts[5] = plural(hidden, "changed file") + " not shown"
	}
	text := ""
	for _, drop := range [...]int{-1, 4, 2, 1, 0} {
		if drop >= 0 {
			parts[drop] = ""
		}
		text = strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), l.signs.dot)
		if ansi.StringWidth(text) <= l.Width {
			break
		}
	}
	return text
}

// left says what became of failures. The words differ from those of a score, where
// any later success of the same tool counts.
func left(open, failed int) string {
	switch {
	case failed == 0:
		return "no failure"
	case open == 0:
		return plural(failed, "failure") + " repeated successfully"
	case open == failed:
		return plural(failed, "failure") + " never repeated successfully"
	}
	return strconv.Itoa(open) + " of " + plural(failed, "failure") + " never repeated successfully"
}

// groups writes what was given rows.
func (l *layout) groups() []Group {
	d := l.draft
	w := writer{layout: l, next: d.first}
	if l.Lead != "" {
		w.row(d.first-1, Row{{Muted, l.Lead}}.cut(l.Width, l.signs.more))
	}
	if d.system != nil {
		row := append(l.label(System, "system"), d.system.lay(max(10, l.text-9), 1, l.signs.more)[0]...)
		w.row(d.system.n, row.with(size(d.system.bytes), l.Width, l.signs.more))
	}
	for _, b := range l.blocks {
		w.prompts(b)
		before, after := divide(b)
		w.work(b.before, before)
		if b.answer != nil && b.answers > 0 {
			w.speech(Agent, "assistant", b.answer, b.answers, "")
		}
		w.work(b.after, after)
	}
	if n := len(l.blocks); n == 0 || l.blocks[n-1].answer == nil {
		w.row(d.last, append(l.label(Agent, ""), Piece{Muted, unanswered(d)}))
	}
	if n := l.hidden(); n > 0 && l.Lead != "" {
		w.groups[0].Rows[0] = Row{{Muted, l.counted(n)}}.cut(l.Width, l.signs.more)
	}
	return w.finish(d.last)
}

// unanswered says how messages end whose last prompt has no answer.
func unanswered(d *Draft) string {
	if n := len(d.turns); n > 0 && d.turns[n-1].prompt != nil && len(d.turns[n-1].beats) == 0 {
		return "ends with the prompt"
	}
	return "no answer"
}

// divide shares the rows of a block's work between what lies before its answer and
// after it.
func divide(b *block) (before, after int) {
	if len(b.after) == 0 {
		return b.works, 0
	}
	if len(b.before) == 0 || b.works <= 1 {
		return 0, b.works
	}
	after = b.works * len(b.after) / b.entries()
	after = max(after, 1, min(b.works-1, openIn(b.after)/2))
	return b.works - after, after
}

// writer puts rows into groups: each holds the messages from where the one before
// ended.
type writer struct {
	*layout
	next   int
	groups []Group
}

// row adds a row that tells the messages up to a number. A row of messages that
// another one told joins that.
func (w *writer) row(to int, rows ...Row) {
	if len(rows) == 0 {
		return
	}
	if to < w.next {
		if n := len(w.groups); n > 0 {
			w.groups[n-1].Rows = append(w.groups[n-1].Rows, rows...)
			return
		}
		w.groups = append(w.groups, Group{From: w.next, To: w.next, Rows: rows})
		w.next++
		return
	}
	w.groups = append(w.groups, Group{From: w.next, To: to, Rows: rows})
	w.next = to + 1
}

// finish lets the last group hold what no row told.
func (w *writer) finish(last int) []Group {
	if n := len(w.groups); n > 0 && w.next <= last {
		w.groups[n-1].To = last
	}
	return w.groups
}

// label writes the name at the left of a row.
func (l *layout) label(kind Kind, name string) Row {
	if l.column < 10 && len(name) > l.column-1 {
		name = "agent"
	}
	return Row{{kind, fmt.Sprintf("%-*s", l.column, name)}}
}

// skip lets what lies before a message belong to the group before, or to this
// one if there is none.
func (w *writer) skip(n int) {
	if k := len(w.groups); k > 0 && n > w.next {
		w.groups[k-1].To, w.next = n-1, n
	}
}

func (w *writer) speech(kind Kind, name string, s *speech, rows int, note string) {
	w.skip(s.n)
	var out []Row
	for i, row := range s.lay(w.said(), rows, w.signs.more) {
		if i > 0 {
			name, note = "", ""
		}
		out = append(out, append(w.label(kind, name), row...).with(note, w.Width, w.signs.more))
	}
	w.row(s.n, out...)
}

// prompts writes the prompts of a block: one in as many rows as it was given,
// several in one.
func (w *writer) prompts(b *block) {
	if len(b.turns) == 1 {
		if p := b.turns[0].prompt; p != nil {
			w.speech(User, "user", p, b.prompts, w.clock(p.at))
		}
		return
	}
	var all []*speech
	last := 0
	for _, t := range b.turns {
		if t.prompt != nil {
			all, last = append(all, t.prompt), t.prompt.n
		}
		if len(t.beats) > 0 {
			last = max(last, t.beats[len(t.beats)-1].to)
		}
	}
	if len(all) == 0 {
		return
	}
	w.skip(all[0].n)
	per := (len(all) + b.prompts - 1) / max(1, b.prompts)
	each := max(4, (w.text-ansi.StringWidth(w.signs.dot)*(per-1))/per)
	name := "user"
	var rows []Row
	for part := range slices.Chunk(all, per) {
		row := w.label(User, name)
		for i, p := range part {
			if i > 0 {
				row = append(row, Piece{Muted, w.signs.dot})
			}
			row = append(row, p.lay(each, 1, w.signs.more)[0]...)
		}
		rows, name = append(rows, row.cut(w.Width, w.signs.more)), ""
	}
	to := w.next // the work has rows of its own
	if b.works == 0 {
		to = last
	}
	if b.answer != nil {
		to = min(to, max(w.next, b.answer.n-1))
	}
	w.row(to, rows...)
}

func (l *layout) clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(l.Zone).Format("15:04")
}

// work writes entries in at most so many rows.
func (w *writer) work(entries []entry, rows int) {
	for i, s := range w.stepsOf(entries, rows, w.text-7) {
		first, last := &s.entries[0], &s.entries[len(s.entries)-1]
		note := took(first.before, last.last)
		from := min(last.to, max(first.from, w.next)) // others were told
		place := strconv.Itoa(from)
		if last.to > from && w.column >= 10 && last.to < 10000 {
			place += w.signs.dash + strconv.Itoa(last.to)
		}
		if last.to < w.next && i > 0 {
			place, note = "", "" // as the row before
		}
		row := append(Row{{Muted, fmt.Sprintf("%*s ", w.column-1, place)}}, w.line(&s, w.text-7)...)
		w.row(last.to, row.with(note, w.Width, w.signs.more))
	}
}

// took writes how long something took, "" if that is not known or no time.
func took(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case from.IsZero() || to.IsZero() || d < time.Second:
		return ""
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + "d"
}

func size(bytes int) string {
	if bytes < 1000 {
		return strconv.Itoa(bytes) + " B"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(bytes)/1000, 'f', 1, 64), ".0") + " kB"
}
