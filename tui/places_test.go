package tui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/tui/screens/places/placestest"
)

// fakeFinder is a machine with some places. What is imported of them is four
// segments.
type fakeFinder struct {
	*placestest.Finder
	imported []string
	lib      *fakeLibrary
}

func sampleFinder() *fakeFinder { return &fakeFinder{Finder: placestest.Sample()} }

func (f *fakeFinder) options(o *Options) {
	o.Finder, o.Import = f, func(paths []string) Job {
		return func(_ context.Context, report func(Progress)) error {
			f.imported = paths
			f.lib.change(func(l *fakeLibrary) { l.segments = manySegments(4) })
			report(Progress{Files: 2, AllFiles: 2, Messages: 16})
			return nil
		}
	}
}

// startOffer starts a screen on an empty database with the offer.
func startOffer(t *testing.T, f *fakeFinder, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	f.lib = &fakeLibrary{version: 1}
	return start(t, f.lib, w, h, append([]func(*Options){f.options, func(o *Options) { o.Offer = true }}, with...)...)
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
		x.wants("Nothing here yet", "winnow PATH", "I            shows where agents keep sessions")
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

func TestNoOfferWhileSomethingRuns(t *testing.T) {
	f := sampleFinder()
	lib := small(3)
	f.lib = lib
	x := prepare(t, lib, f.options, func(o *Options) {
		o.JobName = "import"
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
