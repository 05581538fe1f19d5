package statistics

import (
	"context"
	"time"

	"winnow/core/filter"
	"winnow/core/learn"
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

// Likely tells what was learned from verdicts.
type Likely interface {
	Learned(context.Context) (learn.Learned, error)
}

// Program is what the statistics need of the program.
type Program interface {
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
	likely        Likely
	versionOf     func(context.Context) (int64, error)
	thresholds    metric.Thresholds
	width, height int // of the screen, in cells

	want      bool // to be asked as soon as the verdicts under way are written
	described screen.Question[described]
	latest    int64 // version that was seen since the last question, noVersion for none
	sections  []section
	unfolded  map[string]bool // titles of tables that are shown as a whole

	layout layout
	cur    int // index of the row under the cursor
	top    int // first line on screen
}

// described is what passes the filter.
type described struct {
	version int64 // of the database, before it was read
	review.Statistics
	learned learn.Learned
}

// noVersion is no version of a database.
const noVersion = -1

// New opens the statistics of what passes the filter. version tells that of the
// database. likely may be nil.
func New(seat screen.Seat, program Program, lib Library, likely Likely, version func(context.Context) (int64, error), at metric.Thresholds) *Screen {
	return &Screen{Seat: seat, program: program, lib: lib, likely: likely, versionOf: version, thresholds: at, unfolded: map[string]bool{}, want: true}
}

// Rows returns the keys of the statistics.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "narrow", "narrow the filter to the segments of the row; or set the threshold, or unfold a table", "show", (*Screen).show, (*Screen).noRow),
		screen.Key("tab shift+tab", "other-column", "go to the other column", "column", (*Screen).otherColumn, (*Screen).noColumn),
		screen.Key("S", "list", "back to the list", "", (*Screen).Back, nil),
		screen.Key("q esc", keys.Back, "go back; the filter stays as it is", "back", (*Screen).Back, nil),
	}
}

// Reload has Follow ask anew; an older question is given up.
func (s *Screen) Reload() {
	s.described.GiveUp()
	s.want, s.described.Err = true, nil
}

// asking reports whether what was described, if anything, is about to change.
func (s *Screen) asking() bool { return s.want || s.described.Open }

// Awaits has keys wait for the tables.
func (s *Screen) Awaits() bool { return s.asking() && !s.described.Came }

// Follow makes the layout for the size and asks what is to be asked, as soon as
// no verdict is under way.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	s.layOut()
	s.scroll()
	if !s.want || s.program.Writing() {
		return
	}
	s.want, s.latest = false, noVersion
	n, _ := s.Filter()
	lib, likely, version, at, zone := s.lib, s.likely, s.versionOf, s.thresholds, s.dates().Zone
	s.described.Ask(&s.Seat, func(ctx context.Context) (m described, err error) {
		if m.version, err = version(ctx); err == nil {
			m.Statistics, err = lib.Statistics(ctx, n, at, zone)
		}
		if err == nil && likely != nil {
			m.learned, err = likely.Learned(ctx)
		}
		return m, err
	}, func(_ described, err error) {
		if err == nil {
			s.tabulate()
		} else if len(s.sections) > 0 { // else it is told in their place
			s.Fail("statistics", err)
		}
	})
}

// dates says how days are read in filters.
func (s *Screen) dates() filter.Options {
	now := s.Now()
	return filter.Options{Now: now, Zone: now.Location()}
}

// Changed notes that the database has another version. It is not read again by
// itself: an import changes it every second, and looking at all segments may
// take longer than that.
func (s *Screen) Changed(version int64) { s.latest = version }

// outdated reports whether the database changed since it was described.
func (s *Screen) outdated() bool {
	return s.described.Came && s.latest != noVersion && s.latest != s.described.Got.version
}

// tabulate makes the tables anew. The cursor stays on its row.
func (s *Screen) tabulate() {
	table, row := "", ""
	if sec, r := s.selected(); r != nil {
		table, row = sec.title, r.name
	}
	s.sections = s.sectionsOf(&s.described.Got)
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
func (s *Screen) show() {
	sec, r := s.selected()
	if r.folds {
		s.unfolded[sec.title] = !s.unfolded[sec.title]
		s.tabulate()
		return
	}
	n, _ := s.Filter()
	if by := r.threshold; by != 0 {
		n = filter.WithThreshold(n, by)
	} else {
		by := r.node()
		again, err := filter.Parse(filter.Print(by), s.dates())
		if err != nil || !filter.Same(again, by) {
			s.Say("no filter can express that")
			return
		}
		n = filter.Narrowed(n, by)
	}
	s.Leave()
	s.program.Narrow(n)
}

// Why keys of the statistics do nothing.

func (s *Screen) noRow() string {
	_, r := s.selected()
	switch {
	case r == nil && s.asking():
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
