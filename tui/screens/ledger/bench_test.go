package ledger

import (
	"strings"
	"testing"
)

// BenchmarkBytes lays out the most that is shown of a line, for each
// frame anew.
func BenchmarkBytes(b *testing.B) {
	for name, text := range map[string]string{"ascii": "0123456789abcdef", "cjk": "数据库迁移", "nul": "\x00", "marks": "e\u0301"} {
		b.Run(name, func(b *testing.B) {
			v := bytesView{came: true}
			v.issue.Length = 32 << 10
			v.excerpt.Head = []byte(strings.Repeat(text, 32<<10/len(text)))
			for b.Loop() {
				v.width = 0
				v.layOut(80, 24)
			}
		})
	}
}
