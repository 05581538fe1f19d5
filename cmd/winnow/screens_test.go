package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui"
)

// drawScreens has the drawings of the documents made anew: make screenshots.
var drawScreens = flag.Bool("screens", false, "write the drawings of docs/screens")

// shot is a drawing: what is typed on the sample sessions, and what it shows.
type shot struct {
	name, title string
	w, h        int
	keys        string // before and after the text
	text, after string
	shows       []string
}

var shots = []shot{
	{"review", "List and reader side by side", 132, 36, "j j a a r f k k", "", "", []string{"rejected by ann", "user", "% done"}},
	{"reader", "The reader at a failed tool result", 110, 34, "j j j j enter !", "", "", []string{"bash #2  traceback"}},
	{"filter", "The filter line with completion", 132, 30, "/", "score>0.8 tool:", "", []string{"tool:", "bash"}},
	{"boundaries", "The boundaries of a session, one moved", 120, 30, "j j j j b j j j j j j j s", "", "", []string{"2 segments"}},
	{"export", "The export, and what it would do", 132, 36, "j a a a a r a a e", "", "", []string{"target", "train"}},
	{"statistics", "Statistics", 150, 44, "j a a a r a a f a r a S", "", "", []string{"score"}},
	{"preview", "The training record that a segment becomes", 132, 36, "j j tab p j j", "", "", []string{"tokens"}},
	{"themes", "The themes", 132, 36, "T j", "", "", []string{"catppuccin-mocha", "gruvbox"}},
}

// screens draws shots. What they show must not depend on the folder of the test:
// the ids of sessions do.
func screens(t *testing.T, shots []shot) map[string][]byte {
	t.Helper()
	drawn := map[string][]byte{}
	b, kept := sampleBench(t), t.TempDir()
	home := b.vars["HOME"]
	if err := os.CopyFS(kept, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	for _, s := range shots {
		if err := os.RemoveAll(home); err != nil { // what the shot before left
			t.Fatal(err)
		}
		if err := os.CopyFS(home, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
		b.env.stdinTTY, b.env.stdoutTTY = true, true
		b.env.show = func(_ context.Context, o tui.Options) error {
			d := &driven{t: t}
			o.Finder, o.Place, o.Theme = nil, "sample sessions", "dark"
			o.After = func(_ time.Duration, msg tea.Msg) tea.Cmd {
				d.timers = append(d.timers, msg)
				return nil
			}
			d.options = o
			d.start(s.w, s.h)
			d.rest()
			d.press(s.keys)
			d.write(s.text)
			d.press(s.after)
			d.rest()
			for _, text := range s.shows {
				if !strings.Contains(d.screen(), text) {
					t.Errorf("%s: no %q on the screen:\n%s", s.name, text, d.screen())
				}
			}
			worn := o.Themes[0]
			for _, theme := range o.Themes {
				if theme.Name == "dark" && s.name != "themes" || theme.Name == "gruvbox" && s.name == "themes" {
					worn = theme
				}
			}
			drawn[s.name] = svg(d.app.View().Content, s.w, s.h, &worn, s.title)
			return nil
		}
		b.ok([]string{}...) // no arguments, not those of the test
	}
	return drawn
}

// TestScreensAreDrawn: the drawings are well-formed, the same every time, and
// the documents show them.
func TestScreensAreDrawn(t *testing.T) {
	shown := page(t, "README.md") + page(t, "docs", "configuration.md")
	drawn, again := screens(t, shots), screens(t, shots[len(shots)-2:])
	for _, s := range shots {
		path := filepath.Join("..", "..", "docs", "screens", s.name+".svg")
		if *drawScreens {
			if err := os.WriteFile(path, drawn[s.name], 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if image, ok := again[s.name]; ok && !bytes.Equal(drawn[s.name], image) {
			t.Errorf("%s is another one each time", s.name)
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		for _, image := range [][]byte{drawn[s.name], kept} {
			d := xml.NewDecoder(bytes.NewReader(image))
			texts := 0
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				if e, ok := token.(xml.StartElement); ok && e.Name.Local == "text" {
					texts++
				}
			}
			if texts < 50 {
				t.Errorf("%s has %d texts", s.name, texts)
			}
		}
		if !strings.Contains(shown, "screens/"+s.name+".svg") {
			t.Errorf("no page shows %s", s.name)
		}
	}
}
