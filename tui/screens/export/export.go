package export

import (
	"context"
	"sync/atomic"
	"time"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library is what the screen of exports needs of the database. Its methods may
// take long and are called from commands only.
type Library interface {
	// Version is that of the database.
	Version(context.Context) (int64, error)
	Exporting
}

// Exporting exports.
type Exporting interface {
	// Export writes what the options say, or with Check tells what they would
	// do, and writes nothing. It adds what the options do not know: names of
	// users, home and program. A target that exists is an export.ErrExists
	// without Force.
	Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error)
}

// Program is what the screen of exports needs of the program.
type Program interface {
	// Searching says that what passes the filter is still looked for, "" if all
	// is known.
	Searching() string
	// Totals are the counts of the database.
	Totals() review.Totals
	// Writing reports whether verdicts are being written.
	Writing() bool
	// Run begins an export of about so many segments, 0 for nobody knows. The
	// screen gets Ended when it ends.
	Run(o export.Options, all int)
	// Running reports whether an export runs.
	Running() bool
	// Made is the last export that was made or failed, nil for none.
	Made() *Made
}

// delay is how long nothing was changed before what it would do is asked:
// whoever turns through choices passes several by.
const delay = 250 * time.Millisecond

// countEvery is how often the count of what is looked through moves.
const countEvery = 200 * time.Millisecond

// quickly is how long a question takes that may be asked again whenever the
// database changes.
const quickly = 3 * time.Second

// noVersion is no version of a database.
const noVersion = -1

// Screen asks what is to be exported and tells what that would do:
// options on one side, what becomes of them on the other.
type Screen struct {
	screen.Seat
	program       Program
	lib           Library
	width, height int // of the screen, in cells

	form *Form
	rows []option

	cur, top  int  // row of the form under the cursor, and the first on screen
	onOutcome bool // the other side has the keys
	line, off int  // the same of its lines
	unfolded  map[string]bool
	replace   bool // it is asked whether the target may be replaced

	check  screen.Question[checked]
	want   bool                           // to be asked as soon as the verdicts under way are written
	asking bool                           // it is asked, or will be
	so     *atomic.Pointer[export.Report] // the mailbox of the one under way
	soFar  *export.Report                 // what was in it when the screen looked last, nil for nothing
	asked  time.Time
	quick  bool  // the last answer was there at once
	latest int64 // version that was seen since the last question, noVersion for none
	lines  forecast
}

// checked tells what an export would do.
type checked struct {
	version int64 // of the database, before it was read
	report  export.Report
}

// Made is an export that was made, or failed.
type Made struct {
	Path   string
	Report export.Report
	Err    error
}

// New opens the screen with the options as they were left.
func New(seat screen.Seat, program Program, form *Form, lib Library) *Screen {
	s := &Screen{Seat: seat, program: program, lib: lib, form: form, rows: form.rows(), unfolded: map[string]bool{}}
	s.askAgain()
	return s
}

// Place is where it is asked whether a target may be replaced, while it is.
func (s *Screen) Place() keys.Place {
	if s.replace {
		return keys.InReplace
	}
	return keys.InExport
}

// askAgain asks at once what the options would do; an older question is given up.
func (s *Screen) askAgain() {
	s.giveUp()
	s.want = true
}

// askSoon asks when nothing more is changed.
func (s *Screen) askSoon() {
	s.giveUp()
	of := s.so
	s.After(delay, func() { s.want = s.want || s.so == of })
}

// giveUp ends the question under way; what it would have answered is open.
func (s *Screen) giveUp() {
	s.check.GiveUp()
	s.want, s.asking, s.check.Err, s.latest = false, true, nil, noVersion
	s.so, s.soFar = new(atomic.Pointer[export.Report]), nil
}

// Follow makes the lines of the outcome for its size, and asks what is wanted, as
// soon as no verdict is under way.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	s.soFar = s.so.Load()
	s.arrange()
	if !s.want || s.program.Writing() {
		return
	}
	s.want, s.asked = false, s.Now()
	o, err := s.options()
	if err != nil {
		s.asking, s.check.Err = false, err
		return
	}
	o.Check, o.Path = true, ""
	so, lib := s.so, s.lib
	s.tick()
	s.check.Ask(&s.Seat, func(ctx context.Context) (m checked, err error) {
		if m.version, err = lib.Version(ctx); err == nil {
			m.report, err = lib.Export(ctx, o, func(r export.Report) { so.Store(&r) })
		}
		return m, err
	}, func(_ checked, err error) {
		s.asking, s.quick = false, s.Now().Sub(s.asked) < quickly
		if err == nil {
			s.lines = forecast{}
		}
	})
}

// tick moves the count of what is looked through.
func (s *Screen) tick() {
	of := s.so
	s.After(countEvery, func() {
		if s.so == of && s.asking {
			s.tick()
		}
	})
}

// options reads the form, and the filter of the list.
func (s *Screen) options() (export.Options, error) {
	o, err := s.form.Options()
	if s.form.Values[optFilter] != none {
		o.Filter, _ = s.Filter()
	}
	return o, err
}

// Ended says that an export did: the target exists already, or it is written, or
// neither. What was made stands at the top.
func (s *Screen) Ended(exists, written bool) {
	s.lines, s.line, s.off = forecast{}, 0, 0
	s.replace = exists
	if written { // the database notes the export: it has another version
		s.askAgain()
	}
}

// Changed notes that the database has another version. It is looked through
// again by itself only if that is quick: an import changes it every second.
func (s *Screen) Changed(version int64) {
	if s.latest = version; s.outdated() && s.quick && s.check.Err == nil {
		s.askAgain()
	}
}

// Reload asks again.
func (s *Screen) Reload() { s.askAgain() }

// outdated reports whether the database changed since it was described.
func (s *Screen) outdated() bool {
	return s.check.Came && !s.asking && s.latest != noVersion && s.latest != s.check.Got.version
}

// selected returns the option under the cursor.
func (s *Screen) selected() *option { return &s.rows[s.cur] }

// Copied is what an option is set to.
func (s *Screen) Copied() (text, what string) {
	o := s.selected()
	return s.form.get(o), o.name
}
