package reader

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/tui/draw"
)

// unfolded shows a call in a pane, opened, and returns its rows.
func unfolded(t *testing.T, name, arguments string) *pane {
	t.Helper()
	p := open(t, storeOf(assistant("", chat.ToolCall{Name: name, Arguments: arguments})), 60, 30)
	p.do(p.ToggleFold())
	return p
}

func TestUnfoldedCallsReadAsText(t *testing.T) {
	for name, c := range map[string]struct{ arguments, want string }{
		"edit": {
			`{"file_path":"src/a.go","old_string":"func f() {\n\treturn 1\n}","new_string":"func f() {\n\treturn 2\n\t// why\n}","replace_all":false}`,
			`
  src/a.go
   func f() {
  -        return 1
  +        return 2
  +        // why
   }
  {"replace_all": false}`},
		"other names": {`{"path":"a","oldText":"x","newText":"y"}`, "\n  a\n  -x\n  +y"},
		"a new file":  {`{"path":"a","old_str":"","new_str":"one\ntwo"}`, "\n  a\n  +one\n  +two"},
		"a last line": {`{"path":"a","search":"one","replace":"one\n"}`, "\n  a\n   one\n  +"},
		"several": {
			`{"path":"a","edits":[{"old":"x","new":"y","replace_all":true},{"old":"1\n2","new":"0\n2"}]}`,
			"\n  a\n  -x\n  +y\n  {\"replace_all\": true}\n  -1\n  +0\n   2"},
		"no edits":   {`{"path":"a","edits":[{"old":"x","new":"y"},"z"]}`, "\n  {\n    \"path\": \"a\","},
		"a file":     {`{"file_path":"a.txt","content":"one\n  two\n"}`, "\n  a.txt\n  content:\n  one\n    two\n"},
		"a command":  {`{"command":"cat <<EOF\nsay \"hi\"\nEOF","timeout":60.0}`, "\n  command:\n  cat <<EOF\n  say \"hi\"\n  EOF\n  {\"timeout\": 60.0}"},
		"words":      {`{"command":["bash","-c","ls\npwd"]}`, "\n  command:\n  bash -c ls\n  pwd"},
		"plain":      {`{"command":"ls","timeout":60.0}`, "\n  {\"command\": \"ls\", \"timeout\": 60.0}"},
		"no object":  {"*** Begin Patch\n+new\n*** End Patch", "\n  *** Begin Patch\n  +new"},
		"controls":   {`{"content":"a\u001b[31m\nb"}`, "\n  content:\n  a␛[31m\n  b"},
		"nothing":    {`{ }`, "\n  {}"},
		"lone pairs": {`{"old":"x","new":1}`, "\n  {\"old\": \"x\", \"new\": 1}"},
	} {
		t.Run(name, func(t *testing.T) {
			p := unfolded(t, "tool", c.arguments)
			screen := strings.ReplaceAll(p.screen(), "\n▌", "\n")
			if !strings.Contains(screen, c.want) {
				t.Fatalf("want%s\ngot\n%s", c.want, screen)
			}
		})
	}
}

func TestEditsAreColouredAsDiffs(t *testing.T) {
	p := unfolded(t, "edit", `{"path":"a","old":"same\nold line","new":"same\nnew line"}`)
	view := p.View(60, 30)
	for text, in := range map[string]draw.Ink{"-old line": p.inks.removed, "+new line": p.inks.added, " same": p.inks.text, "a": p.inks.tool} {
		if !strings.Contains(view, "  "+in.On(text)) {
			t.Errorf("%q is not drawn in %q:\n%q", text, inkBegins(in), view)
		}
	}
	p = unfolded(t, "apply", `{"patch":"*** Update File: a\n@@\n-old line\n+new line"}`)
	view = p.View(60, 30)
	for text, in := range map[string]draw.Ink{"-old line": p.inks.removed, "+new line": p.inks.added, "@@": p.inks.muted} {
		if !strings.Contains(view, "  "+in.On(text)) {
			t.Errorf("%q is not drawn in %q:\n%q", text, inkBegins(in), view)
		}
	}
}

func TestDetailShowsTheArgumentsAsJSON(t *testing.T) {
	p := open(t, storeOf(assistant("", chat.ToolCall{Name: "edit", Arguments: `{"path":"a","old":"x\ny","new":"z"}`})), 60, 30)
	p.do(p.ToggleDetail())
	p.want(`"old": "x\ny",`)
	p.wantNot("-x")
}

func TestHitsInEditsAreOnTheirLine(t *testing.T) {
	p := open(t, storeOf(assistant("", chat.ToolCall{Name: "edit", Arguments: `{"path":"dir/a","old":"x","new":"the\nneedle here"}`})), 60, 30)
	p.do(p.Find("needle"))
	p.want("+needle here")
	if view := p.View(60, 30); !strings.Contains(view, p.inks.current.On("needle")) {
		t.Fatalf("not marked: %q", view)
	}
}

func TestResultsInJSONReadAsText(t *testing.T) {
	p := open(t, storeOf(result("terminal", `{"output":"one\ntwo","exit_code":0}`)), 60, 30)
	p.want("◂ terminal  two  ")
	p.do(p.ToggleFold())
	p.want("    output:\n▌    one\n▌    two\n▌    {\"exit_code\": 0}")
}

func TestGiantArgumentsShowTheirEnds(t *testing.T) {
	var text strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&text, `line %d\n`, i)
	}
	for name, arguments := range map[string]string{
		"file": `{"path":"big.txt","content":"` + text.String() + `the end"}`,
		"edit": `{"path":"big.txt","old":"` + text.String() + `","new":"` + text.String() + `the end"}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := unfolded(t, "write", arguments)
			p.want("▾ write  +", "\n▌  big.txt", "line 5")
			p.wantNot(`\n`)
			p.do(p.Bottom())
			p.want("line 199999", "the end")
			if len(p.wraps) > 500 {
				t.Fatalf("%d lines wrapped", len(p.wraps))
			}
		})
	}
}
