package gist

import "testing"

// TestOutputFoldsToItsLastMeaningfulLine: a test's result stands at its end,
// before prompts and what shells print after every output.
func TestOutputFoldsToItsLastMeaningfulLine(t *testing.T) {
	for text, want := range map[string]string{
		"=== RUN\n--- PASS\nok  parser 0.2s\n":             "ok parser 0.2s",
		"one\ntwo\n\n$ ":                                   "two",
		"one\ntwo\nuser@host:~/src$":                       "two",
		"one\ntwo\n(venv) root@box:/work#":                 "two",
		"one\ntwo\nPS C:\\src>":                            "two",
		"one\ntwo\n>>>":                                    "two",
		"one\ntwo\nsqlite>":                                "two",
		"one\nloading 100%":                                "loading 100%",
		"one\n100%":                                        "100%",
		"<b>\n</html>":                                     "</html>",
		"one\n}\n-----\n":                                  "one",
		"one\nExit code: 0":                                "one",
		"one\nShell cwd was reset to /work":                "one",
		"(Open file: n/a)\n(Current directory: /)\nbash-$": "(Open file: n/a)",
		"---\n...":                                         "---",
	} {
		if got := Of("Bash", text); got != want {
			t.Errorf("%q folds to %q, want %q", text, got, want)
		}
	}
	if got := Of("Read", "first\nlast"); got != "first" {
		t.Errorf("a file folds to %q", got)
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"I look at the test. Then I fix it.":          "I look at the test.",
		"Is it e.g. the map? Yes.":                    "Is it e.g. the map?",
		"1. Read the file. 2. Fix it.":                "1. Read the file.",
		"main.go calls v1.2 of it! Good.":             "main.go calls v1.2 of it!",
		"**Exploring the code**\n\nI need to look.":   "Exploring the code",
		"no stop in it\nbut lines\n\nmore. And more.": "no stop in it but lines",
		"先看测试。再修改。":                                   "先看测试。",
		"stop\nat (vs. others) here. End":             "stop at (vs. others) here.",
	} {
		if got := Sentence(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

func TestPathsFromAFolder(t *testing.T) {
	for line, want := range map[string]string{
		"/w/proj/cli/a.go":            "cli/a.go",
		"ls /w/proj && cat /w/proj/a": "ls . && cat a",
		"cd '/w/proj/' && x":          "cd './' && x",
		"/w/project/a /x/w/proj/a":    "/w/project/a /x/w/proj/a",
		"a=/w/proj/b:/w/proj/c":       "a=b:c",
		"/w/proj":                     ".",
	} {
		if got := Within(line, "/w/proj"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
