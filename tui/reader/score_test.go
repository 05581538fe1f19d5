package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/metric"
)

// TestScoreAboveTheFirstMessage: in a line, and with all reasons when it is
// unfolded; nothing of it is part of the segment.
func TestScoreAboveTheFirstMessage(t *testing.T) {
	score := 0.62
	a := metric.Analysis{
		Version: metric.Version, Scorer: metric.Judged, Model: "tiny\x1b[31m", Start: 5, Summary: metric.Summary{OverallScore: &score, TaskType: metric.Code, Reason: "mended at #8"},
		Metrics: map[string]*metric.Value{metric.Completion: {Score: 1, Weight: 3, Reason: "ends at #8"}, metric.Goal: {Score: 0.25, Weight: 3, Reason: "half\x1b[2J of it, see #6"}},
		Flags:   []metric.Flag{metric.Loop},
	}
	p := open(t, talk(), 80, 30)
	before := p.screen()
	seg := p.store.segment()
	seg.Analysis = a.Encode()
	p.do(p.Open(seg))
	p.want("score 0.62  code, goal 0.25, completion 1.00")
	if strings.Contains(p.screen(), "half") {
		t.Error("it is not folded")
	}
	p.do(p.Top())
	p.do(p.ToggleAllFolds())
	p.do(p.Top())
	p.want("mended at #4", "0.25 goal (weight 3): half", "of it, see #2", "1.00 completion (weight 3): ends at #4", "flags: loop", "judged by tiny")
	p.do(p.ToggleAllFolds())
	p.do(p.Find("goal"))
	if s := p.Status(); s.Hits != 0 {
		t.Errorf("%d hits in what is not in the segment", s.Hits)
	}
	p.do(p.ClearFind())
	seg.Analysis = ""
	p.do(p.Open(seg))
	p.do(p.ToggleAllFolds())
	p.do(p.Top())
	if strings.Contains(p.screen(), "score") || len(before) == 0 {
		t.Errorf("it is still there:\n%s", p.screen())
	}
}

// TestFoldOfABlockThatLeft: a long system prompt in the place of a block that was
// folded by hand still shows its first rows: it has no headline to fold to.
func TestFoldOfABlockThatLeft(t *testing.T) {
	prompt := func() *fakeStore {
		return storeOf(chat.Message{Role: chat.System, Content: numbered(3 * systemLines)}, user("hello"))
	}
	p := openStale(t, prompt(), prompt(), 80, 30)
	seg := p.seg
	seg.Analysis = (&metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Start: 1, Summary: metric.Summary{TaskType: metric.Code, Reason: "it is code"}}).Encode()
	p.do(p.Open(seg))
	for range 2 { // unfolds the score, and folds it
		_, _, cmd := p.Press(1)
		p.do(cmd)
	}
	seg.Stale, seg.Analysis = false, ""
	p.do(p.Open(seg))
	p.want("line 6", "more lines", "hello")
	p.wantNot("line 7")
}
