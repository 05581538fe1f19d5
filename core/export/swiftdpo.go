package export

import (
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
)

// swiftDPO is the preference data of ms-swift (docs, "Custom Dataset", RLHF): two
// whole conversations, of which the second has the rejected answer. Its RLHF
// trains what follows the last user message or result of a tool, which is exactly
// the answer. rejected_messages needs rejected_tools beside it, and two equal
// conversations raise an error.
var swiftDPO = Emitter{
	Name:        "swift-dpo",
	Description: "ms-swift DPO, ORPO, CPO, SimPO, RM: messages and rejected_messages in its agent format",
	Losses:      "models, the ids of calls, the names of tools beside their results, what follows the answers, provenance",
	positional:  true,
	completes:   true,
	verdicts:    bothVerdicts,
	reserved:    templateTags,
	lacks:       []lack{{"notools", []string{"rejected_tools", "tools"}, lacksTools}},
	skips:       []string{findsUnanswered},
	own:         []Check{openCall, askedFor, answersOnly, promptEnds},
	columns: []table.Column{
		{Name: "messages", Kind: table.Objects, Fields: swiftPairColumns}, {Name: "rejected_messages", Kind: table.Objects, Fields: swiftPairColumns},
		{Name: "rejected_tools"}, {Name: "tools"},
	},
	pair: &pairForm{encode: encodeSwiftDPO, answer: appendSwiftPlain, decode: decodeSwiftDPO},
}

var swiftPairColumns = []table.Column{{Name: "role"}, {Name: "content"}}

func encodeSwiftDPO(dst []byte, p *Pair) []byte {
	dst = append(dst, '{')
	for i, key := range [...]string{"messages", "rejected_messages"} {
		dst = append(appendKey(dst, key), '[')
		for m := range p.sides()[i].each {
			dst = appendSwiftPlain(dst, m)
		}
		dst = append(dst, ']')
	}
	if p.Chosen.Tools != "" {
		dst = appendField(appendField(dst, "rejected_tools", p.Rejected.Tools), "tools", p.Chosen.Tools)
	}
	return append(dst, '}', '\n')
}

// appendSwiftPlain appends what a message becomes without marks: what is trained
// follows from its place.
func appendSwiftPlain(dst []byte, m *Message) []byte { return appendSwiftTurn(dst, m, false) }

func decodeSwiftDPO(p *Pair, w *wire) (err error) {
	for i, side := range [...]struct {
		messages []wireMessage
		tools    jsontext.Value
	}{{w.Messages, w.Tools}, {w.RejectedMessages, w.RejectedTools}} {
		s := p.sides()[i]
		if s.Tools, err = toolsOf(side.tools); err != nil {
			return err
		}
		if err := decodeSwift(s, &wire{Messages: side.messages}); err != nil {
			return err
		}
		if len(s.Messages) == 0 || s.answer().Role != chat.Assistant {
			return errNoAnswer
		}
	}
	return nil
}
