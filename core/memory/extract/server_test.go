package extract

import (
	"net/http"
	"testing"
	"time"

	"winnow/core/llm"
	"winnow/core/llm/llmtest"
	"winnow/core/memory"
)

// TestFailuresAreNoAnswers asks a server that misbehaves: only a list is an answer.
func TestFailuresAreNoAnswers(t *testing.T) {
	const patience = time.Minute
	for _, c := range []struct {
		name     string
		script   []llmtest.Reply
		hurry    bool
		answered bool
		found    int
	}{
		{"nothing", []llmtest.Reply{llmtest.Answer("[]")}, false, true, 0},
		{"a memory", []llmtest.Reply{llmtest.Fenced(answer)}, false, true, 1},
		{"after thinking", []llmtest.Reply{llmtest.Thought("[]", answer)}, false, true, 1},
		{"prose, then a memory", []llmtest.Reply{llmtest.Answer("I learned a lot."), llmtest.Answer(answer)}, false, true, 1},
		{"prose", []llmtest.Reply{llmtest.Answer("I learned a lot."), llmtest.Answer("Really a lot.")}, false, false, 0},
		{"an empty answer", []llmtest.Reply{llmtest.Answer(""), llmtest.Answer("")}, false, false, 0},
		{"500", llmtest.Repeat(2, llmtest.Status(http.StatusInternalServerError, "broken")), false, false, 0},
		{"404", []llmtest.Reply{llmtest.Status(http.StatusNotFound, "no such model")}, false, false, 0},
		{"timeout", llmtest.Repeat(2, llmtest.Hang()), true, false, 0},
		{"cut off", llmtest.Repeat(2, llmtest.Half(answer)), false, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.script...)
			now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
			client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small", Timeout: patience, Retries: 1, Concurrency: 1}, llm.Deps{
				Rand: func() float64 { return 0 },
				Now:  func() time.Time { return now },
				After: func(d time.Duration) <-chan time.Time {
					timer := make(chan time.Time, 1)
					if d != patience || c.hurry {
						timer <- now.Add(d)
					}
					return timer
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			a, err := NewModel(client, "small", counter(t), 4000).Extract(t.Context(), small(), nil)
			if (err == nil) != c.answered {
				t.Fatalf("error %v", err)
			}
			if s := memory.Sift(&a, small(), nil); len(s.Kept) != c.found {
				t.Errorf("%d memories, dropped %v", len(s.Kept), s.Dropped)
			}
		})
	}
}
