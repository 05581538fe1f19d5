package markdown

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
)

// renderedRows renders a text and returns its rows without colours.
func renderedRows(t *testing.T, text string, width int) []string {
	t.Helper()
	f, err := Render(text, width, StyleOf(styles(), false))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	rows := make([]string, len(f.Rows))
	for i, row := range f.Rows {
		if rows[i] = ansi.Strip(row); ansi.StringWidth(rows[i]) > width {
			t.Errorf("%q: a row of more than %d cells: %q", text, width, rows[i])
		}
		if i > 0 && f.Source[i] < f.Source[i-1] || f.Source[i] > len(text) {
			t.Errorf("%q: row %d comes from %d, the one before from %d", text, i, f.Source[i], f.Source[i-1])
		}
	}
	return rows
}

// TestRenderingKeepsWhatIsJudged has texts of which a renderer of Markdown
// shows something else than was said.
func TestRenderingKeepsWhatIsJudged(t *testing.T) {
	for text, want := range map[string]string{
		"1. **Install**\n\n   Run it.\n\n2. Go\n\n   ```sh\n   ls\n   ```\n\n   on": "1. Install⏎⏎   Run it.⏎⏎2. Go⏎  ls⏎⏎   on",
		"- a\n  b\n- c":                            "• a⏎  b⏎• c",
		"**b** 2*3*4 = 24, x**2 + y**2":            "b 2*3*4 = 24, x**2 + y**2",
		"`b` src/**/*.go test/**/*.go *.c *.h":     "b src/**/*.go test/**/*.go *.c *.h",
		"**b** /* a */ x /* b */ f(*a, **k) 2 * 3": "b /* a */ x /* b */ f(*a, **k) 2 * 3",
		"**b**\n\n* * * * * run\n\n* * * * *":      "b⏎⏎* * * * * run⏎⏎* * * * *",
		"**b** ~5 to ~6, 5~6~7":                    "b ~5 to ~6, 5~6~7",
		"**b**: *i*, **/etc/x**, **.env** (**x**)": "b: i, /etc/x, .env (x)",
		"1. a\n2. b\n7. c":                         "1. a⏎2. b⏎⏎7. c",
		"**b**\n\n3) a\n4) b":                      "b⏎⏎3) a⏎4) b",
		"1. a\n   1) b\n2. c":                      "1. a⏎   1) b⏎2. c",
		"| a | b |\n|---|---|\n| 1 | 2 | 3 |":      "| a | b |⏎|---|---|⏎| 1 | 2 | 3 |",
		"| a | b |\n|---|---|\n| `a|b` | 2 |":      "| a | b |⏎|---|---|⏎| `a|b` | 2 |",
		"| a | b |\n|---|---|\n| 1 | 2 |":          " a │ b⏎───┼───⏎ 1 │ 2",
		"**b**\n\nterm\n: def":                     "b⏎⏎term⏎: def",
		"**b** https://a.b/c me@x.y www.a.b":       "b https://a.b/c me@x.y www.a.b",
		"**b** [a](#part)":                         "**b** [a](#part)",
		"**b** [a](http://b.c \"title\")":          "**b** [a](http://b.c \"title\")",
		"**b**\n\n[x]: http://a.b":                 "b⏎⏎[x]: http://a.b",
		"这是**粗体**文字 `代码`":                          "这是粗体文字 代码",
		"# One\ntext\n\n```go title=\"x\"\ny\n```": "# One⏎⏎text⏎⏎```go title=\"x\"⏎y⏎```",
		"~~~\n```go\n~~~\n```py\nx\n```":           "  ```go⏎⏎  x",
		"- a\n\n- b\n- c\n\n  d\n\n- e":            "• a⏎⏎• b⏎• c⏎⏎  d⏎⏎• e",
		"> - a\n>\n> - b\n":                        "│⏎│ • a⏎│⏎│ • b",
	} {
		got := strings.Join(renderedRows(t, text, 80), "⏎")
		if got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestLongCellsAreNotCut(t *testing.T) {
	long := strings.Repeat("verylong", 20)
	for _, text := range []string{
		"| a | b |\n|---|---|\n| `" + long + "` | 2 |",
		"| a | b |\n|---|---|\n| " + strings.Repeat("some words ", 20) + " | " + strings.Repeat("others ", 20) + " |",
	} {
		rows := renderedRows(t, text, 60)
		if shown := strings.Join(rows, ""); strings.Contains(shown, "…") || strings.Count(shown, "o") != strings.Count(text, "o") {
			t.Errorf("cut:\n%s", strings.Join(rows, "\n"))
		}
	}
}

func TestTablesAndProseStayNarrow(t *testing.T) {
	text := strings.Repeat("some words of prose ", 40) + "\n\n| a | b |\n|---|---|\n| one | `two` |\n\n```\n" + strings.Repeat("x", 150) + "\n```"
	for _, row := range renderedRows(t, text, 190) {
		w := ansi.StringWidth(row)
		switch {
		case strings.Contains(row, "prose") && w > proseWidth:
			t.Errorf("prose of %d cells", w)
		case strings.ContainsAny(row, "│┼") && w > 20:
			t.Errorf("a table of %d cells: %q", w, row)
		case strings.Contains(row, "xx") && w < 150:
			t.Errorf("code is broken: %q", row)
		}
	}
}

func TestIntact(t *testing.T) {
	for _, c := range []struct {
		source, shown string
		want          bool
	}{
		{"**a** b", "a b", true},
		{"a\n\nb", "ab", false},
		{"a b", "ab", false},
		{"ab", "a b", false},
		{"ab", "a\n  b", true},
		{"2*3", "23", false},
		{"a b", "b a", false},
		{"a", "a b", false},
		{"a b", "a", false},
		{"`a`s", "as", true},
		{"粗**体**", "粗体", true},
		{"```go\nx\n```", "x", true},
		{"```go\nx y\n```", "x", false},
		{"- a\n- b", "• a\n• b", true},
		{"é e\u0301", "é e\u0301", true},
		{"❤️ x", "x", false},
		{"\\a", "a", false},
	} {
		if got := intact(c.source, c.shown); got != c.want {
			t.Errorf("%q shown as %q: %v", c.source, c.shown, got)
		}
	}
}

// FuzzIntact: whatever the text, the letters on the rows are its letters.
func FuzzIntact(f *testing.F) {
	for _, seed := range []string{essay(2), "1. a\n\n   b\n7. c", "|a|b|\n|-|-|\n|1|2|", "> - `a` *b* **c**\n> # d", "a * b\n* * *\n```x\ny", "[a](b) ![c](d)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = clean.Text(text)
		if len(text) > 1<<10 || !Worth(text) {
			return
		}
		form, err := Render(text, 40, StyleOf(styles(), false))
		if err != nil {
			t.Fatal(err)
		}
		count := map[rune]int{}
		for _, r := range withoutLanguages(text) {
			count[r]++
		}
		for _, r := range ansi.Strip(strings.Join(form.Rows, "\n")) {
			count[r]--
		}
		for r, n := range count {
			if isWord(r) && n > 0 && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
				t.Fatalf("%q: %q is gone from\n%s", text, r, ansi.Strip(strings.Join(form.Rows, "\n")))
			}
		}
	})
}
