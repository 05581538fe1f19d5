package list

import (
	"strings"
	"testing"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/review"
)

// TestSegmentTable: columns of scores are there where something is scored.
func TestSegmentTable(t *testing.T) {
	score := 0.5
	for scored, want := range map[bool]string{
		true:  "ID        VERDICT   SCORE  TYPE  MSGS  TOOLS  ERRORS  EXITS  TOKENS  TOPIC\n01234567  approved   0.50  code     0      0       0      0       0  t\n",
		false: "ID        VERDICT   MSGS  TOOLS  ERRORS  EXITS  TOKENS  TOPIC\n01234567  approved     0      0       0      0       0  t\n",
	} {
		var b strings.Builder
		out := print.New(&b, false, 0)
		p := &Printer{Out: out, Desk: &desk.Desk{Config: &config.Config{}}}
		tab, row := p.SegmentTable(scored, false)
		row(&review.Segment{ID: "0123456789", Verdict: review.Approved, Score: &score, TaskType: "code", Topic: "t"})
		tab.Flush()
		if err := out.Flush(); err != nil || b.String() != want {
			t.Errorf("scored: %v:\n%swant\n%s", scored, b.String(), want)
		}
	}
}
