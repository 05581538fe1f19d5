package store

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// TestAVerdictOnWhatIsRecordedStaysWhenAnEditIsGivenUp: the edit waits, so that the
// verdict was given on what stands there without it, too.
func TestAVerdictOnWhatIsRecordedStaysWhenAnEditIsGivenUp(t *testing.T) {
	for name, given := range map[string]func(recorded review.EditChange) review.EditChange{
		"given up":    func(c review.EditChange) review.EditChange { c.Op = ""; return c },
		"as recorded": func(c review.EditChange) review.EditChange { return c },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			answer := func(text string) string {
				return fmt.Sprintf(`{"type":"assistant","uuid":"u-%s","parentUuid":"id-ask","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":%q}]}}`, text, text)
			}
			f.save("a.jsonl", chain("ask")[0], answer("half"))
			f.load()
			f.amend("a.jsonl", "half", "mended", edit.Fix)
			f.save("a.jsonl", chain("ask")[0], answer("half"), answer("whole"))
			f.load()
			if n, err := f.s.WaitingEdits(t.Context()); n != 1 || err != nil {
				t.Errorf("%d edits wait, %v", n, err)
			}
			if plan := planOf(t, f.s, waitingSQL); !strings.Contains(plan, "INDEX edits_clash") {
				t.Errorf("counted without an index: %s", plan)
			}
			session := f.sessions()["a.jsonl"].ID
			list, err := f.s.SegmentsOf(t.Context(), session)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			judge(t, f.s, "bob", review.Approved, list[0].ID)
			before := segment(t, f.s, list[0].ID)
			amend(t, f.s, "bob", given(says(t, f.s, session, 2, "half\nwhole", edit.Fix)))
			f.now("a.jsonl", "ask", "half\nwhole")
			if now := segment(t, f.s, list[0].ID); now.Verdict != review.Approved || now.Stale || now.Digest != before.Digest {
				t.Errorf("the segment is %s, stale %v", now.Verdict, now.Stale)
			}
		})
	}
}
