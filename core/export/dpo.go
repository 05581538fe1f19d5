package export

import (
	"github.com/go-json-experiment/json"

	"winnow/core/export/table"
)

// dpo is the conversational preference format of TRL with an explicit prompt
// (https://huggingface.co/docs/trl/dataset_formats#preference): what DPOTrainer
// and RewardTrainer take as it is. ORPOTrainer and CPOTrainer read the same
// columns but not the tools, Axolotl only the text of messages.
var dpo = Emitter{
	Name:        "dpo",
	Description: "TRL DPO and Reward: a prompt with a chosen and a rejected answer; ORPO and CPO ignore the tools, Axolotl drops calls",
	Losses:      "models, what follows the answers, provenance",
	verdicts:    bothVerdicts,
	reserved:    templateTags,
	lacks:       noTools,
	completes:   true,
	skips:       []string{findsUnanswered},
	own:         []Check{openCall, askedFor, answersOnly, promptEnds},
	columns: []table.Column{
		{Name: "prompt", Kind: table.Objects, Fields: chatColumns}, {Name: "chosen", Kind: table.Objects, Fields: chatColumns},
		{Name: "rejected", Kind: table.Objects, Fields: chatColumns}, {Name: "tools"},
	},
	pair: &pairForm{encode: encodeDPO, answer: appendChatMessage, decode: decodeDPO},
}

func encodeDPO(dst []byte, p *Pair) []byte {
	prompt := p.Chosen.prompt()
	dst = appendList(append(dst, '{'), "prompt", len(prompt), func(dst []byte, i int) []byte {
		return appendChatMessage(dst, &prompt[i])
	})
	for i, key := range [...]string{"chosen", "rejected"} {
		dst = appendList(dst, key, 1, func(dst []byte, _ int) []byte { return appendChatMessage(dst, p.sides()[i].answer()) })
	}
	return append(appendToolText(dst, p.Chosen), '}', '\n')
}

func decodeDPO(p *Pair, w *wire) error {
	var chosen, rejected []wireMessage
	if err := json.Unmarshal(w.Chosen, &chosen); err != nil {
		return err
	}
	if err := json.Unmarshal(w.Rejected, &rejected); err != nil {
		return err
	}
	if err := p.bothTools(w.Tools); err != nil {
		return err
	}
	return p.addPair(w.Prompt, chosen, rejected)
}
