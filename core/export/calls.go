package export

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

func findCallName(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		if strings.TrimSpace(c.Name) == "" {
			tell(m, "a call without the name of a tool")
		}
	}
}

// fillArguments writes {} where a call without arguments was recorded as
// nothing.
func fillArguments(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		if t := strings.TrimSpace(c.Arguments); t == "" || t == "null" {
			c.Arguments = "{}"
			tell(m, "no arguments for %s are written as {}", c.Name)
		}
	}
}

// escapeArguments hides tags in arguments.
func escapeArguments(s *Sample, e *Emitter, tell teller) {
	for m, c := range s.calls {
		if hid := escapeTags(c.Arguments, e.reserved.assistant); hid != c.Arguments && jsontext.Value(c.Arguments).IsValid() {
			c.Arguments = hid
			tell(m, "tags inside the arguments of %s are escaped", c.Name)
		}
	}
}

// escapeTags writes the '<' of tags in JSON text as \u003c, which is the same
// value: valid JSON has a '<' in its strings only.
func escapeTags(json string, tags []string) string {
	for _, tag := range tags {
		json = strings.ReplaceAll(json, tag, `\u003c`+tag[1:])
	}
	return json
}

func findArguments(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		v := jsontext.Value(c.Arguments)
		if v.Kind() == '{' && v.IsValid() {
			continue
		}
		why := "are not a JSON object"
		if chat.IsObject(c.Arguments) {
			// Loaders refuse such a file as a whole.
			why = "repeat a key or hold half of a surrogate pair"
		}
		tell(m, "the arguments of %s %s", c.Name, why)
	}
}

// fillCallIDs gives ids to calls that were recorded without, and to results
// the id of the call that they answer by position.
func fillCallIDs(s *Sample, _ *Emitter, tell teller) {
	before := 0 // calls of messages without a number
	for st := range s.steps {
		calls := st.calls()
		for i := range calls {
			if calls[i].ID == "" {
				place := i + 1
				if st.message.N == 0 {
					before++
					place = before
				}
				calls[i].ID = "call_" + strconv.Itoa(st.message.N) + "_" + strconv.Itoa(place)
				tell(st.message, "a call of %s without an id gets one", calls[i].Name)
			}
		}
		open := st.unanswered()
		for i := range st.results {
			if r := &st.results[i]; r.ToolCallID == "" && len(open) > 0 {
				r.ToolCallID = open[0].ID
				tell(r, "a result without an id answers the call of %s by its position", open[0].Name)
				open = open[1:]
			}
		}
	}
}

// tellCallsApart gives calls of one message that share an id ids of their own,
// if each is answered in its place: then it is known which result is whose.
func tellCallsApart(s *Sample, e *Emitter, tell teller) {
	fillCallIDs(s, e, tell)
	for st := range s.steps {
		calls := st.calls()
		answered := func(c chat.ToolCall, r Message) bool { return c.ID == r.ToolCallID }
		if len(calls) < 2 || !slices.EqualFunc(calls, st.results, answered) {
			continue
		}
		taken := make(map[string]bool, len(calls))
		for i := range calls {
			taken[calls[i].ID] = true
		}
		if len(taken) == len(calls) {
			continue
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
			tell(st.message, "a call of %s has the id of another one and gets its own", calls[i].Name)
		}
	}
}

func findCallIDs(s *Sample, _ *Emitter, tell teller) {
	for m := range s.each {
		if len(m.Calls) < 2 {
			continue
		}
		seen := make(map[string]bool, len(m.Calls))
		for j := range m.Calls {
			if id := m.Calls[j].ID; seen[id] {
				tell(m, "two calls have the id %q", id)
			} else {
				seen[id] = true
			}
		}
	}
}

// findUnanswered passes the last message over where the records end with it, and
// where nothing follows the last one that is trained.
func findUnanswered(s *Sample, e *Emitter, tell teller) {
	for st := range s.steps {
		if (e.completes || s.exact) && st.message == &s.Messages[len(s.Messages)-1] {
			continue
		}
		for _, c := range st.unanswered() {
			tell(st.message, "the call of %s (%s) is not answered", c.Name, c.ID)
		}
	}
}

func findOrphans(s *Sample, _ *Emitter, tell teller) {
	for st := range s.steps {
		if len(st.results) == 0 {
			continue
		}
		open := make(map[string]bool, len(st.calls()))
		for _, c := range st.calls() {
			open[c.ID] = true
		}
		for i := range st.results {
			r := &st.results[i]
			if !open[r.ToolCallID] {
				tell(r, "a tool result (id %q) that answers no open call", r.ToolCallID)
			}
			delete(open, r.ToolCallID)
		}
	}
}

// trimEnd cuts off what follows the last answer of the assistant: messages
// nobody answered, and whole steps (calls with their results) that led to no
// answer. A call without its result is not cut off but found: there, something
// is missing. If no answer would be left, nothing is cut.
func trimEnd(s *Sample, _ *Emitter, tell teller) {
	end := len(s.Messages)
	for ; end > 0; end-- {
		m := &s.Messages[end-1]
		if m.Role != chat.Assistant || m.blank() || m.summarizes() {
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
			return
		}
	}
	if end > 0 && end < len(s.Messages) {
		tell(&s.Messages[end], "%d messages after the last answer are cut off", len(s.Messages)-end)
		s.Messages = s.Messages[:end]
	}
}

func findEnding(s *Sample, _ *Emitter, tell teller) {
	if len(s.Messages) == 0 {
		tell(nil, "no messages")
	} else if m := &s.Messages[len(s.Messages)-1]; m.Role != chat.Assistant {
		tell(m, "ends with a %s message: the assistant did not answer", m.Role)
	}
}
