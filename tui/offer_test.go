package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
)

// fakeFinder is a machine with some places.
type fakeFinder struct {
	places   []Place
	sizes    map[string]PlaceSize
	err      error
	imported []string
	lib      *fakeLibrary
}

func (f *fakeFinder) Places(context.Context) ([]Place, error) { return f.places, f.err }

func (f *fakeFinder) Measure(_ context.Context, p Place) (PlaceSize, error) {
	s, ok := f.sizes[p.Agent]
	if !ok {
		return s, errors.New("permission denied\x1b[2J")
	}
	return s, nil
}

func (f *fakeFinder) Import(paths []string) Job {
	return func(_ context.Context, report func(Progress)) error {
		f.imported = paths
		f.lib.change(func(l *fakeLibrary) { l.segments = manySegments(4) })
		report(Progress{Files: 2, AllFiles: 2, Messages: 16})
		return nil
	}
}

func sampleFinder() *fakeFinder {
	return &fakeFinder{
		places: []Place{
			{Agent: "Claude Code", Name: "~/.claude/projects", Paths: []string{"/h/.claude/projects"}},
			{Agent: "Codex", Name: "~/.codex/sessions", Paths: []string{"/h/.codex/sessions"}},
			{Agent: "Pi", Name: "~/.pi/agent/sessions", Paths: []string{"/h/.pi/agent/sessions"}},
			{Agent: "Gemini", Name: "~/.gemini/tmp/*/chats", Paths: []string{"/h/.gemini/tmp/a/chats", "/h/.gemini/tmp/b/chats"}},
			{Agent: "this folder", Name: "~/训练数据/\x1b]0;owned\x07\u202e", Paths: []string{"/h/x"}, Doubtful: true},
		},
		sizes: map[string]PlaceSize{
			"Claude Code": {Files: 1204, Bytes: 310e6}, "Codex": {Files: 100_000, Bytes: 12e9, More: true}, "Pi": {},
			"this folder": {Files: 1, Bytes: 999},
		},
	}
}

// startOffer starts a screen on an empty database with the offer.
func startOffer(t *testing.T, f *fakeFinder, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	f.lib = &fakeLibrary{version: 1}
	return start(t, f.lib, w, h, append([]func(*Options){func(o *Options) { o.Finder, o.Offer = f, true }}, with...)...)
}

func TestOfferScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startOffer(t, sampleFinder(), 80, 24).screen())
}

func TestOfferScreenASCII(t *testing.T) {
	x := startOffer(t, sampleFinder(), 120, 30, func(o *Options) { o.ASCII = true })
	x.press("j j j j space")
	for _, r := range "▌…·" {
		if strings.ContainsRune(x.screen(), r) {
			t.Errorf("%q on an ASCII screen", r)
		}
	}
	golden.RequireEqual(t, x.screen())
}

func TestOfferImportsWhatIsChecked(t *testing.T) {
	f := sampleFinder()
	x := startOffer(t, f, 100, 30)
	x.wants("1,204 files, 310 MB", "100,000+ files, 12 GB+", "no files", "permission denied␛[2J", "3 places checked")
	if f.imported != nil {
		t.Fatal("something was read before anybody agreed")
	}
	x.press("space j j j j space") // not Claude Code, but this folder
	x.wants("3 places checked")
	x.press("enter")
	if want := []string{"/h/.codex/sessions", "/h/.gemini/tmp/a/chats", "/h/.gemini/tmp/b/chats", "/h/x"}; !slices.Equal(f.imported, want) {
		t.Errorf("imported %q", f.imported)
	}
	x.wants("import done · 2 of 2 files · 16 messages", "Task number 3")
	x.press("I")
	x.wants("Sessions on this machine", "~/.claude/projects")
	x.press("esc")
	x.wants("Task number 3")
	x.press("q")
	if !x.quit || x.app.samples {
		t.Error("q does not quit, or for the samples")
	}
}

func TestOfferCanBeDeclined(t *testing.T) {
	for _, key := range []string{"esc", "q"} {
		f := sampleFinder()
		x := startOffer(t, f, 80, 24)
		x.press(key)
		x.wants("Nothing here yet", "winnow PATH", "I            shows where agents keep their sessions")
		if f.imported != nil || x.quit {
			t.Errorf("%s did more than close", key)
		}
		x.press("I")
		x.wants("~/.claude/projects")
	}
}

func TestOfferOfTheSamples(t *testing.T) {
	x := startOffer(t, sampleFinder(), 80, 24)
	x.press("G space")
	if strings.Contains(x.screen(), "places checked") {
		t.Error("samples and places at once")
	}
	x.press("k space")
	x.wants("1 place checked")
	x.press("j space space enter")
	x.wants("nothing is checked")
	x.press("space enter")
	if !x.quit || !x.app.samples {
		t.Error("not left for the samples")
	}
}

func TestOfferWithoutAnyPlace(t *testing.T) {
	f := &fakeFinder{}
	x := startOffer(t, f, 80, 24)
	x.wants("No sessions were found", "[x] samples")
	f.err = errors.New("no such luck")
	x = startOffer(t, f, 80, 24)
	x.wants("could not be looked at", "no such luck")
}

func TestOfferWaitsForNothing(t *testing.T) {
	f := sampleFinder()
	f.lib = &fakeLibrary{version: 1}
	x := prepare(t, f.lib, func(o *Options) { o.Finder, o.Offer = f, true })
	x.hold = true
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	x.wants("Looking where agents keep their sessions")
	x.press("esc I") // the answer to the first question is nobody's
	x.release()
	if n := len(x.app.offer.rows); n != 6 {
		t.Errorf("%d rows", n)
	}
}

func TestNoOfferWhileSomethingRuns(t *testing.T) {
	f := sampleFinder()
	lib := small(3)
	f.lib = lib
	x := prepare(t, lib, func(o *Options) {
		o.Finder, o.JobName = f, "import"
		o.Job = func(ctx context.Context, _ func(Progress)) error { <-ctx.Done(); return ctx.Err() }
	})
	finish := x.startBehind()
	x.press("I")
	x.wants("the import is running: ctrl+x stops it")
	x.press("ctrl+x")
	finish()
	x.press("I")
	x.wants("~/.claude/projects")
}

func TestOfferNeverOverflows(t *testing.T) {
	f := sampleFinder()
	for i := range 12 {
		f.places = append(f.places, Place{Agent: fmt.Sprint("agent ", i), Name: strings.Repeat("很长的路径/", 30), Doubtful: true})
	}
	x := startOffer(t, f, 80, 24)
	for w := 1; w < 200; w += 7 * slower {
		for h := 1; h < 40; h += 3 {
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
			checkSize(t, x, w, h)
			x.press("j")
			checkSize(t, x, w, h)
			if w >= minWidth && h >= minHeight && !strings.Contains(x.screen(), "▌") {
				t.Fatalf("%d×%d: the cursor is not on the screen:\n%s", w, h, x.screen())
			}
		}
	}
}
