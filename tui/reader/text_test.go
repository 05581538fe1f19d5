package reader

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/rawjson"
	"winnow/tui/reader/sheet"
)

// openText shows a text in a pane of the given size.
func openText(t testing.TB, raw string, w, h int) *pane {
	t.Helper()
	p := &pane{TB: t, Reader: New(Options{Styles: plainStyles()}), w: w, h: h}
	p.do(p.Resize(w, h))
	p.do(p.OpenText(TextOf([]byte(raw), false), false))
	return p
}

func TestJSONIsLaidOutForReading(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"object", `{"a":1.0,"b":[true,null],"c":{},"d":[]}`, "{\n  \"a\": 1.0,\n  \"b\": [true, null],\n  \"c\": {},\n  \"d\": []\n}"},
		{"white space", " { \"a\" :\n 1 } \n", "{\"a\": 1}"},
		{"records", "{\"a\":1}\n{\"a\":2}\n", "{\"a\": 1}\n{\"a\": 2}"},
		{"order and numbers", `{"b":1e400,"a":0.10,"b":{"x":{"y":2}}}`, "{\n  \"b\": 1e400,\n  \"a\": 0.10,\n  \"b\": {\n    \"x\": {\"y\": 2}\n  }\n}"},
		{"line breaks", `{"content":"one\ntwo\\n\n\nthree\n","x":[{"y":1}]}`, "{\n  \"content\": \"one\\n\n    two\\\\n\\n\n    \\n\n    three\\n\",\n  \"x\": [\n    {\"y\": 1}\n  ]\n}"},
		{"string", `"a\"b"`, `"a\"b"`},
		{"control characters", "\"a\\u001bb\u009bc\u202ed\x7f\"", "\"a\\u001bb\uFFFDc\uFFFDd\u2421\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := TextOf([]byte(c.raw), false)
			text := got.whole.doc.blocks[0].text
			if c.name == "control characters" {
				checkHarmless(t, text)
				return
			}
			if text != c.want || got.Left != 0 {
				t.Errorf("%d bytes left out:\n%s\nwant:\n%s", got.Left, text, c.want)
			}
			if len(got.whole.starts) != len(got.brief.starts) || len(got.whole.items) != len(got.brief.items) {
				t.Errorf("starts %v and %v, items %v and %v", got.whole.starts, got.brief.starts, got.whole.items, got.brief.items)
			}
		})
	}
}

func TestWhatIsNoJSONIsShownAsItIs(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":`: `{"a":`, "plain\ttext\n": "plain   text", "": "(nothing)", `{"a":1} x`: `{"a":1} x`, "\x1b]0;x\x07": "␛]0;x␇",
	} {
		p := openText(t, raw, 60, 5)
		p.want(want)
	}
}

func TestLongStringsAreCutAndSaySo(t *testing.T) {
	raw := `{"x":"` + strings.Repeat(`a\n`, 1<<20/slower) + `end of x","y":"` + strings.Repeat(`é\\`, 100_000) + `"}`
	text := TextOf([]byte(raw), false)
	got := text.whole.doc.blocks[0].text
	if len(got) > 4*(56<<10) || text.Left < len(raw)-4*(56<<10) {
		t.Errorf("%d bytes shown, %d left out", len(got), text.Left)
	}
	for _, want := range []string{"of this text left out)", `end of x"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got, "\uFFFD") || strings.Contains(got, "(\\") {
		t.Error("a character or an escape is cut")
	}
}

func TestWhatIsBehindTheMostIsLeftOutAndSaid(t *testing.T) {
	raw := "[" + strings.Repeat(`{"a":"`+strings.Repeat("b", 100)+`"},`, sheet.PageMost/100) + "1]"
	text := TextOf([]byte(raw), false)
	got := text.whole.doc.blocks[0].text
	if len(got) > sheet.PageMost+1000 || text.Left == 0 || !strings.HasSuffix(got, " more)") {
		t.Errorf("%d bytes shown, %d left out, ends %q", len(got), text.Left, got[len(got)-40:])
	}
}

func TestTextIsSearchedFoldedAndSteppedThrough(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"messages":[`)
	for i := range 40 {
		fmt.Fprintf(&b, `{"role":"user","content":"first line %d\nsecond Line %d\nthird"},`, i, i)
	}
	b.WriteString(`{"role":"assistant","content":"the needle"}]}`)
	p := openText(t, b.String(), 60, 12)
	p.want(`"messages": [`, `first line 0\n`, "second Line 0")
	p.do(p.NextItem())
	p.do(p.NextItem())
	if top := p.lines()[1]; !strings.Contains(top, `"role": "user"`) || !strings.Contains(p.lines()[2], "first line 1") {
		t.Errorf("the second message is not on top:\n%s", p.screen())
	}
	p.do(p.FoldText())
	if !strings.Contains(p.lines()[2], `first line 1\n…" (3 lines)`) || !p.TextFolded() {
		t.Errorf("folded, the view moved:\n%s", p.screen())
	}
	p.do(p.FoldText())
	if !strings.Contains(p.lines()[2], "first line 1") || !strings.Contains(p.lines()[3], "second Line 1") {
		t.Errorf("unfolded, the view moved:\n%s", p.screen())
	}
	p.do(p.PrevItem())
	if !strings.Contains(p.lines()[2], "first line 0") {
		t.Errorf("the message before is not on top:\n%s", p.screen())
	}
	p.do(p.Find("needle"))
	p.want("the needle")
	if s := p.Status(); s.Hit != 1 || s.Hits != 1 {
		t.Errorf("status %+v", s)
	}
}

// A row of JSON is drawn in the inks of its parts, wherever it begins.
func TestPartsOfJSONHaveTheirInks(t *testing.T) {
	p := openText(t, `{"key":"some words\tand more of them that need another row, and one behind that","n":-1.5e3}`, 60, 8)
	view := p.View(60, 8)
	for _, want := range []string{p.inks.code.On(`"key"`), p.inks.muted.On(`\t`), p.inks.tool.On("-1.5e3"), p.inks.muted.On(": ")} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%q", want, view)
		}
	}
}

func TestHostileJSONNeverDrivesTheTerminal(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			quoted := string(rawjson.AppendString(nil, text))
			for _, raw := range []string{
				`{` + quoted + `:` + quoted + `,"a":[` + quoted + `,{"b":` + quoted + `}]}`,
				`{"` + text + `":"` + text + `"}`, text, text + "\n" + text, "{\"a\":\"" + text,
			} {
				p := openText(t, raw, 70, 20)
				p.do(p.FoldText())
				p.do(p.Bottom())
				p.do(p.FoldText())
				p.do(p.Find(text[:min(len(text), 40)]))
				p.do(p.NextItem())
				p.do(p.PageUp())
			}
		})
	}
}

func TestTextInASCII(t *testing.T) {
	p := &pane{TB: t, Reader: New(Options{Styles: plainStyles(), ASCII: true}), w: 60, h: 10}
	p.do(p.Resize(60, 10))
	p.do(p.OpenText(TextOf([]byte("{\"a\":\""+strings.Repeat("word ", 60)+"\x7f\"}"), true), true))
	for _, c := range p.screen() {
		if c > 0x7e {
			t.Fatalf("%q in\n%s", c, p.screen())
		}
	}
}
