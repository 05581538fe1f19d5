package export

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/hermes"
)

var (
	errNotAsWritten = errors.New("differs from what the format writes for what it says")
	errTools        = errors.New("tools is not a list of functions")
)

// wire is a record of any format, as far as a sample can be made of it.
type wire struct {
	ID            string         `json:"id"`
	Messages      []wireMessage  `json:"messages"`
	Prompt        []wireMessage  `json:"prompt"`
	Completion    []wireMessage  `json:"completion"`
	Conversations []hermes.Turn  `json:"conversations"`
	System        string         `json:"system"`
	Tools         jsontext.Value `json:"tools"` // a list, or its text
	Provenance    string         `json:"provenance"`
	Topic         string         `json:"topic"`
	Source        string         `json:"source"`
	Timestamp     string         `json:"timestamp"`
	Model         string         `json:"model"`
	Completed     *bool          `json:"completed"`
	Label         bool           `json:"label"`
	UserData      [][2]string    `json:"user_data"`

	// Of pairs. A side is a list of messages, or a turn.
	Chosen           jsontext.Value `json:"chosen"`
	Rejected         jsontext.Value `json:"rejected"`
	RejectedMessages []wireMessage  `json:"rejected_messages"`
	RejectedTools    jsontext.Value `json:"rejected_tools"`
	Positive         wireTrajectory `json:"positive"`
	Negative         wireTrajectory `json:"negative"`
	Input            wireTrajectory `json:"input"`
	Preferred        []wireMessage  `json:"preferred_output"`
	NonPreferred     []wireMessage  `json:"non_preferred_output"`
}

// wireTrajectory is a conversation inside of a record.
type wireTrajectory struct {
	Messages []wireMessage  `json:"messages"`
	Tools    jsontext.Value `json:"tools"`
}

// wireMessage is a message with the marks of all formats.
type wireMessage struct {
	Role       chat.Role  `json:"role"`
	Content    string     `json:"content"`
	Reasoning  string     `json:"reasoning_content"`
	Calls      []wireCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	Name       string     `json:"name"`
	Train      bool       `json:"train"`
	Loss       bool       `json:"loss"`
	Weight     int        `json:"weight"`
}

// wireCall is a call in OpenAI's form.
type wireCall struct {
	ID       string   `json:"id"`
	Function bareCall `json:"function"`
}

// bareCall is a call as its name and arguments alone: an object, or the text of
// one.
type bareCall struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

// readBareCall reads a call from a text of its own.
func readBareCall(text jsontext.Value) (chat.ToolCall, error) {
	var c bareCall
	if err := json.Unmarshal(text, &c); err != nil {
		return chat.ToolCall{}, fmt.Errorf("call: %w", err)
	}
	return c.call()
}

func (c *bareCall) call() (chat.ToolCall, error) {
	arguments := string(c.Arguments)
	switch c.Arguments.Kind() {
	case isText:
		arguments, _ = unquote(c.Arguments)
	case isObject:
	default:
		return chat.ToolCall{}, fmt.Errorf("the arguments of %s are %s", c.Name, c.Arguments.Kind())
	}
	return chat.ToolCall{Name: c.Name, Arguments: arguments}, nil
}

// Read reads one record back, without its line end, and fails on anything the
// format does not write: what was read must be written as the same record again.
// What a format writes as text, such as calls, is taken apart; ids that it does
// not carry are given by position.
func (e *Emitter) Read(record []byte) (*Sample, error) {
	var w wire
	if err := json.Unmarshal(record, &w); err != nil {
		return nil, err
	}
	tools, err := toolsOf(w.Tools)
	if err != nil {
		return nil, err
	}
	s := &Sample{
		ID: w.ID, Tools: tools, Provenance: w.Provenance, Agent: w.Source, Topic: w.Topic,
		Model: w.Model, Started: w.Timestamp, Completed: w.Completed,
	}
	if err := e.decode(s, &w); err != nil {
		return nil, err
	}
	for i := range s.Messages {
		m := &s.Messages[i]
		m.N = i + 1
		if e.unmarked {
			m.Train = m.Role == chat.Assistant
		}
	}
	if e.positional || e.asRecorded {
		rule(fillCallIDs).apply("", s, e)
	}
	if e.same == nil {
		again, _ := e.encode(nil, s)
		if !bytes.Equal(bytes.TrimSuffix(again, []byte{'\n'}), record) {
			return nil, errNotAsWritten
		}
		return s, nil
	}
	return s, e.same(record, s)
}

// sameValue is Emitter.same for records that others may write, too: white space
// and escapes may differ.
func sameValue(encode func([]byte, *Sample) ([]byte, int)) func(record jsontext.Value, s *Sample) error {
	return func(record jsontext.Value, s *Sample) error {
		line, _ := encode(nil, s)
		again, was := jsontext.Value(line), record.Clone()
		if again.Format() != nil || was.Format() != nil || !bytes.Equal(again, was) {
			return errNotAsWritten
		}
		return nil
	}
}

// toolsOf returns the list of tools of a record as samples have it.
func toolsOf(recorded jsontext.Value) (string, error) {
	list := string(recorded)
	if recorded.Kind() == isText {
		list, _ = unquote(recorded)
	}
	if list == "" || list == noToolsText {
		return "", nil
	}
	if normal, ok := normalizeTools(list); !ok || normal != list {
		return "", errTools
	}
	return list, nil
}

// decodeChat sets the messages from a list as chat templates read it.
func decodeChat(s *Sample, w *wire) error { return s.addMessages(w.Messages) }

func (s *Sample) addMessages(list []wireMessage) error {
	for i := range list {
		w := &list[i]
		m := Message{
			Role: w.Role, Content: w.Content, Reasoning: w.Reasoning, ToolCallID: w.ToolCallID, Name: w.Name,
			Train: w.Train || w.Loss || w.Weight == 1,
		}
		switch w.Role {
		case chat.System, chat.User, chat.Assistant, chat.Tool:
		default:
			return fmt.Errorf("message %d: role %q", i+1, w.Role)
		}
		for j := range w.Calls {
			call, err := w.Calls[j].Function.call()
			if err != nil {
				return fmt.Errorf("message %d: %w", i+1, err)
			}
			call.ID = w.Calls[j].ID
			m.Calls = append(m.Calls, call)
		}
		s.Messages = append(s.Messages, m)
	}
	return nil
}

// decodeTrajectory sets messages and tools from turns with a generated system
// prompt, in which the tools are.
func decodeTrajectory(s *Sample, w *wire) error {
	messages, tools := hermes.Messages(w.Conversations)
	s.Tools, _ = normalizeTools(tools)
	s.addChat(messages)
	return nil
}

func (s *Sample) addChat(messages []chat.Message) {
	for i := range messages {
		s.Messages = append(s.Messages, newMessage(&messages[i]))
	}
}
