package export

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// Pair is a prompt with two answers, of which one is preferred: two samples that
// differ in their last message only, the one that is trained.
type Pair struct{ Chosen, Rejected *Sample }

// sides yields both samples.
func (p *Pair) sides() [2]*Sample { return [2]*Sample{p.Chosen, p.Rejected} }

// prompt returns the messages that a sample of a pair answers.
func (s *Sample) prompt() []Message { return s.Messages[:max(0, len(s.Messages)-1)] }

// answer returns the last message of a sample of a pair. One without messages,
// which no check lets through, has an empty one.
func (s *Sample) answer() *Message {
	if len(s.Messages) == 0 {
		return &Message{Role: chat.Assistant}
	}
	return &s.Messages[len(s.Messages)-1]
}

// complete makes a sample a side of a pair: of its messages, which end with the
// answer, that one alone is trained.
func (s *Sample) complete() {
	for i := range s.Messages {
		s.Messages[i].Train, s.Messages[i].answers = false, false
	}
	last := s.answer()
	last.Train, last.answers = true, true
}

// pairForm is how a format writes preference pairs.
type pairForm struct {
	// encode appends the record of a pair that has passed all checks.
	encode func(dst []byte, p *Pair) []byte
	// answer appends a side as the format writes it.
	answer func(dst []byte, m *Message) []byte
	// decode sets the messages and the tools of the pair that a record says.
	decode func(p *Pair, w *wire) error
}

// Pairs reports whether the format writes preference pairs, not samples: it takes
// an approved and a rejected segment for each record.
func (e *Emitter) Pairs() bool { return e.pair != nil }

// pairCheck is one rule that the two sides of a pair must meet together.
type pairCheck struct {
	Name, What string
	find       func(p *Pair, e *Emitter, tell teller)
}

// pairChecks are the rules of all formats of pairs, beside those that each side
// must meet as a sample.
var pairChecks = [...]pairCheck{
	{"same_prompt", "both answers are to the same prompt", findOtherPrompt},
	{"same_tools", "both answers were given with the same tools", findOtherTools},
	{"same_answer", "the two answers differ as the format writes them", findSameAnswer},
}

// answersOnly is for the sides of a pair: what is compared is one answer against
// one.
var answersOnly = Check{
	"one_answer", "each side of a pair is one answer with a text or a call", "", nil,
	func(s *Sample, _ *Emitter, tell teller) {
		if m := s.answer(); !m.answers || m.blank() {
			tell(m, "no answer with a text or a call")
		}
	},
}

// promptEnds is for trainers that put the mark of an answer after the prompt:
// TRL, ms-swift and LLaMA-Factory want a question there.
var promptEnds = Check{
	"prompt_end", "a prompt ends with a user message or the results of tools", "", nil,
	func(s *Sample, _ *Emitter, tell teller) {
		if before := s.prompt(); len(before) > 0 {
			if m := &before[len(before)-1]; m.Role != chat.User && m.Role != chat.Tool {
				tell(m, "a message of the role %q stands right before the answer", string(m.Role))
			}
		}
	},
}

func findOtherPrompt(p *Pair, _ *Emitter, tell teller) {
	a, b := Sample{Messages: p.Chosen.prompt()}, Sample{Messages: p.Rejected.prompt()}
	if printOf(&a) != printOf(&b) {
		tell(nil, "the two sides answer different prompts")
	}
}

func findOtherTools(p *Pair, _ *Emitter, tell teller) {
	if p.Chosen.Tools != p.Rejected.Tools {
		tell(nil, "the two sides were given different tools")
	}
}

// findSameAnswer compares what is written: what tells the sides apart may be
// nothing that the format can say, such as reasoning.
func findSameAnswer(p *Pair, e *Emitter, tell teller) {
	if bytes.Equal(e.written(p.Chosen.answer()), e.written(p.Rejected.answer())) {
		tell(nil, "both answers are the same as %s writes them", e.Name)
	}
}

// written returns how a side is written, but for what no model reads: the ids of
// calls, and white space inside of arguments that are objects.
func (e *Emitter) written(m *Message) []byte {
	plain := *m
	plain.Calls = slices.Clone(m.Calls)
	for i := range plain.Calls {
		plain.Calls[i].ID = strconv.Itoa(i)
	}
	v := jsontext.Value(e.pair.answer([]byte{'['}, &plain))
	v = append(v, ']')
	_ = v.Compact() // what is no JSON stays as it is, and another check finds it
	return v
}

// CheckPair lists what keeps a pair from being written, without changing it: what
// keeps its sides, each finding once, and what the two have against each other.
func (e *Emitter) CheckPair(p *Pair) []Finding {
	found := e.Check(p.Chosen)
	for _, f := range e.Check(p.Rejected) {
		if !slices.Contains(found, f) { // what the prompt has, both sides have
			f.Message, f.Detail = 0, "the rejected answer: "+f.Detail
			found = append(found, f)
		}
	}
	n := notes{told: found}
	for i := range pairChecks {
		n.check = pairChecks[i].Name
		pairChecks[i].find(p, e, n.tell)
	}
	return n.told
}

// ReadPair reads one record back, without its line end, and fails on anything the
// format does not write: what was read must be written as the same record again.
func (e *Emitter) ReadPair(record []byte) (*Pair, error) {
	p, err := e.readPair(record)
	if err != nil {
		return nil, err
	}
	if again := e.pair.encode(nil, p); !bytes.Equal(bytes.TrimSuffix(again, []byte{'\n'}), record) {
		return nil, errNotAsWritten
	}
	return p, nil
}

// readPair reads what others may have written in another order or with other
// white space.
func (e *Emitter) readPair(record []byte) (*Pair, error) {
	var w wire
	if err := json.Unmarshal(record, &w); err != nil {
		return nil, err
	}
	p := &Pair{&Sample{}, &Sample{}}
	if err := e.pair.decode(p, &w); err != nil {
		return nil, err
	}
	for _, s := range p.sides() {
		if len(s.Messages) == 0 || s.answer().Role != chat.Assistant {
			return nil, errNoAnswer
		}
		for i := range s.Messages {
			s.Messages[i].N = i + 1
		}
		s.complete()
		if e.positional {
			rule(fillCallIDs).apply("", s, e)
		}
	}
	return p, nil
}

var errNoAnswer = errors.New("a side of the pair is not one assistant message")

// oneAnswer returns a side that is a list of one assistant message.
func oneAnswer(list []wireMessage) ([]wireMessage, error) {
	if len(list) != 1 || list[0].Role != chat.Assistant {
		return nil, errNoAnswer
	}
	return list, nil
}

// addPair sets the messages of a pair from a prompt and its answers.
func (p *Pair) addPair(prompt, chosen, rejected []wireMessage) error {
	for i, side := range [...][]wireMessage{chosen, rejected} {
		answer, err := oneAnswer(side)
		if err != nil {
			return err
		}
		if err := p.sides()[i].addMessages(slices.Concat(prompt, answer)); err != nil {
			return err
		}
	}
	return nil
}

// bothTools sets the tools of both sides.
func (p *Pair) bothTools(list jsontext.Value) (err error) {
	p.Chosen.Tools, err = toolsOf(list)
	p.Rejected.Tools = p.Chosen.Tools
	return err
}
