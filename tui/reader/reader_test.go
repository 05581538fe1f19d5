package reader

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
	"winnow/core/review"
)

// talk is a conversation as agents record them.
func talk() *fakeStore {
	failed := result("terminal", "Error: exit status 1\n--- FAIL: TestParser (0.01s)\n    parser_test.go:41: got 3, want 4\n"+numbered(45))
	start := user("The parser test fails one run in ten.\nFind out why, please.")
	start.Timestamp = "2026-03-01T12:04:09Z"
	think := assistant("I will run the test **twenty times** first:\n\n- with `-race`\n- without it",
		chat.ToolCall{ID: "a", Name: "terminal", Arguments: `{"command":"go test -run Parser -count=20 ./...","timeout":60.0}`},
		chat.ToolCall{ID: "b", Name: "read_file", Arguments: `{"path":"parser/parser_test.go"}`})
	think.Reasoning = "A test that fails at times:\n" + numbered(36) + "\nprobably a data race."
	think.Timestamp, think.Model = "2026-03-01T12:04:31Z", "sonnet-4"
	return storeOf(
		chat.Message{Role: chat.System, Content: "You are a careful engineer."},
		start, think, failed,
		result("read_file", "package parser\n\nimport \"testing\"\n\nfunc TestParser(t *testing.T) {\n\tt.Parallel()\n}"),
		assistant("The test shares a map between goroutines: 共享的地图 🙂 needs a lock.",
			chat.ToolCall{ID: "c", Name: "edit", Arguments: `{"path":"parser/parser.go","old":"a","new":"b"}`}),
		result("edit", `{"output":"--- a\n+++ b\n","exit_code":0}`),
		result("git", "diff --git a/parser.go b/parser.go\n--- a/parser.go\n+++ b/parser.go\n@@ -1,2 +1,2 @@\n-var m = map[string]int{}\n+var m sync.Map"),
		assistant("Done. The test passes **200 times** now."),
	)
}

func TestGoldenConversation(t *testing.T) {
	for name, size := range map[string][2]int{"60x24": {60, 24}, "100x40": {100, 40}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, talk(), size[0], size[1])
			golden.RequireEqual(t, p.screen())
		})
	}
}

func TestGoldenUnfoldedInColour(t *testing.T) {
	p := open(t, talk(), 80, 60)
	p.do(p.ToggleAllFolds())
	p.do(p.NextMessage())
	p.do(p.NextMessage())
	golden.RequireEqual(t, p.View(p.w, p.h))
}

func TestScrollDownAndUpReturnsToTheSameScreen(t *testing.T) {
	p := open(t, talk(), 50, 12)
	p.do(p.ToggleAllFolds())
	first := p.screen()
	var down []string
	for {
		down = append(down, p.screen())
		p.do(p.Scroll(1))
		if p.screen() == down[len(down)-1] {
			break
		}
	}
	if len(down) < 80 {
		t.Fatalf("the whole conversation has only %d screens", len(down))
	}
	p.want("200 times")
	for i := len(down) - 1; i >= 0; i-- {
		if got := p.screen(); got != down[i] {
			t.Fatalf("screen %d on the way up:\n%s\non the way down:\n%s", i, got, down[i])
		}
		p.do(p.Scroll(-1))
	}
	if p.screen() != first {
		t.Fatal("the first screen changed")
	}
}

func TestEndsStay(t *testing.T) {
	p := open(t, talk(), 50, 12)
	first := p.screen()
	p.do(p.Scroll(-3))
	p.do(p.PageUp())
	if p.screen() != first {
		t.Fatal("up moved the first screen")
	}
	p.do(p.Bottom())
	last := p.screen()
	p.do(p.PageDown())
	p.do(p.NextMessage())
	if p.screen() != last {
		t.Fatal("down moved the last screen")
	}
	p.do(p.Top())
	if p.screen() != first {
		t.Fatal("Top does not show the first screen")
	}
}

func TestThinkingAndResultsAreFoldedFailuresOpen(t *testing.T) {
	p := open(t, talk(), 80, 40)
	p.want("▸ thinking  A test that fails at times: line 1", "82 tokens", "▸ terminal  go test -run Parser -count=20 ./...", "◂ terminal  exit 1", "got 3, want 4", "… 42 more lines", "◂ read_file  package parser  ")
	p.wantNot("probably a data race", "line 37")
	p.do(p.ToggleThinking())
	p.want("▾ thinking", "A test that fails at times")
	p.do(p.ToggleThinking())
	p.want("· thinking hidden")
	p.wantNot("82 tokens", "A test that fails")
	p.do(p.ToggleThinking())
	p.want("▸ thinking  A test", "82 tokens")
}

func TestFoldTogglesTheCurrentMessage(t *testing.T) {
	p := open(t, talk(), 80, 100)
	before := p.screen()
	p.do(p.NextFailure())
	if !p.CanFold() {
		t.Fatal("a failure can't be folded")
	}
	p.do(p.ToggleFold())
	p.want("line 45")
	p.wantNot("more lines")
	p.do(p.ToggleFold())
	p.wantNot("got 3, want 4")
	p.do(p.ToggleFold())
	p.want("got 3, want 4")
	p.do(p.ToggleAllFolds())
	p.want("probably a data race", `"timeout": 60.0`)
	p.do(p.ToggleAllFolds())
	p.wantNot("probably a data race", "got 3, want 4")
	p.do(p.ToggleAllFolds())
	p.do(p.Top())
	if got := p.screen(); got != before {
		t.Fatalf("three times Z gives\n%s\ninstead of\n%s", got, before)
	}
}

func TestDetailShowsArgumentsAndIndentsResults(t *testing.T) {
	p := open(t, talk(), 80, 100)
	p.do(p.ToggleDetail())
	p.want(`"timeout": 60.0`, `"exit_code": 0`)
	p.do(p.ToggleDetail())
	p.wantNot(`"timeout": 60.0`)
}

func TestMessageJumps(t *testing.T) {
	p := open(t, talk(), 80, 10)
	for n := 2; n <= 9; n++ {
		p.do(p.NextMessage())
		if s := p.Status(); s.Message != n || s.Of != 9 {
			t.Fatalf("at %d of %d, want %d of 9", s.Message, s.Of, n)
		}
	}
	for n := 8; n >= 1; n-- {
		for i := 0; p.Status().Message != n; i++ {
			if i > 1 {
				t.Fatalf("two steps back from %d do not reach %d", p.Status().Message, n)
			}
			p.do(p.PrevMessage())
		}
	}
	p.do(p.NextFailure())
	if s := p.Status(); s.Message != 4 {
		t.Fatalf("the failure is message 4, not %d", s.Message)
	}
	p.do(p.PrevPrompt())
	if s := p.Status(); s.Message != 2 {
		t.Fatalf("the prompt is message 2, not %d", s.Message)
	}
	p.do(p.PrevPrompt())
	if s := p.Status(); s.Message != 2 {
		t.Fatalf("without a prompt before it went to %d", s.Message)
	}
}

func TestReopenedSegmentIsAsItWasLeft(t *testing.T) {
	s := talk()
	p := open(t, s, 60, 12)
	p.do(p.NextFailure())
	p.do(p.ToggleFold())
	p.do(p.Scroll(5))
	want := p.screen()
	other := s.segment()
	other.ID, other.Start, other.End = "other", 2, 3
	p.do(p.Open(other))
	p.want("The parser test fails")
	p.do(p.Open(s.segment()))
	if got := p.screen(); got != want {
		t.Fatalf("reopened:\n%s\nwas left:\n%s", got, want)
	}
	p.Close()
	if got := p.Status(); got != (Status{}) {
		t.Fatalf("closed, but %+v", got)
	}
}

func TestGrownSegmentShowsItsLastMessageAnew(t *testing.T) {
	for name, c := range map[string]struct {
		last, id, fingerprint string
	}{
		"longer":                      {"half a sentence is whole now", "0123456789", "another"},
		"as long":                     {"half a pie", "0123456789", "another"},
		"as part of a new segment":    {"half a sentence is whole now", "another", "another"},
		"without another fingerprint": {"half a sentence is whole now", "0123456789", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := storeOf(user("hello"), assistant("half a sen"))
			p := open(t, s, 60, 12)
			p.want("half a sen")
			grown := storeOf(user("hello"), assistant(c.last), user("thanks"))
			s.count, s.make, s.index = grown.count, grown.make, nil
			seg := s.segment()
			seg.ID, seg.Fingerprint = c.id, c.fingerprint
			p.do(p.Open(seg))
			p.want(c.last, "thanks")
		})
	}
}

func TestTinyPanes(t *testing.T) {
	for w := range 12 {
		for h := range 5 {
			s := talk()
			p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), ASCII: true}), store: s, w: w, h: h}
			if w == 0 || h == 0 {
				p.View(w, h)
				continue
			}
			p.View(w, h)
			p.do(p.Open(s.segment()))
			p.do(p.ToggleAllFolds())
			p.do(p.Bottom())
			p.do(p.Find("test"))
			p.do(p.NextHit())
			p.do(p.PageUp())
		}
	}
}

func TestASCIIDrawsNoSignsOfItsOwnOutsideASCII(t *testing.T) {
	s := storeOf(user("ask **it**\n\n- a\n\n> b"), assistant("answer", chat.ToolCall{Name: "terminal", Arguments: `{"command":"ls"}`}), result("terminal", "Error: "+numbered(30)))
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), ASCII: true}), store: s, w: 60, h: 30}
	p.do(p.Resize(60, 30))
	p.do(p.Open(s.segment()))
	for _, c := range p.screen() {
		if c > 0x7e {
			t.Fatalf("%q on an ASCII screen:\n%s", c, p.screen())
		}
	}
}

func TestTimesAreShownInTheZoneAsked(t *testing.T) {
	s := talk()
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), Zone: time.FixedZone("", 2*3600)}), store: s, w: 60, h: 30}
	p.do(p.Open(s.segment()))
	p.want("14:04")
}

// What is damaged is said in words that a line has room for.
func TestDamageIsSaidInOneLine(t *testing.T) {
	err := fmt.Errorf("%w: /home/ann/.local/share/winnow/winnow.db: 5 of 9 segments can be read: winnow rescue copies them", review.ErrDamaged)
	if text := Problem(err); len(text) > 66 || !strings.Contains(text, "winnow rescue") || !strings.Contains(text, "damaged") {
		t.Errorf("%d: %q", len(text), text)
	}
}

func TestUnreadableMessageSaysSo(t *testing.T) {
	s := storeOf(user("one"), user("two"), user("three"))
	s.fail = map[int]bool{1: true, 2: true, 3: true}
	p := open(t, s, 70, 12)
	p.want("could not be read: chunk is damaged")
	if p.Status().Loading {
		t.Fatal("still loading")
	}
}
