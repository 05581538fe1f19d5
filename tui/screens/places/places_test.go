package places

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/places"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/places/placestest"
)

// program is one with an empty database.
type program struct {
	busy     string
	imported []string
	samples  bool
}

func (p *program) Empty() bool           { return true }
func (p *program) NoImport() string      { return p.busy }
func (p *program) Import(paths []string) { p.imported = paths }
func (p *program) Samples()              { p.samples = true }

func open(t *testing.T, p *program, f *placestest.Finder, w, h int) *screentest.Run {
	t.Helper()
	return screentest.Start(t, w, h, Rows(), func(s screen.Seat) *Screen { return New(s, p, f) })
}

func TestImportsWhatIsChecked(t *testing.T) {
	p := &program{}
	x := open(t, p, placestest.Sample(), 100, 24)
	x.Wants("1,204 files, 310 MB", "100,000+ files, 12 GB+", "no files", "permission denied␛[2J", "3 places checked")
	x.Press("space j j j j space") // not Claude Code, but this folder
	x.Wants("3 places checked")
	if p.imported != nil {
		t.Fatal("something was read before anybody agreed")
	}
	x.Press("enter")
	if want := []string{"/h/.codex/sessions", "/h/.gemini/tmp/a/chats", "/h/.gemini/tmp/b/chats", "/h/x"}; !slices.Equal(p.imported, want) || !x.Left {
		t.Errorf("imported %q, left %t", p.imported, x.Left)
	}
}

// TestNothingIsImportedMeanwhile: the key says why.
func TestNothingIsImportedMeanwhile(t *testing.T) {
	p := &program{busy: "the import is running"}
	x := open(t, p, placestest.Sample(), 100, 24)
	x.Press("enter")
	if x.Wants("the import is running"); p.imported != nil || x.Left {
		t.Errorf("imported %q", p.imported)
	}
}

func TestSamplesOrPlaces(t *testing.T) {
	p := &program{}
	x := open(t, p, placestest.Sample(), 80, 24)
	if x.Press("G space"); strings.Contains(x.Screen(), "places checked") {
		t.Error("samples and places at once")
	}
	x.Press("k space")
	x.Wants("1 place checked")
	x.Press("j space space enter")
	x.Wants("nothing is checked: space checks")
	if x.Press("space enter"); !p.samples || p.imported != nil {
		t.Errorf("left for the samples: %t, imported %q", p.samples, p.imported)
	}
}

func TestNoPlaceIsFound(t *testing.T) {
	f := &placestest.Finder{}
	open(t, &program{}, f, 80, 24).Wants("No sessions were found", "[x] samples")
	f.Err = errors.New("no such luck")
	x := open(t, &program{}, f, 80, 24)
	x.Wants("could not be searched", "no such luck", "ctrl+l looks again")
	*f = *placestest.Sample()
	x.Press("ctrl+l")
	x.Wants("~/.claude/projects", "100,000+ files")
	x.Press("space ctrl+l")
	x.Wants("2 places checked") // it stays
}

// TestPlacesMayComeLate: what was chosen meanwhile stays.
func TestPlacesMayComeLate(t *testing.T) {
	f := &placestest.Finder{Err: errors.New("no such luck")}
	x := open(t, &program{}, f, 80, 24)
	*f = *placestest.Sample()
	x.Hold = true
	x.Press("ctrl+l")
	x.Wants("Looking where agents keep their sessions", "[ ] samples")
	x.Press("space")
	x.Release()
	x.Wants("~/.claude/projects", "[x] samples")
	if strings.Contains(x.Screen(), "checked") || !strings.Contains(x.Marked()[0], "samples") {
		t.Errorf("samples and places at once, or the cursor is elsewhere:\n%s", x.Screen())
	}
}

// TestNeverOverflows: what is drawn fits, with the cursor, whatever there is to
// be drawn.
func TestNeverOverflows(t *testing.T) {
	f := placestest.Sample()
	for i := range 12 {
		f.Known = append(f.Known, places.Place{Agent: fmt.Sprint("agent ", i), Name: strings.Repeat("很长的路径/", 30), Doubtful: true})
	}
	for _, w := range []int{40, 93, 199} {
		for _, h := range []int{4, 7, 10, 20, 40} {
			x := open(t, &program{}, f, w, h)
			for range 20 {
				x.Press("j")
				lines := x.Lines()[1:]
				for _, l := range lines {
					if ansi.StringWidth(l) != w {
						t.Fatalf("%d×%d: %q", w, h, l)
					}
				}
				if len(lines) != h || len(x.Marked()) != 1 {
					t.Fatalf("%d×%d: %d lines, the cursor on %q", w, h, len(lines), x.Marked())
				}
			}
		}
	}
}
