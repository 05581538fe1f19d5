package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/edit"
	"winnow/core/metric"
	"winnow/core/review"
	room "winnow/tui/review"
)

// named has models write and judge everything.
func named(o *Options) {
	lib, ok := o.Library.(*fakeLibrary)
	if !ok {
		lib = o.Library.(*clusteredLibrary).fakeLibrary
	}
	lib.sessions = map[string]review.Session{}
	for i := range lib.segments {
		s := &lib.segments[i]
		s.Model = "Zorblax-9"
		lib.sessions[s.SessionID] = review.Session{ID: s.SessionID, Body: s.Body, Model: "Zorblax-9", Metadata: `{"version":"Zorblax-9"}`}
		if a, err := metric.Parse(s.Analysis); s.Analysis != "" && err == nil {
			a.Scorer, a.Model = metric.Judged, "Zorblax-9"
			s.Analysis = a.Encode()
		}
	}
	for i := range lib.messages {
		lib.messages[i].Model = "Zorblax-9"
	}
}

// namesOn returns the models that a screen names.
func namesOn(x *harness) (names []string) {
	text := strings.ToLower(ansi.Strip(x.app.View().Content))
	for _, name := range []string{"zorblax", "sonnet-4", "gpt-5"} {
		if strings.Contains(text, name) {
			names = append(names, name)
		}
	}
	return names
}

// TestBlindNamesNoModel: with names hidden no screen tells who wrote or judged what; what
// cannot be shown without is off.
func TestBlindNamesNoModel(t *testing.T) {
	blind := func(o *Options) { o.Blind = true }
	seen := 0
	for i, st := range states() {
		switch {
		case i%min(slower, 3) != 0 && st.name != "list" && st.name != "reader" && st.name != "statistics" && st.name != "reasons":
			continue
		}
		for _, as := range []func(*Options){blind, func(o *Options) { blind(o); byModel(o) }} {
			if x := enact(t, st, 200, 60, plain, named, as); len(namesOn(x)) > 0 {
				t.Errorf("%s names %q:\n%s", st.name, namesOn(x), x.screen())
			}
		}
		if seen < 3 && len(namesOn(enact(t, st, 200, 60, plain, named))) > 0 {
			seen++
		}
	}
	if seen < 3 {
		t.Errorf("only %d screens name a model that is not hidden", seen)
	}
	for _, key := range []string{"P", "L", "M", "C", "p", "tab w", "tab V", "tab O"} {
		x := enact(t, state{do: pressing(key), with: func(s *scene, o *Options) {
			withRuns(s, o)
			withMemories(s, o)
			withCompressions(s, o)
			withVersions(s, o)
		}}, 200, 60, plain, named, blind)
		if x.wants("not while the names of models are hidden"); len(namesOn(x)) > 0 {
			t.Errorf("%s names %q", key, namesOn(x))
		}
	}
}

// byModel filters by a model, and has such filters saved, typed before and put away.
func byModel(o *Options) {
	o.Filter = "model:zorblax-9"
	if saved, ok := o.Saved.(*fakeSaved); ok {
		saved.filters = append(saved.filters, room.SavedFilter{Number: 4, Name: "of zorblax", Text: "model:zorblax-9 status:pending"}, room.SavedFilter{Name: "zorblax", Text: "-model:zorblax-9"})
	}
	o.Looked = &Screen{Version: screenVersion, Looks: room.Looks{Filter: "model:zorblax-9", Typed: []string{"status:pending", "status:pending model:zorblax-9", "model:Zorblax-9 ("}}}
}

// TestBlindLinesNameNoModel: neither the line of the filter nor what it and the command
// line offer tell which models filters are about; those filters stay in force and work.
func TestBlindLinesNameNoModel(t *testing.T) {
	for _, c := range []struct{ press, write, more, wants string }{
		{"/", "", "", "what is typed takes its place"},
		{"/", "", "enter", "model:hidden"},
		{"/", "", "esc", "model:hidden"},
		{"/", "status:pending", "enter", "pending"},
		{"/", "status:pending", "enter / ctrl+u up", ""},
		{"/", "", "up up up up", ""},
		{"] /", "", "", "what is typed takes its place"},
		{"/", "model:zorblax-9 scor>1", "enter esc", "model:hidden"},
		{"0 /", "", "tab tab tab", "to do"},
		{"4", "", "", "filtered by 4"},
		{"4 4", "", "", "already filtered by 4"},
		{":", "saved ", "", "4"},
		{"W", "", "", "save filter as"},
		{"W", "4", "enter", "saved: 4"},
		{"0 /", "status:pending", "enter W", ""},
		{"e j j", "", "", ""},
		{"S", "", "", "model:hidden"},
		{"A", "", "", ""},
	} {
		do := func(x *harness, _ *scene) {
			x.press(c.press)
			x.write(c.write)
			x.press(c.more)
		}
		x := enact(t, state{do: do}, 160, 40, plain, named, byModel, func(o *Options) { o.Blind = true })
		if x.wants(c.wants); len(namesOn(x)) > 0 && c.write != "model:zorblax-9 scor>1" {
			t.Errorf("%s %q %s names %q:\n%s", c.press, c.write, c.more, namesOn(x), x.screen())
		}
	}
	x := enact(t, state{do: pressing("/ up up up")}, 160, 40, plain, named, byModel)
	x.wants("zorblax")
}

// TestBlindRecordsNameNoModel: what was recorded of edited messages does not tell who
// wrote them either.
func TestBlindRecordsNameNoModel(t *testing.T) {
	recorded := func(o *Options) {
		lib := sampleLibrary()
		lib.messages = conversation()
		for i := range lib.messages {
			lib.messages[i].Model = "Zorblax-9"
		}
		o.Edited = &fakeEdits{by: []review.EditedBy{{N: 2, Op: edit.Set, By: "ann"}}, lib: lib}
	}
	for _, keys := range []string{"enter D", "enter D D"} {
		x := enact(t, state{do: pressing(keys)}, 160, 60, plain, recorded, func(o *Options) { o.Blind = true })
		if len(namesOn(x)) > 0 {
			t.Errorf("%s names %q:\n%s", keys, namesOn(x), x.screen())
		}
	}
	enact(t, state{do: pressing("enter D")}, 160, 60, plain, recorded).wants("Zorblax-9")
}

// TestBlindOffersNoModel: no completion tells which models there are.
func TestBlindOffersNoModel(t *testing.T) {
	x := enact(t, state{do: func(x *harness, _ *scene) { x.typed("model:") }}, 120, 40, plain, named, func(o *Options) { o.Blind = true })
	if names := namesOn(x); len(names) > 0 {
		t.Errorf("names %q", names)
	}
}

// TestBlindFilterNamesNoModel: the header does not tell which model the list is filtered by.
func TestBlindFilterNamesNoModel(t *testing.T) {
	for _, text := range []string{"model:zorblax-9", "status:pending -(model:zorblax-9 or model:other) score>=0"} {
		x := enact(t, state{do: pressing("")}, 120, 40, plain, named, func(o *Options) { o.Blind, o.Filter = true, text })
		if x.wants("model:hidden"); len(namesOn(x)) > 0 {
			t.Errorf("%s names %q", text, namesOn(x))
		}
		x = enact(t, state{do: pressing("")}, 120, 40, plain, func(o *Options) { o.Filter = text })
		x.wants("zorblax")
	}
}
