package reader

import (
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/reader/gist"
)

func TestThinkingFoldsToItsFirstSentence(t *testing.T) {
	m := assistant("Done.")
	m.Reasoning = "I look at the test. " + strings.Repeat("It fails again. ", 100)
	p := open(t, storeOf(m), 60, 12)
	p.want("▸ thinking  I look at the test.", "405 tokens")
}

func TestPathsAreShortenedByTheFolderOfTheSession(t *testing.T) {
	s := storeOf(assistant("", call("1", "Read", `{"file_path":"/w/proj/cli/a.go"}`)), result("grep", "/w/proj/a.go:1: x\n/w/proj/b.go:2: y"))
	s.sessions = map[string]review.Session{"s": {ID: "s", Dir: "/w/proj"}}
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: 60, h: 12}
	seg := s.segment()
	seg.SessionID = "s"
	p.do(p.Open(seg))
	p.want("Read  cli/a.go", "grep  a.go:1: x")
	p.do(p.ToggleAllFolds())
	p.want("/w/proj/cli/a.go", "/w/proj/b.go:2: y")
}

// TestFoldedEditsTellWhatTheyChange tries the tools of several agents.
func TestFoldedEditsTellWhatTheyChange(t *testing.T) {
	for _, c := range []struct{ name, arguments, want string }{
		{"Edit", `{"file_path":"cli/explain.go","old_string":"a\nb","new_string":"a\n1\n2\n3\nb"}`, "▸ Edit  cli/explain.go +3 −0"},
		{"MultiEdit", `{"file_path":"a.go","edits":[{"old_string":"x","new_string":"y"},{"old_string":"1","new_string":"2\n3"}]}`, "▸ MultiEdit  a.go +3 −2"},
		{"Write", `{"file_path":"new.go","content":"package a\n\nvar x = 1\n"}`, "▸ Write  new.go +3 −0"},
		{"str_replace_based_edit_tool", `{"command":"str_replace","path":"a.go","old_str":"x","new_str":"y"}`, "▸ str_replace_based_edit_tool  a.go +1 −1"},
		{"str_replace_editor", `{"command":"create","path":"a.go","file_text":"x\ny\n"}`, "▸ str_replace_editor  create a.go +2 −0"},
		{"str_replace_editor", `{"command":"insert","path":"a.go","insert_line":3,"new_str":"x"}`, "▸ str_replace_editor  insert a.go +1 −0"},
		{"str_replace_editor", `{"command":"view","path":"a.go"}`, "▸ str_replace_editor  view a.go\n"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n+z\n*** Add File: b.go\n+n\n*** End Patch"}`, "▸ apply_patch  a.go, b.go +3 −1"},
		{"apply_patch", "*** Begin Patch\n*** Update File: a.go\n@@\n-x\n*** End Patch", "▸ apply_patch  a.go +0 −1"},
		{"Read", `{"file_path":"a.go"}`, "  Read  a.go\n"},
		{"Grep", `{"pattern":"func main","path":"cli"}`, "▸ Grep  func main in cli\n"},
	} {
		p := open(t, storeOf(assistant("", call("1", c.name, c.arguments))), 80, 12)
		p.want(c.want)
	}
	p := open(t, storeOf(assistant("", call("1", "Edit", `{"file_path":"a.go","old_string":"x","new_string":"y"}`))), 80, 12)
	p.prefer.Edits = true
	p.want("▾ Edit  +1 −1\n", "  a.go\n", "-x\n", "+y")
	p.do(p.ToggleFold())
	p.want("▸ Edit  a.go +1 −1\n")
}

// TestUnfoldedNothingIsShownTwice opens all there is and looks for the line
// that was folded.
func TestUnfoldedNothingIsShownTwice(t *testing.T) {
	m := assistant("", call("1", "Bash", `{"command":"needle one","timeout":5}`))
	m.Reasoning = "A needle is here. And more of it."
	p := open(t, storeOf(m, result("Bash", "x\nneedle two"), result("api", `{"output":"needle three\ny"}`)), 80, 30)
	p.do(p.ToggleAllFolds())
	if n := strings.Count(p.screen(), "needle"); n != 4 {
		t.Errorf("%d times instead of 4:\n%s", n, p.screen())
	}
}

func TestProseIsNoWiderThanConfigured(t *testing.T) {
	s := storeOf(user(strings.Repeat("words and words ", 40)), result("Bash", "x\n"+strings.Repeat("y", 140)))
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), Preferences: Preferences{Width: 60}}), store: s, w: 160, h: 20}
	p.do(p.Resize(160, 20))
	p.do(p.Open(s.segment()))
	for _, line := range p.lines() {
		if len([]rune(line)) > 61 {
			t.Errorf("too wide: %q", line)
		}
	}
	p.do(p.ToggleAllFolds())
	p.wantNot(strings.Repeat("y", 57))
	list := "[" + strings.Repeat(`{"aaaaaaaaaaaaaaaaaaaaaaaaaa":"aaaaaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbbbb":"bbbbbbbbbbbbbbbbbbbbbbbbbb","c":"cccccccccccccccccccc"},`, 2)
	s = storeOf(result("api", strings.TrimSuffix(list, ",")+"]"))
	p = &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), Preferences: Preferences{Width: 60}}), store: s, w: 160, h: 20}
	p.do(p.Resize(160, 20))
	p.do(p.Open(s.segment()))
	p.do(p.ToggleAllFolds())
	p.want("─────  ─") // tables have all the room there is
}

func FuzzGist(f *testing.F) {
	f.Add("one\ntwo\n$ ", "/w")
	f.Add("(venv) a@b:~$ 字。\x1b[2J", "字")
	f.Fuzz(func(t *testing.T, text, dir string) {
		m := chat.Message{N: 1, Role: chat.Assistant, Content: text, Reasoning: text, ToolCalls: []chat.ToolCall{{Name: "edit", Arguments: text}}}
		answer := chat.Message{N: 2, Role: chat.Tool, Name: "Bash", Content: text}
		for _, d := range []*document{documentOf(&m, nil), documentOf(&answer, nil)} {
			d.shorten(dir)
			for i := range d.blocks {
				if b := d.blocks[i].brief; strings.ContainsAny(b, "\n\x1b") || !utf8.ValidString(b) || len(b) > 16*gist.Looked {
					t.Fatalf("%q is no line", b)
				}
			}
		}
	})
}
