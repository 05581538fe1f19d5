package export

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

func findCallName(s *Sample, _ *Emitter) (found []Finding) {
	s.calls(func(m *Message, c *chat.ToolCall) {
		if strings.TrimSpace(c.Name) == "" {
			found = append(found, report(m, "a call without the name of a tool"))
		}
	})
	return found
}

// fillArguments writes {} where a call without arguments was recorded as
// nothing.
func fillArguments(s *Sample, _ *Emitter) (done []Finding) {
	s.calls(func(m *Message, c *chat.ToolCall) {
		if t := strings.TrimSpace(c.Arguments); t == "" || t == "null" {
			c.Arguments = "{}"
			done = append(done, report(m, "no arguments for %s are written as {}", c.Name))
		}
	})
	return done
}

// escapeArguments hides tags in arguments.
func escapeArguments(s *Sample, e *Emitter) (done []Finding) {
	s.calls(func(m *Message, c *chat.ToolCall) {
		if hid := escapeTags(c.Arguments, e.reserved.assistant); hid != c.Arguments && jsontext.Value(c.Arguments).IsValid() {
			c.Arguments = hid
			done = append(done, report(m, "tags inside the arguments of %s are escaped", c.Name))
		}
	})
	return done
}

// escapeTags writes the '<' of tags in JSON text as \u003c, which is the same
// value: valid JSON has a '<' in its strings only.
func escapeTags(json string, tags []string) string {
	for _, tag := range tags {
		json = strings.ReplaceAll(json, tag, `\u003c`+tag[1:])
	}
	return json
}

func findArguments(s *Sample, _ *Emitter) (found []Finding) {
	s.calls(func(m *Message, c *chat.ToolCall) {
		v := jsontext.Value(c.Arguments)
		if v.Kind() == '{' && v.IsValid() {
			return
		}
		why := "are not a JSON object"
		if chat.IsObject(c.Arguments) {
			// Loaders refuse such a file as a whole.
			why = "repeat a key or hold half of a surrogate pair"
		}
		found = append(found, report(m, "the arguments of %s %s", c.Name, why))
	})
	return found
}

// calls calls f for every call of the sample.
func (s *Sample) calls(f func(*Message, *chat.ToolCall)) {
	for i := range s.Messages {
		m := &s.Messages[i]
		for j := range m.Calls {
			f(m, &m.Calls[j])
		}
	}
}

// step is a message with the tool results that directly follow it.
type step struct {
	message *Message // nil for results at the very beginning
	results []Message
}

// steps cuts a sample into steps: results may answer the calls of their own
// step only.
func (s *Sample) steps(f func(step)) {
	for i := 0; i < len(s.Messages); {
		var st step
		if s.Messages[i].Role != chat.Tool {
			st.message = &s.Messages[i]
			i++
		}
		from := i
		for i < len(s.Messages) && s.Messages[i].Role == chat.Tool {
			i++
		}
		st.results = s.Messages[from:i]
		f(st)
	}
}

// unanswered lists the calls of a step without a result.
func (st step) unanswered() (open []chat.ToolCall) {
	calls := st.calls()
	if len(calls) == 0 {
		return nil
	}
	answered := make(map[string]bool, len(st.results))
	for i := range st.results {
		answered[st.results[i].ToolCallID] = true
	}
	for _, c := range calls {
		if !answered[c.ID] {
			open = append(open, c)
		}
	}
	return open
}

func (st step) calls() []chat.ToolCall {
	if st.message == nil {
		return nil
	}
	return st.message.Calls
}

// fillCallIDs gives ids to calls that were recorded without, and to results
// the id of the call that they answer by position.
func fillCallIDs(s *Sample, _ *Emitter) (done []Finding) {
	s.steps(func(st step) {
		calls := st.calls()
		for i := range calls {
			if calls[i].ID == "" {
				calls[i].ID = "call_" + strconv.Itoa(st.message.N) + "_" + strconv.Itoa(i+1)
				done = append(done, report(st.message, "a call of %s without an id gets one", calls[i].Name))
			}
		}
		open := st.unanswered()
		for i := range st.results {
			if r := &st.results[i]; r.ToolCallID == "" && len(open) > 0 {
				r.ToolCallID = open[0].ID
				done = append(done, report(r, "a result without an id answers the call of %s by its position", open[0].Name))
				open = open[1:]
			}
		}
	})
	return done
}

// tellCallsApart gives calls of one message that share an id ids of their own,
// if each is answered in its place: then it is known which result is whose.
func tellCallsApart(s *Sample, e *Emitter) []Finding {
	done := fillCallIDs(s, e)
	s.steps(func(st step) {
		calls := st.calls()
		if len(calls) < 2 || len(calls) != len(st.results) {
			return
		}
		taken := make(map[string]bool, len(calls))
		for i := range calls {
			if st.results[i].ToolCallID != calls[i].ID {
				return
			}
			taken[calls[i].ID] = true
		}
		if len(taken) == len(calls) {
			return
		}
		met := make(map[string]bool, len(calls))
		for i := range calls {
			if id := calls[i].ID; !met[id] {
				met[id] = true
				continue
			}
			id := calls[i].ID
			for n := i + 1; taken[id]; n++ {
				id = calls[i].ID + "_" + strconv.Itoa(n)
			}
			taken[id] = true
			calls[i].ID, st.results[i].ToolCallID = id, id
			done = append(done, report(st.message, "a call of %s has the id of another one and gets its own", calls[i].Name))
		}
	})
	return done
}

func findCallIDs(s *Sample, _ *Emitter) (found []Finding) {
	for i := range s.Messages {
		m := &s.Messages[i]
		if len(m.Calls) < 2 {
			continue
		}
		seen := make(map[string]bool, len(m.Calls))
		for j := range m.Calls {
			if id := m.Calls[j].ID; seen[id] {
				found = append(found, report(m, "two calls have the id %q", id))
			} else {
				seen[id] = true
			}
		}
	}
	return found
}

func findUnanswered(s *Sample, _ *Emitter) (found []Finding) {
	s.steps(func(st step) {
		for _, c := range st.unanswered() {
			found = append(found, report(st.message, "the call of %s (%s) is not answered", c.Name, c.ID))
		}
	})
	return found
}

func findOrphans(s *Sample, _ *Emitter) (found []Finding) {
	s.steps(func(st step) {
		if len(st.results) == 0 {
			return
		}
		open := make(map[string]bool, len(st.calls()))
		for _, c := range st.calls() {
			open[c.ID] = true
		}
		for i := range st.results {
			r := &st.results[i]
			if !open[r.ToolCallID] {
				found = append(found, report(r, "a tool result (id %q) that answers no open call", r.ToolCallID))
			}
			delete(open, r.ToolCallID)
		}
	})
	return found
}

// trimEnd cuts off what follows the last answer of the assistant: messages
// nobody answered, and whole steps (calls with their results) that led to no
// answer. A call without its result is not cut off but found: there, something
// is missing. If no answer would be left, nothing is cut.
func trimEnd(s *Sample, _ *Emitter) []Finding {
	end := len(s.Messages)
	for ; end > 0; end-- {
		m := &s.Messages[end-1]
		if m.Role != chat.Assistant || m.blank() {
			continue
		}
		if len(m.Calls) == 0 {
			break
		}
		results := s.Messages[end:]
		for i := range results {
			if results[i].Role != chat.Tool {
				results = results[:i]
				break
			}
		}
		if len((step{m, results}).unanswered()) > 0 {
			return nil
		}
	}
	if end == 0 || end == len(s.Messages) {
		return nil
	}
	cut := report(&s.Messages[end], "%d messages after the last answer are cut off", len(s.Messages)-end)
	s.Messages = s.Messages[:end]
	return []Finding{cut}
}

func findEnding(s *Sample, _ *Emitter) []Finding {
	if len(s.Messages) == 0 {
		return []Finding{{Detail: "no messages"}}
	}
	m := &s.Messages[len(s.Messages)-1]
	if m.Role == chat.Assistant {
		return nil
	}
	return []Finding{report(m, "ends with a %s message: the assistant did not answer", m.Role)}
}
