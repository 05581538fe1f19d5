package textdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// written writes what was compared: [-gone-] and {+new+} words.
func written(list []Line) string {
	var out strings.Builder
	side := func(sign string, line []Piece) {
		if line == nil {
			return
		}
		out.WriteString(sign)
		for _, p := range line {
			if p.Changed {
				fmt.Fprintf(&out, "[%s]", p.Text)
			} else {
				out.WriteString(p.Text)
			}
		}
		out.WriteByte('\n')
	}
	for _, p := range list {
		switch {
		case p.Left > 0:
			fmt.Fprintf(&out, "%d left\n", p.Left)
		case p.Same:
			side(" ", p.Before)
		default:
			side("-", p.Before)
			side("+", p.After)
		}
	}
	return out.String()
}

func TestCompare(t *testing.T) {
	long := strings.Repeat("same\n", 9)
	for _, c := range []struct{ before, after, want string }{
		{"The answer is 42.", "The answer is 43.", "-The answer is [42].\n+The answer is [43].\n"},
		{"a\nb\nc", "a\nc", " a\n-[b]\n c\n"},
		{"", "new", "+[new]\n"},
		{"old", "", "-[old]\n"},
		{"quite another line", "with nothing shared", "-[quite another line]\n+[with nothing shared]\n"},
		{long + "x", long + "y", "6 left\n same\n same\n same\n-[x]\n+[y]\n"},
		{"bad \x1b[2J\u202e text", "bad text", ""},
	} {
		list, _ := Compare(c.before, c.after)
		got := written(list)
		if strings.ContainsAny(got, "\x1b\u202e") {
			t.Errorf("%q reaches the terminal", got)
		}
		if c.want != "" && got != c.want {
			t.Errorf("%q to %q:\n%swant\n%s", c.before, c.after, got, c.want)
		}
	}
}

// TestCompareIsWhole: of random texts, both can be read off what is shown.
func TestCompareIsWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range rnd.IntN(30) {
			b.WriteString([]string{"a", "b", " ", "cd", "\n", "é", "."}[rnd.IntN(7)])
		}
		return b.String()
	}
	joined := func(line []Piece) (s string) {
		for _, p := range line {
			s += p.Text
		}
		return s
	}
	for range 3000 {
		a, b := text(), text()
		var olds, news []string
		Walk(linesOf(a, nil), linesOf(b, nil), func(x, y *string) {
			if x != nil {
				olds = append(olds, *x)
			}
			if y != nil {
				news = append(news, *y)
			}
		})
		if strings.Join(olds, "\n") != a || strings.Join(news, "\n") != b {
			t.Fatalf("%q to %q: %q, %q", a, b, olds, news)
		}
		x, y := Words(a, b)
		if joined(x) != a || joined(y) != b {
			t.Fatalf("%q to %q: %v, %v", a, b, x, y)
		}
	}
}

// TestExact: nothing is left out or made safe.
func TestExact(t *testing.T) {
	same := strings.Repeat("same\n", 20)
	if got, want := written(Exact(same+"a \x1b[2J", same+"b \x1b[2J")), strings.Repeat(" same\n", 20)+"-[a] \x1b[2J\n+[b] \x1b[2J\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyLines: what is long is bounded.
func TestManyLines(t *testing.T) {
	a, b := strings.Repeat("x\n", 100_000), strings.Repeat("y\n", 100_000)
	list, left := Compare(a, b)
	if len(list) != most || left != 100_000-most && left != 100_001-most {
		t.Errorf("%d shown, %d left", len(list), left)
	}
}

// TestLongLinesCostTheirLength: a line of a megabyte is laid out at once.
func TestLongLinesCostTheirLength(t *testing.T) {
	long := strings.Repeat("word ", 1<<18)
	began := time.Now()
	list, _ := Compare(long, long+"more")
	if len(list) != 1 || list[0].Same || len(list[0].After) != 2 || list[0].After[1].Text != "more" || time.Since(began) > 10*time.Second {
		t.Errorf("%d lines in %s", len(list), time.Since(began))
	}
}
