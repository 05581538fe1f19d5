package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// reasonsBox says why a segment has its score, over the list: a row for each
// metric, the worst one first, with messages that one can go to.
type reasonsBox struct {
	segment string // id
	head    string // score and type of task
	by      string // who scored
	summary string // what the judge says, or what was measured
	flags   string
	rows    []reasonRow
	cur     int
	cite    int // of the current row
	top     int // the first row drawn
}

// reasonRow is one metric.
type reasonRow struct {
	name          string
	score, weight float64
	reason        string // clean; its citations are the session's numbers now
	cites         []metric.Cite
}

// reasonsOf reads an analysis. Numbers in reasons are those of the time when it
// was made: the segment may have moved since. Citations of messages outside of
// the segment are text like any other.
func reasonsOf(s *review.Segment, a *metric.Analysis) *reasonsBox {
	b := &reasonsBox{segment: s.ID, by: "measured", summary: clean.Line(draw.Head(a.ReasonFor(s.Start)))}
	if a.Scorer == metric.Judged {
		b.by = "judged by " + clean.Line(draw.Head(a.Model))
	}
	for _, m := range a.Reasons(s.Start) {
		r := reasonRow{name: clean.Line(draw.Head(m.Metric)), score: m.Score, weight: m.Weight, reason: clean.Line(draw.Head(m.Reason))}
		for _, c := range metric.Cites(r.reason) {
			if c.N >= s.Start && c.N <= s.End {
				r.cites = append(r.cites, c)
			}
		}
		b.rows = append(b.rows, r)
	}
	for i, f := range a.Flags {
		if i > 0 {
			b.flags += ", "
		}
		b.flags += clean.Line(draw.Head(string(f)))
	}
	return b
}

// current is the row under the cursor, nil if there is none.
func (b *reasonsBox) current() *reasonRow {
	if b.cur >= len(b.rows) {
		return nil
	}
	return &b.rows[b.cur]
}

func reasonsKeys() []keyRow {
	return []keyRow{
		keys.Key("i", "reasons", "why this score: what was measured and judged, with the messages that decided", "why", keys.InSegment, (*App).openReasons, (*App).noReasons),
		keys.Key("enter", "go-to-message", "go to the message that the reason names", "go there", keys.InReasons, (*App).goToCite, (*App).noCite),
		keys.Key("tab", "next-cite", "the next message that the reason names", "next message", keys.InReasons, with((*App).stepCite, +1), (*App).noCite),
		keys.Key("shift+tab", "previous-cite", "the message that it names before", "", keys.InReasons, with((*App).stepCite, -1), (*App).noCite),
		keys.Key("q esc i", keys.Back, "close the reasons", "back", keys.InReasons, (*App).back, nil),
	}
}

// openReasons shows why the selected segment has its score. Opened again, it
// stands where it was left.
func (a *App) openReasons() tea.Cmd {
	s := a.list.Selected()
	an, err := metric.Parse(s.Analysis)
	if err != nil {
		a.fail(a.nameOf(s), err)
		return nil
	}
	b := reasonsOf(s, &an)
	b.head = a.scoreHead(s)
	if left := a.reasonsLeft; left.segment == s.ID && left.cur < len(b.rows) && left.cite < max(1, len(b.rows[left.cur].cites)) {
		b.cur, b.cite = left.cur, left.cite
	}
	a.reasons = b
	return nil
}

// reasonsPlace is where the reasons of a segment were left.
type reasonsPlace struct {
	segment   string
	cur, cite int
}

func (a *App) closeReasons() {
	a.reasonsLeft = reasonsPlace{a.reasons.segment, a.reasons.cur, a.reasons.cite}
	a.reasons = nil
}

func (a *App) noReasons() string {
	switch s := a.list.Selected(); {
	case s == nil:
		return "there is no segment"
	case a.visiting():
		return "this is another session: " + a.keys.Esc(keys.InReader) + " goes back to the segment"
	case s.Analysis == "" && a.scores.job.Running:
		return "not scored yet: that is under way"
	case s.Analysis == "":
		return "not scored yet: winnow score does it"
	}
	return ""
}

func (a *App) noCite() string {
	if r := a.reasons.current(); r == nil || len(r.cites) == 0 {
		return "this reason names no message"
	}
	return ""
}

// stepCite chooses another message of those that the reason names.
func (a *App) stepCite(step int) func() tea.Cmd {
	return func() tea.Cmd {
		n := len(a.reasons.current().cites)
		a.reasons.cite = (a.reasons.cite + step + n) % n
		return nil
	}
}

// goToCite reads the message that is chosen. The next time, the one behind it
// is.
func (a *App) goToCite() tea.Cmd {
	b := a.reasons
	r := b.current()
	at := r.cites[b.cite].N
	b.cite = (b.cite + 1) % len(r.cites)
	a.closeReasons()
	s := a.list.Selected()
	if s == nil || s.ID != b.segment {
		return nil
	}
	a.focus = onReader
	if a.opened.ID == s.ID {
		return a.reader.Show(at)
	}
	a.landing = landing{s.ID, at}
	return nil
}

// move chooses another reason.
func (b *reasonsBox) move(way keys.Motion) {
	was := b.cur
	switch way {
	case keys.LineDown:
		b.cur++
	case keys.LineUp:
		b.cur--
	case keys.ToStart, keys.HalfUp, keys.PageUp:
		b.cur = 0
	case keys.ToEnd, keys.HalfDown, keys.PageDown:
		b.cur = len(b.rows) - 1
	}
	b.cur = max(0, min(b.cur, len(b.rows)-1))
	if b.cur != was {
		b.cite = 0
	}
}

func (a *App) moveReasons(way keys.Motion) tea.Cmd {
	a.reasons.move(way)
	return nil
}
