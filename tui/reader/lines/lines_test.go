package lines

import (
	"strings"
	"testing"
)

func TestLinesAreFoundFromAnyOffset(t *testing.T) {
	text := "first\n\n" + strings.Repeat("é", SplitAt) + "\nlast"
	starts := []int{}
	for start := 0; start >= 0; {
		starts = append(starts, start)
		end, next := End(text, start)
		for at := start; at < end || at == start; at++ {
			if got := Start(text, at); got != start {
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
		text := strings.Repeat("x", shift) + strings.Repeat("e\u0301", SplitAt)
		for k := 1; k*SplitAt < len(text); k++ {
			if at, ok := border(text, k); ok && text[at] != 'e' {
				t.Fatalf("a line begins with %q", text[at:at+4])
			}
		}
	}
}

func TestLineFeedAtABorderEndsOneLineOnly(t *testing.T) {
	text := strings.Repeat("x", SplitAt) + "\ny"
	if end, next := End(text, 0); end != SplitAt || next != SplitAt+1 {
		t.Fatalf("the line ends at %d, the next begins at %d", end, next)
	}
	if got := Start(text, SplitAt); got != 0 {
		t.Fatalf("the line feed is in the line at %d", got)
	}
}
