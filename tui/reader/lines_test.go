package reader

import (
	"strings"
	"testing"
)

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
