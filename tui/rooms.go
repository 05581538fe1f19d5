package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/boundaries"
	"winnow/tui/screens/compress"
	"winnow/tui/screens/edit"
	"winnow/tui/screens/export"
	"winnow/tui/screens/help"
	"winnow/tui/screens/journal"
	"winnow/tui/screens/ledger"
	"winnow/tui/screens/memories"
	"winnow/tui/screens/pipeline"
	"winnow/tui/screens/places"
	"winnow/tui/screens/reasons"
	"winnow/tui/screens/recheck"
	"winnow/tui/screens/record"
	"winnow/tui/screens/sort"
	"winnow/tui/screens/statistics"
	"winnow/tui/screens/themes"
	"winnow/tui/screens/training"
	"winnow/tui/screens/versions"
	"winnow/tui/work"
)

// entry is a screen or a box as the program knows it: the place where its keys
// work, these keys, and how it is opened. A new one is a package and a row here.
type entry struct {
	in   keys.Place
	keys []keys.Binding
	// open returns its layer, or nil if it has said why there is none; nil is one that
	// cannot be opened without knowing what it is of.
	open func(*App, screen.Seat) screen.Layer
	// lacks says why it cannot be opened now, "" if it can; nil: it always can.
	lacks func(*App) string
	// over is whether it is a screen.Screen that may stand over what is open; a
	// screen.Box always may.
	over bool
	// aside is whether it stands in place of the reader only: the list stays beside
	// it where both have room.
	aside bool
	// early is whether its keys stand before those of the whole program, in the
	// footer, too.
	early bool
	// name and title are those of the place in [keys] and in the documentation,
	// for one that package keys does not name (keys.Free).
	name, title string
	// way is the row of the key that opens it, for a room whose key is not in a table
	// of other keys.
	way []keyRow
}

// rooms are all of them, in the order of the table of keys. Boxes may stand over
// screens; screens exclude each other.
func rooms() []entry {
	return []entry{
		{in: keys.InSort, keys: keys.Bind(keys.InSort, sort.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return sort.New(s, forSort{a}) }, early: true},
		{
			in: keys.InReasons, keys: keys.Bind(keys.InReasons, reasons.Rows()), open: (*App).openReasons, lacks: (*App).noReasons, early: true,
			way: []keyRow{keys.Key("i", "reasons", "show why it has this score: what was measured and judged, and the messages that decided", "why", keys.InSegment, enter(keys.InReasons), (*App).noReasons)},
		},
		{
			in: keys.InHelp, keys: keys.Bind(keys.InHelp, help.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return help.New(s, forHelp{a}) }, over: true,
			way: []keyRow{keys.Key("?", keys.Help, "show all keys", "keys", keys.InPages, keys.Do((*App).toggleHelp), nil)},
		},
		{in: keys.InBoundaries, keys: keys.Bind(keys.InBoundaries, boundaries.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return a.openBoundaries(s) }, lacks: (*App).noBoundaries},
		{
			in: keys.InStatistics, keys: keys.Bind(keys.InStatistics, statistics.Rows()), lacks: (*App).noStatistics,
			open: func(a *App, s screen.Seat) screen.Layer {
				return statistics.New(s, forStatistics{a}, a.opt.Statistics, a.opt.Likely, a.Lib.Version, a.opt.Thresholds)
			},
		},
		{in: keys.InExport, keys: keys.Bind(keys.InExport, export.Rows()), open: func(a *App, s screen.Seat) screen.Layer {
			return export.New(s, forExport{a}, &a.exports.form, exportLibrary{a.Lib, a.opt.Exporting})
		}, lacks: (*App).noExport},
		{in: keys.InLedger, keys: keys.Bind(keys.InLedger, ledger.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return ledger.New(s, a.opt.Ledger) }, lacks: (*App).noLedger},
		{in: keys.InThemes, keys: keys.Bind(keys.InThemes, themes.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return themes.New(s, forThemes{a}) }},
		{
			in: keys.InJournal, keys: keys.Bind(keys.InJournal, journal.Rows()),
			open: func(a *App, s screen.Seat) screen.Layer { return journal.New(s, forJournal{a}, a.opt.Journal) }, lacks: (*App).noJournal,
			way: []keyRow{keys.Key("H", "journal", "the journal: what was done, by whom and when; undo any entry of yours", "", keys.InSegment, enter(keys.InJournal), (*App).noJournal)},
		},
		{in: keys.InOffer, keys: keys.Bind(keys.InOffer, places.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return places.New(s, forPlaces{a}, a.opt.Finder) }, lacks: (*App).NoImport},
		{
			in: keys.InPreview, keys: keys.Bind(keys.InPreview, record.PreviewRows()), aside: true,
			open: func(a *App, s screen.Seat) screen.Layer {
				return record.NewPreview(s, forRecord{a}, a.opt.Previewing, &a.exports.form, &a.format)
			},
		},
		{
			in: keys.InRaw, keys: keys.Bind(keys.InRaw, record.RawRows()), aside: true,
			open: func(a *App, s screen.Seat) screen.Layer { return record.NewRaw(s, forRecord{a}, a.opt.Sources) },
		},
		{
			in: keys.InEdit, keys: keys.Bind(keys.InEdit, edit.Rows()), lacks: (*App).noEdit,
			open: func(a *App, s screen.Seat) screen.Layer { return edit.New(s, forEdit{a}, a.opt.Edits, a.opt.Drafts) },
			way:  []keyRow{keys.Key("E", "edit", "change the message: its text, its reasoning, what it gives to tools", "", keys.InReader, enter(keys.InEdit), (*App).noEdit)},
		},
		{
			in: keys.InVersions, keys: keys.Bind(keys.InVersions, versions.Rows()), lacks: (*App).noVersions,
			open: func(a *App, s screen.Seat) screen.Layer { return versions.New(s, forVersions{a}, a.opt.Versions) },
			way:  []keyRow{keys.Key("V", "versions", "show the versions of the session", "", keys.InReader, enter(keys.InVersions), (*App).noVersions)},
		},
		{
			in: keys.InCompression, keys: keys.Bind(keys.InCompression, compress.Rows()), lacks: (*App).noCompressions,
			open: func(a *App, s screen.Seat) screen.Layer {
				return compress.New(s, forCompress{a}, compressing{a.Lib, a.opt.Compressions}, a.opt.Drafts)
			},
			way: []keyRow{keys.Key("C", "compression", "show the compression that is proposed for the segment, before and after; make one", "", keys.InSegment, enter(keys.InCompression), (*App).noCompressions)},
		},
		{
			in: keys.InPipeline, keys: keys.Bind(keys.InPipeline, pipeline.Rows()), lacks: (*App).noPipeline,
			open: (*App).openPipeline,
			way:  []keyRow{keys.Key("P", "pipeline", "show the pipeline: uploads, what is done with them, what waits and why, runs that train", "", keys.InSegment|keys.InOffer, enter(keys.InPipeline), (*App).noPipeline)},
		},
		{in: keys.InRun, keys: keys.Bind(keys.InRun, training.Rows()), over: true},
		{in: keys.InPlan, keys: keys.Bind(keys.InPlan, training.PlanRows()), open: (*App).openPlan, lacks: (*App).noPlan, over: true},
		{
			in: keys.InMemories, keys: keys.Bind(keys.InMemories, memories.Rows()), lacks: (*App).noMemories,
			open: (*App).openMemories,
			way: []keyRow{
				keys.Key("M", "memories", "what was learned, with the quotes that prove it: judge it, write it for agents", "", keys.InSegment, enter(keys.InMemories), (*App).noMemories),
				keys.Key("*", "remember", "make a memory of the message, which is its quote, as :memory does", "", keys.InReader, (*App).rememberThis, (*App).noRemember),
			},
		},
		{in: keys.InRecheck, keys: keys.Bind(keys.InRecheck, recheck.Rows()), open: func(a *App, s screen.Seat) screen.Layer { return recheck.New(s, forRecheck{a}, a.blind) }},
	}
}

// entryIn returns the room whose keys work in a place.
func (a *App) entryIn(in keys.Place) *entry {
	return &a.rooms[slices.IndexFunc(a.rooms, func(r entry) bool { return r.in == in })]
}

// Lacks says why a room cannot be opened now, "" if it can.
func (a *App) Lacks(in keys.Place) string {
	if lacks := a.entryIn(in).lacks; lacks != nil {
		return lacks(a)
	}
	return ""
}

// enter is the action of a key that opens a room.
func enter(in keys.Place) func(*App) tea.Cmd {
	return keys.Do(func(a *App) { a.Enter(in) })
}

// Enter opens a room.
func (a *App) Enter(in keys.Place) { a.sit(in, a.entryIn(in).open) }

// sit opens the layer of a room in a way of its own.
func (a *App) sit(in keys.Place, open func(*App, screen.Seat) screen.Layer) {
	r := a.entryIn(in)
	s := &seated{app: a, in: in, aside: r.aside}
	ctx, stop := context.WithCancel(a.Ctx)
	s.stop = stop
	if s.Layer = open(a, screen.Seat{Ctx: ctx, Pen: a.Pen, Host: s}); s.Layer == nil {
		stop()
		return
	}
	_, box := s.Layer.(screen.Box)
	s.over = r.over || box
	at := len(a.seated)
	for !s.over && at > 0 && a.seated[at-1].over {
		at-- // what stands over screens stays over them
	}
	a.seated = slices.Insert(a.seated, at, s)
}

// seated is a layer that is open. It is the layer's way to the program.
type seated struct {
	screen.Layer
	app  *App
	in   keys.Place
	stop context.CancelFunc

	aside bool // see room
	over  bool // it stands over screens
}

// in returns the layer that is open in a place, nil for none.
func (a *App) in(place keys.Place) *seated {
	for _, s := range a.seated {
		if s.in == place {
			return s
		}
	}
	return nil
}

// open reports whether the layer is.
func (s *seated) open() bool { return slices.Contains(s.app.seated, s) }

// followSeated brings all open layers in line with their size.
func (a *App) followSeated() {
	if a.TooSmall() {
		return
	}
	for _, s := range slices.Clone(a.seated) {
		f := screen.Frame{Width: a.W, Height: a.bodyHeight()}
		if s.aside {
			f.Width = a.ReaderWidth()
		}
		s.Follow(f)
	}
}

// each does something with the open layers that are an L.
func each[L any](a *App, do func(L)) {
	for _, s := range slices.Clone(a.seated) {
		if l, ok := s.Layer.(L); ok {
			do(l)
		}
	}
}

// Changed tells the open layers that the database changed.
func (a *App) Edited() tea.Cmd { return a.work.Score() }

func (a *App) Changed() { each(a, func(w screen.Watcher) { w.Changed(a.version) }) }

// The seated layer's Host.

func (s *seated) Say(text string) { s.app.Say(text) }

func (s *seated) Fail(what string, err error) { s.app.Fail(what, err) }

func (s *seated) Key(action string) string {
	in := s.in
	if p, ok := s.Layer.(screen.Placer); ok {
		in = p.Place()
	}
	return s.app.keyIn(action, in)
}

func (s *seated) KeyOfList(action string) string { return s.app.keyIn(action, keys.InList) }

func (s *seated) WayBack() string { return s.app.keys.Esc(s.in) }

func (s *seated) Act(action string) {
	if b := s.app.keys.Named(action, s.app.Context()); b != nil {
		s.Run(s.app.act(b))
	}
}

func (s *seated) Type(l screen.Line, keep func(text string)) {
	s.Run(s.app.Type(l, func(text string) tea.Cmd {
		if s.open() {
			keep(text)
		}
		return nil
	}))
}

func (s *seated) After(d time.Duration, do func()) {
	s.Run(s.app.opt.After(d, work.Then(func() tea.Cmd {
		if s.open() {
			do()
		}
		return nil
	})))
}

func (s *seated) Run(cmd tea.Cmd) {
	if cmd != nil {
		s.app.also = append(s.app.also, cmd)
	}
}

func (s *seated) Now() time.Time { return s.app.opt.Now().In(s.app.opt.Zone) }

func (s *seated) Day(t time.Time) string { return s.app.Day(t) }

func (s *seated) ShortPath(path string) string {
	if s.app.opt.ShortPath != nil {
		path = s.app.opt.ShortPath(path)
	}
	return s.app.Shown(path)
}

func (s *seated) Filter() (filter.Node, string) {
	return s.app.Room.Filter.Node, s.app.Room.Filter.Pretty
}

func (s *seated) GoTo(id string) { s.Run(s.app.GotoSegment(id)) }

func (s *seated) Leave() {
	s.stop()
	s.app.seated = slices.DeleteFunc(s.app.seated, func(o *seated) bool { return o == s })
}
