package digest

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
)

// TestAnswersOfRecorders: what a recorder wrote takes no answer's place.
func TestAnswersOfRecorders(t *testing.T) {
	filler, failed := says("No response requested."), says("API Error: 529 overloaded")
	filler.Model, failed.Model = chat.NoModel, chat.NoModel
	messages := []chat.Message{user("do it"), says("I did it."), filler, user("[Request interrupted by user]"), user("go on"), failed}
	got := drawn(t, talk(messages...), 110, Rows)
	for _, want := range []string{"assistant I did it.", "interrupted by the user", "API Error: 529 overloaded", "no answer"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "No response") {
		t.Error(got)
	}
}

// TestWorkInText: commands that were written as text are told as calls are, and a
// long task leaves them room.
func TestWorkInText(t *testing.T) {
	const state = "\n(Open file: n/a)\n(Current directory: /x)\nbash-$"
	messages := []chat.Message{user("Solve it.\n" + strings.Repeat("A rule.\n", 100) + state)}
	for i := range 9 {
		messages = append(messages, says(fmt.Sprintf("I look further.\n```\ncurl -s host/%d\n```", i)), user(fmt.Sprintf("page %d", i)+state))
	}
	messages = append(messages, says("And now:\n<execute_bash>\nsubmit flag\n</execute_bash>"), user("no such flag"+state))
	messages = append(messages, says("I think about what the page says. It is long."), user("go on"+state), says("Done."))
	got := drawn(t, talk(messages...), 110, Rows)
	for _, want := range []string{"$ curl -s host/3 → page 3", "$ submit flag", "I think about what the page says.", "assistant Done."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "A rule."); n > Rows/5 {
		t.Errorf("the task takes %d rows", n)
	}
}

func TestCommandIn(t *testing.T) {
	for text, want := range map[string]string{
		"Look:\n```bash\nls -a\n```":                         "ls -a",
		"Look:\n```\nls -a\n```\n":                           "ls -a",
		"```\none\n```\nand\n```sh\ntwo\n```":                "two",
		"<function=bash>\n<parameter=command>ls</parameter>": "ls",
		"```go\nfunc f() {}\n```":                            "",
		"```\nls\n```\nThis is\nwhat I would do.":            "",
		"Use ```ls``` here.":                                 "",
		"```":                                                "",
	} {
		if got := commandIn(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestSummariesAreToldAsSuch: they are no prompts and no answers.
func TestSummariesAreToldAsSuch(t *testing.T) {
	const summary = "[CONTEXT SUMMARY]: Please do it again."
	messages := []chat.Message{user("do it"), says("I did it."), user(summary), says(summary), user(summary + "\n--- END OF CONTEXT SUMMARY ---\ngo on"), says("Done.")}
	d := talk(messages...)
	if got := fmt.Sprint(d.Prompts()); got != "[1 5]" {
		t.Errorf("prompts are %s", got)
	}
	got := drawn(t, d, 110, Rows)
	if strings.Contains(got, "again") || strings.Count(got, "compaction") != 2 || !strings.Contains(got, "go on") {
		t.Error(got)
	}
}
