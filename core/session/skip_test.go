package session_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestBackslashesBeforeQuotes: an odd number of backslashes takes a quote into
// the text, an even one does not, wherever the text stands.
func TestBackslashesBeforeQuotes(t *testing.T) {
	for n := range 18 {
		pairs := strings.Repeat(`\\`, n)
		for text, want := range map[string]string{
			pairs:                          strings.Repeat(`\`, n),
			pairs + `\"`:                   strings.Repeat(`\`, n) + `"`,
			`\"` + pairs + `\"}],` + pairs: `"` + strings.Repeat(`\`, n) + `"}],` + strings.Repeat(`\`, n),
		} {
			src := fmt.Sprintf(`{"messages":[{"role":"user","x":{"%[1]s":"%[1]s"},"content":[{"type":"text","text":"%[1]s!"}]},{"role":"assistant","content":"%[1]s!"}]}`, text)
			rec, _ := readAll(t, []byte(src), "")
			if len(rec.msgs) != 2 || rec.msgs[0].Content != want+"!" || rec.msgs[1].Content != want+"!" {
				t.Errorf("%s: %+v", src, rec.msgs)
			}
		}
	}
}

// TestFieldsBehindLongContent: what stands after a content list is read,
// however many parts are in that.
func TestFieldsBehindLongContent(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 200} {
		src := `{"type":"assistant","uuid":"u","sessionId":"s","message":{"content":[` + strings.TrimSuffix(strings.Repeat(` {"type":"text","text":"x"} ,`, n), ",") +
			` ] , "id":"m","model":"big","role":"assistant","stop_reason":"end_turn"}}`
		rec, _ := readAll(t, []byte(src+"\n"+`{"type":"user","uuid":"v","sessionId":"s","message":{"role":"user","content":"y"}}`), "")
		if n == 0 {
			if len(rec.msgs) != 1 {
				t.Errorf("%d messages of one that is not empty", len(rec.msgs))
			}
			continue
		}
		if len(rec.msgs) != 2 {
			t.Fatalf("%d parts: %d messages", n, len(rec.msgs))
		}
		if m := rec.msgs[0]; m.Model != "big" || m.StopReason != "end_turn" || m.TurnID != "m" || m.Content != strings.TrimSuffix(strings.Repeat("x\n", n), "\n") {
			t.Errorf("%d parts: %s", n, brief(m))
		}
	}
}
