package export

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

func TestResultsFollowTheirCalls(t *testing.T) {
	type m = []chat.Message
	for _, c := range []struct {
		name string
		step m
		want string // contents of the results
	}{
		{"in order", m{calls("1", "2"), result("1", "a"), result("2", "b")}, "ab"},
		{"turned around", m{calls("1", "2"), result("2", "b"), result("1", "a")}, "ab"},
		{"one without an id", m{calls("1", "2", "3"), result("3", "c"), result("", "a"), result("2", "b")}, "abc"},
		{"all without ids", m{calls("1", "2"), result("", "a"), result("", "b")}, "ab"},
		{"calls without ids", m{calls("", ""), result("", "a"), result("", "b")}, "ab"},
		{"one missing", m{calls("1", "2", "3"), result("3", "c"), result("1", "a")}, "ac"},
		{"one too many", m{calls("1", "2"), result("x", "x"), result("2", "b"), result("1", "a")}, "abx"},
		{"an unknown id in the place of a call", m{calls("1", "2"), result("x", "a"), result("2", "b")}, "ab"},
		{"an id twice, answered in order", m{calls("1", "1", "2"), result("2", "c"), result("1", "a"), result("1", "b")}, "abc"},
		{"two results of a call", m{calls("1", "2"), result("2", "b"), result("1", "a"), result("1", "x")}, "abx"},
	} {
		s := sampleOf(append(append(m{user("u")}, c.step...), says("done"))...)
		told := len(rule(orderResults).apply("", s, &hf)) > 0
		got, was := "", ""
		for i := range s.Messages {
			if s.Messages[i].Role == chat.Tool {
				got += s.Messages[i].Content
			}
		}
		for i := range c.step {
			if c.step[i].Role == chat.Tool {
				was += c.step[i].Content
			}
		}
		if got != c.want || told != (got != was) || len(rule(findOutOfOrder).apply("", s, &hf)) > 0 {
			t.Errorf("%s: %s, told: %t", c.name, got, told)
		}
	}
}

// shuffled makes a conversation whose parallel calls are answered in any order.
// The result of the call "3" is "result of 3".
func shuffled(r *rand.Rand) (messages []chat.Message) {
	n := 0
	for range 1 + r.IntN(3) {
		messages = append(messages, user("u"))
		var results []chat.Message
		for range 1 + r.IntN(2) { // neighbours are joined, but for trajectories
			m := says("")
			for range 2 + r.IntN(3) {
				n++
				id := fmt.Sprint(n)
				m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: id, Name: "tool" + id, Arguments: `{"of":"` + id + `"}`})
				results = append(results, result(id, "result of "+id))
			}
			messages = append(messages, m)
			if r.IntN(2) == 0 {
				break
			}
		}
		r.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		messages = append(append(messages, results...), says("done"))
	}
	for i := range messages {
		messages[i].N = i + 1
	}
	return messages
}

// wrongPairs tells of results that do not stand as their calls do.
func wrongPairs(messages []chat.Message) string {
	for i := range messages {
		asked := messages[i].ToolCalls
		for j := range asked {
			if i+1+j >= len(messages) || messages[i+1+j].Role != chat.Tool {
				break // of a format that leaves results out
			}
			of := strings.TrimPrefix(asked[j].Name, "tool")
			if got := messages[i+1+j]; got.Content != "result of "+of {
				return fmt.Sprintf("call %d of message %d (%s) is answered by %q", j+1, i+1, asked[j].Name, got.Content)
			}
		}
	}
	return ""
}

// Whatever the order in which parallel calls were answered: in no format is a
// result in the place of another, be it exported or converted, and the repair
// is told.
func TestNoFormatPairsResultsWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	written, repaired := map[string]int{}, map[string]int{}
	for range 300 / slower {
		messages := shuffled(r)
		for i := range ofSamples() {
			e := &ofSamples()[i]
			s := sampleOf(slices.Clone(messages)...)
			repairs, findings := e.Prepare(s)
			if len(findings) > 0 {
				continue // adjacent calls of trajectories
			}
			written[e.Name]++
			if strings.Contains(names(repairs), "result_order") {
				repaired[e.Name]++
			}
			lines, _ := e.Append(nil, s)
			for line := range bytes.Lines(lines) {
				if wrong := wrongPairs(readBack(t, line)); wrong != "" {
					t.Fatalf("%s: %s\n%s", e.Name, wrong, line)
				}
			}
		}
	}
	for i := range ofSamples() {
		if name := ofSamples()[i].Name; written[name] < 60/slower || repaired[name] < 30/slower {
			t.Errorf("%s: %d written, %d repaired", name, written[name], repaired[name])
		}
	}
}

// readBack reads a record as an import does.
func readBack(t *testing.T, line []byte) []chat.Message {
	t.Helper()
	in := newConversations(nil, func(session.Issue) {})
	in.single = true
	if _, err := session.Read(context.Background(), bytes.NewReader(line), session.Options{}, session.State{}, in); err != nil {
		t.Fatal(err)
	}
	messages := in.of("").messages
	if len(messages) == 0 {
		t.Fatalf("no message in %s", line)
	}
	return messages
}

// A conversion keeps what was recorded, but for the order of results, also of
// formats that give a result the name of the call in its place.
func TestConvertOrdersResults(t *testing.T) {
	const text = `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"1","function":{"name":"tool1","arguments":"{}"}},{"id":"2","function":{"name":"tool2","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"2","content":"result of 2"},{"role":"tool","tool_call_id":"1","content":"result of 1"},{"role":"assistant","content":"done"}]}` + "\n"
	for _, e := range ofSamples() {
		entries, found, done := converted(t, e.Name, text)
		for _, line := range entries {
			if wrong := wrongPairs(readBack(t, []byte(line))); wrong != "" {
				t.Errorf("%s: %s\n%s", e.Name, wrong, line)
			}
			if a, b := strings.Index(line, "result of 1"), strings.Index(line, "result of 2"); a > b {
				t.Errorf("%s: %s", e.Name, line)
			}
		}
		if !slices.ContainsFunc(done.Repairs, func(r RepairCount) bool { return r.Check == "result_order" && r.Samples == 1 }) || e.Name != "steps" && len(found) > 0 {
			t.Errorf("%s: repairs %v, found %v", e.Name, done.Repairs, found)
		}
	}
}
