package memory

import (
	"sync"
	"testing"

	"winnow/core/chat"
	"winnow/core/secret"
)

var scanner = sync.OnceValue(func() *secret.Scanner {
	s := secret.New(nil)
	if err := s.Load(); err != nil {
		panic(err)
	}
	return s
})

// said are messages by short names of roles: "u" a user, "a" an assistant, "r" a
// result, "x" a result that failed, "c" a call of bash.
func said(pairs ...string) (messages []chat.Message) {
	for i := 0; i+1 < len(pairs); i += 2 {
		m := chat.Message{N: len(messages) + 1, Content: pairs[i+1]}
		switch pairs[i] {
		case "u":
			m.Role = chat.User
		case "s":
			m.Role = chat.System
		case "a":
			m.Role = chat.Assistant
		case "t":
			m.Role, m.Content, m.Reasoning = chat.Assistant, "I look at it.", pairs[i+1]
		case "c":
			m.Role, m.Content = chat.Assistant, ""
			m.ToolCalls = []chat.ToolCall{{Name: "bash", Arguments: `{"command":` + pairs[i+1] + `}`}}
		case "r", "x":
			m.Role, m.Name, m.IsError = chat.Tool, "bash", pairs[i] == "x"
		}
		messages = append(messages, m)
	}
	return messages
}

func evidence(pairs ...string) *Evidence {
	return NewEvidence(About{Segment: "0123456789ab", Agent: "laptop", Dir: "/work", TaskType: "code", Topic: "Fix the mocks"}, said(pairs...), scanner())
}

// mocks is a segment in which something was learned.
func mocks() *Evidence {
	return evidence(
		"u", "No, always run make mocks before go vet. See https://ci.example.org/rules for why.",
		"c", `"go vet ./..."`, "x", "exit status 1\nmocks/store.go:8: undefined: Clock",
		"a", "The mocks are out of date.",
		"c", `"make mocks && go vet ./..."`, "r", "ok  \tstore\t0.41s",
		"t", "The vet cache is probably stale on Tuesdays.",
	)
}

// good is a candidate that passes.
func good() Candidate {
	return Candidate{
		Kind: Pitfall, Title: "go vet fails on generated mocks", Content: "`go vet` reports an undefined Clock in mocks/store.go until the mocks are generated.",
		Resolution: "run `make mocks` first", Tags: []string{"go", "Mocks"},
		Cites: []Cite{{N: 3, Quote: "mocks/store.go:8: undefined: Clock"}, {N: 6, Quote: "ok store 0.41s"}},
	}
}

func gated(t *testing.T, c Candidate, e *Evidence, known ...Memory) Memory {
	t.Helper()
	m, drop := Gate(c, e, known)
	if drop != Kept {
		t.Fatalf("dropped as %s: %+v", drop, c)
	}
	return m
}
