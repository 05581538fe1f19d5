package export

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/rawjson"
)

// llamafactory is the ShareGPT dialect of LLaMA-Factory. It drops every
// conversation in which questions and answers do not alternate, beginning with
// a question and ending with an answer; results count as a question, and all
// of one answer's are one turn. Columns are read by their names, which the
// description beside the file gives: they are there in every row.
var llamafactory = Emitter{
	Name:        "llamafactory",
	Description: "LLaMA-Factory: ShareGPT with function_call and observation, and its dataset_info.json",
	Losses:      "models, training marks, the ids of calls, the names of tools beside their results, text beside calls, the borders of merged messages, provenance",
	unmarked:    true,
	uniform:     true,
	positional:  true,
	reserved:    templateTags,
	own: []Check{
		{"text_beside_call", "no text stands beside calls", "text beside calls left out, as the format has no place for it", dropTextBesideCalls, nil},
		{"alternation", "questions and answers alternate, from a question to an answer", "adjacent user messages joined into one", joinUsers, findAlternation},
	},
	columns: []table.Column{turnColumns, {Name: "system"}, {Name: "tools"}},
	encode:  encodeLLaMAFactory,
	beside:  datasetInfo,
	decode:  decodeLLaMAFactory,
}

// The names of LLaMA-Factory's speakers.
const (
	factoryHuman  = "human"
	factoryModel  = "gpt"
	factoryCall   = "function_call"
	factoryResult = "observation"
)

const (
	// factoryBorder stands between results of one turn: the chat templates
	// write the tags around all of them.
	factoryBorder = "\n</tool_response>\n<tool_response>\n"
	// noToolsText is what formats have whose tools are a column of text in each
	// row, as LLaMA-Factory's own data sets do.
	noToolsText = "[]"
)

func dropTextBesideCalls(s *Sample, _ *Emitter, tell teller) {
	for m := range s.each {
		if len(m.Calls) == 0 || m.Content == "" {
			continue
		}
		if strings.TrimSpace(m.Content) != "" {
			tell(m, "the text beside calls is left out")
		}
		m.Content = ""
	}
}

func joinUsers(s *Sample, _ *Emitter, tell teller) { joinAdjacent(s, chat.User, tell) }

func findAlternation(s *Sample, _ *Emitter, tell teller) {
	answered := true // a question is due
	for m := range s.each {
		switch m.Role {
		case chat.Assistant:
			if answered {
				tell(m, "an assistant message where a question is due")
			}
			answered = true
		case chat.Tool:
			answered = false // results of one message are one turn; of none, another rule finds
		case chat.User:
			if !answered {
				tell(m, "a user message where an answer is due")
			}
			answered = false
		}
	}
}

func encodeLLaMAFactory(dst []byte, s *Sample) ([]byte, int) {
	dst, system := appendFactoryTurns(append(dst, `{"conversations":[`...), s.Messages)
	dst = appendField(append(dst, ']'), "system", system)
	dst = appendField(dst, "tools", cmp.Or(s.Tools, noToolsText))
	return append(dst, '}', '\n'), 1
}

// appendFactoryTurns appends messages as turns, and returns the system message
// apart.
func appendFactoryTurns(dst []byte, messages []Message) (lines []byte, system string) {
	begin := func(from string) []byte {
		dst = append(append(append(appendComma(dst), `{"from":"`...), from...), '"')
		return appendKey(dst, "value")
	}
	for i := 0; i < len(messages); i++ {
		m := &messages[i]
		switch {
		case m.Role == chat.System:
			system = m.Content
		case m.Role == chat.Tool:
			first := i
			for i+1 < len(messages) && messages[i+1].Role == chat.Tool {
				i++
			}
			dst = appendResults(begin(factoryResult), messages[first:i+1])
		case m.Role == chat.User:
			dst = rawjson.AppendString(begin(factoryHuman), m.Content)
		case len(m.Calls) > 0:
			dst = appendText(begin(factoryCall), func(b []byte) []byte { return appendFactoryCalls(b, m) })
		default:
			dst = rawjson.AppendString(begin(factoryModel), withThought(m.Reasoning, m.Content))
		}
		if m.Role != chat.System {
			dst = append(dst, '}')
		}
	}
	return dst, system
}

// appendResults appends the results of one turn as one text.
func appendResults(dst []byte, results []Message) []byte {
	if len(results) == 1 {
		return rawjson.AppendString(dst, results[0].Content)
	}
	return appendText(dst, func(text []byte) []byte {
		for i := range results {
			if i > 0 {
				text = append(text, factoryBorder...)
			}
			text = append(text, results[i].Content...)
		}
		return text
	})
}

// appendFactoryCalls appends one call as an object and several as a list.
func appendFactoryCalls(dst []byte, m *Message) []byte {
	dst = append(dst, withThought(m.Reasoning, "")...)
	if len(m.Calls) == 1 {
		return appendBareCall(dst, &m.Calls[0])
	}
	dst = append(dst, '[')
	for i := range m.Calls {
		dst = appendBareCall(append(dst, comma(i)...), &m.Calls[i])
	}
	return append(dst, ']')
}

func decodeLLaMAFactory(s *Sample, w *wire) error {
	if w.System != "" {
		s.Messages = append(s.Messages, Message{Role: chat.System, Content: w.System})
	}
	for i, turn := range w.Conversations {
		if err := s.addFactoryTurn(i, turn.From, turn.Value); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return nil
}

// addFactoryTurn adds what turn i holds: one that asks in even places, one
// that answers in odd ones.
func (s *Sample) addFactoryTurn(i int, from, value string) error {
	if asks := from == factoryHuman || from == factoryResult; asks != (i%2 == 0) {
		return fmt.Errorf("%q out of turn", from)
	}
	m := Message{Role: chat.Assistant}
	switch from {
	case factoryHuman:
		m.Role, m.Content = chat.User, value
	case factoryResult:
		for result := range strings.SplitSeq(value, factoryBorder) {
			s.Messages = append(s.Messages, Message{Role: chat.Tool, Content: result})
		}
		return nil
	case factoryModel:
		m.Reasoning, m.Content = cutThought(value)
	case factoryCall:
		m.Reasoning, value = cutThought(value)
		list := []jsontext.Value{jsontext.Value(value)}
		if strings.HasPrefix(value, "[") {
			var err error
			if list, err = elements(list[0]); err != nil {
				return err
			}
		}
		for _, one := range list {
			call, err := readBareCall(one)
			if err != nil {
				return err
			}
			m.Calls = append(m.Calls, call)
		}
	default:
		return fmt.Errorf("from %q", from)
	}
	s.Messages = append(s.Messages, m)
	return nil
}

// datasetInfo describes the files for LLaMA-Factory: each is a data set named
// as its file.
func datasetInfo(files []File) []SideFile { return factoryInfo(files, "", "") }

// factoryInfo is the description, with what a kind of data has beside: members of
// an entry, and of its columns.
func factoryInfo(files []File, kind, columns string) []SideFile {
	b := []byte("{")
	for i := range files {
		if i > 0 {
			b = append(b, ',')
		}
		name := path.Base(files[i].Path)
		for _, ending := range [...]string{".gz", ".jsonl", ".parquet"} {
			name = strings.TrimSuffix(name, ending)
		}
		b = rawjson.AppendString(append(b, "\n  "...), name)
		b = append(b, ": {\n    \"file_name\": "...)
		b = rawjson.AppendString(b, files[i].Path)
		b = append(b, `,
    "formatting": "sharegpt",`+kind+`
    "columns": {
      "messages": "conversations",`+columns+`
      "system": "system",
      "tools": "tools"
    },
    "tags": {
      "role_tag": "from",
      "content_tag": "value",
      "user_tag": "human",
      "assistant_tag": "gpt",
      "observation_tag": "observation",
      "function_tag": "function_call"
    }
  }`...)
	}
	return []SideFile{{Name: "dataset_info.json", Data: append(b, "\n}\n"...)}}
}
