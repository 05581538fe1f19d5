package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

// Statistics is what the screen of statistics needs. It may take long and is
// called from commands only.
type Statistics interface {
	// Statistics describes the segments that a filter lets through, nil for
	// all, as they qualify at these thresholds; days are told in zone.
	Statistics(ctx context.Context, n filter.Node, at metric.Thresholds, zone *time.Location) (review.Statistics, error)
}

// statisticsScreen describes what passes the filter: tables one below the
// other, in two columns where there is room. A row is a question: enter asks
// for its segments.
type statisticsScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc

	want    bool // to be asked as soon as the verdicts under way are written
	seq     int  // number of the last question
	asking  bool
	stopAsk context.CancelFunc

	came     bool  // an answer did
	failed   error // of the last question
	version  int64 // of the database that was described
	latest   int64 // version that was seen since the last question, noVersion for none
	st       review.Statistics
	sections []statSection
	unfolded map[string]bool // titles of tables that are shown as a whole

	layout statLayout
	cur    int // index of the row under the cursor
	top    int // first line on screen
}

// statisticsCame answers the question for statistics.
type statisticsCame struct {
	screen  *statisticsScreen
	seq     int
	version int64 // of the database, before it was read
	st      review.Statistics
	err     error
}

// noVersion is no version of a database.
const noVersion = -1

// toggleStatistics opens the statistics, or goes back to the list.
func (a *App) toggleStatistics() tea.Cmd {
	if a.statistics != nil {
		a.closeStatistics()
		return nil
	}
	s := &statisticsScreen{unfolded: map[string]bool{}}
	s.ctx, s.stop = context.WithCancel(a.ctx)
	a.statistics = s
	a.wantStatistics()
	return nil
}

func (a *App) closeStatistics() {
	a.statistics.stop()
	a.statistics = nil
}

// wantStatistics asks anew, if the screen is open; an older question is given
// up.
func (a *App) wantStatistics() {
	s := a.statistics
	if s == nil {
		return
	}
	if s.asking {
		s.stopAsk()
	}
	s.seq++
	s.want, s.asking, s.failed, s.latest = true, true, nil, noVersion
	s.stopAsk = func() {}
}

// askStatistics asks what is wanted, as soon as no verdict is under way.
func (a *App) askStatistics() tea.Cmd {
	s := a.statistics
	if s == nil || !s.want || a.writes.Open() {
		return nil
	}
	s.want = false
	var ctx context.Context
	ctx, s.stopAsk = context.WithCancel(s.ctx)
	m, stop := statisticsCame{screen: s, seq: s.seq}, s.stopAsk
	library, lib, n, at, zone := a.lib, a.statisticsLib, a.sieve.node, a.thresholds, a.zone
	return func() tea.Msg {
		defer stop()
		if m.version, m.err = library.Version(ctx); m.err == nil {
			m.st, m.err = lib.Statistics(ctx, n, at, zone)
		}
		return m
	}
}

func (a *App) tookStatistics(m statisticsCame) {
	s := a.statistics
	if s == nil || s != m.screen || m.seq != s.seq {
		return
	}
	s.asking = false
	if m.err != nil {
		s.failed = m.err
		if len(s.sections) > 0 && !errors.Is(m.err, context.Canceled) { // else it is told in their place
			a.fail("statistics", m.err)
		}
		return
	}
	s.came, s.st, s.version = true, m.st, m.version
	a.tabulate()
}

// outdateStatistics notes that the database has another version. It is not
// read again by itself: an import changes it every second, and looking at all
// segments may take longer than that.
func (a *App) outdateStatistics(version int64) {
	if a.statistics != nil {
		a.statistics.latest = version
	}
}

// outdated reports whether the database changed since it was described.
func (s *statisticsScreen) outdated() bool {
	return s.came && s.latest != noVersion && s.latest != s.version
}

// tabulate makes the tables anew. The cursor stays on its row.
func (a *App) tabulate() {
	s := a.statistics
	table, row := "", ""
	if sec, r := s.selected(); r != nil {
		table, row = sec.title, r.name
	}
	s.sections = a.sectionsOf(&s.st)
	s.layout = statLayout{}
	at := 0
	for i := range s.sections {
		for j := range s.sections[i].rows {
			if s.sections[i].title == table && s.sections[i].rows[j].name == row {
				s.cur = at
			}
			at++
		}
	}
	s.cur = max(0, min(s.cur, at-1))
}

// selected returns the row under the cursor and its table, nil without one.
func (s *statisticsScreen) selected() (*statSection, *statRow) {
	at := s.cur
	for i := range s.sections {
		sec := &s.sections[i]
		if at < len(sec.rows) {
			return sec, &sec.rows[at]
		}
		at -= len(sec.rows)
	}
	return nil, nil
}

// showStatRow does what the row under the cursor is for: it narrows the filter
// to its segments, sets a threshold, or unfolds its table.
func (a *App) showStatRow() tea.Cmd {
	s := a.statistics
	sec, r := s.selected()
	if r.folds {
		s.unfolded[sec.title] = !s.unfolded[sec.title]
		a.tabulate()
		return nil
	}
	n := filter.WithThreshold(a.sieve.node, r.threshold)
	if r.threshold == 0 {
		by := r.node()
		again, err := filter.Parse(filter.Print(by), filter.Options{Now: a.now(), Zone: a.zone})
		if err != nil || !filter.Same(again, by) {
			a.say("no filter can name that")
			return nil
		}
		n = narrowed(a.sieve.node, by)
	}
	a.closeStatistics()
	a.focus, a.full = onList, false
	sieve := a.newSieve(n, filter.Print(n))
	if sieve.key == a.sieve.key {
		a.say("the list shows these already")
	}
	return a.take(sieve, wantStart)
}

// Why keys of the statistics do nothing.

func (a *App) noStatistics() string {
	if a.statisticsLib == nil {
		return "there are no statistics here"
	}
	return ""
}

func (a *App) noStatRow() string {
	_, r := a.statistics.selected()
	switch {
	case r == nil && a.statistics.asking:
		return "counting"
	case r == nil:
		return "there is nothing to show"
	}
	return r.why
}

func (a *App) noStatColumn() string {
	if len(a.statistics.layout.columns) < 2 {
		return "there is one column only"
	}
	return ""
}
