package export

import (
	"path/filepath"
	"slices"
	"strings"

	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Rows returns the keys of the screen, and those of its question.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("e", "export-now", "export; ask before replacing a target that exists", "export", func(s *Screen) { s.run(false) }, (*Screen).noRun),
		screen.Key("enter", "change", "change the option: next choice, or type it; in the outcome, unfold", "change", (*Screen).change, (*Screen).noChange),
		screen.Key("right space", "next-choice", "take the next choice", "next", func(s *Screen) { s.turn(+1) }, (*Screen).noTurn),
		screen.Key("left", "previous-choice", "take the previous choice", "", func(s *Screen) { s.turn(-1) }, (*Screen).noTurn),
		screen.Key("backspace", "default", "set the option back to its default", "", (*Screen).reset, (*Screen).noReset),
		screen.Key("tab shift+tab", "other-side", "go to the options, or to their outcome", "side", (*Screen).otherSide, nil),
		screen.Key("q esc", keys.Back, "go back; the options stay, a running export continues", "back", (*Screen).Back, nil),
		keys.Key("y", "replace", "replace what exists", "replace", keys.InReplace, keys.Do(func(s *Screen) { s.run(true) }), nil),
		keys.Key("n q esc", keys.Back, "leave it as it is", "leave", keys.InReplace, keys.Do((*Screen).leaveTarget), nil),
	}
}

// change changes the option under the cursor: what can be typed is typed. In the
// outcome it unfolds.
func (s *Screen) change() {
	switch o := s.selected(); {
	case s.onOutcome:
		s.unfold()
	case o.typed == "":
		s.turn(+1)
	default:
		s.typeOption(o.typed)
	}
}

// typeOption has the option under the cursor typed.
func (s *Screen) typeOption(label string) {
	o := s.selected()
	s.Type(screen.Line{Label: label, Text: s.form.word(o.name)}, func(text string) { s.keep(o, text) })
}

// keep takes what was typed.
func (s *Screen) keep(o *option, text string) {
	before := s.form.get(o)
	if err := s.form.set(o, text); err != nil {
		s.Fail("", err)
		return
	}
	if o.name == optTarget && s.form.word(o.name) != "" {
		s.Say(s.Key("export-now") + " exports")
	}
	if s.form.get(o) != before && o.name != optTarget {
		s.changed()
	}
}

// changed shows the options that there are now, with the cursor where it was, and
// asks what they would do.
func (s *Screen) changed() {
	name := s.selected().name
	s.rows = s.form.rows()
	if at := slices.IndexFunc(s.rows, func(o option) bool { return o.name == name }); at >= 0 {
		s.cur = at
	}
	s.cur = min(s.cur, len(s.rows)-1)
	s.askSoon()
}

// turn goes to another choice.
func (s *Screen) turn(by int) {
	s.form.turn(s.selected(), by)
	s.changed()
}

// reset goes back to the default.
func (s *Screen) reset() {
	delete(s.form.Values, s.selected().name)
	s.changed()
}

func (s *Screen) otherSide() { s.onOutcome = !s.onOutcome }

// run begins to export what the options say. Without a target it asks for one.
func (s *Screen) run(force bool) {
	s.replace = false
	o, err := s.options()
	switch {
	case err != nil:
		s.Fail("export", err)
	case o.Path == "":
		s.cur, s.onOutcome = 0, false
		s.typeOption("where to? file, or folder/")
	default:
		o.Force = force
		all := 0
		if s.check.Came && !s.asking {
			all = s.check.Got.report.Candidates
		}
		s.program.Run(o, all)
	}
}

// leaveTarget closes the question: nothing is replaced.
func (s *Screen) leaveTarget() {
	s.replace = false
	s.Say("nothing was written")
}

// folder reports whether the target was one: named so, or there already.
func (d *Made) folder() bool {
	if len(d.Report.Files) == 0 || strings.HasSuffix(d.Path, "/") {
		return strings.HasSuffix(d.Path, "/")
	}
	data := filepath.Dir(d.Report.Files[0].Path)
	return filepath.Base(data) == "data" && filepath.Base(filepath.Dir(data)) == filepath.Base(d.Path)
}

// name names a file of an export: one of a folder by its place in there.
func (d *Made) name(path string) string {
	if !d.folder() {
		return path
	}
	return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
}

// manifest returns where the lineage of an export is, "" if it has none.
func (d *Made) manifest() string {
	if !d.folder() {
		return ""
	}
	return strings.TrimSuffix(d.Path, "/") + "/.lineage/manifest.json"
}

// Why keys of the export do nothing.

func (s *Screen) noRun() string {
	switch {
	case s.program.Running():
		return "an export is running: " + s.Key("stop") + " stops it"
	case s.check.Came && !s.asking && s.check.Got.report.Written == 0:
		return "there is nothing to export"
	case s.form.Values[optFilter] != none && s.program.Searching() != "":
		return s.program.Searching() + ": wait until all are"
	}
	return ""
}

func (s *Screen) noChange() string {
	if s.onOutcome && s.folding() == "" {
		return "nothing to unfold"
	}
	return ""
}

func (s *Screen) noTurn() string {
	switch {
	case s.onOutcome:
		return s.Key("other-side") + " goes to the options"
	case len(s.selected().choices) < 2:
		return s.Key("change") + " types it"
	}
	return ""
}

func (s *Screen) noReset() string {
	switch _, set := s.form.Values[s.selected().name]; {
	case s.onOutcome:
		return s.Key("other-side") + " goes to the options"
	case !set:
		return "already the default"
	}
	return ""
}
