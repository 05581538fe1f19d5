package reader

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

func call(id, name, arguments string) chat.ToolCall {
	return chat.ToolCall{ID: id, Name: name, Arguments: arguments}
}

func answerTo(id, name, text string) chat.Message {
	m := result(name, text)
	m.ToolCallID = id
	return m
}

// coloured draws a word as it is coloured in a line of Go.
func coloured(p *pane, line, word string) string {
	for _, run := range p.md.Code(line, "go", p.inks.muted)[0] {
		if run.Text == word {
			return run.Ink.On(word)
		}
	}
	p.Fatalf("no %q in %q", word, line)
	return ""
}

// Code is coloured by its language: in fences, in files that are read or
// written, in scripts; what is no code, or of no known language, is not.
func TestCodeHasTheInksOfItsLanguage(t *testing.T) {
	const goCode = "package main\n\nfunc f() int { return 42 } // done"
	for _, c := range []struct {
		name     string
		messages []chat.Message
		coloured bool
	}{
		{"fence", []chat.Message{assistant("Look:\n\n```go\n" + goCode + "\n```\n")}, true},
		{"fence without a language", []chat.Message{assistant("Look:\n\n```\n" + goCode + "\n```\n")}, false},
		{"fence of an unknown one", []chat.Message{assistant("Look:\n\n```klingon\n" + goCode + "\n```\n")}, false},
		{"read", []chat.Message{assistant("", call("1", "Read", `{"file_path":"/x/main.go"}`)), answerTo("1", "Read", goCode)}, true},
		{"read with numbers", []chat.Message{assistant("", call("1", "Read", `{"file_path":"/x/main.go"}`)), answerTo("1", "Read", "     1\tpackage main\n     2\t\n     3\tfunc f() int { return 42 } // done")}, true},
		{"read with arrows", []chat.Message{assistant("", call("1", "Read", `{"file_path":"/x/main.go"}`)), answerTo("1", "Read", "1→package main\n2→\n3→func f() int { return 42 } // done")}, true},
		{"cat", []chat.Message{assistant("", call("1", "terminal", `{"command":"cat /x/main.go"}`)), answerTo("1", "terminal", goCode)}, true},
		{"grep", []chat.Message{assistant("", call("1", "terminal", `{"command":"grep -n x /x/main.go"}`)), answerTo("1", "terminal", goCode)}, false},
		{"read of prose", []chat.Message{assistant("", call("1", "Read", `{"file_path":"/x/notes.md"}`)), answerTo("1", "Read", goCode)}, false},
		{"write", []chat.Message{assistant("", call("1", "Write", `{"file_path":"/x/main.go","content":`+string(rawjson.AppendString(nil, goCode))+`}`))}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, storeOf(c.messages...), 80, 30)
			p.do(p.ToggleAllFolds())
			p.want("package main", "return 42 } // done")
			view := p.View(p.w, p.h)
			if got := strings.Contains(view, coloured(p, "func", "func")) && strings.Contains(view, coloured(p, "func f() int { return 42 }", "42")); got != c.coloured {
				t.Errorf("coloured: %v\n%q", got, view)
			}
			p.do(p.Find("return"))
			if !strings.Contains(p.View(p.w, p.h), p.inks.current.On("return")) {
				t.Error("a hit in code is not marked")
			}
		})
	}
}

func TestScriptsAreColoured(t *testing.T) {
	p := open(t, storeOf(assistant("", call("1", "terminal", `{"command":"for f in *.go; do\n  echo \"$f\"\ndone"}`))), 80, 20)
	p.do(p.ToggleAllFolds())
	if view := p.View(p.w, p.h); !strings.Contains(view, coloured(p, "for {}", "for")) {
		t.Errorf("no keyword:\n%q", view)
	}
}

func TestColouredCodeIsTheCode(t *testing.T) {
	long := strings.Repeat("x", 300)
	text := "func a() {\n\ts := \"" + long + "\" // 字字字\n}\n\n\n// end"
	p := open(t, storeOf(assistant("", call("1", "Read", `{"path":"a.go"}`)), answerTo("1", "Read", text)), 60, 40)
	p.do(p.ToggleAllFolds())
	var got strings.Builder
	for _, l := range p.lines() {
		got.WriteString(strings.TrimSpace(strings.TrimPrefix(l, "▌")))
	}
	for _, want := range []string{"func a() {", long + `" // 字字字`, "// end"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q in\n%s", want, p.screen())
		}
	}
}

// Colours of code follow the theme.
func TestColoursOfCodeFollowTheTheme(t *testing.T) {
	p := open(t, storeOf(assistant("```go\nfunc f() {}\n```")), 60, 10)
	before := p.View(p.w, p.h)
	s := plainStyles()
	s.User = s.Error
	p.SetStyles(s)
	p.do(p.Update(nil))
	after := p.View(p.w, p.h)
	if before == after || !strings.Contains(after, coloured(p, "func", "func")) {
		t.Errorf("%q\n%q", before, after)
	}
}

func TestHostileCodeNeverDrivesTheTerminal(t *testing.T) {
	for name, text := range hostile {
		if len(text) > 1<<16 {
			continue
		}
		for _, file := range [...]string{"a.go", "a.py", "a.sh", "a.json", "a.html", "Makefile", "a.diff", text} {
			path := string(rawjson.AppendString(nil, file))
			p := open(t, storeOf(assistant("```"+file+"\n"+text+"\n```", call("1", "Read", `{"path":`+path+`}`),
				call("2", "Write", `{"path":`+path+`,"content":`+string(rawjson.AppendString(nil, text+"\n"+text))+`}`)), answerTo("1", "Read", text)), 60, 30)
			p.do(p.ToggleAllFolds())
			p.do(p.PageDown())
			if t.Failed() {
				t.Fatalf("%s in %s", name, ansi.Strip(file))
			}
		}
	}
}

// What a sub-agent reports is read as what people write.
func TestReportsOfSubAgentsAreRendered(t *testing.T) {
	p := open(t, storeOf(assistant("", call("1", "Task", `{"prompt":"look"}`)), answerTo("1", "Task", "## Summary\n\nIt is **here**."), answerTo("2", "terminal", "## Summary\n\nIt is **there**.")), 60, 20)
	p.do(p.ToggleAllFolds())
	p.want("It is here.", "It is **there**.")
}
