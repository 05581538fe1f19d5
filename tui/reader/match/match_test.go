package match

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func matchesOf(query, text string) (found []string, at []int) {
	m := New(query)
	if m == nil {
		return nil, nil
	}
	m.Each(context.Background(), text, nil, func(from, to int) bool {
		found, at = append(found, text[from:to]), append(at, from)
		return true
	})
	return found, at
}

func TestMatching(t *testing.T) {
	long := strings.Repeat("filler ", foldBlock/7-1)
	for _, c := range []struct {
		query, text string
		want        []string
	}{
		{"parser", "Parser, PARSER and parser", []string{"Parser", "PARSER", "parser"}},
		{"Parser", "Parser, PARSER and parser", []string{"Parser"}},
		{"aa", "aaaaa", []string{"aa", "aa"}},
		{"über", "ÜBER über Uber", []string{"ÜBER", "über"}},
		{"地图", "共享的地图", []string{"地图"}},
		{"the 地图", "THE 地图", []string{"THE 地图"}},
		{"100%", "at 100%.", []string{"100%"}},
		{"k", "\u212a and K", []string{"K"}}, // the Kelvin sign has another length in lower case
		{"", "anything", nil},
		{"across the border", long + "Across The Border" + long, []string{"Across The Border"}},
	} {
		if got, _ := matchesOf(c.query, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %.40q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestMatchesAtEveryDistanceFromABlock(t *testing.T) {
	for d := -20; d <= 20; d++ {
		text := strings.Repeat("é", foldBlock/2-20) + strings.Repeat(".", 40+d) + "NeedleÜ" + strings.Repeat("ü", 40)
		for _, query := range []string{"needle", "needleü"} {
			got, at := matchesOf(query, text)
			if len(got) != 1 || at[0] != strings.Index(text, "Needle") {
				t.Fatalf("%q at distance %d: %q at %v", query, d, got, at)
			}
		}
	}
}

func TestLowerASCIIChangesLettersOnly(t *testing.T) {
	for start := range 9 {
		var text []byte
		for c := range 256 {
			text = append(text, byte(c))
		}
		text = append(text[start:], "LAST"...)
		got := slices.Clone(text)
		lowerASCII(got)
		for i, c := range text {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			if got[i] != c {
				t.Fatalf("%#x became %#x", text[i], got[i])
			}
		}
	}
}

func TestMatchesDoNotOverlapAcrossBlocks(t *testing.T) {
	for shift := range 2 {
		got, _ := matchesOf("aa", strings.Repeat(".", shift)+strings.Repeat("a", 3*foldBlock))
		if len(got) != 3*foldBlock/2 {
			t.Fatalf("shifted by %d: %d matches, want %d", shift, len(got), 3*foldBlock/2)
		}
	}
}
