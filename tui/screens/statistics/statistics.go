package statistics

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library describes segments. It may take long and is called from commands only.
type Library interface {
	// Statistics describes the segments that a filter lets through, nil for
	// all, as they qualify at these thresholds; days are told in zone.
	Statistics(ctx context.Context, n filter.Node, at metric.Thresholds, zone *time.Location) (review.Statistics, error)
}

// Program is what the statistics need of the program.
type Program interface {
	// Filter is the filter in force, nil for none, and how it is written.
	Filter() (n filter.Node, pretty string)
	// Narrow leads to the list, which shows what passes another filter.
	Narrow(n filter.Node)
	// Count says how many segments pass the filter. Shown is the same for the
	// header, with the filter.
	Count() string
	Shown(w int) []draw.Part
	// Writing reports whether verdicts are being written.
	Writing() bool
}

// Screen describes what passes the filter: tables one below the
// other, in two columns where there is room. A row is a question: enter asks
// for its segments.
type Screen struct {
	screen.Seat
	program       Program
	lib           Library
	versionOf     func(context.Context) (int64, error)
	thresholds    metric.Thresholds
	width, height int // of the screen, in cells

	want    bool // to be asked as soon as the verdicts under way are written
	seq     int  // number of the last question
	asking  bool
	stopAsk context.CancelFunc

	came     bool  // an answer did
	failed   error // of the last question
	version  int64 // of the database that was described
	latest   int64 // version that was seen since the last question, noVersion for none
	st       review.Statistics
	sections []section
	unfolded map[string]bool // titles of tables that are shown as a whole

	layout layout
	cur    int // index of the row under the cursor
	top    int // first line on screen
}

// answer answers the question for statistics.
type answer struct {
	seq     int
	version int64 // of the database, before it was read
	st      review.Statistics
	err     error
}

// noVersion is no version of a database.
const noVersion = -1

// New opens the statistics of what passes the filter. version tells that of the
// database.
func New(seat screen.Seat, program Program, lib Library, version func(context.Context) (int64, error), at metric.Thresholds) *Screen {
	s := &Screen{Seat: seat, program: program, lib: lib, versionOf: version, thresholds: at, unfolded: map[string]bool{}}
	s.again()
	return s
}

// Rows returns the keys of the statistics.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		keys.Key("enter", "narrow", "narrow the filter to the segments of the row; or set the threshold, or unfold a table", "show", 0, (*Screen).show, (*Screen).noRow),
		keys.Key("tab shift+tab", "other-column", "go to the other column", "column", 0, (*Screen).otherColumn, (*Screen).noColumn),
		keys.Key("S", "list", "back to the list", "", 0, (*Screen).Back, nil),
		keys.Key("q esc", keys.Back, "go back; the filter stays as it is", "back", 0, (*Screen).Back, nil),
	}
}

// Reload counts anew.
func (s *Screen) Reload() tea.Cmd {
	s.again()
	return nil
}

// again has Follow ask anew; an older question is given up.
func (s *Screen) again() {
	if s.asking {
		s.stopAsk()
	}
	s.seq++
	s.want, s.asking, s.failed = true, true, nil
	s.stopAsk = func() {}
}

// Follow makes the layout for the size and asks what is to be asked, as soon as
// no verdict is under way.
func (s *Screen) Follow(f screen.Frame) tea.Cmd {
	s.width, s.height = f.Width, f.Height
	s.layOut()
	s.scroll()
	if !s.want || s.program.Writing() {
		return nil
	}
	s.want, s.latest = false, noVersion
	var ctx context.Context
	ctx, s.stopAsk = context.WithCancel(s.Ctx)
	m, stop := answer{seq: s.seq}, s.stopAsk
	n, _ := s.program.Filter()
	lib, version, at, zone := s.lib, s.versionOf, s.thresholds, s.dates().Zone
	return func() tea.Msg {
		defer stop()
		if m.version, m.err = version(ctx); m.err == nil {
			m.st, m.err = lib.Statistics(ctx, n, at, zone)
		}
		return m
	}
}

// dates says how days are read in filters.
func (s *Screen) dates() filter.Options {
	now := s.Now()
	return filter.Options{Now: now, Zone: now.Location()}
}

// Update takes what was counted, if it is what was asked for last.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	m, ok := msg.(answer)
	if !ok || m.seq != s.seq {
		return nil
	}
	s.asking = false
	if m.err != nil {
		s.failed = m.err
		if len(s.sections) > 0 { // else it is told in their place
			s.Fail("statistics", m.err)
		}
		return nil
	}
	s.came, s.st, s.version = true, m.st, m.version
	s.tabulate()
	return nil
}

// Changed notes that the database has another version. It is not read again by
// itself: an import changes it every second, and looking at all segments may
// take longer than that.
func (s *Screen) Changed(version int64) tea.Cmd {
	s.latest = version
	return nil
}

// outdated reports whether the database changed since it was described.
func (s *Screen) outdated() bool {
	return s.came && s.latest != noVersion && s.latest != s.version
}

// tabulate makes the tables anew. The cursor stays on its row.
func (s *Screen) tabulate() {
	table, row := "", ""
	if sec, r := s.selected(); r != nil {
		table, row = sec.title, r.name
	}
	s.sections = s.sectionsOf(&s.st)
	s.layout = layout{}
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
func (s *Screen) selected() (*section, *row) {
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

// show does what the row under the cursor is for: it narrows the filter
// to its segments, sets a threshold, or unfolds its table.
func (s *Screen) show() tea.Cmd {
	sec, r := s.selected()
	if r.folds {
		s.unfolded[sec.title] = !s.unfolded[sec.title]
		s.tabulate()
		return nil
	}
	n, _ := s.program.Filter()
	if by := r.threshold; by != 0 {
		n = filter.WithThreshold(n, by)
	} else {
		by := r.node()
		again, err := filter.Parse(filter.Print(by), s.dates())
		if err != nil || !filter.Same(again, by) {
			s.Say("no filter can express that")
			return nil
		}
		n = filter.Narrowed(n, by)
	}
	s.Leave()
	s.program.Narrow(n)
	return nil
}

// Why keys of the statistics do nothing.

func (s *Screen) noRow() string {
	_, r := s.selected()
	switch {
	case r == nil && s.asking:
		return "counting"
	case r == nil:
		return "there is nothing to show"
	}
	return r.why
}

func (s *Screen) noColumn() string {
	if len(s.layout.columns) < 2 {
		return "there is only one column"
	}
	return ""
}
