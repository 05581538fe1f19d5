package compress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"winnow/core/chat"
)

// worked is a session of a request, calls with results that speak of files, and
// an answer.
func worked(calls int) []chat.Message {
	messages := []chat.Message{
		{Role: chat.System, Content: "You are an agent that works on the files of a project."},
		{Role: chat.User, Content: "The tests of the parser are red. Find out why that is, mend it and tell me what it was."},
	}
	for k := range calls {
		id := fmt.Sprint("call_", k)
		messages = append(messages,
			chat.Message{Role: chat.Assistant, Content: "I look at the next of the files to see what is in it.", ToolCalls: []chat.ToolCall{{ID: id, Name: "read_file", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, k)}}},
			chat.Message{Role: chat.Tool, ToolCallID: id, Name: "read_file", Content: fmt.Sprintf("package part\n// id TASK%04d\n", k) + strings.Repeat("func parse() { return }\n", 40)},
		)
	}
	messages = append(messages, chat.Message{Role: chat.Assistant, Content: "It was the state of the parser: TASK0003 in src/part3.go is mended."})
	for i := range messages {
		messages[i].N = i + 1
	}
	return messages
}

// halved are options for half of the tokens of a session.
func halved(messages []chat.Message, by Strategy) Options {
	o := Defaults()
	total := 0
	for i := range messages {
		total += Plain{}.Message(&messages[i])
	}
	o.Target, o.Summary, o.Form, o.By = total/2, 60, Fold, by
	return o
}

var errDown = errors.New("the host is down")

// TestBadSummaries checks that whatever a model answers that cannot be used, the
// sample is as it was, and says why.
func TestBadSummaries(t *testing.T) {
	messages := worked(12)
	says := func(text string) Summarizer {
		return func(context.Context, Request) (string, error) { return text, nil }
	}
	for _, test := range []struct {
		name   string
		ask    Summarizer
		reason string
		check  string // of the finding
	}{
		{"fails", func(context.Context, Request) (string, error) { return "", errDown }, "the host is down", ""},
		{"hangs", func(context.Context, Request) (string, error) { select {} }, "did not answer in time", ""},
		{"hangs on", func(ctx context.Context, _ Request) (string, error) { <-ctx.Done(); return "", ctx.Err() }, "did not answer in time", ""},
		{"is cut off", func(context.Context, Request) (string, error) { return "It was", ErrLength }, "cut off", ""},
		{"nothing", says(""), "says nothing", Empty},
		{"the prefix", says(" " + Prefix + "\n"), "says nothing", Empty},
		{"another language", says("Der Parser ist nicht in Ordnung und das ist mit den Dateien die Ursache, die ich nicht mit der Suche fand."), "is in de", Language},
		{"another writing", says("Агент посмотрел на файлы проекта и нашел причину ошибки в разборе"), "is in Cyrillic", Language},
		{"an invented id", says("The agent read the files and found TASK9999 to be the cause."), "TASK9999", Invented},
		{"an invented path", says("The agent read /etc/other/file.conf too."), "/etc/other/file.conf", Invented},
		{"a call as text", says(`<tool_call>{"name": "read_file"}</tool_call>`), "<tool_call>", Tagged},
		{"a call as JSON", says("```json\n{\"name\": \"read_file\", \"arguments\": {}}\n```"), "call of a tool", Tagged},
		{"a special token", says("The agent read files.<|im_end|>"), "<|", Tagged},
		{"a secret", says("The agent read the files with ghp_R4nd0mT0k3nV4lu3Th4tL00ksR34lEn0ugh7 as its token."), "", Secret},
		{"ten times too much", says(strings.Repeat("the agent read the files of it ", 90)), "were asked for", TooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			var calls atomic.Int32 // one that hangs is left alone
			ask := func(ctx context.Context, r Request) (string, error) { calls.Add(1); return test.ask(ctx, r) }
			r := Compress(t.Context(), messages, halved(messages, Model{Ask: ask, Attempts: 2, Timeout: 20 * time.Millisecond}))
			if r.Outcome != Failed || !strings.Contains(r.Reason, test.reason) || !strings.Contains(r.Reason, "messages 5–") {
				t.Errorf("%s: %s", r.Outcome, r.Reason)
			}
			if len(r.Samples) != 1 || string(packed(messages)) != string(rowsAsPacked(messages, &r.Samples[0])) || !r.Over || r.After != r.Before {
				t.Errorf("the sample is another: %+v", r.Samples)
			}
			if test.check != "" && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check == test.check }) {
				t.Errorf("findings %v, want %s", r.Findings, test.check)
			}
			if calls.Load() != 2 || r.Calls != 2 || r.Errors != 2 {
				t.Errorf("asked %d times, told %d, %d errors", calls.Load(), r.Calls, r.Errors)
			}
		})
	}
}

func rowsAsPacked(messages []chat.Message, s *Sample) (b []byte) {
	for row := range s.Rows(messages) {
		b = chat.AppendMessage(b, &row.Message)
	}
	return b
}

// TestSummaryAgain checks that an answer that cannot be used is asked for once
// more, with the reason.
func TestSummaryAgain(t *testing.T) {
	messages := worked(12)
	var asked []Request
	ask := func(_ context.Context, r Request) (string, error) {
		if asked = append(asked, r); len(asked) == 1 {
			return "The agent found TASK9999.", nil
		}
		return "The agent read the files, src/part3.go among them.", nil
	}
	r := Compress(t.Context(), messages, halved(messages, Model{Ask: ask, Model: "m"}))
	if r.Outcome != Compressed || r.Calls != 2 || r.Errors != 1 || !strings.Contains(asked[1].Again, "TASK9999") {
		t.Fatalf("%+v", r)
	}
	if got := r.Regions[0].Text; got != Prefix+" The agent read the files, src/part3.go among them." {
		t.Errorf("%q", got)
	}
	if p := asked[1].Prompt(); !strings.Contains(p, "The tests of the parser are red") || !strings.Contains(p, "TASK0004") || !strings.Contains(p, "TASK9999") || strings.Contains(p, "TASK0000") {
		t.Errorf("%s", p)
	}
	if r.Made != (Made{"llm", "fold", "chars/4", "m", PromptVersion, false}) {
		t.Errorf("%+v", r.Made)
	}
	// The id that the last answer names is not in the summary.
	if len(r.Findings) != 1 || r.Findings[0].Check != Dangling || !strings.Contains(r.Findings[0].Detail, "TASK0003") {
		t.Errorf("%v", r.Findings)
	}
	if asked[0].Key("m") == asked[1].Key("m") || asked[0].Key("m") == asked[0].Key("n") {
		t.Error("keys")
	}
}

// TestSummaryInParts checks that a region that is too long for a request is
// summarized in parts, and that nothing of it is left out.
func TestSummaryInParts(t *testing.T) {
	messages := worked(12)
	seen := map[string]int{}
	var earlier []string
	ask := func(_ context.Context, r Request) (string, error) {
		for i := range r.Messages {
			seen[r.Messages[i].Content]++
		}
		earlier = append(earlier, r.Earlier)
		return fmt.Sprintf("Part %d of the work.", len(earlier)), nil
	}
	r := Compress(t.Context(), messages, halved(messages, Model{Ask: ask, Window: 600}))
	if r.Outcome != Compressed || len(earlier) < 3 || earlier[1] != "Part 1 of the work." {
		t.Fatalf("%s %s, asked %q", r.Outcome, r.Reason, earlier)
	}
	for i := r.Regions[0].From; i < r.Regions[0].To; i++ {
		if seen[messages[i].Content] == 0 {
			t.Errorf("message %d was not shown", i)
		}
	}
	if want := Prefix + " Part 1 of the work.\nPart 2 of the work."; !strings.HasPrefix(r.Regions[0].Text, want) {
		t.Errorf("%q", r.Regions[0].Text)
	}
	r = Compress(t.Context(), messages, halved(messages, Model{Ask: ask, Window: 50}))
	if r.Outcome != Failed || !strings.Contains(r.Reason, "message 5 with what belongs to it costs") {
		t.Errorf("%s %s", r.Outcome, r.Reason)
	}
	if r = Compress(t.Context(), messages, halved(messages, Model{})); r.Outcome != Failed {
		t.Errorf("%s without a model", r.Outcome)
	}
}

// TestWidens checks that more goes where a summary is longer than it was assumed
// to be.
func TestWidens(t *testing.T) {
	messages := worked(12)
	ask := func(context.Context, Request) (string, error) {
		return strings.Repeat("the agent read the files of it ", 34), nil
	}
	o := halved(messages, Model{Ask: ask})
	for rounds, over := range map[int]bool{1: true, 8: false} {
		o.Rounds = rounds
		if r := Compress(t.Context(), messages, o); r.Outcome != Compressed || r.Over != over || len(r.Findings) == 0 {
			t.Errorf("%d rounds: %s, %d of %d, %v", rounds, r.Outcome, r.After, o.Target, r.Findings)
		}
	}
}

// TestSummariesAreNoTask: what somebody asked for is.
func TestSummariesAreNoTask(t *testing.T) {
	s := &session{messages: []chat.Message{
		{Role: chat.User, Content: Prefix + " The user wants a hotel."}, {Role: chat.User, Content: "Book a flight"},
		{Role: chat.User, Content: Prefix + " so far\n--- END OF CONTEXT SUMMARY ---\nBook a train"}, {Role: chat.User, Content: "So far", Marks: chat.MarkCompaction},
	}}
	for n, wants := range []string{"", "", "flight", "flight train", "flight train"} {
		task := s.task(n)
		for _, word := range []string{"hotel", "flight", "train", "So far", Prefix} {
			if got, want := strings.Contains(task, word), slices.Contains(strings.Fields(wants), word); got != want {
				t.Errorf("of %d messages: %q", n, task)
			}
		}
	}
}
