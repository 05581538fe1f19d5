package httpd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"winnow/core/cycle"
)

// TestGauges: the metrics tell what waits to be cut, when each step last succeeded, by a
// cycle or by the server itself, and what steps used in the last day.
func TestGauges(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	p := start(t, t.TempDir(), Limits{}, false, func(o *Options) { o.Now = func() time.Time { return now } })
	for age, tokens := range map[time.Duration]int{time.Hour: 100, 2 * time.Hour: 20, 25 * time.Hour: 7000} {
		c := cycle.Cycle{Began: now.Add(-age), Holder: "test"}
		if err := p.store.BeginCycle(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		for _, s := range []cycle.Step{
			{Name: "judge", Status: cycle.Done, Began: c.Began, Ended: c.Began.Add(time.Minute), TokensIn: tokens, TokensOut: 1},
			{Name: "extract", Status: cycle.Failed, Began: c.Began, Ended: c.Began, TokensIn: 1},
		} {
			if err := p.store.PutStep(t.Context(), c.ID, &s); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	p.s.gauges(t.Context(), &b)
	for _, want := range []string{
		`winnow_step_last_success_seconds{step="judge"} 1777892460`, `winnow_step_last_success_seconds{step="extract"} 0`, `winnow_step_last_success_seconds{step="import"} 0`,
		`winnow_step_tokens{step="judge",direction="in"} 120`, `winnow_step_tokens{step="judge",direction="out"} 2`, `winnow_step_tokens{step="extract",direction="in"} 2`,
		"winnow_sessions_uncut 0", `winnow_memories{status="approved"} 0`, `winnow_segments{verdict="pending"} 0`,
	} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if status, a := p.post("agent_id=a&session=s", bytes.NewReader(sample(t))); status != 200 {
		t.Fatalf("%d %+v", status, a)
	}
	b.Reset()
	p.s.gauges(t.Context(), &b)
	for _, want := range []string{"winnow_sessions_uncut 1\n", "winnow_sessions 1\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "{step=\"import\"} 0\n") {
		t.Errorf("the server's import does not count:\n%s", &b)
	}
}
