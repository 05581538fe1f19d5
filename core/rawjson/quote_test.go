package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"winnow/core/rawjson"
)

// Every byte is written right wherever it stands: eight are looked at at once.
func TestAppendStringInEveryPlace(t *testing.T) {
	for b := range 256 {
		for before := range 10 {
			for _, behind := range []int{0, 3, 20} {
				s := strings.Repeat("x", before) + string([]byte{byte(b)}) + strings.Repeat("é", behind)
				quoted := rawjson.AppendString([]byte("kept"), s)
				var back string
				if err := json.Unmarshal(quoted[4:], &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") {
					t.Fatalf("%q becomes %s: %v", s, quoted, err)
				}
				if escaped := b < ' ' || b == '"' || b == '\\'; !escaped && strings.ContainsRune(string(quoted), '\\') {
					t.Fatalf("%q is escaped: %s", s, quoted)
				}
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\x1f\x20\"\\\x7f\u2028é🙂\xff")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := string(rawjson.AppendString(nil, s))
		var want strings.Builder
		want.WriteByte('"')
		for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
			switch short := strings.IndexRune("\"\\\n\t\r\b\f", r); {
			case short >= 0:
				want.WriteString([...]string{`\"`, `\\`, `\n`, `\t`, `\r`, `\b`, `\f`}[short])
			case r < ' ':
				want.WriteString(`\u00` + string("01"[r>>4]) + string("0123456789abcdef"[r&15]))
			default:
				want.WriteRune(r)
			}
		}
		if want.WriteByte('"'); quoted != want.String() {
			t.Fatalf("%q becomes %s, want %s", s, quoted, want.String())
		}
	})
}
