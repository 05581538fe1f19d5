package segment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/core/chat"
	"winnow/core/llm"
	"winnow/core/llm/llmtest"
	"winnow/core/review"
	"winnow/core/token"
)

// asked answers without a server, and notes what it was asked.
type asked struct {
	mu       sync.Mutex
	requests []llm.Request
	answer   func(llm.Request) string
}

func (a *asked) Ask(_ context.Context, r llm.Request, check func([]byte) error) error {
	a.mu.Lock()
	a.requests = append(a.requests, r)
	a.mu.Unlock()
	return check([]byte(a.answer(r)))
}

func sees() *asked {
	return &asked{answer: func(r llm.Request) string { return llmtest.Segments(r.User) }}
}

// reading is a text that notes which messages were read.
type reading struct {
	messages []chat.Message
	read     []int
	err      error
}

func (r *reading) text(from int) Text {
	return Text{From: from, To: len(r.messages), Each: func(_ context.Context, from, to int, f func(*chat.Message) error) error {
		for n := from; n <= to; n++ {
			if r.err != nil {
				return r.err
			}
			r.read = append(r.read, n)
			m := r.messages[n-1]
			err := f(&m)
			m = chat.Message{Content: "no longer valid"}
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// talk is a conversation in which user and agent take turns.
func talk(texts ...string) *reading {
	r := &reading{}
	for i, text := range texts {
		role := chat.User
		if i%2 == 1 {
			role = chat.Assistant
		}
		r.messages = append(r.messages, chat.Message{N: i + 1, Role: role, Content: text})
	}
	return r
}

// budgetFor is what the first n of these messages cost.
func budgetFor(t testing.TB, r *reading, n int) int {
	c := modelOf(t, nil, 1<<20)
	cost := c.numbers(n)
	for i := range r.messages[:n] {
		cost += c.row(&r.messages[i]).cost
	}
	return cost
}

func TestModelCutsAreNumbersOfTheSession(t *testing.T) {
	r := talk("Task old", "done", "Task new", "done", "thanks", "bye")
	a := sees()
	c := NewModel(a, counter(t, ""), 10_000)
	cuts, err := c.Cut(t.Context(), r.text(3))
	if want := []Cut{{3, 6, "Task new"}}; err != nil || !slices.Equal(cuts, want) {
		t.Errorf("%v, %v", cuts, err)
	}
	if len(a.requests) != 1 || strings.Contains(a.requests[0].User, "Task old") || !strings.Contains(a.requests[0].System, "JSON list") {
		t.Errorf("asked %+v", a.requests)
	}
	if c.By() != review.CutModel {
		t.Errorf("by %s", c.By())
	}
}

// TestWorkedExample is that of the windows: 1–6 are A and B, and B is seen
// again from its first message on.
func TestWorkedExample(t *testing.T) {
	long := strings.Repeat("many words ", 40)
	r := talk("Task A"+long, long, long, "x "+llmtest.NewTask+" B", "x", "x", "x", llmtest.NewTask+" C", "x", "x")
	budget := budgetFor(t, r, 6)
	a := sees()
	cuts, err := NewModel(a, counter(t, ""), budget).Cut(t.Context(), r.text(1))
	if err != nil || len(cuts) != 3 || cuts[0].End != 3 || cuts[1].Start != 4 || cuts[1].End != 7 || cuts[2].Start != 8 || cuts[2].End != 10 {
		t.Fatalf("%v, %v", cuts, err)
	}
	if len(a.requests) != 2 || strings.Contains(a.requests[1].User, "Task A") || !strings.Contains(a.requests[1].User, "[1] assistant: x") {
		t.Errorf("%d requests, the last: %s", len(a.requests), a.requests[len(a.requests)-1].User)
	}
	if !slices.Equal(r.read, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("read %v", r.read)
	}
}

func TestWindowOfOneTaskIsFollowedByTheNextMessage(t *testing.T) {
	r := talk("same", "size", "same", "size", "same", "size", "last", "size")
	a := &asked{answer: func(llm.Request) string { return "" }}
	a.answer = func(q llm.Request) string {
		n := strings.Count(q.User, "\n[")
		return fmt.Sprintf(`[{"start":1,"end":%d,"topic":"window %d"}]`, n, len(a.requests))
	}
	cuts, err := NewModel(a, counter(t, ""), budgetFor(t, r, 6)).Cut(t.Context(), r.text(1))
	if want := []Cut{{1, 6, "window 1"}, {7, 8, "window 2"}}; err != nil || !slices.Equal(cuts, want) {
		t.Errorf("%v, %v", cuts, err)
	}
}

// What joins a message to another one is seen, however short both are.
func TestModelIsAskedAboutTwoMessages(t *testing.T) {
	r, a := talk("Task one", "done", "thanks", "Bye. "+llmtest.NewTask), sees()
	c := NewModel(a, counter(t, ""), 10_000)
	cuts, err := c.Cut(t.Context(), r.text(3))
	if err != nil || !slices.Equal(cuts, []Cut{{3, 3, "thanks"}, {4, 4, "Bye. NEW TASK"}}) || len(a.requests) != 1 {
		t.Errorf("%v, %v, %d requests", cuts, err, len(a.requests))
	}
	if cuts, err := c.Cut(t.Context(), r.text(5)); err != nil || len(cuts) != 0 || len(a.requests) != 1 {
		t.Errorf("nothing: %v, %v, %d requests", cuts, err, len(a.requests))
	}
}

func TestMessageOverTheBudgetIsTruncatedAndAskedAboutAlone(t *testing.T) {
	const budget = 200
	r := talk("Task one", "done", "Task giant "+strings.Repeat("very long text ", 1000), "done", "Task three", "done")
	a := sees()
	cuts, err := NewModel(a, counter(t, ""), budget).Cut(t.Context(), r.text(1))
	want := []Cut{{1, 2, "Task one"}, {3, 3, "Task giant very long text very"}, {4, 4, "done"}, {5, 6, "Task three"}}
	if err != nil || !slices.Equal(cuts, want) {
		t.Errorf("%v, %v", cuts, err)
	}
	for i, q := range a.requests {
		text := lines(t, q.User)
		if n := counter(t, "").Count(text); n > budget {
			t.Errorf("request %d holds %d tokens", i, n)
		}
		if strings.Contains(text, "giant") && strings.Count(text, "\n[") != 0 {
			t.Errorf("the giant is not alone: %s", text)
		}
	}
}

func TestEmptyToolRowsKeepNumbersAligned(t *testing.T) {
	r := talk("Task one", "calls", "", "", "done", "", "Task two", "done")
	for _, i := range []int{2, 3, 5} {
		r.messages[i].Role = chat.Tool
	}
	r.messages[6].Role = chat.User
	cuts, err := NewModel(sees(), counter(t, ""), 1000).Cut(t.Context(), r.text(1))
	if want := []Cut{{1, 6, "Task one"}, {7, 8, "Task two"}}; err != nil || !slices.Equal(cuts, want) {
		t.Errorf("%v, %v", cuts, err)
	}
}

func TestTopicsAreShortLines(t *testing.T) {
	r := talk("Fix the parser\nIt fails.", "done", "x", "y")
	for answer, want := range map[string]string{
		`"fix  the\n\tparser\u001b[2J "`:        "fix the parser [2J",
		`"修复解析器"`:                               "修复解析器",
		`""`:                                    "Fix the parser",
		`" … "`:                                 "Fix the parser",
		`null`:                                  "Fix the parser",
		`["a"]`:                                 "Fix the parser",
		`"\ud800 ok"`:                           "\uFFFD ok",
		`"` + strings.Repeat("word ", 50) + `"`: strings.Repeat("word ", 14) + "word…",
		`"` + strings.Repeat("字", 100_000) + `"`: strings.Repeat("字", 79) + "…",
	} {
		a := &asked{answer: func(llm.Request) string { return `[{"start":1,"end":4,"topic":` + answer + `}]` }}
		cuts, err := NewModel(a, counter(t, ""), 1000).Cut(t.Context(), r.text(1))
		if err != nil || len(cuts) != 1 || cuts[0].Topic != want {
			t.Errorf("topic %.40s: %+v, %v, want %q", answer, cuts, err, want)
		}
	}
}

func TestFailureOfAnyWindowGivesNothing(t *testing.T) {
	broken := errors.New("broken")
	r := talk("Task 1", "done", "Task 2", "done", "Task 3", "done", "Task 4", "done")
	a := sees()
	budget := budgetFor(t, r, 4)
	a.answer = func(q llm.Request) string {
		if len(a.requests) == 3 {
			return `[]`
		}
		return llmtest.Segments(q.User)
	}
	if cuts, err := NewModel(a, counter(t, ""), budget).Cut(t.Context(), r.text(1)); err == nil || cuts != nil || !strings.HasPrefix(err.Error(), "messages 5 to 8: ") {
		t.Errorf("a bad answer: %v, %v", cuts, err)
	}
	r.err = broken
	if cuts, err := NewModel(sees(), counter(t, ""), budget).Cut(t.Context(), r.text(1)); !errors.Is(err, broken) || cuts != nil {
		t.Errorf("reading fails: %v, %v", cuts, err)
	}
	short := talk("Task 1", "done", "x", "y").text(1)
	short.To = 6
	short.Each = func(_ context.Context, from, _ int, f func(*chat.Message) error) error {
		return f(&chat.Message{N: from, Role: chat.User, Content: "text"})
	}
	if cuts, err := NewModel(sees(), counter(t, ""), 1<<20).Cut(t.Context(), short); err == nil || cuts != nil {
		t.Errorf("messages are missing: %v, %v", cuts, err)
	}
}

// counting counts how much text is counted.
type counting struct {
	token.Counter
	bytes int
}

func (c *counting) Count(text string) int {
	c.bytes += len(text)
	return c.Counter.Count(text)
}

// TestEveryMessageIsReadAndCountedOnce in a long session with much overlap.
func TestEveryMessageIsReadAndCountedOnce(t *testing.T) {
	var r reading
	size := 0
	for n := range 20_000 {
		m := chat.Message{N: n + 1, Role: chat.User, Content: fmt.Sprintf("Task %d", n)}
		if n%7 != 0 {
			m = chat.Message{N: n + 1, Role: chat.Assistant, Content: "an answer"}
		}
		size += len(m.Content) + len("] assistant: \n")
		r.messages = append(r.messages, m)
	}
	count := &counting{Counter: counter(t, "chars/4")}
	cuts, err := NewModel(sees(), count, 200).Cut(t.Context(), r.text(1))
	if err != nil || CheckCuts(cuts, 1, len(r.messages)) != nil || len(cuts) != 20_000/7+1 {
		t.Fatalf("%d cuts, %v", len(cuts), err)
	}
	if len(r.read) != len(r.messages) || count.bytes > size+100 {
		t.Errorf("%d messages read, %d bytes counted of %d", len(r.read), count.bytes, size)
	}
}
