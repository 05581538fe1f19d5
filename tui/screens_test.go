package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// inked is what one character of a screen looks like: its text and, by theme,
// the escape sequences that its style is made of.
type inked struct {
	text  string
	width int
	style string
}

// inkedOf takes a screen apart. It understands what screens are made of:
// printable characters, styles and newlines.
func inkedOf(t *testing.T, content string) [][]inked {
	t.Helper()
	var rows [][]inked
	style := ""
	for line := range strings.SplitSeq(content, "\n") {
		var row []inked
		var state byte
		for len(line) > 0 {
			seq, width, n, next := ansi.DecodeSequence(line, state, nil)
			state = next
			switch {
			case width > 0:
				row = append(row, inked{seq, width, style})
			case seq == "\x1b[m" || seq == "\x1b[0m":
				style = ""
			case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
				style += " " + seq[2:len(seq)-1]
			case len(row) > 0 && seq[0] >= ' ':
				row[len(row)-1].text += seq // a mark without width of its own
			default:
				t.Fatalf("%q on the screen: %q", seq, line)
			}
			line = line[n:]
		}
		rows = append(rows, row)
	}
	return rows
}

// looks is how a screen looks in the themes: its text once, and after each
// line which characters have which style. A style is told by what it is in
// each of them.
type looks struct {
	names []string // of the styles, in the order of their letters
	out   strings.Builder
}

func (l *looks) letter(style string) string {
	i := slices.Index(l.names, style)
	if i < 0 {
		i, l.names = len(l.names), append(l.names, style)
	}
	if i < 26 {
		return string(rune('a' + i))
	}
	return string(rune('A' + i - 26))
}

// add draws a screen that was drawn in several ways.
func (l *looks) add(t *testing.T, ways ...[][]inked) {
	t.Helper()
	last, same := "", 0
	put := func(line string) {
		if line == last && line != "" {
			same++
			return
		}
		if same > 0 {
			fmt.Fprintf(&l.out, "= %d more\n", same)
		}
		last, same = line, 0
		l.out.WriteString(line)
	}
	for y, row := range ways[0] {
		text, runs := strings.Builder{}, strings.Builder{}
		was, n := "", 0
		end := func() {
			if n > 0 && was != "" {
				fmt.Fprintf(&runs, " %d%s", n, was)
			}
		}
		for x, c := range row {
			text.WriteString(c.text)
			style := ""
			for _, way := range ways {
				if way[y][x].text != c.text {
					t.Fatalf("line %d is %q in one theme and %q in another", y, c.text, way[y][x].text)
				}
				style += " |" + way[y][x].style
			}
			is := "-"
			if strings.Trim(style, " |") != "" {
				is = l.letter(style)
			}
			if is != was {
				end()
				was, n = is, 0
			}
			n += c.width
		}
		if was != "-" {
			end()
		}
		line := "|" + strings.TrimRight(text.String(), " ") + "\n"
		if runs.Len() > 0 {
			line += ":" + runs.String() + "\n"
		}
		put(line)
	}
	put("")
}

// legend tells what the letters of the styles are.
func (l *looks) legend() string {
	var out strings.Builder
	for _, name := range slices.Clone(l.names) {
		fmt.Fprintf(&out, "%s:%s\n", l.letter(name), name)
	}
	return out.String()
}

// TestScreens shows every screen at three sizes, in the dark theme, the light
// one and without colours.
func TestScreens(t *testing.T) {
	for i, st := range states() {
		if i%slower != 0 {
			continue
		}
		t.Run(st.name, func(t *testing.T) {
			var l looks
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
				fmt.Fprintf(&l.out, "--- %d×%d\n", size[0], size[1])
				dark := enact(t, st, size[0], size[1], plain)
				checkFits(t, dark.app.View().Content, size[0], size[1])
				lit := "light"
				if st.name == "themes" { // it marks the one that is tried on
					lit = "dark"
				}
				light := enact(t, st, size[0], size[1], plain, func(o *Options) { o.Theme = lit })
				l.add(t, inkedOf(t, dark.app.View().Content), inkedOf(t, light.app.View().Content), inkedOf(t, string(dark.uncoloured())))
			}
			golden.RequireEqual(t, l.out.String()+"--- styles: dark | light | no colours\n"+l.legend())
		})
	}
}
