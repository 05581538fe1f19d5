package markdown

import (
	"slices"
	"testing"
)

func rowsOf(text string, width int) []string {
	var rows []string
	EachRow(text, width, func(from, to int) { rows = append(rows, text[from:to]) })
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
