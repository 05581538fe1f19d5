package memory

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// quoteLeast is how many bytes a quote has at least that is not all of a message:
// a word proves nothing. In writing of three bytes a character that is three.
const quoteLeast = 8

// Find looks for a quote in message n: in its text, then in its calls. White space
// counts as one space, and so does a sign for the one that a model was shown in its
// place, see transcript.Frame.
func (e *Evidence) Find(n int, quote string) (Cite, bool) {
	c, ok := e.find(n, fold(quote))
	if !ok && strings.Contains(quote, "‹") {
		c, ok = e.find(n, fold(strings.ReplaceAll(quote, "‹", "<")))
	}
	return c, ok
}

func (e *Evidence) find(n int, quote string) (Cite, bool) {
	if n < 1 || n > len(e.Said) || quote == "" || strings.Contains(quote, NotShown) {
		return Cite{}, false
	}
	s := &e.Said[n-1]
	c := Cite{N: n, Message: s.Message, Part: s.Part, Role: s.Role, In: InText, Quote: quote}
	if len(quote) < quoteLeast && quote != s.plain {
		return Cite{}, false
	}
	if strings.Contains(s.plain, quote) {
		if s.Role == chat.Tool {
			c.In, c.Check = InResult, s.OK()
		}
		return c, true
	}
	for _, call := range s.calls {
		if strings.Contains(call, quote) {
			c.In = InCall
			return c, true
		}
	}
	return Cite{}, false
}

// quoteMost is how much of a message is quoted where all of it is meant, in bytes.
const quoteMost = 400

// CiteMessage quotes the beginning of what was said in a message of the session; ok is
// false if it is not in the segment, or says nothing that proves anything.
func (e *Evidence) CiteMessage(message, part int) (c Cite, ok bool) {
	for i := range e.Said {
		s := &e.Said[i]
		if s.Message != message || s.Part != part {
			continue
		}
		for _, text := range append([]string{s.plain}, s.calls...) {
			before, _, _ := strings.Cut(text, NotShown)
			if c, ok = e.Find(s.N, phrases.Clip(before, quoteMost)); ok {
				return c, true
			}
		}
	}
	return Cite{}, false
}

// callText is what may be quoted of a call: its name and arguments as recorded, and
// what the strings among them say.
func callText(c *chat.ToolCall) string {
	var b strings.Builder
	b.WriteString(c.Name + " " + c.Arguments)
	if rawjson.Valid(c.Arguments) {
		eachString(c.Arguments, func(text string) { b.WriteString("\n" + text) })
	}
	return fold(b.String())
}

// eachString calls f for the strings of valid JSON, names left out.
func eachString(value string, f func(text string)) {
	for from, end := rawjson.Token(value, 0); from < end; from, end = rawjson.Token(value, end) {
		if value[from] != '"' {
			continue
		}
		if next, _ := rawjson.Token(value, end); next < len(value) && value[next] == ':' {
			continue
		}
		f(rawjson.Unquote(value[from:end]))
	}
}
