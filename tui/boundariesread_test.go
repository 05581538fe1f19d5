package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// However long a session is, what opens it is what shows.
func TestBoundariesOfALongSessionReadWhatShows(t *testing.T) {
	const n = 100_000
	lib := mixedSession()
	lib.messages = make([]chat.Message, n)
	for i := range lib.messages {
		lib.messages[i] = chat.Message{N: i + 1, Role: chat.User, Content: fmt.Sprint("words of ", i+1)}
	}
	lib.segments[4].End = n
	counted := &countedLibrary{fakeLibrary: lib}
	x, _ := startBoundaries(t, lib, 3, 120, 40, func(o *Options) { o.Library = counted })
	if counted.heads > 3*512 || counted.texts > 3*40 {
		t.Errorf("%d index entries and %d messages for the first screen", counted.heads, counted.texts)
	}
	x.wants("words of 11", "words of 33")
	x.press("G")
	x.wants("words of 100000")
	x.press("k k k s")
	x.wants("words of 99970", "5 segments")
	for range 3000 {
		x.press("pgup")
	}
	x.wants("words of 8")
	if counted.texts > n+4*40*2 {
		t.Errorf("%d messages were read to go through %d", counted.texts, n)
	}
}

// countedLibrary counts what is read of messages.
type countedLibrary struct {
	*fakeLibrary
	heads, texts int
	runs         [][2]int     // of messages, as they were read
	broken       map[int]bool // messages that can't be read
}

func (l *countedLibrary) Heads(_ context.Context, body int64, from, to int) ([]review.Head, error) {
	l.heads += to - from + 1
	var heads []review.Head
	for n := from; n <= min(to, len(l.messages)); n++ {
		heads = append(heads, headOf(&l.messages[n-1]))
	}
	return heads, nil
}

func (l *countedLibrary) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	l.texts += to - from + 1
	l.runs = append(l.runs, [2]int{from, to})
	for n := from; n <= to; n++ {
		if l.broken[n] {
			return nil, errors.New("chunk 7: corrupt\x1b[2J")
		}
	}
	return l.fakeLibrary.Messages(ctx, body, from, to)
}

// Nobody waits for a giant: it is read alone, after the lines around it, and
// only if it shows.
func TestBoundariesOfAGiantMessage(t *testing.T) {
	lib := mixedSession()
	lib.messages[2].Content = strings.Repeat("giant ", 1<<20)
	lib.messages[4].ToolCalls[0].Arguments = `{"path":"` + strings.Repeat("x", 5<<20) + `"}`
	counted := &countedLibrary{fakeLibrary: lib}
	x, _ := startBoundaries(t, lib, 1, 120, 40, func(o *Options) { o.Library = counted })
	if want := [][2]int{{1, 2}, {4, 4}, {6, 18}, {3, 3}, {5, 5}}; !slices.Equal(counted.runs, want) {
		t.Errorf("read %v, want %v", counted.runs, want)
	}
	x.wants("3 assistant   giant giant", "5 assistant   read_file  xxx")
	counted.runs = nil
	x, _ = startBoundaries(t, lib, 4, 120, 10, func(o *Options) { o.Library = counted })
	if slices.Contains(counted.runs, [2]int{3, 3}) {
		t.Errorf("read %v", counted.runs)
	}
	x.press("g")
	x.wants("giant giant")
}

// A message that can't be read says so in its line; the others are there.
func TestBoundariesOfABrokenSession(t *testing.T) {
	lib := mixedSession()
	counted := &countedLibrary{fakeLibrary: lib, broken: map[int]bool{11: true}}
	x, _ := startBoundaries(t, lib, 1, 120, 40, func(o *Options) { o.Library = counted })
	x.wants("could not be read: chunk 7: corrupt␛[2J", "thanks! now plot", "12 indexes")
	if before := counted.texts; before > 200 {
		t.Errorf("%d messages were read", before)
	}
	counted.broken = nil
	x.press("ctrl+l")
	x.wants("month,total", "python  month")
	lib.messages = lib.messages[:12] // the others are in the index only
	x.press("esc b")
	x.wants("not stored: winnow doctor looks into it")
}

// Answers to a screen that was closed never reach the next one.
func TestBoundariesDropAnswersNobodyWaitsFor(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.hold = true
	x.press("c j ctrl+l esc k k b")
	slices.Reverse(x.held)
	x.release()
	x.wants(" 1 segment ")
	if strings.Contains(x.screen(), "the machine") {
		t.Errorf("the screen of the first session shows another's:\n%s", x.screen())
	}
	x.hold = true
	x.press("c esc b c")
	e.cuts = []segment.Cut{{Start: 1, End: 4}}
	x.release() // the last key waited for the segments
	x.wants("the machine cuts in the same places")
}

// answers presses keys and returns what the commands answer, undelivered.
func (x *harness) answers(keys string) (msgs []tea.Msg) {
	x.hold = true
	x.press(keys)
	cmds := x.held
	x.held, x.hold = nil, false
	for len(cmds) > 0 {
		cmd := cmds[0]
		cmds = cmds[1:]
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				if c != nil {
					cmds = append(cmds, c)
				}
			}
		default:
			msgs = append(msgs, msg)
		}
	}
	return msgs
}

func (x *harness) deliver(msgs []tea.Msg) {
	for _, m := range msgs {
		if _, ours := m.(work.Then); ours {
			x.send(m)
		}
	}
}

// Nor do those that are late, whatever they bring.
func TestBoundariesDropLateAnswers(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("esc")
	late := x.answers("b")
	x.press("esc k k")
	mine := x.answers("b")
	x.deliver(append(late, mine...))
	x.wants(" 1 segment ")
	x.press("esc j j b")
	older := []tea.Msg{}
	for range 2 {
		x.lib.change(func(l *fakeLibrary) { grow(l, 2) })
		s := x.cuts()
		s.Layer.(screen.Watcher).Changed(0)
		older = append(older, x.app.also[0]())
		x.app.also = nil
	}
	x.send(older[1])
	x.send(older[0])
	x.wants("22 messages")
}

// Text that is under way for lines nobody looks at any more keeps nobody from
// those that are looked at, and is dropped when it comes.
func TestBoundariesReadTheLinesThatShowFirst(t *testing.T) {
	lib := mixedSession()
	for len(lib.messages) < 5000 {
		grow(lib, 1)
	}
	x, _ := startBoundaries(t, lib, 2, 120, 30)
	x.press("g }")
	late := x.answers("pgdown pgdown pgdown pgdown")
	x.deliver(x.answers("G"))
	x.wants("message 5000")
	x.deliver(late)
	x.wants("message 5000")
}

// Prompts are what somebody wrote: neither summaries nor what recorders write as the
// user, whether or not the index tells.
func TestBoundariesGoToWhatSomebodyWrote(t *testing.T) {
	lib := mixedSession()
	lib.messages[8].Content = "<local-command-stdout>done</local-command-stdout>"
	lib.messages[16] = chat.Message{N: 17, Role: chat.User, Content: "[CONTEXT SUMMARY]: plot the totals again"}
	x, _ := startBoundaries(t, lib, 2, 120, 30)
	for _, step := range []struct {
		keys string
		want int
	}{{"g n", 2}, {"n", 13}, {"n", 13}, {"G p", 13}, {"p", 2}, {"p", 2}} {
		if x.press(step.keys); x.message() != step.want {
			t.Errorf("%s goes to %d, want %d", step.keys, x.message(), step.want)
		}
	}
}
