package statistics

import (
	"strconv"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// countSection counts segments by what became of them.
func (s *Screen) countSection(st *review.Statistics) section {
	sec := section{title: "Segments", full: true, columns: []column{{"", 10, 2}, {"", 7, 1}}}
	add := func(name string, n int, k func(*draw.Inks) draw.Ink, node filter.Node) *row {
		r := row{name: name, cells: []cell{number(n, k)}, node: func() filter.Node { return node }}
		if n == 0 {
			r.why = "there are none"
		}
		sec.rows = append(sec.rows, r)
		return &sec.rows[len(sec.rows)-1]
	}
	count := func(name string, n int) {
		add(name, n, draw.TextInk, nil).why = "the list already shows all of these"
	}
	share := func(r *row, n int) {
		r.cells = append(r.cells, cell{shareText(n, st.Segments), draw.MutedInk})
	}
	count("segments", st.Segments)
	for _, v := range barVerdicts {
		n := st.ByVerdict[v]
		share(add(s.G.Verdict[v]+" "+string(v), n, func(k *draw.Inks) draw.Ink { return k.Verdict(&review.Segment{Verdict: v}) }, filter.ByStatus(string(v))), n)
	}
	add(s.G.Stale+" stale", st.Stale, func(k *draw.Inks) draw.Ink { return k.Stale }, is(filter.Has, "stale"))
	if st.Scored > 0 {
		s.addGrades(st, func(name string, n int, k func(*draw.Inks) draw.Ink, node filter.Node) {
			share(add(name, n, k, node), n)
		})
	}
	count("sessions", st.Sessions)
	count("messages", st.Messages)
	if avg, ok := st.Average(); ok {
		sec.rows = append(sec.rows, row{name: "average score", cells: []cell{{strconv.FormatFloat(avg, 'f', 2, 64), func(k *draw.Inks) draw.Ink { return k.Score(avg) }}}, why: "all scored segments count in it"})
	}
	return sec
}

// addGrades counts scores by what they are good for.
func (s *Screen) addGrades(st *review.Statistics, add func(string, int, func(*draw.Inks) draw.Ink, filter.Node)) {
	excellent, usable, weak := st.Graded()
	at := s.thresholds
	add("scored", st.Scored, draw.TextInk, scoreIs(filter.GreaterEqual, 0))
	add("excellent, from "+scoreWord(draw.ScoreHigh), excellent, func(k *draw.Inks) draw.Ink { return k.ScoreHigh }, scored(draw.ScoreHigh, 2))
	add("usable, from "+scoreWord(draw.ScoreMid), usable, func(k *draw.Inks) draw.Ink { return k.ScoreMid }, scored(draw.ScoreMid, draw.ScoreHigh))
	add("weak", weak, func(k *draw.Inks) draw.Ink { return k.ScoreLow }, scored(0, draw.ScoreMid))
	add("for memory, from "+scoreWord(at.Memory), st.MemoryEligible, draw.TextInk, forMemory(at))
	add("for training, from "+scoreWord(at.SFT), st.SFTEligible, draw.TextInk, forTraining(at))
}

func shareText(n, of int) string {
	if of == 0 {
		return "0%"
	}
	return strconv.Itoa(draw.Percent(n, of)) + "%"
}
