package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/session"
)

// weighing adds up what it is given.
type weighing struct {
	nowhere
	amended, states int // bytes
	longest         int64
	last            int64
}

func (w *weighing) Amend(_ string, _ int, m *chat.Message) error {
	w.amended += m.Size() + 64*len(m.ToolCalls)
	return nil
}

func (w *weighing) LineDone(s *session.State) error {
	kept := s.Keep()
	w.states += len(kept.Decoder)
	w.longest, w.last = max(w.longest, s.Offset-w.last), s.Offset
	return w.nowhere.LineDone(s)
}

// TestLinesOfOneMessage: lines that add to one message cost what their bytes
// cost, and states come often enough to store what was read.
func TestLinesOfOneMessage(t *testing.T) {
	const size = 3 << 20 / slower
	for name, unit := range map[string]string{
		"text":       `{"role":"assistant","id":"m","content":"` + strings.Repeat("x", 40) + `"}` + "\n",
		"reasoning":  `{"role":"assistant","id":"m","reasoning":"r"}` + "\n",
		"calls":      `{"role":"assistant","id":"m","tool_calls":[{"function":{"name":"n"}}]}` + "\n",
		"blank text": `{"role":"assistant","id":"m","content":"` + strings.Repeat(" ", 40) + `"}` + "\n",
		"nothing":    `{"role":"assistant","id":"m","content":""}` + "\n",
		"between":    `{"role":"assistant","id":"m","content":"x"}` + "\n\nx\n" + `{"role":"user","content":""}` + "\n",
		"blocks":     `{"role":"assistant","id":"m","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := `{"role":"assistant","id":"m","content":"` + strings.Repeat("y", 1<<20) + `"}` + "\n"
			if name == "blank text" {
				start = ""
			}
			src := start + strings.Repeat(unit, size/len(unit))
			sink := &weighing{}
			at := time.Now()
			if _, err := session.Read(t.Context(), strings.NewReader(src), session.Options{}, session.State{}, sink); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d MB in %v: amended %d MB, states %d MB, at most %d KB between states", len(src)>>20, time.Since(at), sink.amended>>20, sink.states>>20, sink.longest>>10)
			if most := 4 * len(src); sink.amended > most || sink.states > most && name != "between" {
				t.Errorf("%d MB gave %d MB of amended messages and %d MB of states", len(src)>>20, sink.amended>>20, sink.states>>20)
			}
			if sink.longest > 5<<20 {
				t.Errorf("%d MB without a state", sink.longest>>20)
			}
		})
	}
}

// TestMergedPieces: a message of many lines is the same however it arrives.
func TestMergedPieces(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, `{"role":"assistant","id":"m%d","content":"%d %s","reasoning":"r%d","tool_calls":[{"id":"c%d","function":{"name":"n"}}],"stop_reason":"s%d"}`+"\n", i/150, i, strings.Repeat("x", 900), i, i, i)
		switch i % 7 {
		case 0:
			b.WriteString("\n")
		case 3:
			b.WriteString(`{"role":"assistant","id":"m` + fmt.Sprint(i/150) + `","content":" "}` + "\nx\n")
		case 5:
			b.WriteString(`{"role":"user","content":""}` + "\n" + `{"_type":"metadata","title":"t"}` + "\n")
		}
	}
	src := []byte(b.String())
	rec, _ := readAll(t, src, "")
	if len(rec.msgs) != 3 || len(rec.msgs[0].ToolCalls) != 150 || rec.msgs[1].StopReason != "s299" {
		t.Fatalf("%d messages", len(rec.msgs))
	}
	for i := 1; i < 60; i += slower {
		samePieces(t, src, []int{len(src) * i / 61, len(src)*i/61 + 5000})
	}
	samePieces(t, src[:len(src)/2], []int{100, 200, 5000, 90000})
}
