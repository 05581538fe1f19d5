package token

import (
	"strings"
	"testing"
)

func TestEstimate(t *testing.T) {
	for text, want := range map[string]int{
		"":          0,
		"a":         1,
		"abcd":      1,
		"abcde":     2,
		"中文":        2,
		"ab中文cd":    3,
		"😀":         1,
		"é":         1,
		"\xff\xfe":  2,
		"\x00\n\t ": 1,
	} {
		if got := Estimate(text); got != want {
			t.Errorf("Estimate(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestEstimateNeverAllocates(t *testing.T) {
	text := strings.Repeat("plain 中文 😀", 100)
	if n := testing.AllocsPerRun(10, func() { Estimate(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEstimate(b *testing.B) {
	for name, unit := range map[string]string{"ascii": "a line of output\n", "chinese": "写一个文件。"} {
		text := strings.Repeat(unit, 10_000/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Estimate(text)
			}
		})
	}
}
