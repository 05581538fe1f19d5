package compress

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"winnow/core/chat"
	"winnow/core/secret"
	"winnow/core/tongue"
)

// The checks of summaries, as findings name them.
const (
	Dangling = "dangling" // a message names what is no longer there
	Invented = "invented" // a summary names what never was there
	Tagged   = "tag"      // a summary holds a tag that templates give a meaning
	Secret   = "secret"   // a summary holds a secret
	Language = "language" // a summary is in another language
	TooLong  = "too_long" // a summary costs too much
	Empty    = "empty"    // a summary says nothing
	Moved    = "moved"    // a summary was written for other messages
)

var noUsers = sync.OnceValue(func() *secret.Scanner { return secret.New(nil) })

// secretsIn finds what no summary may hold. Addresses and names of users are no
// secrets here: paths are full of them, those of the messages that stay too, and an
// export replaces them in all of a sample or not at all.
func (o *Options) secretsIn(text string) []secret.Hit {
	by := o.Secrets
	if by == nil {
		by = noUsers()
	}
	return slices.DeleteFunc(by.Find(text), func(h secret.Hit) bool { return h.Rule == secret.Mail || h.Rule == secret.User })
}

// tags are what chat templates and trainers write around reasoning, calls,
// results and turns.
var tags = [...]string{
	"<think>", "</think>", "<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>", "<tool_call>", "</tool_call>",
	"<tool_response>", "</tool_response>", "<tools>", "</tools>", "<function", "</function", "<|", "|>", "[INST]", "[/INST]",
	"<s>", "</s>", "<start_of_turn>", "<end_of_turn>", "[TOOL_CALLS]",
}

// tagIn returns a tag in a text, "" if there is none.
func tagIn(text string) string {
	if !strings.ContainsAny(text, "<|[") {
		return ""
	}
	for _, tag := range tags {
		if strings.Contains(text, tag) {
			return tag
		}
	}
	return ""
}

// muchTooLong is how many times longer than asked for a summary is no summary.
// Below that, what is more than twice as long is told.
const muchTooLong = 8

// long tells of a summary that is longer than it was to be.
func (s *session) long(g *Region, summary string) (f Finding, bad, ok bool) {
	n, most := s.o.Price.Text(summary), s.o.Summary
	if n <= 2*most {
		return f, false, false
	}
	f = Finding{TooLong, s.messages[g.From].N, fmt.Sprintf("the summary costs %d tokens, %d were asked for", n, most)}
	return f, n > muchTooLong*most, true
}

// check returns what is wrong with the summary of a region, written by a model.
func (s *session) check(g *Region, summary string) []Finding {
	var found []Finding
	tell := func(check, format string, args ...any) {
		found = append(found, Finding{check, s.messages[g.From].N, fmt.Sprintf(format, args...)})
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(summary), Prefix))
	if text == "" {
		tell(Empty, "the summary says nothing")
		return found
	}
	if f, bad, _ := s.long(g, summary); bad {
		found = append(found, f)
	}
	if tag := tagIn(text); tag != "" {
		tell(Tagged, "the summary holds %s", tag)
	} else if callLike(text) {
		tell(Tagged, "the summary is a call of a tool")
	}
	if names := s.invented(g, text); len(names) > 0 {
		tell(Invented, "the summary names what is nowhere: %s", strings.Join(names[:min(len(names), danglingMost)], ", "))
	}
	for _, hit := range s.o.secretsIn(summary) {
		tell(Secret, "the summary holds a secret: %s", hit.Rule)
	}
	if have, want := s.tongues(g, text); have != want {
		tell(Language, "the summary is in %s, the messages in %s", have, want)
	}
	return found
}

// callLike reports whether a text is the JSON of a call.
func callLike(text string) bool {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```"), "```")
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	return strings.Contains(text, `"arguments"`) || strings.Contains(text, `"tool_calls"`) || strings.Contains(text, `"parameters"`)
}

// invented returns ids, paths and numbers of a summary that no message up to the
// end of its region holds.
func (s *session) invented(g *Region, summary string) (names []string) {
	t := s.mentioned()
	known := func(name string) bool {
		id, ok := t.ids[name]
		if !ok {
			return false
		}
		for i := range s.messages[:g.To] {
			for _, m := range t.of(i) {
				if m.name == id {
					return true
				}
			}
		}
		return false
	}
	told := map[string]bool{}
	eachName(summary, func(name string, what sort, _ bool) {
		if what == value && !told[name] && !known(name) && !s.holds(g, name) {
			names = append(names, name)
		}
		told[name] = true
	})
	return names
}

// holds reports whether the name stands in a message as a part of something
// else: the file of a path, a number with a unit.
func (s *session) holds(g *Region, name string) bool {
	for i := range s.messages[:g.To] {
		m := &s.messages[i]
		if strings.Contains(m.Content, name) || strings.Contains(m.Reasoning, name) {
			return true
		}
		for k := range m.ToolCalls {
			if strings.Contains(m.ToolCalls[k].Arguments, name) {
				return true
			}
		}
	}
	return false
}

// proseMost is how much of a region is looked at to tell its language, in bytes.
const proseMost = 8 << 10

// tongues tells the languages of a summary and of what people and the assistant
// say in its region and in front of it, or their writing. They are the same where
// neither tells.
func (s *session) tongues(g *Region, summary string) (have, want string) {
	var b strings.Builder
	for i := g.From; i < g.To && b.Len() < proseMost; i++ {
		if m := &s.messages[i]; m.Role != chat.Tool {
			b.WriteString(m.Content + "\n" + m.Reasoning + "\n")
		}
	}
	for i := g.From - 1; i >= 0 && b.Len() < proseMost; i-- {
		if m := &s.messages[i]; m.Role == chat.User {
			b.WriteString(m.Content + "\n")
		}
	}
	prose := b.String()
	have, want = tongue.Of(summary, fewWords), tongue.Of(prose, fewWords)
	if have != "" && want != "" && have != want {
		return have, want
	}
	wrote, read := tongue.Scripts(summary), tongue.Scripts(prose)
	most := func(counts map[string]int) (best string) {
		for name, n := range counts {
			if best == "" || n > counts[best] || n == counts[best] && name < best {
				best = name
			}
		}
		return best
	}
	have, want = most(wrote), most(read)
	if wrote[have] < fewLetters || read[want] < fewLetters || read[have]*strange >= read[want] {
		return "", ""
	}
	return have, want
}

const (
	// fewWords are as many words of a language as tell it.
	fewWords = 4
	// fewLetters do not tell a writing.
	fewLetters = 24
	// strange is how many times rarer the writing of a summary is among the
	// messages than theirs if it is another language: paths and code are Latin
	// everywhere.
	strange = 20
)
