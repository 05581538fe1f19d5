package reader

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
)

// TestMarkdownSwallowsNothing has what curators must see and renderers drop.
func TestMarkdownSwallowsNothing(t *testing.T) {
	for _, text := range []string{
		"**b** Vec<String> and <div>", "**b**\n\n<div>\nblock\n</div>\n\nafter", "**b** <!-- note --> x",
		"**b** &lt;tag&gt; &amp;", `**b** \alpha \( x \) C:\*dir`, "**b** __init__ _x_", "```html\n<b>x</b>\n```",
		"`code <x> &amp; \\n`", "**b** [text](http://example.com/a?b=c)", "[ref]: http://example.com\n\n**b**",
		"    indented <x>\n\n**b**", "**b** <http://auto.example>",
	} {
		p := open(t, storeOf(user(text)), 70, 20)
		screen := strings.Join(strings.Fields(p.screen()), " ")
		for _, word := range strings.Fields(strings.NewReplacer("**", "", "`", "", "](", " ", "[text", "text", "c)", "c", "html", "").Replace(text)) {
			if !strings.Contains(screen, word) {
				t.Errorf("%q: no %q in %q", text, word, screen)
			}
		}
	}
}

func TestMarkdownIsRendered(t *testing.T) {
	p := open(t, storeOf(user("# Title\n\n**bold** text\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"+
		"```go\n"+strings.Repeat("x", 100)+"end\n```")), 50, 30)
	p.want("# Title", "bold text", "1. one", "2. two", "end")
	p.wantNot("**", "```", "|---|")
}

func TestLongTextIsShownPlainly(t *testing.T) {
	text := "# Title\n\n**bold**\n" + strings.Repeat("filler text\n", 1<<10)
	p := open(t, storeOf(user(text)), 50, 20)
	p.want("**bold**")
}

// essay is Markdown of n paragraphs, each with its number.
func essay(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Part %d\n\nThis is **paragraph%d** of the essay, and it is long enough to be wrapped over rows.\n\n- item%d\n", i, i, i)
	}
	return b.String()
}

// TestPlaceStaysWhenTheRenderedFormComes scrolls plain Markdown before it is
// rendered.
func TestPlaceStaysWhenTheRenderedFormComes(t *testing.T) {
	for _, paragraph := range []int{3, 20, 35} {
		p := open(t, storeOf(user("go"), user(essay(40))), 60, 20)
		p.SetStyles(plainStyles()) // what was rendered is for another theme now
		var cmds []tea.Cmd
		for !strings.Contains(p.lines()[0], fmt.Sprintf("paragraph%d*", paragraph)) {
			cmds = append(cmds, p.Scroll(1))
		}
		p.want("**paragraph")
		p.do(tea.Batch(cmds...))
		p.wantNot("**paragraph")
		if top := strings.Join(p.lines()[:4], " "); !strings.Contains(top, fmt.Sprintf("paragraph%d ", paragraph)) {
			t.Fatalf("paragraph %d was on top, now:\n%s", paragraph, p.screen())
		}
	}
}

func TestResizeKeepsThePosition(t *testing.T) {
	p := open(t, storeOf(user("go"), user(strings.Repeat("several words of an unbroken text ", 300)), user(essay(40))), 60, 20)
	for _, scroll := range []int{30, 250} {
		p.do(p.Top())
		p.do(p.Scroll(scroll))
		before := p.screen()
		word := strings.Fields(strings.TrimPrefix(p.lines()[0], "▌"))
		for _, size := range [][2]int{{100, 30}, {33, 10}, {60, 20}} {
			p.w, p.h = size[0], size[1]
			p.do(p.Resize(p.w, p.h))
			if top := strings.Join(p.lines()[:3], " "); !strings.Contains(top, word[0]) {
				t.Fatalf("at %v the top is\n%s\nit was\n%s", size, top, before)
			}
		}
		if got := p.screen(); got != before {
			t.Fatalf("after resizing there and back:\n%s\nbefore:\n%s", got, before)
		}
	}
}

func TestThemeChangeRendersAnew(t *testing.T) {
	p := open(t, storeOf(user("**bold** and `code`")), 60, 10)
	before := p.View(60, 10)
	s := plainStyles()
	s.Code = s.Code.Foreground(lipgloss.Color("#ff0000"))
	p.SetStyles(s)
	p.do(p.Update(nil))
	after := p.View(60, 10)
	if before == after || !strings.Contains(after, "38;2;255;0;0") || ansi.Strip(before) != ansi.Strip(after) {
		t.Fatalf("before %q\nafter %q", before, after)
	}
}

func TestRenderingOfAReplacedMessageIsDropped(t *testing.T) {
	p := open(t, storeOf(user("**old**")), 60, 10)
	p.SetStyles(plainStyles())
	rendering := p.Update(nil)
	if rendering == nil {
		t.Fatal("nothing is rendered anew")
	}
	p.shelf.put(1, documentOf(&chat.Message{N: 1, Role: chat.User, Content: "**new**"}, p.zone), func(shelfKey) bool { return true })
	p.do(rendering)
	p.want("new")
	p.wantNot("old", "**")
}
