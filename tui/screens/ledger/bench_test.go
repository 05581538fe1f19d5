package ledger

import (
	"strings"
	"testing"

	"winnow/core/ledger"
	"winnow/tui/screen"
)

// BenchmarkBytes lays out the most that is shown of a line, for each
// frame anew.
func BenchmarkBytes(b *testing.B) {
	for name, text := range map[string]string{"ascii": "0123456789abcdef", "cjk": "数据库迁移", "nul": "\x00", "marks": "e\u0301"} {
		b.Run(name, func(b *testing.B) {
			v := bytesView{asked: screen.Question[ledger.Excerpt]{Came: true}}
			v.issue.Length = 32 << 10
			v.asked.Got.Head = []byte(strings.Repeat(text, 32<<10/len(text)))
			for b.Loop() {
				v.width = 0
				v.layOut(80, 24)
			}
		})
	}
}
