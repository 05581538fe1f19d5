package memory

import (
	"strings"
	"testing"
)

const agentsFile = `# Project

## Commands
Run make mocks before go vet, since the generated mocks in mocks/store.go are not checked in.
Use tabs.
`

func TestWhatTheSessionWasToldIsNoMemory(t *testing.T) {
	long := strings.Repeat("Some other words about how people work with generated things and what is checked. ", 200)
	c := Candidate{Kind: Fact, Title: "Mocks", Content: "The generated mocks in mocks/store.go are not checked in: run make mocks before go vet.", Cites: []Cite{{N: 2, Quote: "mocks/store.go:8: undefined: Clock"}}}
	for _, test := range []struct {
		name string
		e    *Evidence
		want Drop
	}{
		{"nothing", evidence("u", "Hello there", "r", "mocks/store.go:8: undefined: Clock"), Kept},
		{"a system message", evidence("s", agentsFile, "r", "mocks/store.go:8: undefined: Clock"), Restates},
		{"a long one without it", evidence("s", long, "r", "mocks/store.go:8: undefined: Clock"), Kept},
		{"in a long one", evidence("s", long+agentsFile+long, "r", "mocks/store.go:8: undefined: Clock"), Restates},
		{"AGENTS.md as the user", evidence("u", "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\n"+agentsFile+"</INSTRUCTIONS>", "r", "mocks/store.go:8: undefined: Clock"), Restates},
		{"read by the agent", evidence("u", "Hello there", "r", "mocks/store.go:8: undefined: Clock", "c", `"cat docs/AGENTS.md"`, "r", agentsFile), Restates},
		{"read in the editor", evidence("u", "Hello there", "r", "mocks/store.go:8: undefined: Clock", "c", `"cat docs/notes.md"`, "r", agentsFile), Kept},
		{"typed as a command", evidence("u", "<command-message>fix</command-message>\n<command-args>"+c.Content+"</command-args>", "r", "mocks/store.go:8: undefined: Clock"), Kept},
		{"before the segment", NewEvidence(About{Told: []string{agentsFile}}, said("u", "Hello there", "r", "mocks/store.go:8: undefined: Clock"), scanner()), Restates},
	} {
		if _, drop := Gate(c, test.e, nil); drop != test.want {
			t.Errorf("%s: %q, want %q", test.name, drop, test.want)
		}
	}
}

// TestMostOfTheWordsRestate: 60% of the words of a memory in one passage are too many.
func TestMostOfTheWordsRestate(t *testing.T) {
	const content = "alpha.go bravo charlie delta echo foxtrot golf hotel india juliett"
	words := strings.Fields(content)
	for n, want := range map[int]Drop{4: Kept, 5: Kept, 6: Restates, 7: Restates, 10: Restates} {
		told := strings.Join(words[10-n:], " ") + " and zulu"
		c := Candidate{Kind: Fact, Title: "Words", Content: content, Cites: []Cite{{N: 2, Quote: "it is said so"}}}
		if _, drop := Gate(c, evidence("s", told, "r", "it is said so"), nil); drop != want {
			t.Errorf("%d of 10 words: %q, want %q", n, drop, want)
		}
	}
}

func TestWhatIsRecalledProvesNothing(t *testing.T) {
	known := Memory{ID: "1a2b3c4d-0000", Kind: Fact, Status: Approved, Content: "The staging database is read-only on weekends."}
	known.Identify()
	line := "- " + known.Content + " " + Mark(&known)
	c := Candidate{Kind: Fact, Title: "Staging", Content: "Writes to `staging` fail between Saturday and Sunday as it is read-only.", Cites: []Cite{{N: 1, Quote: "The staging database is read-only on weekends."}}}
	for _, test := range []struct {
		name, text string
		want       Drop
	}{
		{"a marked line", "   12→" + line + "\nother", QuoteNotFound},
		{"a block", "before\n" + BlockBegin + "\n" + known.Content + "\n" + BlockEnd + "\nafter", QuoteNotFound},
		{"a block that is cut off", "before\n" + BlockBegin + "\n" + known.Content, QuoteNotFound},
		{"its words without a mark", "I recall: " + known.Content, Restates},
	} {
		if _, drop := Gate(c, evidence("r", test.text), []Memory{known}); drop != test.want {
			t.Errorf("%s: %q, want %q", test.name, drop, test.want)
		}
	}
	e := evidence("r", "before\n"+line+"\nafter it all")
	if _, ok := e.Find(1, "after it all"); !ok {
		t.Error("what stands beside it is gone, too")
	}
}

func TestTransientInOtherLanguages(t *testing.T) {
	for text, want := range map[string]bool{
		"The build now passes.": true, "See what changed in this PR.": true, "Nowhere is it said": false, "Every presentation today’s": true, "todayish": false,
		"目前为止没有问题": true, "数据库在周末只读": false, "Heute ist der Build kaputt.": true, "Es wird heutzutage so gemacht": false, "сегодня всё": true,
	} {
		if got := passing.in(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestGenericNeedsSomethingParticular(t *testing.T) {
	for text, want := range map[string]bool{
		"Always write good tests.":                               true,
		"Be careful with errors and read the code.":              true,
		"Check your work before you finish it.":                  true,
		"请仔细检查代码":                                                true,
		"Prüfe die Arbeit, bevor du mit der Aufgabe fertig bist": true,
		"Antworte mir auf Deutsch":                               false,
		"Run `make` first":                                       false,
		"Use the --race flag":                                    false,
		"Look into core/memory first":                            false,
		"Call parseThing with care":                              false,
		"Wait 30 seconds":                                        false,
		"Say \"please\" to it":                                   false,
		"Answer in German":                                       false,
		"HTTP is off":                                            false,
		"请使用 pnpm 安装":                                            false,
		"用「确认」按钮":                                                false,
		"call it snake_case":                                     false,
		"open app.config now":                                    false,
	} {
		if got := specifics(text) == 0; got != want {
			t.Errorf("%q: generic %v, want %v", text, got, want)
		}
	}
}
