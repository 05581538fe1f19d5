package export

// twinkleDPO is the preference data of Twinkle, ModelScope's trainer: two whole
// trajectories, of which its DPO trains the last answers. Like that of samples it
// has no table.
var twinkleDPO = Emitter{
	Name:        "twinkle-dpo",
	Description: "Twinkle DPO: a positive and a negative trajectory",
	Losses:      "models, what follows the answers, provenance",
	completes:   true,
	verdicts:    bothVerdicts,
	reserved:    templateTags,
	lacks:       []lack{{"notools", nil, lacksTools}},
	skips:       []string{findsUnanswered},
	own:         []Check{openCall, askedFor, answersOnly, promptEnds},
	pair:        &pairForm{encode: encodeTwinkleDPO, answer: appendChatMessage, decode: decodeTwinkleDPO},
}

func encodeTwinkleDPO(dst []byte, p *Pair) []byte {
	dst = append(dst, '{')
	for i, key := range [...]string{"positive", "negative"} {
		s := p.sides()[i]
		dst = appendList(append(appendKey(dst, key), '{'), "messages", len(s.Messages), func(dst []byte, j int) []byte {
			return appendChatMessage(dst, &s.Messages[j])
		})
		if s.Tools != "" {
			dst = append(appendKey(dst, "tools"), s.Tools...)
		}
		dst = append(dst, '}')
	}
	return append(dst, '}', '\n')
}

func decodeTwinkleDPO(p *Pair, w *wire) (err error) {
	for i, side := range [...]*wireTrajectory{&w.Positive, &w.Negative} {
		s := p.sides()[i]
		if s.Tools, err = toolsOf(side.Tools); err != nil {
			return err
		}
		if err := s.addMessages(side.Messages); err != nil {
			return err
		}
	}
	return nil
}
