package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/cmd/winnow/desk"
	"winnow/core/metric"
	"winnow/store"
	"winnow/testdata"
	"winnow/themes"
	"winnow/tui"
)

// screenDriver presses keys on a screen and runs what follows from them.
type screenDriver struct{ app *tui.App }

func (d screenDriver) send(msg tea.Msg) {
	_, cmd := d.app.Update(msg)
	d.run(cmd)
}

func (d screenDriver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	default:
		if !strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/") {
			d.send(msg)
		}
	}
}

func (d screenDriver) press(key rune) { d.send(tea.KeyPressMsg{Code: key, Text: string(key)}) }

func (d screenDriver) lines() []string {
	return strings.Split(ansi.Strip(d.app.View().Content), "\n")
}

// TestStatisticsAgreeWithTheList: a row of the statistics shows as many
// segments in the list as it counts.
func TestStatisticsAgreeWithTheList(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(b.vars["HOME"], "sessions")
	if err := os.CopyFS(dir, testdata.Sessions()); err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"gpt":   `{"model":"gpt-5","messages":[{"role":"user","content":"Name a colour."},{"role":"assistant","content":"Blue is one of them."}]}`,
		"codex": `{"model":"gpt-5-codex","messages":[{"role":"user","content":"List the files."},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{"}}]},{"role":"tool","tool_call_id":"a","content":"a.txt"},{"role":"assistant","content":"There is one file, a.txt."}]}`,
		"alone": `{"messages":[{"role":"user","content":"Is anybody there?"},{"role":"user","content":"No."}]}`,
	} {
		b.file("sessions/"+name+".jsonl", line+"\n")
	}
	b.run("--db", "w.db", "import", dir)
	b.ok("--db", "w.db", "segment")
	b.ok("--db", "w.db", "score")
	b.ok("--db", "w.db", "approve", "--filter", "score>=0.9", "--yes")
	b.ok("--db", "w.db", "reject", "--filter", "score<0.8", "--yes")
	s, err := store.Open(context.Background(), filepath.Join(b.vars["HOME"], "w.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	style, _, err := themes.Load("dark", nil)
	if err != nil {
		t.Fatal(err)
	}
	d := screenDriver{tui.New(tui.Options{
		Library: desk.Library{Store: s}, Statistics: s, Thresholds: metric.Thresholds{}, Themes: []themes.Styles{style}, Theme: "dark",
		Now: b.env.now, After: func(time.Duration, tea.Msg) tea.Cmd { return nil },
	})}
	d.run(d.app.Init())
	d.send(tea.WindowSizeMsg{Width: 100, Height: 40})
	row := regexp.MustCompile(`^▌ (.+?)  +([0-9,]+)(?: |$)`)
	shown := regexp.MustCompile(` ([0-9,]+) of [0-9,]+ `)
	all := regexp.MustCompile(` ([0-9,]+) segments `)
	compared := 0
	for i := 0; ; i++ {
		d.press('0')
		d.press('S')
		for range i {
			d.press('j')
		}
		var m []string
		for _, line := range d.lines() {
			if found := row.FindStringSubmatch(line); found != nil {
				m = found
			}
		}
		if m != nil && m[1] == "half have up to" {
			break
		}
		if i > 200 {
			t.Fatal("no end of the tables")
		}
		d.send(tea.KeyPressMsg{Code: tea.KeyEnter})
		head := d.lines()[0]
		if strings.Contains(head, "statistics") { // it is no question
			d.press('S')
			continue
		}
		if m == nil {
			t.Fatalf("row %d shows something, but counts nothing", i)
		}
		got := shown.FindStringSubmatch(head)
		if got == nil {
			got = all.FindStringSubmatch(head)
		}
		if got == nil || got[1] != m[2] {
			t.Errorf("%s counts %s segments, the list shows %q", m[1], m[2], head)
		}
		compared++
	}
	if compared < 20 {
		t.Errorf("%d rows were compared", compared)
	}
}
