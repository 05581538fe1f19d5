package main

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
)

// joined is a session of several tasks, and where they begin.
type joined struct {
	msgs   []chat.Message
	starts []int // message numbers; the first task's is left out
}

// join puts conversations after each other, as a condition changes them.
func join(tasks []conversation, change func([]chat.Message) []chat.Message) joined {
	var j joined
	for _, t := range tasks {
		msgs := change(t.msgs)
		if len(msgs) == 0 {
			continue
		}
		if len(j.msgs) > 0 {
			j.starts = append(j.starts, len(j.msgs)+1)
		}
		j.msgs = append(j.msgs, msgs...)
	}
	for i := range j.msgs {
		j.msgs[i].N = i + 1
	}
	return j
}

// condition is a way to take away what gives a boundary away.
type condition struct {
	name   string
	change func([]chat.Message) []chat.Message
}

// conditions are (a) as they are, (b) without system messages, marks of the
// end and what follows the last answer, (c) also without the opening greeting:
// its words, or the sentence that holds it.
func conditions() []condition {
	return []condition{
		{"a", func(m []chat.Message) []chat.Message { return m }},
		{"b", trimmed},
		{"c words", func(m []chat.Message) []chat.Message { return opened(trimmed(m), withoutGreeting) }},
		{"c sentence", func(m []chat.Message) []chat.Message { return opened(trimmed(m), withoutFirstSentence) }},
	}
}

const stopMark = "###STOP###"

func trimmed(msgs []chat.Message) []chat.Message {
	var out []chat.Message
	for _, m := range msgs {
		if m.Role == chat.System {
			continue
		}
		if strings.Contains(m.Content, stopMark) {
			m.Content = strings.TrimSpace(strings.ReplaceAll(m.Content, stopMark, ""))
			if m.Empty() {
				continue
			}
		}
		out = append(out, m)
	}
	for len(out) > 0 {
		if m := &out[len(out)-1]; m.Role == chat.Assistant && strings.TrimSpace(m.Content) != "" {
			break
		}
		out = out[:len(out)-1]
	}
	return out
}

// opened changes the first user message, and leaves it out if nothing remains.
func opened(msgs []chat.Message, change func(string) string) []chat.Message {
	for i, m := range msgs {
		if m.Role != chat.User {
			continue
		}
		out := append([]chat.Message(nil), msgs...)
		out[i].Content = change(m.Content)
		if strings.TrimSpace(out[i].Content) == "" {
			out = append(out[:i], out[i+1:]...)
		}
		return out
	}
	return msgs
}

// greetings are what the first baseline knows, longest first.
var greetings = [...]string{
	"good morning", "good afternoon", "good evening", "hello there", "hey there", "hi there", "hello", "hey", "hi", "greetings",
	"您好", "你好", "嗨", "早上好", "下午好", "晚上好",
}

// greeting returns the greeting that a text begins with, "" if none.
func greeting(text string) string {
	text = strings.TrimSpace(text)
	low := strings.ToLower(text)
	for _, g := range greetings {
		if !strings.HasPrefix(low, g) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(low[len(g):])
		if len(low) == len(g) || g[0] >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return text[:len(g)]
		}
	}
	return ""
}

func withoutGreeting(text string) string {
	text = strings.TrimSpace(text)
	g := greeting(text)
	if g == "" {
		return text
	}
	rest := strings.TrimLeft(text[len(g):], " ,.!，。！~-—\n")
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + rest[size:]
}

// withoutFirstSentence drops the sentence that greets, if there is another:
// of a greeting of one word, the one after it goes, too.
func withoutFirstSentence(text string) string {
	if greeting(text) == "" {
		return text
	}
	rest := withoutGreeting(text)
	i := strings.IndexAny(rest, ".!?。！？\n")
	if i < 0 {
		return rest
	}
	_, size := utf8.DecodeRuneInString(rest[i:])
	if tail := strings.TrimSpace(rest[i+size:]); len(tail) >= 20 {
		return tail
	}
	return rest
}

// some picks n conversations in a random order; n 0 is all.
func some(rng *rand.Rand, all []conversation, n int) []conversation {
	out := append([]conversation(nil), all...)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	if n > 0 && n < len(out) {
		out = out[:n]
	}
	return out
}
