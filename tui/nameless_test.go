package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/metric"
	"winnow/core/review"
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
		case strings.HasPrefix(st.name, "compression"), strings.HasPrefix(st.name, "memories"), strings.HasPrefix(st.name, "pipeline"), strings.HasPrefix(st.name, "run"),
			strings.HasPrefix(st.name, "ledger"), strings.HasPrefix(st.name, "raw"), strings.HasPrefix(st.name, "preview"), strings.HasPrefix(st.name, "difference"), strings.HasPrefix(st.name, "versions"):
			continue // these are off, and their keys mean something else
		case i%min(slower, 3) != 0 && st.name != "list" && st.name != "reader" && st.name != "statistics" && st.name != "reasons":
			continue
		}
		if names := namesOn(enact(t, st, 200, 60, plain, named, blind)); len(names) > 0 {
			t.Errorf("%s names %q", st.name, names)
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
