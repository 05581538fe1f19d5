package reader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/review"
)

// edge returns the map of a pane: the last cell of each row.
func edge(p *pane) string {
	p.Helper()
	var cells []string
	for _, row := range strings.Split(p.View(p.w, p.h), "\n") {
		cells = append(cells, ansi.Strip(ansi.Cut(row, p.w-1, p.w)))
	}
	return strings.Join(cells, "")
}

// mapped is a segment of ten messages, of which each takes a few rows.
func mapped() *fakeStore {
	var messages []chat.Message
	for i := range 10 {
		text := fmt.Sprintf("message %d\n%s", i+1, numbered(30))
		m := assistant(text)
		switch i {
		case 0:
			m = chat.Message{Role: chat.System, Content: text}
		case 1, 7:
			m = user(text)
		case 3:
			m = assistant("", call("1", "Bash", `{"command":"x"}`))
		case 4:
			m = result("Read", text)
			m.IsError = true
		case 8:
			m = result("Bash", "Exit code 2\n"+text)
		}
		messages = append(messages, m)
	}
	return storeOf(messages...)
}

// TestTheMapShowsWhatIsWhere: roles, failures, hits and where one is, each by a
// sign of its own.
func TestTheMapShowsWhatIsWhere(t *testing.T) {
	p := open(t, mapped(), 80, 20)
	if got, want := edge(p), "████■│··✗✗████■■!!││"; !strings.HasSuffix(got, "✗✗││││■■!!││") || !strings.HasPrefix(got, "█") {
		t.Errorf("at the top: %s, want something like %s", got, want)
	}
	p.do(p.Bottom())
	if got := edge(p); !strings.HasPrefix(got, "══■■││··✗✗││││■■!!") || !strings.HasSuffix(got, "█") {
		t.Errorf("at the end: %s", got)
	}
	p.do(p.Find("message 7"))
	p.do(p.Bottom())
	if got := edge(p); strings.Count(got, "◆") != 2 || []rune(got)[12] != '◆' {
		t.Errorf("with hits: %s", got)
	}
	p.do(p.ClearFind())
	p.do(p.Show(6))
	if got := []rune(edge(p)); got[10] != '█' || got[2] != '■' || got[19] != '│' || got[16] != '!' {
		t.Errorf("at message 6: %s", string(got))
	}
}

// TestTheMapInColours: where one is has the colour of what is there.
func TestTheMapInColours(t *testing.T) {
	p := open(t, mapped(), 80, 20)
	view := p.View(p.w, p.h)
	for _, want := range []string{p.inks.failed.On("✗"), p.inks.exit.On("!"), p.inks.roles[chat.User].On("■"), p.inks.roles[chat.Assistant].On("│"), p.inks.roles[chat.System].On("█")} {
		if !strings.Contains(view, " "+want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestTheMapInASCII(t *testing.T) {
	s := mapped()
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), ASCII: true}), store: s, w: 80, h: 20}
	p.do(p.Resize(80, 20))
	p.do(p.Open(s.segment()))
	p.do(p.Find("message 7"))
	p.do(p.Bottom())
	if got := edge(p); !strings.HasPrefix(got, "==oo||..xx||**oo!!") || !strings.HasSuffix(got, "#") {
		t.Errorf("%s", got)
	}
}

// TestNoMapOfWhatShowsAnyway: of a segment that fits, in a narrow pane, and beside
// a text there is none.
func TestNoMapOfWhatShowsAnyway(t *testing.T) {
	p := open(t, storeOf(user("one"), assistant("two")), 80, 20)
	if got := strings.Trim(edge(p), " ─"); got != "" {
		t.Errorf("of what fits: %q", got)
	}
	p = open(t, mapped(), mapFrom-1, 20)
	if got := strings.Trim(edge(p), " ─"); got != "" {
		t.Errorf("in a narrow pane: %q", got)
	}
	text := openText(t, `{"a":"`+strings.Repeat("line\\n", 100)+`"}`, 80, 20)
	if got := edge(text); strings.ContainsAny(got, "█│") {
		t.Errorf("beside a text: %q", got)
	}
}

// TestTheMapFollows: it never leaves its column, at any size, anywhere.
func TestTheMapFollows(t *testing.T) {
	p := open(t, mapped(), 80, 20)
	last := -1
	for range 200 {
		got := []rune(edge(p))
		at := strings.IndexRune(string(got), '█')
		if at < 0 {
			t.Fatalf("one is nowhere: %q", string(got))
		}
		if at = len([]rune(string(got)[:at])); at < last {
			t.Fatalf("down goes up: %d behind %d", at, last)
		}
		last = at
		p.do(p.Scroll(1))
	}
	if last < 10 {
		t.Fatalf("ends at %d", last)
	}
	for w := 1; w < 130; w += 3 {
		for h := 1; h < 60; h += 7 {
			p.w, p.h = w, h
			p.do(p.Resize(w, h)) // lines checks the width of every row
		}
	}
}

// TestASummaryIsNoPromptOnTheMap, whoever is said to have written it.
func TestASummaryIsNoPromptOnTheMap(t *testing.T) {
	for text, want := range map[string]mapMark{"Fix it": promptMark, "[CONTEXT SUMMARY]: Fix it": systemMark, "What is a [CONTEXT SUMMARY]: ?": promptMark} {
		m := user(text)
		if h := review.HeadOf(&m); markOf(&h) != want || IsPrompt(&h) != (want == promptMark) {
			t.Errorf("%q is %d on the map, a prompt: %t", text, markOf(&h), IsPrompt(&h))
		}
	}
}
