package reader

import (
	"slices"
	"strings"
	"testing"
)

func rowsOf(text string, width int) []string {
	starts := wrapLine(nil, text, 0, len(text), width)
	var rows []string
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		rows = append(rows, strings.TrimRight(text[start:end], " "))
	}
	return rows
}

func TestWrapping(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"the quick brown fox", 10, []string{"the quick", "brown fox"}},
		{"exactly ten", 11, []string{"exactly ten"}},
		{"hang   over", 4, []string{"hang", "over"}},
		{"unbreakable", 5, []string{"unbre", "akabl", "e"}},
		{"a unbreakable", 5, []string{"a", "unbre", "akabl", "e"}},
		{"我是猪肉咪 🐈，你的助手", 14, []string{"我是猪肉咪", "🐈，你的助手"}},
		{"共享的地图需要锁。", 8, []string{"共享的地", "图需要", "锁。"}},
		{"map地图map", 6, []string{"map地", "图map"}},
		{"🙂👨‍👩‍👧🙂", 4, []string{"🙂👨‍👩‍👧", "🙂"}},
		{"字", 1, []string{"字"}},
		{"", 10, []string{""}},
		{"    indented", 8, []string{"    inde", "nted"}},
	} {
		if got := rowsOf(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q at %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestLinesAreFoundFromAnyOffset(t *testing.T) {
	text := "first\n\n" + strings.Repeat("é", splitAt) + "\nlast"
	starts := []int{}
	for start := 0; start >= 0; {
		starts = append(starts, start)
		end, next := lineEnd(text, start)
		for at := start; at < end || at == start; at++ {
			if got := lineStart(text, at); got != start {
				t.Fatalf("offset %d is in the line at %d, not %d", at, got, start)
			}
		}
		start = next
	}
	if starts[1] != 6 || starts[2] != 7 || len(starts) < 5 || text[starts[len(starts)-1]:] != "last" {
		t.Fatalf("lines begin at %v", starts)
	}
}

func TestAccentsStayWithTheirLetter(t *testing.T) {
	for shift := range 8 {
		text := strings.Repeat("x", shift) + strings.Repeat("e\u0301", splitAt)
		for k := 1; k*splitAt < len(text); k++ {
			if at, ok := border(text, k); ok && text[at] != 'e' {
				t.Fatalf("a line begins with %q", text[at:at+4])
			}
		}
	}
}

func TestLineFeedAtABorderEndsOneLineOnly(t *testing.T) {
	text := strings.Repeat("x", splitAt) + "\ny"
	if end, next := lineEnd(text, 0); end != splitAt || next != splitAt+1 {
		t.Fatalf("the line ends at %d, the next begins at %d", end, next)
	}
	if got := lineStart(text, splitAt); got != 0 {
		t.Fatalf("the line feed is in the line at %d", got)
	}
}
