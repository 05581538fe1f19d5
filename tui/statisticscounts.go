package tui

import (
	"strconv"

	"winnow/core/filter"
	"winnow/core/review"
)

// countSection counts segments by what became of them.
func (a *App) countSection(st *review.Statistics) statSection {
	sec := statSection{title: "Segments", full: true, columns: []statColumn{{"", 10, 2}, {"", 7, 1}}}
	add := func(name string, n int, k func(*inks) ink, node filter.Node) *statRow {
		r := statRow{name: name, cells: []statCell{number(n, k)}, node: func() filter.Node { return node }}
		if n == 0 {
			r.why = "there is none"
		}
		sec.rows = append(sec.rows, r)
		return &sec.rows[len(sec.rows)-1]
	}
	count := func(name string, n int) {
		add(name, n, textInk, nil).why = "these are all that pass the filter"
	}
	share := func(r *statRow, n int) {
		r.cells = append(r.cells, statCell{shareText(n, st.Segments), mutedInk})
	}
	count("segments", st.Segments)
	for _, v := range barVerdicts {
		n := st.ByVerdict[v]
		share(add(a.g.verdict[v]+" "+string(v), n, func(k *inks) ink { return k.verdict(&review.Segment{Verdict: v}) }, filter.ByStatus(string(v))), n)
	}
	add(a.g.stale+" stale", st.Stale, func(k *inks) ink { return k.stale }, is(filter.Has, "stale"))
	if st.Scored > 0 {
		a.addGrades(st, func(name string, n int, k func(*inks) ink, node filter.Node) { share(add(name, n, k, node), n) })
	}
	count("sessions", st.Sessions)
	count("messages", st.Messages)
	if avg, ok := st.Average(); ok {
		sec.rows = append(sec.rows, statRow{name: "average score", cells: []statCell{{strconv.FormatFloat(avg, 'f', 2, 64), func(k *inks) ink { return k.score(avg) }}}, why: "these are all that are scored"})
	}
	return sec
}

// addGrades counts scores by what they are good for.
func (a *App) addGrades(st *review.Statistics, add func(string, int, func(*inks) ink, filter.Node)) {
	excellent, usable, weak := st.Graded()
	at := a.thresholds
	add("scored", st.Scored, textInk, scoreIs(filter.GreaterEqual, 0))
	add("excellent, from "+scoreWord(scoreHigh), excellent, func(k *inks) ink { return k.scoreHigh }, scored(scoreHigh, 2))
	add("usable, from "+scoreWord(scoreMid), usable, func(k *inks) ink { return k.scoreMid }, scored(scoreMid, scoreHigh))
	add("weak", weak, func(k *inks) ink { return k.scoreLow }, scored(0, scoreMid))
	add("for memory, from "+scoreWord(at.Memory), st.MemoryEligible, textInk, forMemory(at))
	add("for training, from "+scoreWord(at.SFT), st.SFTEligible, textInk, forTraining(at))
}

func shareText(n, of int) string {
	if of == 0 {
		return "0%"
	}
	return strconv.Itoa(share(n, of)) + "%"
}
