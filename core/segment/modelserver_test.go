package segment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/llm"
	"winnow/core/llm/llmtest"
)

const patience = 2 * time.Minute // of one request

// ask returns a Cutter that asks server. Waits end at once; a request times
// out at once if hurry is set, else never.
func ask(t *testing.T, server *llmtest.Server, hurry bool) Cutter {
	t.Helper()
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small", Timeout: patience, Retries: 2, Concurrency: 1}, llm.Deps{
		Rand: func() float64 { return 0 },
		Now:  func() time.Time { return now },
		After: func(d time.Duration) <-chan time.Time {
			c := make(chan time.Time, 1)
			if d != patience || hurry {
				c <- now.Add(d)
			}
			return c
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return NewModel(client, counter(t, ""), 1000)
}

const good = `[{"start":1,"end":2,"topic":"one"},{"start":3,"end":4,"topic":"two"}]`

var goodCuts = []Cut{{1, 2, "one"}, {3, 4, "two"}}

// fourMessages are those that good is the right answer for.
func fourMessages() Text { return talk("Task one", "done", "Task two", "done").text(1) }

// TestAnswersOfServers: each is taken at once, or when the model was shown its
// mistake.
func TestAnswersOfServers(t *testing.T) {
	for _, c := range []struct {
		name    string
		script  []llmtest.Reply
		mistake string // what the model was told is wrong
	}{
		{"plain", []llmtest.Reply{llmtest.Answer(good)}, ""},
		{"prose", []llmtest.Reply{llmtest.Prose(good)}, ""},
		{"fenced", []llmtest.Reply{llmtest.Fenced(good)}, ""},
		{"whole floats", []llmtest.Reply{llmtest.Answer(strings.ReplaceAll(good, `2,`, `2.0,`))}, ""},
		{"object", []llmtest.Reply{llmtest.Answer(`{"tasks":` + good + `}`)}, ""},
		{"draft", []llmtest.Reply{llmtest.Thought(`[{"start":1,"end":4,"topic":"draft"}]`, good)}, ""},
		{"numbers in prose", []llmtest.Reply{llmtest.Answer("Messages [1] to [4]: " + good)}, ""},
		{"gap", []llmtest.Reply{llmtest.Answer(`[{"start":1,"end":1},{"start":3,"end":4}]`), llmtest.Answer(good)}, "message 2 is in no task"},
		{"overlap", []llmtest.Reply{llmtest.Answer(`[{"start":1,"end":3},{"start":3,"end":4}]`), llmtest.Answer(good)}, "tasks 1 and 2 overlap"},
		{"float", []llmtest.Reply{llmtest.Answer(`[{"start":1,"end":2.5},{"start":3,"end":4}]`), llmtest.Answer(good)}, `has "2.5"`},
		{"too few", []llmtest.Reply{llmtest.Answer(`[{"start":1,"end":3}]`), llmtest.Answer(good)}, "message 4 is in no task"},
		{"too many", []llmtest.Reply{llmtest.Answer(`[{"start":1,"end":4},{"start":5,"end":5}]`), llmtest.Answer(good)}, "too many tasks"},
		{"none", []llmtest.Reply{llmtest.Answer(`[]`), llmtest.Answer(good)}, "no task"},
		{"nothing", []llmtest.Reply{llmtest.Answer(""), llmtest.Answer(good)}, "empty"},
		{"no JSON", []llmtest.Reply{llmtest.Answer("I see two tasks."), llmtest.Answer(good)}, "no JSON"},
		{"busy", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "1"), llmtest.Answer(good)}, ""},
		{"broken once", []llmtest.Reply{llmtest.Status(500, "oops"), llmtest.Half(good), llmtest.Answer(good)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.script...)
			cuts, err := ask(t, server, false).Cut(t.Context(), fourMessages())
			if err != nil || len(cuts) != 2 || cuts[0].End != 2 || c.mistake == "" && !slices.Equal(cuts, goodCuts) {
				t.Fatalf("%v, %v", cuts, err)
			}
			requests := server.Requests()
			if len(requests) != len(c.script) {
				t.Errorf("%d requests", len(requests))
			}
			if last := requests[len(requests)-1].Last(); !strings.Contains(last, c.mistake) {
				t.Errorf("the model is told: %s", last)
			}
		})
	}
}

// TestServersThatFailGiveNoCuts, and the next run succeeds.
func TestServersThatFailGiveNoCuts(t *testing.T) {
	gap := llmtest.Answer(`[{"start":1,"end":1},{"start":3,"end":4}]`)
	for _, c := range []struct {
		name   string
		script []llmtest.Reply
		hurry  bool
		says   string
	}{
		{"wrong twice", []llmtest.Reply{gap, gap}, false, "message 2 is in no task"},
		{"nothing twice", []llmtest.Reply{llmtest.Answer(""), llmtest.Answer("")}, false, "no usable answer"},
		{"500 forever", llmtest.Repeat(3, llmtest.Status(500, "oops")), false, "500"},
		{"not allowed", []llmtest.Reply{llmtest.Status(401, "no")}, false, "401"},
		{"hangs", llmtest.Repeat(3, llmtest.Hang()), true, "within 2m0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.script...)
			cuts, err := ask(t, server, c.hurry).Cut(t.Context(), fourMessages())
			var e *llm.Error
			if !errors.As(err, &e) || cuts != nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, %v", cuts, err)
			}
			if n := server.Count(); !c.hurry && n != len(c.script) {
				t.Errorf("%d requests", n)
			}
			server.Script(llmtest.Answer(good))
			if cuts, err := ask(t, server, false).Cut(t.Context(), fourMessages()); err != nil || !slices.Equal(cuts, goodCuts) {
				t.Errorf("the next run: %v, %v", cuts, err)
			}
		})
	}
}

// TestServerThatFailsInTheMiddleGivesNoCuts: what was said about the windows
// before is not kept.
func TestServerThatFailsInTheMiddleGivesNoCuts(t *testing.T) {
	server := llmtest.Start(t, llmtest.Segmented(), llmtest.Status(401, "no"), llmtest.Segmented())
	long := strings.Repeat("long ", 900)
	r := talk("Task one", "done", "Task two "+long, "done", "Task three "+long, "done")
	cuts, err := ask(t, server, false).Cut(t.Context(), r.text(1))
	if err == nil || cuts != nil || server.Count() != 2 || !strings.HasPrefix(err.Error(), "messages 3 to 4: ") {
		t.Fatalf("%v, %v, %d requests", cuts, err, server.Count())
	}
	cuts, err = ask(t, server, false).Cut(t.Context(), r.text(1))
	if err != nil || len(cuts) != 3 || CheckCuts(cuts, 1, 6) != nil {
		t.Errorf("the next run: %v, %v", cuts, err)
	}
}

func TestCuttingIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := llmtest.Start(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
		cancel()
		return llmtest.Hang()
	}))
	if cuts, err := ask(t, server, false).Cut(ctx, fourMessages()); !errors.Is(err, context.Canceled) || cuts != nil {
		t.Errorf("%v, %v", cuts, err)
	}
}
