package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/testdata"
	"winnow/tui"
	"winnow/tui/keys"
)

// fuzzedKeys is how many keys TestAnyKeys presses; FUZZKEYS in the environment
// asks for another number.
const fuzzedKeys = 8_000

// sampleBench is a bench whose database has the sample sessions, cut and
// scored.
func sampleBench(t testing.TB) *bench {
	t.Helper()
	b := newBench(t)
	dir := filepath.Join(b.vars["HOME"], "sessions")
	if err := os.CopyFS(dir, testdata.Sessions()); err != nil {
		t.Fatal(err)
	}
	b.ok("import", dir)
	b.ok("segment")
	b.ok("score")
	return b
}

// decided returns what curators decided about all segments: boundaries,
// topics, verdicts, notes, tags and masks. Scores are not theirs.
func (b *bench) decided() string {
	b.t.Helper()
	var out bytes.Buffer
	for line := range strings.SplitSeq(strings.TrimSpace(b.ok("list", "--json")), "\n") {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			b.t.Fatal(err)
		}
		for _, name := range []string{"score", "task_type", "recorded", "updated_at", "analysis", "labeled", "seen", "errors", "exits", "flags"} {
			delete(row, name)
		}
		if err := json.NewEncoder(&out).Encode(row); err != nil { // maps are sorted
			b.t.Fatal(err)
		}
	}
	return out.String()
}

// allKeys are the keys of all bindings, as docs/keys.md lists them.
func allKeys() []string {
	var keys []string
	for row := range strings.SplitSeq(tui.KeyPage(), "\n") {
		if cell, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " | "); ok && strings.HasPrefix(cell, "`") {
			for _, k := range regexp.MustCompile("`([^ ]+)`").FindAllStringSubmatch(cell, -1) {
				keys = append(keys, k[1])
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// hand presses keys as nobody would: any key of any binding, keys nobody
// bound, texts, pastes, other sizes, clicks.
type hand struct {
	*rand.Rand
	keys []string
	w, h int
}

var (
	handTexts = []string{
		"status:pending", "score:>=0.9", "type:code -has:note", "status:approved or status:rejected", "scor>", `topic:"`, "has:error", "parser",
		"note to myself", "x", "数据库 🧪", "out.jsonl", "set/", "12", "0.5", "good,later", "approve", "sort", "quit", "theme", "type=code:3", "\x1b[2J",
	}
	handWords   = []string{"", "", "", "status:pending", "3", "good -later", "score", "nord", "-score", "1", "x"}
	handTags    = []string{"good", "later", "golden twice", "-bad", "good later", ""}
	unboundKeys = []string{"ctrl+q", "alt+x", "f1", "insert", "delete", "ctrl+t", "ä", "数", "shift+up", "alt+enter", "ctrl+a", "ctrl+k", "ctrl+w", "ctrl+e", "`", "@", "~"}
	motionKeys  = []string{"j", "k", "G", "g", "pgdown", "pgup", "tab", "enter", "esc", "down", "up", "J", "K"}
	verdictKeys = []string{"a", "r", "f", "x", "u", "U", "=", "o", "N", "m", "space", "v", "A", "R", "B", "z"}
)

func (r *hand) one(list []string) string { return list[r.IntN(len(list))] }

// here returns the keys or the names of what can be done in the place one is in.
// What works there alone is in it twice: there are many keys that work anywhere.
func (r *hand) here(d *driven, of func(*keys.Binding) []string) []string {
	var list []string
	for _, b := range d.app.Bindings() {
		list = append(list, of(&b)...)
		if b.Foot != "" || bits.OnesCount64(uint64(b.In)) <= 4 {
			list = append(list, of(&b)...)
		}
	}
	return list
}

// next presses one key, or as much as one.
func (r *hand) next(d *driven) {
	switch n := r.IntN(100); {
	case n < 36:
		if found := r.here(d, func(b *keys.Binding) []string { return b.Keys }); len(found) > 0 {
			d.press(r.one(found))
		}
	case n < 46:
		d.press(r.one(r.keys))
	case n < 58:
		d.press(r.one(motionKeys))
	case n < 70:
		d.press(r.one(verdictKeys))
	case n < 74:
		d.press(r.one(unboundKeys))
	case n < 78:
		d.press("esc")
	case n < 82:
		d.write(r.one(handTexts))
	case n < 85:
		names := r.here(d, func(b *keys.Binding) []string { return []string{b.Name} })
		d.press(":")
		d.write(strings.TrimSpace(r.one(names) + " " + r.one(handWords)))
		d.press(r.one([]string{"enter", "enter", "enter", "tab enter enter", "esc"}))
	case n < 87:
		d.press(r.one([]string{"t ctrl+u", "t", "space t ctrl+u", "n", "n ctrl+u"}))
		d.write(r.one(handTags))
		d.press(r.one([]string{"enter", "enter", "tab enter enter", "esc"}))
	case n < 88:
		d.press(r.one([]string{"v j j", "v G", "space space", "Z v k"}))
		d.press(r.one([]string{"A", "R", "F", "X"}) + r.one([]string{" y", " y", " n"}))
	case n < 89:
		d.press("b")
		d.press(r.one([]string{"s", "M", "J", "K", "j s", "j j s", "M M"}))
		d.press(r.one([]string{"enter", "enter", "esc esc", "u enter"}))
	case n < 90:
		d.send(tea.PasteMsg{Content: r.one(handTexts) + "\n" + r.one(handTexts)})
	case n < 92:
		r.w, r.h = 1+r.IntN(220), 1+r.IntN(70)
		if r.IntN(3) > 0 {
			r.w, r.h = 80+r.IntN(80), 24+r.IntN(20)
		}
		d.send(tea.WindowSizeMsg{Width: r.w, Height: r.h})
	case n < 94:
		d.send(r.mouse())
	default:
		d.tick()
	}
}

func (r *hand) mouse() tea.Msg {
	m := tea.Mouse{X: r.IntN(r.w + 2), Y: r.IntN(r.h + 2), Button: tea.MouseLeft}
	switch r.IntN(4) {
	case 0:
		m.Button = tea.MouseWheelDown
		return tea.MouseWheelMsg(m)
	case 1:
		return tea.MouseMotionMsg(m)
	case 2:
		return tea.MouseReleaseMsg(m)
	}
	return tea.MouseClickMsg(m)
}

// TestAnyKeys: whatever is pressed, whenever the database answers, nothing
// breaks, the screen fits the terminal, the database is sound, and undoing
// everything brings back what was there at first.
func TestAnyKeys(t *testing.T) {
	n := fuzzedKeys / slower
	if text := os.Getenv("FUZZKEYS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	b := sampleBench(t)
	t.Chdir(t.TempDir()) // where a file of a relative path would go
	before := b.decided()
	b.drive(func(d *driven) {
		r := &hand{rand.New(rand.NewPCG(14, uint64(n))), allKeys(), 120, 40}
		for i := range n {
			d.delay = nil
			if r.IntN(4) == 0 {
				d.delay = func() bool { return len(d.pending) < 12 && r.IntN(2) == 0 }
			}
			r.next(d)
			if r.IntN(6) == 0 {
				r.Shuffle(len(d.pending), func(i, j int) { d.pending[i], d.pending[j] = d.pending[j], d.pending[i] })
				d.settle()
			}
			if d.quit {
				d.settle()
				d.start(r.w, r.h)
			}
			if i%7 == 0 {
				checkScreen(t, d, r.w, r.h)
			}
		}
		d.settle()
		d.rest()
	})
	b.ok("doctor")
	wantsDone(t, b, n)
	undone := 0
	for ; b.run("undo") == exitDone; undone++ {
	}
	if undone < n/100 {
		t.Errorf("%d keys did %d things only", n, undone)
	}
	t.Logf("%d keys did %d things that could be undone", n, undone)
	if err := b.stderr.String(); !strings.Contains(err, "nothing") {
		t.Errorf("undo ends with: %s", err)
	}
	b.ok("doctor")
	if after := b.decided(); after != before {
		t.Errorf("undoing everything does not bring back what was there:\n%s", differing(before, after))
	}
}

// wantsDone fails unless the keys did all kinds of things that there are
// to do: else undoing them would say little.
func wantsDone(t *testing.T, b *bench, keys int) {
	t.Helper()
	did := map[review.Action]int{}
	for line := range strings.Lines(b.ok("log", "--json", "--limit", "0")) {
		var e tell.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		did[e.Action]++
	}
	t.Log("done:", did)
	if keys < fuzzedKeys {
		return
	}
	for _, action := range []review.Action{review.ActJudge, review.ActNote, review.ActTag, review.ActMask, review.ActUndo, review.ActRedo} {
		if did[action] == 0 {
			t.Errorf("no %s", action)
		}
	}
	if did[review.ActSplit]+did[review.ActMerge]+did[review.ActMove]+did[review.ActCut] == 0 {
		t.Error("no boundary was moved")
	}
}

// checkScreen fails unless the screen has h lines of at most w cells.
func checkScreen(t *testing.T, d *driven, w, h int) {
	t.Helper()
	lines := strings.Split(d.app.View().Content, "\n")
	if len(lines) > h || len(lines) < h && w >= 40 && h >= 10 {
		t.Fatalf("%d×%d: %d lines:\n%s", w, h, len(lines), d.screen())
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%d×%d: a line of %d cells: %q", w, h, n, ansi.Strip(l))
		}
	}
}

// differing shows the lines that two texts do not share.
func differing(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, l := range x {
		if !slices.Contains(y, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range y {
		if !slices.Contains(x, l) {
			out = append(out, "+ "+l)
		}
	}
	return fmt.Sprintf("%d lines, then %d\n%s", len(x), len(y), strings.Join(out, "\n"))
}
