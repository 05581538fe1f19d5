package command

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// fake is a program with a few actions; it knows what it was asked to do.
type fake struct {
	in   keys.Place
	done []string
}

func (f *fake) Place() keys.Place { return f.in }
func (f *fake) Say(text string)   { f.done = append(f.done, "says "+text) }

func (f *fake) Act(b *keys.Binding) tea.Cmd {
	f.done = append(f.done, b.Name)
	return nil
}

func (f *fake) Verbs() []Verb {
	verb := func(name string) func(string) (func() tea.Cmd, error) {
		return func(words string) (func() tea.Cmd, error) {
			return func() tea.Cmd { f.done = append(f.done, name+" "+words); return nil }, nil
		}
	}
	return []Verb{
		{Name: "sort", Words: "ORDER", In: keys.InList, Run: verb("sort"), Complete: func(string) []line.Completion { return []line.Completion{{Text: "-score", Label: "-score"}} }},
		{Name: "note", Words: "TEXT", In: keys.InList, Run: verb("note"), Why: func() string { return "there is no segment" }},
		{Name: "theme", Words: "NAME", In: keys.InList, Run: verb("theme")},
		{Name: "undo", Words: "[ENTRY]", In: keys.InReader | keys.InJournal, Run: verb("undo")},
	}
}

func open(f *fake) *Line {
	row := func(name, help string, in keys.Place) keys.Row[*fake] {
		return keys.Key("x", name, help, "", in, func(*fake) tea.Cmd { return nil }, nil)
	}
	table := keys.NewTable(keys.Bind(0, []keys.Row[*fake]{
		row("approve", "approve the segment", keys.InList), row("sort", "choose an order", keys.InList), row("next-pending", "the next one to judge", keys.InList),
		row("pending", "what is to be judged", keys.InList), row("split", "cut in two", keys.InBoundaries),
	}))
	l := New(draw.NewPen(true), table, &line.Memory{}, f)
	l.Open()
	return l
}

// TestWhatIsRun: a text runs an action, a verb with its words, or nothing and says
// why.
func TestWhatIsRun(t *testing.T) {
	for text, want := range map[string]string{
		"approve": "approve", " :APP ": "approve", "pend": "pending", "nextp": "next-pending", "sort": "sort", "sort -score": "sort -score",
		"theme dark": "theme dark", "note x": "says there is no segment",
		"theme": "! theme NAME: ", "approve now": "! approve takes no arguments", "split": "! split works in: boundaries", "aprove": "! no command aprove: is approve meant?",
		"o": "! o could be approve, sort, note: type more of it",
	} {
		f := &fake{in: keys.InList}
		l := open(f)
		l.Set(text)
		then, err := l.Keep(l.Text())
		if reason, fails := strings.CutPrefix(want, "! "); fails {
			if err == nil || !strings.HasPrefix(err.Error(), reason) || len(l.Memory.Kept) > 0 {
				t.Errorf("%q: %v, want %q", text, err, reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if then(); !slices.Equal(f.done, []string{want}) || !slices.Equal(l.Memory.Kept, []string{strings.TrimSpace(text)}) {
			t.Errorf("%q did %q and is remembered as %q, want %q", text, f.done, l.Memory.Kept, want)
		}
	}
}

// TestWhatWorksElsewhere: where an action works is said by the widest headings, also
// if none of them is all of it.
func TestWhatWorksElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		"undo 3": "undo works in: reader; journal", "split": "split works in: boundaries", "sort": "sort works in: list",
	} {
		l := open(&fake{in: keys.InLedger})
		if _, err := l.Keep(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestWhatIsOffered: names of the place, what follows a verb, and where no name is
// like the text those whose help has it.
func TestWhatIsOffered(t *testing.T) {
	for text, want := range map[string]string{
		"":      "approve sort ORDER next-pending pending note TEXT theme NAME",
		"pend":  "pending next-pending",
		"judge": "next-pending pending",
		"sort ": "-score",
		"split": "",
	} {
		l := open(&fake{in: keys.InList})
		l.Set("x")
		l.Set(text)
		var labels []string
		for _, c := range l.Popup.Items {
			labels = append(labels, c.Label)
		}
		if got := strings.Join(labels, " "); got != want {
			t.Errorf("%q offers %q, want %q", text, got, want)
		}
	}
}
