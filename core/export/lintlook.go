package export

import (
	"bytes"

	"winnow/core/chat"
	"winnow/core/hermes"
)

// looksLike guesses the format of a record by its keys.
func looksLike(record []field) *Emitter {
	name := "hf"
	list, _ := get(record, "messages")
	switch turns, found := get(record, "conversations"); {
	case has(record, "nodes"):
		name = messageGraph.Name
	case has(record, "preferred_output"):
		name = openaiDPO.Name
	case has(record, "positive") && has(record, "negative"):
		name = twinkleDPO.Name
	case has(record, "rejected_messages"):
		name = swiftDPO.Name
	case found && has(record, "rejected"):
		name = llamafactoryDPO.Name
	case has(record, "prompt") && has(record, "rejected"):
		name = dpo.Name
	case found && (has(record, "system") || bytes.Contains(turns, []byte(`"function_call"`))):
		name = "llamafactory"
	case has(record, "prompt_index"):
		name = "hermes-batch"
	case found && hermes.Generated(string(turns)):
		name = "hermes"
	case found:
		name = "sharegpt"
	case has(record, "completion") && has(record, "label"):
		name = "kto"
	case has(record, "completion"):
		name = "steps"
	case has(record, "user_data"):
		name = "twinkle"
	case has(record, "topic"):
		name = "sft"
	case bytes.Contains(list, []byte(`"tool_response"`)) || bytes.Contains(list, []byte(`"loss":`)):
		name = "swift"
	case bytes.Contains(list, []byte(`"weight":`)) || bytes.Contains(list, []byte(`"arguments":"`)) || bytes.Contains(list, []byte(`"arguments": "`)):
		name = "openai"
	}
	e, _ := Find(name)
	return e
}

func has(record []field, key string) bool {
	_, found := get(record, key)
	return found
}

// trainsSummary reports whether a message is a summary that an assistant is trained
// to write, as far as it tells itself.
func trainsSummary(m []field) bool {
	said, assistant := "", false
	for _, f := range m {
		text, _ := unquote(f.value)
		switch f.name {
		case "content", "value":
			said = text
		case "role", "from":
			assistant = text == string(chat.Assistant) || text == hermes.Model
		case "train", "loss", "weight":
			if v := string(f.value); v == "false" || v == "0" {
				return false
			}
		}
	}
	return assistant && (&chat.Message{Role: chat.Assistant, Content: said}).Summary()
}

func (l *linter) tellSummary(message int) {
	l.report(trainedSummary.Name, message, "a summary, which stands for messages that are left out, is trained as an answer")
}
