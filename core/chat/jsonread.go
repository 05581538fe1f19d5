package chat

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonMessage is what ParseJSON reads of a message.
type jsonMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Reasoning  string     `json:"reasoning"`
	ToolCalls  []jsonCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	Name       string     `json:"name"`
	IsError    bool       `json:"is_error"`
	StopReason string     `json:"stop_reason"`
	Model      string     `json:"model"`
}

type jsonCall struct {
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Arguments    jsontext.Value `json:"arguments"`
	ArgumentsRaw string         `json:"arguments_raw"`
}

// ParseJSON reads a message as AppendJSON writes it: what a training record can
// hold of it but its marks. Arguments keep their text. Other members are passed
// over.
func ParseJSON(data []byte) (Message, error) {
	var j jsonMessage
	if err := json.Unmarshal(data, &j, jsontext.AllowDuplicateNames(true)); err != nil {
		return Message{}, fmt.Errorf("no message in JSON: %w", err)
	}
	role, ok := ParseRole(j.Role)
	if !ok {
		return Message{}, fmt.Errorf("%q is no role; there are system, user, assistant and tool", j.Role)
	}
	m := Message{
		Role: role, Content: j.Content, Reasoning: j.Reasoning, ToolCallID: j.ToolCallID, Name: j.Name,
		IsError: j.IsError, StopReason: j.StopReason, Model: j.Model,
	}
	for i := range j.ToolCalls {
		c := &j.ToolCalls[i]
		call := ToolCall{ID: c.ID, Name: c.Name, Arguments: c.ArgumentsRaw}
		if len(c.Arguments) > 0 {
			call.Arguments = string(c.Arguments)
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	return m, nil
}
