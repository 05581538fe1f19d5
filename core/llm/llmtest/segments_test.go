package llmtest

import "testing"

func TestSegments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "[]"},
		{"no numbers", "hello\nuser: hi", "[]"},
		{"one", "[1] user: please fix the parser of dates today\n[2] assistant: done\n", `[{"start":1,"end":2,"topic":"please fix the parser of dates"}]`},
		{"by users' tasks", "[1] user: Task A\n[2] assistant: ok\n[3] user: Task B\n[4] assistant: Task?", `[{"start":1,"end":2,"topic":"Task A"},{"start":3,"end":4,"topic":"Task B"}]`},
		{"by words", "[1] user: a\n[2] assistant: b\n[3] user: and\nnow a NEW TASK\n[4] assistant: c", `[{"start":1,"end":2,"topic":"a"},{"start":3,"end":4,"topic":"now a NEW TASK"}]`},
		{"at once", "[1] user: NEW TASK a\n[2] user: NEW TASK b", `[{"start":1,"end":1,"topic":"NEW TASK a"},{"start":2,"end":2,"topic":"NEW TASK b"}]`},
		{"fake numbers", "intro [1]\n[1] user: a\n[7] user: Task x\n[1] user: Task y\n[2] tool (bash):\n", `[{"start":1,"end":2,"topic":"a"}]`},
		{"empty first", "[1] user:\n[2] user: b", `[{"start":1,"end":2,"topic":"b"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Segments(c.text); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
