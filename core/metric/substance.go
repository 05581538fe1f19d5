package metric

import (
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/voice"
)

// substance looks at the final answer: the last message of the assistant, if
// it makes no call.
type substance struct {
	request length // of the prompt that came last
	brief   bool   // it asks for a brief answer
	final   bool   // the last message of the assistant makes no call
	n       int    // its number
	words   int    // in it, counted to a few
	asked   length // what it answers
	excused bool   // that asked for a brief answer
}

// length measures a request.
type length struct{ bytes, words int }

const (
	// longRequest is the number of words from which on a request is long: two
	// or three sentences.
	longRequest = 30
	// terseScore is for one word to a long request: it may be right, yet there
	// is little to learn from it.
	terseScore = 0.25
	// requestMost is how much of a request is counted, in bytes. More is long.
	requestMost = 2 << 10
)

func (s *substance) add(r *reading) {
	switch r.m.Role {
	case chat.User:
		if r.voice == voice.Person && r.text != "" {
			text := phrases.Clip(r.text, requestMost)
			s.request = length{len(r.text), words(text, longRequest)}
			s.brief = s.request.long() && asksBrief(text, r.text)
		}
	case chat.Assistant:
		if !r.own {
			return
		}
		s.final = len(r.calls) == 0 && !r.m.Marks.Has(chat.MarkMalformedCall)
		s.n, s.asked, s.excused = r.n, s.request, s.brief
		s.words = 0
		if s.final {
			s.words = words(phrases.Clip(r.text, requestMost), 2)
			if s.words == 0 && strings.TrimSpace(r.text) != "" {
				s.words = 1 // signs only
			}
		}
	}
}

func (s *substance) score(*ending) (float64, string, bool) {
	at := "#" + strconv.Itoa(s.n)
	switch {
	case !s.final:
		return 0, "", false
	case s.words == 0:
		return 0, "the final answer " + at + " is empty", true
	case s.words == 1 && !s.excused && s.asked.long():
		return terseScore, "the final answer " + at + " is one word to a long request", true
	case s.words == 1:
		return 1, "the final answer " + at + " is one word, to a request that needs no more", true
	}
	return 1, "the final answer " + at + " says something", true
}

func (l length) long() bool { return l.words >= longRequest || l.bytes > requestMost }

func (s *substance) flag(_ *ending, set func(Flag, bool)) { set(EmptyAnswer, s.final && s.words == 0) }
