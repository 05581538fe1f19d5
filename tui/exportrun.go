package tui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/export"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

func exportKeys() []keyRow {
	return []keyRow{
		keys.Key("e", "export-now", "export; a target that exists is asked about", "export", keys.InExport, with((*App).runExport, false), (*App).noRun),
		keys.Key("enter", "change", "change the option: the next choice, or what is typed; in the outcome, unfold", "change", keys.InExport, (*App).enterExport, (*App).noChange),
		keys.Key("right space", "next-choice", "the next choice", "next", keys.InExport, with((*App).turnOption, +1), (*App).noTurn),
		keys.Key("left", "previous-choice", "the choice before", "", keys.InExport, with((*App).turnOption, -1), (*App).noTurn),
		keys.Key("backspace", "default", "the option as it is by default", "", keys.InExport, (*App).resetOption, (*App).noReset),
		keys.Key("tab shift+tab", "other-side", "options, or what they would do", "side", keys.InExport, (*App).otherExportSide, nil),
		keys.Key("q esc", keys.Back, "back to list and reader; the options stay, an export that runs goes on", "back", keys.InExport, (*App).back, nil),
		keys.Key("y", "replace", "replace what exists", "replace", keys.InReplace, with((*App).runExport, true), nil),
		keys.Key("n q esc", keys.Back, "leave it as it is", "leave", keys.InReplace, (*App).leaveTarget, nil),
	}
}

// enterExport changes the option under the cursor: what can be typed is typed.
func (a *App) enterExport() tea.Cmd {
	s := a.export
	if s.onOutcome {
		a.unfoldOutcome()
		return nil
	}
	o := s.selected()
	if o.typed == "" {
		return a.turnOption(+1)()
	}
	text := s.form.word(o.name)
	return a.openField(field{label: o.typed, away: func(string) {}, keep: func(text string) tea.Cmd { return a.keepOption(s, o, text) }}, text)
}

// keepOption takes what was typed.
func (a *App) keepOption(s *exportScreen, o *exportOption, text string) tea.Cmd {
	if a.export != s {
		return nil
	}
	before := s.form.get(o)
	if err := s.form.set(o, text); err != nil {
		a.message = message{text: err.Error(), failed: true}
		return nil
	}
	if o.name == optTarget && s.form.word(o.name) != "" {
		a.say("e exports")
	}
	if s.form.get(o) == before || o.name == optTarget {
		return nil
	}
	return a.wantExportSoon()
}

// turnOption goes to another choice.
func (a *App) turnOption(by int) func() tea.Cmd {
	return func() tea.Cmd {
		s := a.export
		s.form.turn(s.selected(), by)
		return a.wantExportSoon()
	}
}

// resetOption goes back to the default.
func (a *App) resetOption() tea.Cmd {
	s := a.export
	delete(s.form.values, s.selected().name)
	return a.wantExportSoon()
}

func (a *App) otherExportSide() tea.Cmd {
	a.export.onOutcome = !a.export.onOutcome
	return nil
}

// runExport begins to export what the options say. Without a target it asks
// for one.
func (a *App) runExport(force bool) func() tea.Cmd {
	return func() tea.Cmd {
		s := a.export
		s.replace = false
		o, err := a.exportOptions()
		switch {
		case err != nil:
			a.fail("export", err)
			return nil
		case o.Path == "":
			s.cur, s.onOutcome = 0, false
			cmd := a.enterExport()
			a.field.label = "where to? file, or folder/"
			return cmd
		}
		o.Force = force
		lib, all := a.exporting, 0
		if s.came && !s.asking {
			all = s.report.Candidates
		}
		done := &exported{path: o.Path}
		a.exportJob = newJob(func(ctx context.Context, report func(Progress)) (err error) {
			done.report, err = lib.Export(ctx, o, func(r export.Report) {
				report(Progress{Segments: r.Candidates, AllSegments: all, Bytes: r.Bytes})
			})
			return err
		}, "export")
		a.making, a.made = done, nil
		return a.start(&a.exportJob)
	}
}

// endExport tells how an export ended.
func (a *App) endExport(err error) tea.Cmd {
	j, done, s := &a.exportJob, a.making, a.export
	j.running, a.making = false, nil
	if s != nil { // what was made stands at the top
		s.lines, s.line, s.off = forecast{}, 0, 0
	}
	switch {
	case err != nil && j.stopped && errors.Is(err, context.Canceled):
		a.say("export stopped " + a.G.Dot + " nothing was written")
	case errors.Is(err, export.ErrExists) && s != nil:
		s.replace = true
	case errors.Is(err, export.ErrExists):
		a.message = message{text: "export: " + done.path + " exists already: e asks whether to replace it", failed: true}
	case err != nil:
		done.err = err
		a.made = done // its reason may be too long for the last line
		a.message = message{text: err.Error(), failed: true}
	case done.report.Written == 0:
		a.message = message{text: "nothing was written: no sample is left", failed: true}
	default:
		a.made = done
		a.wantExport() // the database notes the export: it has another version
		a.say("exported " + draw.Plural(done.report.Written, "sample") + " " + a.G.Arrow + " " + clean.Line(draw.Head(done.path)))
	}
	return nil
}

// leaveTarget closes the question: nothing is replaced.
func (a *App) leaveTarget() tea.Cmd {
	a.export.replace = false
	a.say("nothing was written")
	return nil
}

// folder reports whether the target was one: named so, or there already.
func (d *exported) folder() bool {
	if len(d.report.Files) == 0 || strings.HasSuffix(d.path, "/") {
		return strings.HasSuffix(d.path, "/")
	}
	data := filepath.Dir(d.report.Files[0].Path)
	return filepath.Base(data) == "data" && filepath.Base(filepath.Dir(data)) == filepath.Base(d.path)
}

// name names a file of an export: one of a folder by its place in there.
func (d *exported) name(path string) string {
	if !d.folder() {
		return path
	}
	return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
}

// manifest returns where the lineage of an export is, "" if it has none.
func (d *exported) manifest() string {
	if !d.folder() {
		return ""
	}
	return strings.TrimSuffix(d.path, "/") + "/.lineage/manifest.json"
}

// Why keys of the export do nothing.

func (a *App) noRun() string {
	s := a.export
	switch {
	case a.exportJob.running:
		return "an export is running: " + a.keyFor("stop") + " stops it"
	case s.came && !s.asking && s.report.Written == 0:
		return "there is nothing to export"
	case s.form.values[optFilter] != none && a.searching() != "":
		return a.searching() + ": wait until all are"
	}
	return ""
}

func (a *App) noChange() string {
	if s := a.export; s.onOutcome && a.folding() == "" {
		return "nothing to unfold"
	}
	return ""
}

func (a *App) noTurn() string {
	s := a.export
	switch {
	case s.onOutcome:
		return a.keyFor("other-side") + " goes to the options"
	case len(s.selected().choices) < 2:
		return a.keyFor("change") + " types it"
	}
	return ""
}

func (a *App) noReset() string {
	s := a.export
	switch _, set := s.form.values[s.selected().name]; {
	case s.onOutcome:
		return a.keyFor("other-side") + " goes to the options"
	case !set:
		return "it is as by default"
	}
	return ""
}
