package reader

import (
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/review"
)

// TestOutputFoldsToItsLastMeaningfulLine: a test's result stands at its end,
// before prompts and what shells print behind every output.
func TestOutputFoldsToItsLastMeaningfulLine(t *testing.T) {
	for text, want := range map[string]string{
		"=== RUN\n--- PASS\nok  parser 0.2s\n":             "ok parser 0.2s",
		"one\ntwo\n\n$ ":                                   "two",
		"one\ntwo\nuser@host:~/src$":                       "two",
		"one\ntwo\n(venv) root@box:/work#":                 "two",
		"one\ntwo\nPS C:\\src>":                            "two",
		"one\ntwo\n>>>":                                    "two",
		"one\ntwo\nsqlite>":                                "two",
		"one\nloading 100%":                                "loading 100%",
		"one\n100%":                                        "100%",
		"<b>\n</html>":                                     "</html>",
		"one\n}\n-----\n":                                  "one",
		"one\nExit code: 0":                                "one",
		"one\nShell cwd was reset to /work":                "one",
		"(Open file: n/a)\n(Current directory: /)\nbash-$": "(Open file: n/a)",
		"---\n...":                                         "---",
	} {
		if got := gistOf("Bash", body(text)); got != want {
			t.Errorf("%q folds to %q, want %q", text, got, want)
		}
	}
	if got := gistOf("Read", "first\nlast"); got != "first" {
		t.Errorf("a file folds to %q", got)
	}
}

func TestThinkingFoldsToItsFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"I look at the test. Then I fix it.":          "I look at the test.",
		"Is it e.g. the map? Yes.":                    "Is it e.g. the map?",
		"1. Read the file. 2. Fix it.":                "1. Read the file.",
		"main.go calls v1.2 of it! Good.":             "main.go calls v1.2 of it!",
		"**Exploring the code**\n\nI need to look.":   "Exploring the code",
		"no stop in it\nbut lines\n\nmore. And more.": "no stop in it but lines",
		"先看测试。再修改。":                                   "先看测试。",
		"stop\nat (vs. others) here. End":             "stop at (vs. others) here.",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
	m := assistant("Done.")
	m.Reasoning = "I look at the test. " + strings.Repeat("It fails again. ", 100)
	p := open(t, storeOf(m), 60, 12)
	p.want("▸ thinking  I look at the test.", "405 tokens")
}

func TestPathsAreShortenedByTheFolderOfTheSession(t *testing.T) {
	for line, want := range map[string]string{
		"/w/proj/cli/a.go":            "cli/a.go",
		"ls /w/proj && cat /w/proj/a": "ls . && cat a",
		"cd '/w/proj/' && x":          "cd './' && x",
		"/w/project/a /x/w/proj/a":    "/w/project/a /x/w/proj/a",
		"a=/w/proj/b:/w/proj/c":       "a=b:c",
		"/w/proj":                     ".",
	} {
		if got := within(line, "/w/proj"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
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
				if b := d.blocks[i].brief; strings.ContainsAny(b, "\n\x1b") || !utf8.ValidString(b) || len(b) > 16*gistBytes {
					t.Fatalf("%q is no line", b)
				}
			}
		}
	})
}
