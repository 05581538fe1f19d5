package sheet

import "testing"

// TestSharedLinesAreWhole puts every pair of short texts back together.
func TestSharedLinesAreWhole(t *testing.T) {
	var texts []string
	for n := range 1 << 6 {
		text := ""
		for i := range 6 {
			text += string("ab\n\n"[n>>i&1+2*(i&1)])
		}
		texts = append(texts, text)
	}
	for _, a := range texts {
		for _, b := range texts {
			before, after := linesOf(a), linesOf(b)
			head, tail := shared(before, after)
			for _, s := range [...]string{before, after} {
				if head+tail > len(s) || head > 0 && s[head-1] != '\n' || !begins(s, tail) && tail > 0 {
					t.Fatalf("%q and %q share %d and %d", before, after, head, tail)
				}
			}
			if before[:head] != after[:head] || before[len(before)-tail:] != after[len(after)-tail:] {
				t.Fatalf("%q and %q do not share %d and %d", before, after, head, tail)
			}
			if before == after && head != len(before) {
				t.Fatalf("%q shares %d with itself", before, head)
			}
		}
	}
}
