package export

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Rows returns the keys of the screen, and those of its question.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		keys.Key("e", "export-now", "export; ask before replacing a target that exists", "export", 0, (*Screen).export, (*Screen).noRun),
		keys.Key("enter", "change", "change the option: next choice, or type it; in the outcome, unfold", "change", 0, (*Screen).change, (*Screen).noChange),
		keys.Key("right space", "next-choice", "take the next choice", "next", 0, (*Screen).next, (*Screen).noTurn),
		keys.Key("left", "previous-choice", "take the previous choice", "", 0, (*Screen).previous, (*Screen).noTurn),
		keys.Key("backspace", "default", "set the option back to its default", "", 0, (*Screen).reset, (*Screen).noReset),
		keys.Key("tab shift+tab", "other-side", "go to the options, or to their outcome", "side", 0, (*Screen).otherSide, nil),
		keys.Key("q esc", keys.Back, "go back; the options stay, a running export continues", "back", 0, (*Screen).Back, nil),
		keys.Key("y", "replace", "replace what exists", "replace", keys.InReplace, (*Screen).replaceIt, nil),
		keys.Key("n q esc", keys.Back, "leave it as it is", "leave", keys.InReplace, (*Screen).leaveTarget, nil),
	}
}

// change changes the option under the cursor: what can be typed is typed. In the
// outcome it unfolds.
func (s *Screen) change() tea.Cmd {
	if s.onOutcome {
		s.unfold()
		return nil
	}
	o := s.selected()
	if o.typed == "" {
		return s.turn(+1)
	}
	s.typeOption(o.typed)
	return nil
}

// typeOption has the option under the cursor typed.
func (s *Screen) typeOption(label string) {
	o := s.selected()
	s.Type(screen.Line{Label: label, Text: s.form.word(o.name), Keep: func(text string) tea.Cmd { return s.keep(o, text) }})
}

// keep takes what was typed.
func (s *Screen) keep(o *option, text string) tea.Cmd {
	before := s.form.get(o)
	if err := s.form.set(o, text); err != nil {
		s.Fail("", err)
		return nil
	}
	if o.name == optTarget && s.form.word(o.name) != "" {
		s.Say(s.Key("export-now") + " exports")
	}
	if s.form.get(o) == before || o.name == optTarget {
		return nil
	}
	return s.askSoon()
}

func (s *Screen) next() tea.Cmd     { return s.turn(+1) }
func (s *Screen) previous() tea.Cmd { return s.turn(-1) }

// turn goes to another choice.
func (s *Screen) turn(by int) tea.Cmd {
	s.form.turn(s.selected(), by)
	return s.askSoon()
}

// reset goes back to the default.
func (s *Screen) reset() tea.Cmd {
	delete(s.form.Values, s.selected().name)
	return s.askSoon()
}

func (s *Screen) otherSide() tea.Cmd {
	s.onOutcome = !s.onOutcome
	return nil
}

func (s *Screen) export() tea.Cmd    { return s.run(false) }
func (s *Screen) replaceIt() tea.Cmd { return s.run(true) }

// run begins to export what the options say. Without a target it asks for one.
func (s *Screen) run(force bool) tea.Cmd {
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
		if s.came && !s.asking {
			all = s.report.Candidates
		}
		s.program.Run(o, all)
	}
	return nil
}

// leaveTarget closes the question: nothing is replaced.
func (s *Screen) leaveTarget() tea.Cmd {
	s.replace = false
	s.Say("nothing was written")
	return nil
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
	case s.came && !s.asking && s.report.Written == 0:
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
