package export

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/token"
)

// Tokens estimates what the sample costs to train on, as cost counts it.
func (s *Sample) Tokens() int { return s.cost(nil) }

// cost counts the tokens of a sample: content, reasoning, names and arguments
// of calls, and the tools. What a trainer's template puts around them, some
// five tokens for each message, is not counted. A nil Counter estimates.
func (s *Sample) cost(c token.Counter) int {
	n := tokensOf(c, s.Tools)
	for i := range s.Messages {
		n += s.Messages[i].cost(c)
	}
	return n
}

func (m *Message) cost(c token.Counter) int {
	n := tokensOf(c, m.Content) + tokensOf(c, m.Reasoning)
	for i := range m.Calls {
		n += tokensOf(c, m.Calls[i].Name) + tokensOf(c, m.Calls[i].Arguments)
	}
	return n
}

func tokensOf(c token.Counter, text string) int {
	if c == nil {
		return token.Estimate(text)
	}
	return c.Count(text)
}

// counted is cost, which shorten may know already: a vocabulary takes its time.
func (s *Sample) counted(c token.Counter) int {
	if s.tokens > 0 {
		return s.tokens
	}
	return s.cost(c)
}

// shorten sees to Options.MaxTokens: a sample that costs more is cut before a
// user message, so that as much as possible stays, or found. A cut ends after
// an answer without calls, so that none is torn from its results.
func (o *Options) shorten(s *Sample) (done, found []Finding) {
	if o.MaxTokens <= 0 {
		return nil, nil
	}
	n, place, kept := tokensOf(o.Counter, s.Tools), 0, 0 // kept: in front of place
	for i := range s.Messages {
		m := &s.Messages[i]
		if n <= o.MaxTokens && i > 0 && m.Role == chat.User {
			if before := &s.Messages[i-1]; before.Role == chat.Assistant && len(before.Calls) == 0 {
				place, kept = i, n
			}
		}
		n += m.cost(o.Counter)
	}
	switch {
	case n <= o.MaxTokens:
		s.tokens = n
		return nil, nil
	case o.TooLong != CutLong || s.settled: // what trains is at the end of samples that were shortened
		return nil, []Finding{{Check: tooLong, Detail: fmt.Sprintf("costs %d tokens, more than %d", n, o.MaxTokens)}}
	case place == 0:
		return nil, []Finding{{Check: tooLong, Detail: fmt.Sprintf("costs %d tokens, and the first user message to cut at comes after %d", n, o.MaxTokens)}}
	}
	cut := Finding{Check: tooLong, Message: s.Messages[place].N, Detail: fmt.Sprintf("cut here: it costs %d tokens as a whole, more than %d", n, o.MaxTokens)}
	s.Messages, s.tokens = s.Messages[:place], kept
	return []Finding{cut}, nil
}

// tooLong is the check of Options.MaxTokens.
const tooLong = "max_tokens"
