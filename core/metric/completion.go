package metric

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/voice"
)

// completion looks at what a segment ends with. What machines write ends
// nothing, and thanks after an answer hardly do.
type completion struct {
	end     end
	n       int // message that it ends with
	stop    string
	turn    int    // message of the last prompt
	before  int    // and of the one before that
	cut     bool   // any answer was cut off by a limit
	broken  bool   // the last message of a model broke off
	answer  int    // message of the answer that the prompt at the end followed, 0 without one
	thanked int    // message of the thanks after it, 0 without
	ended   end    // kind of that answer
	behind  []byte // that prompt, if it is so short that it may only be thanks
	asked   bool   // that answer asked something
}

// end is the kind of an end.
type end uint8

const (
	endNothing end = iota
	endAnswer
	endCut     // an answer that a limit cut off
	endSilence // an answer without text
	endBroken  // an error, or the user, broke it off
	endCall
	endResult
	endHanded // the work was given to a person, and the call succeeded
	endPrompt
	endInterrupt
	endRequest // the request to the model failed
)

// Scores of an answer that is one only in part.
const (
	thanksScore = 0.9 // the user had the last word: thanks, a farewell, "ok"
	handedScore = 0.9 // the tool had it, and a person took over
	cutScore    = 0.5 // the text ends in the middle: there is something to learn from
	openScore   = 0.5 // it is there, but did not wait for the results of its own turn
)

func (s *completion) add(r *reading) {
	switch r.m.Role {
	case chat.Assistant:
		s.assistant(r)
	case chat.Tool:
		s.end, s.n = endResult, r.n
		if r.paired && r.answers.hands && r.found.Outcome == outcome.OK {
			s.end = endHanded
		}
	case chat.User:
		switch {
		case r.voice == voice.Interrupt:
			s.end, s.n = endInterrupt, r.n
		case r.voice == voice.Result:
			s.end, s.n = endResult, r.n
		case r.voice == voice.Person:
			s.prompt(r)
		}
	}
}

// thanksMost is how long, in bytes, thanks are at most.
const thanksMost = 300

func (s *completion) prompt(r *reading) {
	s.answer = 0
	if (s.end == endAnswer || s.end == endHanded) && len(r.text) < thanksMost {
		s.answer, s.ended, s.behind = s.n, s.end, append(s.behind[:0], r.text...)
	}
	s.end, s.n, s.before, s.turn = endPrompt, r.n, s.turn, r.n
}

// withoutThanks returns it without thanks at the end.
func (s completion) withoutThanks() *completion {
	if s.end == endPrompt && s.answer > 0 && wantsNothing(string(s.behind), s.asked) {
		s.thanked = s.n
		s.end, s.n, s.turn = s.ended, s.answer, s.before
	}
	return &s
}

func (s *completion) assistant(r *reading) {
	if !r.own {
		if apiError(r.m) {
			s.end, s.n = endRequest, r.n
		}
		return
	}
	s.n, s.stop, s.asked = r.n, "", asks(r.text)
	said := strings.TrimSpace(r.text) != ""
	switch {
	case len(r.calls) > 0 || r.m.Marks.Has(chat.MarkMalformedCall):
		s.end = endCall
	case said:
		s.end = endAnswer
	default:
		s.end = endSilence
	}
	stop := stopOf(r.m.StopReason)
	s.broken = stop == stopBroken
	switch {
	case stop == stopBroken:
		s.end, s.stop = endBroken, shown(r.m.StopReason)
	case stop == stopLimit:
		s.cut = true
		s.stop = shown(r.m.StopReason)
		if s.end == endAnswer {
			s.end = endCut
		}
	}
}

func (s *completion) score(e *ending) (float64, string, bool) {
	s = s.withoutThanks()
	at := "#" + strconv.Itoa(s.n)
	switch s.end {
	case endAnswer:
		if open := s.open(e); open.n > 0 {
			return openScore, "ends with the answer " + at + ", but without the results of " + open.String(), true
		}
		if s.thanked > 0 {
			return thanksScore, "ends with the answer " + at + " and what asks for nothing more, #" + strconv.Itoa(s.thanked), true
		}
		return 1, "ends with the answer " + at, true
	case endCut:
		return cutScore, "the answer " + at + " is cut off (" + s.stop + ")", true
	case endSilence:
		return 0, "ends with an answer without text, " + at, true
	case endBroken:
		return 0, "ends with " + at + ", which broke off (" + s.stop + ")", true
	case endCall:
		return 0, "ends with a call, " + at, true
	case endResult:
		return 0, "ends with the result of a tool, " + at + ", that nobody answered", true
	case endHanded:
		return handedScore, "ends by handing over to a person, " + at, true
	case endPrompt:
		return 0, "ends with a message of the user, " + at + ", that nobody answered", true
	case endInterrupt:
		return 0, "the user stopped the agent at " + at, true
	case endRequest:
		return 0, "ends with a request to the model that failed, " + at, true
	}
	return 0, "", false
}

// open are the unanswered calls of the last turn.
func (s *completion) open(e *ending) (where cited) {
	for i := range e.open {
		if e.open[i].n > s.turn {
			where.add(e.open[i].n)
		}
	}
	return where
}

func (s *completion) flag(e *ending, set func(Flag, bool)) {
	s = s.withoutThanks()
	set(Truncated, s.cut || s.broken)
	set(Unfinished, s.end != endAnswer && s.end != endHanded && s.end != endNothing)
}

// stop says how a model's message ended.
type stop uint8

const (
	stopFine stop = iota
	stopLimit
	stopBroken
)

var (
	limits = []string{"max_tokens", "length", "max_output_tokens", "max_completion_tokens", "model_length", "token_limit", "model_context_window_exceeded", "incomplete", "maxtokens", "max_length"}
	breaks = []string{"aborted", "abort", "error", "cancelled", "canceled", "interrupted", "content_filter", "safety", "recitation", "refusal", "timeout", "malformed_function_call"}
)

// stopOf reads a recorded stop reason, whoever names it.
func stopOf(reason string) stop {
	switch reason {
	case "", "end_turn", "stop", "tool_use", "tool_calls", "toolUse", "stop_sequence":
		return stopFine
	}
	is := func(s string) bool { return strings.EqualFold(s, reason) }
	switch {
	case slices.ContainsFunc(limits, is):
		return stopLimit
	case slices.ContainsFunc(breaks, is):
		return stopBroken
	}
	return stopFine
}

// shown is a recorded word as a reason holds it: known ones are short.
func shown(word string) string { return strings.ToLower(strings.Clone(word)) }

// apiError reports whether a message that the recorder wrote says that the
// request to the model failed. The others say that nothing was asked.
func apiError(m *chat.Message) bool {
	return m.IsError || strings.HasPrefix(m.Content, "API Error") || stopOf(m.StopReason) == stopBroken
}
