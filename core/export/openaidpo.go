package export

import (
	"strconv"

	"winnow/core/chat"
	"winnow/core/export/table"
)

// openaiDPO is the preference data of OpenAI's API, which Together and Fireworks
// take, too (https://developers.openai.com/api/docs/guides/direct-preference-optimization):
// exactly one assistant message on each side, texts only, no reasoning. Fireworks
// reads roles and texts alone.
var openaiDPO = Emitter{
	Name:        "openai-dpo",
	Description: "OpenAI preference fine-tuning: OpenAI, Together, Fireworks; texts only, and Fireworks takes neither calls nor tools",
	Losses:      "models, reasoning, the names of tools beside their results, what follows the answers, provenance",
	verdicts:    bothVerdicts,
	uniform:     true,
	completes:   true,
	lacks:       []lack{{"notools", nil, lacksTools}},
	skips:       []string{findsUnanswered},
	own:         append([]Check{openCall, askedFor, answersOnly, promptEnds, textOnly}, openai.own...),
	columns: []table.Column{
		{Name: "input", Kind: table.Object, Fields: []table.Column{
			{Name: "messages", Kind: table.Objects, Fields: openaiPairColumns}, {Name: "tools", Kind: table.JSON}, {Name: "parallel_tool_calls", Kind: table.Bool},
		}},
		{Name: "preferred_output", Kind: table.Objects, Fields: openaiPairColumns}, {Name: "non_preferred_output", Kind: table.Objects, Fields: openaiPairColumns},
	},
	pair: &pairForm{encode: encodeOpenAIDPO, answer: appendOpenAIPlain, decode: decodeOpenAIDPO},
}

var openaiPairColumns = []table.Column{
	{Name: "role"}, {Name: "content"}, {Name: "tool_calls", Kind: table.Objects, Fields: callColumns(table.Text)}, {Name: "tool_call_id"},
}

// textOnly is for services whose preference fine-tuning takes texts only: in place
// of an image there would be a word that nobody said.
var textOnly = Check{
	"text_only", "no message had an image, a sound or a file in it", "", nil,
	func(s *Sample, _ *Emitter, tell teller) {
		for m := range s.each {
			if m.Marks&(chat.MarkImage|chat.MarkAudio|chat.MarkFile) != 0 {
				tell(m, "an image, a sound or a file, of which the service takes none")
			}
		}
	},
}

func encodeOpenAIDPO(dst []byte, p *Pair) []byte {
	prompt := p.Chosen.prompt()
	dst = appendList(append(dst, `{"input":{`...), "messages", len(prompt), func(dst []byte, i int) []byte {
		return appendOpenAIPlain(dst, &prompt[i])
	})
	if p.Chosen.Tools != "" {
		dst = append(appendKey(dst, "tools"), p.Chosen.Tools...)
		dst = strconv.AppendBool(appendKey(dst, "parallel_tool_calls"), p.Chosen.callsInParallel() || p.Rejected.callsInParallel())
	}
	dst = append(dst, '}')
	for i, key := range [...]string{"preferred_output", "non_preferred_output"} {
		dst = appendList(dst, key, 1, func(dst []byte, _ int) []byte { return appendOpenAIPlain(dst, p.sides()[i].answer()) })
	}
	return append(dst, '}', '\n')
}

func decodeOpenAIDPO(p *Pair, w *wire) error {
	if err := p.bothTools(w.Input.Tools); err != nil {
		return err
	}
	return p.addPair(w.Input.Messages, w.Preferred, w.NonPreferred)
}
