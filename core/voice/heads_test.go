package voice

import (
	"testing"

	"winnow/core/chat"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		text string
		want Voice
		rest string // what somebody wrote, of a person
	}{
		{"Fix the parser", Person, "Fix the parser"},
		{"<system-reminder>Be brief.</system-reminder>\nFix the parser", Person, "Fix the parser"},
		{"<user_query>\nFix the parser\n</user_query>", Person, "Fix the parser"},
		{"<task>Fix the parser</task>", Person, "<task>Fix the parser</task>"},
		{"<teammate-message teammate_id=\"lead\">Fix it</teammate-message>", Person, "Fix it"},
		{"/usr/local/bin is missing", Person, "/usr/local/bin is missing"},
		{"/review the last commit", Person, "/review the last commit"},
		{"/model", Machine, ""},
		{"<some-hook>text</some-hook>", Machine, ""},
		{"/clear", Reset, ""},
		{"/NEW", Reset, ""},
		{"/new write a poem", Reset, "write a poem"},
		{"/newest", Machine, ""},
		{"<command-name>/clear</command-name>\n<command-message>clear</command-message>", Reset, ""},
		{"<command-name>clear</command-name>", Reset, ""},
		{"<command-name>/compact</command-name>", Machine, ""},
		{"[Request interrupted by user]", Interrupt, ""},
		{"", Person, ""},
		{"  \n ", Person, ""},
		{"7", Person, "7"},
		{"yes, and then?", Person, "yes, and then?"},
		{"yes, rename the file", Person, "yes, rename the file"},
		{"Observation: 3 files", Result, ""},
		{"[read_file for 'a.go'] Result:\npackage a", Result, ""},
		{"This session is being continued from a previous conversation that ran out of context.", Compaction, ""},
		{"[CONTEXT SUMMARY]: Please book the flight.", Compaction, ""},
		{"[CONTEXT SUMMARY]: so far\n\n--- END OF CONTEXT SUMMARY ---\n\nBook it", Person, "Book it"},
		{"[CONTEXT SUMMARY]: so far\n\n--- END OF CONTEXT SUMMARY ---\n\n/clear", Reset, ""},
		{"Is \"[CONTEXT SUMMARY]: so far\" right?", Person, "Is \"[CONTEXT SUMMARY]: so far\" right?"},
	} {
		v, rest := Of(&chat.Message{Role: chat.User, Content: c.text})
		if v != c.want || v == Person && rest != c.rest {
			t.Errorf("%q is %d %q, want %d %q", c.text, v, rest, c.want, c.rest)
		}
	}
}
