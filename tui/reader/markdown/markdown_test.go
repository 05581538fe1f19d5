package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/themes"
)

// styles are sixteen-colour styles that no theme file changes.
func styles() themes.Styles {
	c := func(n string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(n)) }
	return themes.Styles{Muted: c("8"), User: c("4"), Assistant: c("2"), Tool: c("3"), Thinking: c("6"), Code: c("14"), Approved: c("10"), Rejected: c("1")}
}

// essay is Markdown of n paragraphs, each with its number.
func essay(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Part %d\n\nThis is **paragraph%d** of the essay, and it is long enough to be wrapped over rows.\n\n- item%d\n", i, i, i)
	}
	return b.String()
}

func TestFormsCarryPlacesOver(t *testing.T) {
	text := essay(30)
	f, err := Render(text, 50, StyleOf(styles(), false))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(f.Rows); i++ {
		if f.Source[i] < f.Source[i-1] {
			t.Fatalf("row %d comes from %d, the one before from %d", i, f.Source[i], f.Source[i-1])
		}
		if row := ansi.Strip(f.Rows[i]); strings.Contains(row, "paragraph") {
			word := row[strings.Index(row, "paragraph"):]
			word = word[:strings.IndexAny(word, " .")]
			if at := strings.Index(text, word+"**"); at < f.Source[i] || at > f.Source[i]+60 {
				t.Fatalf("%q stands at %d, its row says %d", word, at, f.Source[i])
			}
		}
	}
}

// BenchmarkMarkdown renders 8 KB of an essay.
func BenchmarkMarkdown(b *testing.B) {
	text, style := essay(70), StyleOf(styles(), false)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Render(text, 100, style); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMarkdownThatHurtsRenderersEndsSoon has texts of the largest size that
// is rendered; a renderer left alone with nested quotes never comes back.
func TestMarkdownThatHurtsRenderersEndsSoon(t *testing.T) {
	var stairs strings.Builder
	for i := range 90 {
		stairs.WriteString(strings.Repeat("  ", i) + "- step\n")
	}
	parts := []string{"[", "*a ", "> ", ">", "|-|-|\n", "- ", "* ", "1. ", "`", "**a_b", "![](", "# ", "1. 1. ", "\n\n    x", "a**b**", "1) > ", "> > > > \n", stairs.String()}
	for _, part := range parts {
		text := clean.Text("**b**\n\n" + strings.Repeat(part, max(1, (plainAbove-10)/len(part))))
		if !Worth(text) {
			continue
		}
		began := time.Now()
		if _, err := Render(text, 60, StyleOf(styles(), false)); err != nil {
			t.Errorf("%.20q: %v", part, err)
		}
		const limit = 10 * time.Second // they take 0.2 s on an idle machine
		if d := time.Since(began); d > limit {
			t.Errorf("%.20q repeated takes %v", part, d)
		}
	}
}

func TestOnlyDeepNestingIsShownPlainly(t *testing.T) {
	for text, want := range map[string]bool{
		"> quote\n> > reply\n> > > more":                         false,
		"- a\n  - b\n    - c\n      - d":                         false,
		"---\n- - -\n* * *\n":                                    false,
		strings.Repeat(">", 9) + " x":                            true,
		strings.Repeat("> ", 9):                                  true,
		strings.Repeat("- ", 9) + "x":                            true,
		strings.Repeat("1. ", 9) + "x":                           true,
		strings.Repeat("x > ", 20):                               false,
		strings.Repeat(" ", 300) + "- deep":                      true,
		strings.Repeat(" ", 300) + "just indented":               false,
		strings.Repeat("-", 80) + "\n" + strings.Repeat(".", 80): false,
	} {
		if got := deeplyNested(text); got != want {
			t.Errorf("%.30q: %v", text, got)
		}
	}
}

// colours are the sequences that a row may hold.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func FuzzRenderMarkdown(f *testing.F) {
	for _, seed := range []string{
		"a\x1b]0;owned\x07b", "\u009b2J\u009d0;x\u009c \x9b31m", "abc\u202edcb\u202c \u2066x\u2069", "\xff\xfe\xf0\x28\x8c\x28", "a\tb\n\tc",
		"[x](\x1b]8;;evil\x07) **b\x1b[5mold** `co\x1b]0;t\x07de`\n\n```\n\x1b[2J\n```\n", "**b** &#27;[2J &#x9b;2J <!-- \x1b[2J -->",
		"**b** <http://x/\u202e> http://y/%1b[2J", "**b** \ue0f1script\ue0f2", "a\ufe0f\u200d\u200b\ufeffb\U000e0041",
	} {
		f.Add(seed, 40)
	}
	f.Add(essay(3), 20)
	f.Add("| a | b |\n|---|---|\n| 1 | 2 |", 1)
	style := StyleOf(styles(), false)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width%200+200)%200
		text = clean.Text(text)
		if len(text) > 2<<10 || !Worth(text) {
			return
		}
		rendered, err := Render(text, width, style)
		if err != nil {
			return
		}
		for i, row := range rendered.Rows {
			if text := colours.ReplaceAllString(row, ""); clean.Text(text) != text {
				t.Fatalf("row %d drives the terminal: %q", i, row)
			}
			if w := ansi.StringWidth(row); w > max(width, 2) {
				t.Fatalf("row %d is %d cells wide, not %d: %q", i, w, width, row)
			}
		}
	})
}
