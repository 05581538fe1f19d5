package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/tui/reader/sheet"
)

// callsAndResults is a message with several calls, and what answers them.
func callsAndResults(results ...chat.Message) *fakeStore {
	call := func(id, name string) chat.ToolCall {
		return chat.ToolCall{ID: id, Name: name, Arguments: `{"command":"ls"}`}
	}
	return storeOf(append([]chat.Message{assistant("", call("1", "Bash"), call("2", "Read"), call("3", "Bash"))}, results...)...)
}

func TestResultsNameTheirCall(t *testing.T) {
	of := func(id, name string) chat.Message {
		m := result(name, "done "+id)
		m.ToolCallID = id
		return m
	}
	p := open(t, callsAndResults(of("3", "Bash"), of("1", "Bash"), of("2", "")), 60, 20)
	p.want("▌  Bash #1  ls", "▌  Read  ls", "▌  Bash #2  ls", "◂ Bash #2  done 3", "◂ Bash #1  done 1", "◂ Read  done 2")
	p = open(t, callsAndResults(result("Bash", "first"), result("Read", "second"), result("Bash", "third"), result("Bash", "fourth")), 60, 20)
	p.want("◂ Bash #1  first", "◂ Read  second", "◂ Bash #2  third", "◂ Bash  fourth")
}

// TestResultsTellWhatBecameOfTheCall: an error with a sign and in red, an exit by its
// words alone and in another colour, and nothing of what is ok.
func TestResultsTellWhatBecameOfTheCall(t *testing.T) {
	for text, want := range map[string]string{
		"Error: exit status 2\nlog":      "exit 2",
		"Exit code 127\nlog":             "exit 127",
		`{"output":"","exit_code":4}`:    `exit 4  {"output": "", "exit_code": 4}`,
		"--- FAIL: TestIt (0.00s)\nFAIL": "tests failed",
		"Command timed out after 2m":     "✗ timed out  Command timed out after 2m",
		"":                               "exit 1  no output",
	} {
		m := result("Bash", text)
		if text == "" {
			m.IsError = true
			want = "marked as error  no output"
		}
		p := open(t, storeOf(m), 80, 12)
		p.want("◂ Bash  " + want)
		ink := p.inks.exit
		if strings.HasPrefix(want, "✗") {
			ink = p.inks.failed
		}
		if verdict, _, _ := strings.Cut(want, "  "); !strings.Contains(p.View(80, 12), ink.On(verdict)) {
			t.Errorf("%q is drawn in another ink:\n%q", verdict, p.View(80, 12))
		}
	}
	p := open(t, storeOf(result("Read", "Error: no such file in the log\nmore"), result("Bash", "")), 80, 12)
	p.wantNot("exit 1", "marked")
}

func TestEmptyResultsSaySo(t *testing.T) {
	p := open(t, storeOf(result("Bash", ""), result("Read", " \n")), 60, 12)
	p.want("◂ Bash  no output", "◂ Read  no output")
	p.wantNot("▸", "▾", "✗")
}

func TestWhatShowsWholeHasNothingToUnfold(t *testing.T) {
	thought := assistant("")
	thought.Reasoning = "Short thought."
	for name, m := range map[string]chat.Message{
		"result": result("Bash", "done: all of it"), "failure": result("Bash", "Error: all of it"), "thinking": thought,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, storeOf(m), 60, 6)
			p.wantNot("▸", "▾", "line", "tokens")
			if p.CanFold() {
				t.Fatal("can be folded")
			}
			before := p.screen()
			p.do(p.ToggleFold())
			if got := p.Status().Notice; got != "nothing to fold in this message" || p.screen() != before {
				t.Fatalf("%q\n%s", got, p.screen())
			}
			p.w = 20
			p.do(p.Resize(20, 6))
			if !p.CanFold() {
				t.Fatalf("cut, but can't be unfolded:\n%s", p.screen())
			}
		})
	}
}

func TestHitsOnTheHeadlineAreMarkedThere(t *testing.T) {
	p := open(t, storeOf(user("question"), result("Bash", "the needle")), 60, 12)
	p.do(p.Find("needle"))
	p.want("◂ Bash  the needle")
	if view := p.View(60, 12); strings.Count(view, "needle") != 1 || !strings.Contains(view, p.inks.current.On("needle")) {
		t.Fatalf("not marked once:\n%q", view)
	}
}

func TestFoldedResultShowsItsFirstLine(t *testing.T) {
	p := open(t, storeOf(result("Read", "\n  \nfirst\nsecond\n"+numbered(4998))), 60, 12)
	p.want("◂ Read  first  ", "5,001 lines")
	p.wantNot("second")
}

func TestHiddenThinkingLeavesAMark(t *testing.T) {
	thought := assistant("answer")
	thought.Reasoning = "Short thought."
	p := open(t, storeOf(thought), 60, 12)
	p.want("thinking  Short thought.")
	p.do(p.ToggleThinking())
	p.do(p.ToggleThinking())
	p.want("· thinking hidden", "answer")
	p.wantNot("Short")
	p.do(p.Find("thought"))
	p.want("Short thought.")
	p.do(p.ToggleThinking())
	p.do(p.ToggleThinking())
	p.do(p.ToggleThinking())
	p.wantNot("Short")
	p.do(p.ToggleFold())
	p.want("Short thought.")
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		lines, bytes int
		want         string
	}{
		{1, 5, "5 B"}, {2, 99, "2 lines"}, {2, 9_999, "10 kB"}, {138, 12_345, "12 kB, 138 lines"}, {5001, 10_000, "10 kB, 5,001 lines"},
		{1_234_567, 999_499, "999 kB, 1,234,567 lines"}, {1, 999_500, "1.0 MB"}, {1, 24 << 20, "25 MB"},
	} {
		if got := sheet.Extent(c.lines, c.bytes); got != c.want {
			t.Errorf("%d lines, %d bytes: %q, want %q", c.lines, c.bytes, got, c.want)
		}
	}
}

func TestASCIIShowsControlsInCaretNotation(t *testing.T) {
	s := storeOf(
		user("bell \a and escape \x1b[1m, delete \x7f"),
		assistant("", chat.ToolCall{Name: "edit", Arguments: `{"path":"a\u001b","old":"\u001b1\nx","new":"\u001b2\nx"}`}),
		result("Bash", strings.Repeat("long ", 30)))
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), ASCII: true}), store: s, w: 60, h: 30}
	p.do(p.Resize(60, 30))
	p.do(p.Open(s.segment()))
	p.want("bell ^G and escape ^[[1m, delete ^?", "< Bash  long", "~  149 B")
	p.do(p.ToggleAllFolds())
	p.want("-^[1", "+^[2")
	if view := p.View(60, 30); !strings.Contains(view, p.inks.removed.On("-^[1")) || !strings.Contains(view, p.inks.added.On("+^[2")) {
		t.Fatalf("colours moved: %q", view)
	}
	for _, c := range p.screen() {
		if c > 0x7e {
			t.Fatalf("%q on an ASCII screen:\n%s", c, p.screen())
		}
	}
}
