package export

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/hermes"
)

// llamafactoryDPO is the preference data of LLaMA-Factory in its ShareGPT dialect
// (data/README.md there, "Preference Dataset"), marked as ranked in
// dataset_info.json. The conversation alternates and ends with a question or a
// result; each side is one turn, of which a call may be one. What does not
// alternate becomes an empty example, which is dropped with a warning.
var llamafactoryDPO = Emitter{
	Name:        "llamafactory-dpo",
	Description: "LLaMA-Factory DPO, ORPO and SimPO: a conversation with a chosen and a rejected turn, and its dataset_info.json",
	Losses:      "models, the ids of calls, the names of tools beside their results, text beside calls, the borders of merged messages, what follows the answers, provenance",
	uniform:     true,
	positional:  true,
	completes:   true,
	verdicts:    bothVerdicts,
	reserved:    templateTags,
	skips:       []string{findsUnanswered},
	own:         append([]Check{openCall, askedFor, answersOnly, promptEnds}, llamafactory.own...),
	columns: []table.Column{
		turnColumns, {Name: "chosen", Kind: table.Object, Fields: turnColumns.Fields}, {Name: "rejected", Kind: table.Object, Fields: turnColumns.Fields},
		{Name: "system"}, {Name: "tools"},
	},
	pair:   &pairForm{encode: encodeLLaMAFactoryDPO, answer: appendFactoryAnswer, decode: decodeLLaMAFactoryDPO},
	beside: rankedInfo,
}

// rankedInfo describes the files for LLaMA-Factory, as pairs.
func rankedInfo(files []File) []SideFile {
	return factoryInfo(files, `
    "ranking": true,`, `
      "chosen": "chosen",
      "rejected": "rejected",`)
}

func encodeLLaMAFactoryDPO(dst []byte, p *Pair) []byte {
	dst, system := appendFactoryTurns(append(dst, `{"conversations":[`...), p.Chosen.prompt())
	dst = append(dst, ']')
	dst = appendFactoryAnswer(appendKey(dst, "chosen"), p.Chosen.answer())
	dst = appendFactoryAnswer(appendKey(dst, "rejected"), p.Rejected.answer())
	dst = appendField(dst, "system", system)
	dst = appendField(dst, "tools", cmp.Or(p.Chosen.Tools, noToolsText))
	return append(dst, '}', '\n')
}

// appendFactoryAnswer appends an answer as one turn.
func appendFactoryAnswer(dst []byte, m *Message) []byte {
	turn, _ := appendFactoryTurns([]byte{'['}, []Message{*m})
	return append(dst, turn[1:]...)
}

func decodeLLaMAFactoryDPO(p *Pair, w *wire) error {
	if err := p.bothTools(w.Tools); err != nil {
		return err
	}
	for i, side := range [...][]byte{w.Chosen, w.Rejected} {
		var turn hermes.Turn
		if err := json.Unmarshal(side, &turn); err != nil {
			return err
		}
		s := p.sides()[i]
		if err := decodeLLaMAFactory(s, w); err != nil {
			return err
		}
		if err := s.addFactoryTurn(len(w.Conversations), turn.From, turn.Value); err != nil {
			return fmt.Errorf("an answer: %w", err)
		}
		if s.answer().Role != chat.Assistant {
			return errNoAnswer
		}
	}
	return nil
}
