// Package transcript makes messages of a session the text that a model is
// shown to work on. A session is untrusted: it may speak to the model, end the
// frame around it, or play a message of its own. So each message begins a line,
// every further line of it is indented, and what ends the frame or what servers
// take for the end of a message is written with other characters.
package transcript

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
)

// The frame around the messages, each on lines of its own.
const (
	Start = "<messages>\n"
	End   = "</messages>\n\n"
)

// disarmed are pairs of texts and what stands for them: what would end the
// frame, and what servers take for the end of a message even inside of one.
var disarmed = [...]string{
	"<messages", "‹messages", "</messages", "‹/messages",
	"<|", "‹|", "<｜", "‹｜", // ChatML, Llama 3, Phi; DeepSeek
	"</s>", "‹/s>", "[INST]", "(INST)", "[/INST]", "(/INST)", // Llama 2, Mistral
	"<start_of_turn>", "‹start_of_turn>", "<end_of_turn>", "‹end_of_turn>", // Gemma
}

// Frame makes texts fit to go inside of the frame. It may be used by many
// goroutines.
type Frame struct{ disarm *strings.Replacer }

// NewFrame returns a Frame.
func NewFrame() *Frame { return &Frame{strings.NewReplacer(disarmed[:]...)} }

// Inside makes text the inside of a message: none of its lines but the first
// begins where a message or the frame could. Blank lines are left out.
func (f *Frame) Inside(text string) string {
	var b strings.Builder
	for line := range strings.FieldsFuncSeq(f.disarm.Replace(text), breaksLine) {
		line = strings.TrimRightFunc(strings.Map(visible, line), unicode.IsSpace)
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n  ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Shorten cuts out of the middle of a text what it has more than so many
// bytes, and says how much that was. A quarter of what stays is the end.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	from, to := most-most/4, len(text)-most/4
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return fmt.Sprintf("%s\n… %d characters left out …\n%s", text[:from], utf8.RuneCountInString(text[from:to]), text[to:])
}

// Lengths are how many bytes of the texts of a message are shown.
type Lengths struct{ Content, Reasoning, Arguments int }

// Body is the text of a message, with what is longer cut short.
func Body(m *chat.Message, most Lengths) string {
	short := chat.Message{Role: m.Role, Name: m.Name, Content: Shorten(m.Content, most.Content), Reasoning: Shorten(m.Reasoning, most.Reasoning)}
	for _, call := range m.ToolCalls {
		short.ToolCalls = append(short.ToolCalls, chat.ToolCall{Name: call.Name, Arguments: Shorten(call.Arguments, most.Arguments)})
	}
	return short.Body()
}

// breaksLine reports whether anybody takes a character for a line break.
func breaksLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1C, 0x1D, 0x1E, 0x85, '\u2028', '\u2029':
		return true
	}
	return false
}

// visible replaces control characters; Map replaces invalid bytes besides.
func visible(r rune) rune {
	if r != '\t' && unicode.IsControl(r) {
		return ' '
	}
	return r
}
