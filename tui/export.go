package tui

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/export"
)

// Exporting is what the screen of exports needs. It may take long and is
// called from commands only.
type Exporting interface {
	// Export writes what the options say, or with Check tells what they would
	// do, and writes nothing. It adds what the options do not know: names of
	// users, home and program. A target that exists is an export.ErrExists
	// without Force.
	Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error)
}

// exportDelay is how long nothing was changed before what it would do is
// asked: whoever turns through choices passes several by.
const exportDelay = 250 * time.Millisecond

// exportQuick is how long a question takes that may be asked again whenever the
// database changes.
const exportQuick = 3 * time.Second

// exportScreen asks what is to be exported and tells what that would do:
// options on one side, what becomes of them on the other.
type exportScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc
	form *exportForm
	rows []exportOption

	cur, top  int  // row of the form under the cursor, and the first on screen
	onOutcome bool // the other side has the keys
	line, off int  // the same of its lines
	unfolded  map[string]bool
	replace   bool // it is asked whether the target may be replaced

	want    bool // to be asked as soon as the verdicts under way are written
	seq     int  // number of the last question
	asking  bool
	stopAsk context.CancelFunc
	so      *atomic.Pointer[export.Report] // the mailbox of the one under way
	soFar   *export.Report                 // what was in it when the screen looked last, nil for nothing

	came    bool  // an answer did
	failed  error // why the last question had none
	asked   time.Time
	quick   bool  // the last answer was there at once
	version int64 // of the database that was described
	latest  int64 // version that was seen since the last question, noVersion for none
	report  export.Report
	lines   forecast
}

// exported is an export that was made, or failed.
type exported struct {
	path   string
	report export.Report
	err    error
}

// exportMsg is an answer to the screen of exports.
type exportMsg interface{ forExport() }

type (
	// exportDue says that options were left alone for a while.
	exportDue struct {
		screen *exportScreen
		seq    int
	}
	// exportTick moves the count of what is looked through.
	exportTick exportDue
	// exportChecked tells what an export would do.
	exportChecked struct {
		exportDue
		version int64 // of the database, before it was read
		report  export.Report
		err     error
	}
)

func (exportDue) forExport()  {}
func (exportTick) forExport() {}

// openExport opens the screen with the options as they were left.
func (a *App) openExport() tea.Cmd {
	if a.exportForm == nil {
		a.exportForm = &exportForm{map[string]string{}}
	}
	s := &exportScreen{form: a.exportForm, rows: exportOptions(), unfolded: map[string]bool{}}
	s.ctx, s.stop = context.WithCancel(a.ctx)
	a.export = s
	a.wantExport()
	return nil
}

func (a *App) closeExport() {
	a.export.stop()
	a.export = nil
}

// wantExport asks at once what the options would do, if the screen is open; an
// older question is given up.
func (a *App) wantExport() {
	if s := a.export; s != nil {
		s.giveUp()
		s.want = true
	}
}

// wantExportSoon asks when nothing more is changed.
func (a *App) wantExportSoon() tea.Cmd {
	s := a.export
	s.giveUp()
	return a.after(exportDelay, exportDue{s, s.seq})
}

// giveUp ends the question under way; what it would have answered is open.
func (s *exportScreen) giveUp() {
	if s.stopAsk != nil {
		s.stopAsk()
	}
	s.seq++
	s.want, s.asking, s.failed, s.latest = false, true, nil, noVersion
	s.so, s.soFar = new(atomic.Pointer[export.Report]), nil
}

// askExport asks what is wanted, as soon as no verdict is under way.
func (a *App) askExport() tea.Cmd {
	s := a.export
	if s == nil || !s.want || a.writes.Open() {
		return nil
	}
	s.want, s.asked = false, a.now()
	o, err := a.exportOptions()
	if err != nil {
		s.asking, s.failed = false, err
		return nil
	}
	o.Check, o.Path = true, ""
	var ctx context.Context
	ctx, s.stopAsk = context.WithCancel(s.ctx)
	m := exportChecked{exportDue: exportDue{s, s.seq}}
	stop, so, library, lib := s.stopAsk, s.so, a.lib, a.exporting
	return tea.Batch(a.after(jobEvery, exportTick(m.exportDue)), func() tea.Msg {
		defer stop()
		if m.version, m.err = library.Version(ctx); m.err == nil {
			m.report, m.err = lib.Export(ctx, o, func(r export.Report) { so.Store(&r) })
		}
		return m
	})
}

// exportOptions reads the form, and the filter of the list.
func (a *App) exportOptions() (export.Options, error) {
	o, err := a.exportForm.options()
	if a.exportForm.values[optFilter] != none {
		o.Filter = a.sieve.node
	}
	return o, err
}

// tookExport takes an answer, unless it is to a question nobody asks any more.
func (a *App) tookExport(msg exportMsg) tea.Cmd {
	s := a.export
	switch m := msg.(type) {
	case exportDue:
		if s == m.screen && m.seq == s.seq {
			s.want = true
		}
	case exportTick:
		if s == m.screen && m.seq == s.seq && s.asking {
			return a.after(jobEvery, m)
		}
	case exportChecked:
		if s != m.screen || m.seq != s.seq {
			return nil
		}
		s.asking, s.quick = false, a.now().Sub(s.asked) < exportQuick
		if m.err != nil {
			if !errors.Is(m.err, context.Canceled) {
				s.failed = m.err
			}
			return nil
		}
		s.came, s.report, s.version = true, m.report, m.version
		s.lines = forecast{}
	}
	return nil
}

// outdateExport notes that the database has another version. It is looked
// through again by itself only if that is quick: an import changes it every
// second.
func (a *App) outdateExport(version int64) {
	s := a.export
	if s == nil {
		return
	}
	if s.latest = version; s.outdated() && s.quick && s.failed == nil {
		a.wantExport()
	}
}

// outdated reports whether the database changed since it was described.
func (s *exportScreen) outdated() bool {
	return s.came && !s.asking && s.latest != noVersion && s.latest != s.version
}

// selected returns the option under the cursor.
func (s *exportScreen) selected() *exportOption { return &s.rows[s.cur] }

func (a *App) noExport() string {
	if a.exporting == nil {
		return "there is no export here"
	}
	return ""
}
