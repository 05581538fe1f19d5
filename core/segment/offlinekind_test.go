package segment

import (
	"testing"

	"winnow/core/chat"
)

func TestKindOf(t *testing.T) {
	p := newPhrases()
	for _, c := range []struct {
		text string
		want kind
		rest string // what somebody wrote, of real ones
	}{
		{"Fix the parser", kindReal, "Fix the parser"},
		{"<system-reminder>Be brief.</system-reminder>\nFix the parser", kindReal, "Fix the parser"},
		{"<user_query>\nFix the parser\n</user_query>", kindReal, "Fix the parser"},
		{"<task>Fix the parser</task>", kindReal, "<task>Fix the parser</task>"},
		{"<teammate-message teammate_id=\"lead\">Fix it</teammate-message>", kindReal, "Fix it"},
		{"/usr/local/bin is missing", kindReal, "/usr/local/bin is missing"},
		{"/review the last commit", kindReal, "/review the last commit"},
		{"/model", kindMachine, ""},
		{"<some-hook>text</some-hook>", kindMachine, ""},
		{"/clear", kindReset, ""},
		{"/NEW", kindReset, ""},
		{"/new write a poem", kindReset, "write a poem"},
		{"/newest", kindMachine, ""},
		{"<command-name>/clear</command-name>\n<command-message>clear</command-message>", kindReset, ""},
		{"<command-name>clear</command-name>", kindReset, ""},
		{"<command-name>/compact</command-name>", kindMachine, ""},
		{"[Request interrupted by user]", kindInterrupt, ""},
		{"", kindFiller, ""},
		{"  \n ", kindFiller, ""},
		{"7", kindFiller, "7"},
		{"yes, and then?", kindFiller, "yes, and then?"},
		{"yes, rename the file", kindReal, "yes, rename the file"},
		{"Observation: 3 files", kindObservation, ""},
		{"[read_file for 'a.go'] Result:\npackage a", kindObservation, ""},
		{"This session is being continued from a previous conversation that ran out of context.", kindCompaction, ""},
	} {
		k, rest := kindOf(&chat.Message{Role: chat.User, Content: c.text}, p)
		if k != c.want || k == kindReal && rest != c.rest {
			t.Errorf("%q is %d %q, want %d %q", c.text, k, rest, c.want, c.rest)
		}
	}
}

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
