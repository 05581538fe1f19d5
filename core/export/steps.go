package export

import (
	"fmt"
	"slices"
	"strconv"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/review"
)

// steps writes one row for each message that is trained: all before it is the
// prompt, it is the completion, and TRL trains on that alone.
var steps = Emitter{
	Name:        "steps",
	Description: "TRL prompt and completion: a row for each trained message",
	Losses:      "models, what follows the trained message, provenance",
	reserved:    templateTags,
	perMessage:  true,
	lacks:       noTools,
	repeats:     true,
	completes:   true,
	skips:       []string{findsUnanswered},
	own:         []Check{unasked, openCall, askedFor, stepsSize},
	columns: []table.Column{
		{Name: "prompt", Kind: table.Objects, Fields: chatColumns}, {Name: "completion", Kind: table.Objects, Fields: chatColumns}, {Name: "tools"},
	},
	encode: encodeSteps,
	decode: decodeUnit,
}

// kto writes one row for each sample, with the last message that is trained as
// the completion, and whether it is wanted. Of an answer that a curator rewrote
// there are two: what stands there now, and what the model wrote, unwanted.
var kto = Emitter{
	Name:        "kto",
	Description: "TRL KTO: the last trained message, wanted if approved and unwanted if rejected",
	Losses:      "models, what follows the last trained message, provenance",
	verdicts:    bothVerdicts,
	reserved:    templateTags,
	lacks:       noTools,
	completes:   true,
	labels:      true,
	skips:       []string{findsUnanswered},
	own:         []Check{openCall, askedFor},
	columns: []table.Column{
		{Name: "prompt", Kind: table.Objects, Fields: chatColumns}, {Name: "completion", Kind: table.Objects, Fields: chatColumns},
		{Name: "label", Kind: table.Bool}, {Name: "tools"},
	},
	encode: encodeKTO,
	decode: decodeKTO,
}

// findsUnanswered is the check that openCall takes the place of.
const findsUnanswered = "unanswered_call"

// openCall is for records that end with the message that is trained: no result
// of its calls is in them.
var openCall = Check{
	"open_call", "every call is answered, but for those of the last message", "", nil,
	findUnanswered,
}

// askedFor is for records that begin with a prompt: templates want a user
// message in it.
var askedFor = Check{
	"prompt", "a user message comes before a message that is trained", "", nil,
	func(s *Sample, _ *Emitter, tell teller) {
		if s.lastUnit() < 0 {
			tell(nil, "no user message comes before a message that is trained")
		}
	},
}

// unasked switches off what no user message comes before: it has no row, and
// stands in the prompts of others. A sample without any row is left to askedFor.
var unasked = Check{
	"unasked", "a user message comes before each message that is trained", "assistant messages before the first user message have no row",
	func(s *Sample, _ *Emitter, tell teller) {
		if s.lastUnit() < 0 {
			return
		}
		for m := range s.each {
			if m.Role == chat.User {
				break
			}
			if m.Role == chat.Assistant && m.Train {
				m.Train = false
				tell(m, "an assistant message before the first user message has no row")
			}
		}
	}, nil,
}

// mostOfSteps bounds the rows of one sample, in bytes of text. Each repeats
// all before it: a session of 10 MB in 1,000 steps would give 5 GB.
const mostOfSteps = 512 << 20

// stepsSize keeps a sample out that is far too long to be cut into steps.
var stepsSize = Check{
	"steps_size", "the rows of a sample are not too large together", "", nil,
	func(s *Sample, _ *Emitter, tell teller) {
		before, rows, next := 0, 0, 0
		for i := range s.units {
			for ; next <= i; next++ {
				before += s.Messages[next].size()
			}
			if rows += before; rows > mostOfSteps {
				tell(nil, "with all that comes before each, the steps have more than 512 MB of text: use --max-tokens or a format without steps")
				return
			}
		}
	},
}

// units yields the places of the trained messages that a user message comes
// before.
func (s *Sample) units(yield func(int) bool) {
	asked := false
	for i := range s.Messages {
		m := &s.Messages[i]
		asked = asked || m.Role == chat.User
		if asked && m.Role == chat.Assistant && m.Train && !yield(i) {
			return
		}
	}
}

// lastUnit returns the last of them, −1 without any.
func (s *Sample) lastUnit() int {
	last := -1
	for i := range s.units {
		last = i
	}
	return last
}

// encodeSteps writes each message once and copies it into the rows that hold
// it. The rows of a long sample are many times its size: their room is made at
// once, not by growing.
func encodeSteps(dst []byte, s *Sample) (lines []byte, rows int) {
	const open, middle, shut = `{"prompt":[`, `],"completion":[`, "}\n"
	var all []byte
	var ends []int // of the messages in all
	for i := range s.lastUnit() + 1 {
		if i > 0 {
			all = append(all, ',')
		}
		all = appendChatMessage(all, &s.Messages[i])
		ends = append(ends, len(all))
	}
	after := append(appendToolText([]byte{']'}, s), shut...)
	size := 0
	for i := range s.units {
		size += len(open) + len(middle) + ends[i] - 1 + len(after)
	}
	dst = slices.Grow(dst, size)
	for i := range s.units { // a user message comes before each
		dst = append(append(dst, open...), all[:ends[i-1]]...)
		dst = append(append(dst, middle...), all[ends[i-1]+1:ends[i]]...)
		dst = append(dst, after...)
		rows++
	}
	return dst, rows
}

func encodeKTO(dst []byte, s *Sample) (lines []byte, rows int) {
	prompt, last := s.Messages, s.lastUnit()
	if last >= 0 {
		prompt = prompt[:last]
	}
	dst = append(dst, `{"prompt":[`...)
	for i := range prompt {
		dst = appendChatMessage(appendComma(dst), &prompt[i])
	}
	dst = append(dst, `],"completion":[`...)
	if last >= 0 { // conversions have samples without
		dst = appendChatMessage(dst, &s.Messages[last])
	}
	dst = strconv.AppendBool(append(dst, `],"label":`...), s.Verdict != review.Rejected)
	return append(appendToolText(dst, s), '}', '\n'), 1
}

// appendToolText appends the tools as a string: as objects, every schema would
// become columns of the table.
func appendToolText(dst []byte, s *Sample) []byte {
	if s.Tools == "" {
		return dst
	}
	return appendField(dst, "tools", s.Tools)
}

func decodeKTO(s *Sample, w *wire) error {
	s.Verdict = review.Approved
	if !w.Label {
		s.Verdict = review.Rejected
	}
	return decodeUnit(s, w)
}

// decodeUnit sets the messages of a prompt and its completion, of which the
// latter is trained.
func decodeUnit(s *Sample, w *wire) error {
	if len(w.Completion) != 1 || w.Completion[0].Role != chat.Assistant {
		return fmt.Errorf("the completion is not one assistant message")
	}
	w.Completion[0].Train = true
	return s.addMessages(append(w.Prompt, w.Completion...))
}

// bothVerdicts are those that formats take which learn from what is unwanted, too.
var bothVerdicts = []review.Verdict{review.Approved, review.Rejected}
