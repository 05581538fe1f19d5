package offline

import (
	"testing"

	"winnow/core/chat"
)

// TestOfflineHarness: what ends as an earlier message did, with the prompt of a
// shell, is a tool's result, unless it begins as a task did.
func TestOfflineHarness(t *testing.T) {
	const shell = "\n(Current directory: /repo)\nbash-$"
	task := func(what string) string {
		return "u: We are solving the following issue in our repository. ISSUE: " + what + ". You work in a shell, one command at a time; look at the output, fix what is wrong, and submit when it is done." + shell
	}
	run := func(what string) []chat.Message {
		return spoken(task(what), "a: Let me look.\n```\nls\n```", "u: main.py README.md"+shell, "a: I want to see main.py.\n```\ncat main.py\n```", "u: Please write tests. Hello! def divide(a, b):"+shell, "a: Done.\n```\nsubmit\n```")
	}
	if got := startsOf(offlineCuts(t, run("division fails"))); got != nil {
		t.Errorf("one task is cut at %v", got)
	}
	two := append(run("division fails"), run("dates are wrong")...)
	if got := startsOf(offlineCuts(t, two)); len(got) != 1 || got[0] != 7 {
		t.Errorf("two tasks are cut at %v", got)
	}
}

func TestFills(t *testing.T) {
	for text, want := range map[string]bool{"": true, "7": true, "yes, and then?": true, "continue": true, "yes, rename the file": false, "Fix the parser": false} {
		if got := offlineCutter().fills(text); got != want {
			t.Errorf("%q fills: %v, want %v", text, got, want)
		}
	}
}
