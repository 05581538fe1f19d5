package voice

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
)

// Templates remembers how prompts that open tasks begin, and with what prompts
// of a shell messages end.
type Templates struct {
	heads  []string
	shells []string
}

const (
	// TemplateLeast is how long, in bytes, a message is at least that is made
	// from a template.
	TemplateLeast = 160
	templateHead  = 32 // bytes in which two prompts of one template are the same
	templatesMost = 64
)

// Add keeps the beginning of a long prompt.
func (t *Templates) Add(text string) {
	head := phrases.Clip(text, templateHead)
	if len(text) >= TemplateLeast && len(t.heads) < templatesMost && !slices.Contains(t.heads, head) {
		t.heads = append(t.heads, strings.Clone(head))
	}
}

// Match reports whether a long prompt begins as an opening did.
func (t *Templates) Match(text string) bool {
	return len(text) >= TemplateLeast && slices.Contains(t.heads, phrases.Clip(text, templateHead))
}

// shell notes the prompt of a shell, and reports whether it was known. Folders
// in it change, its beginning does not.
func (t *Templates) shell(line string) (known bool) {
	if i := strings.IndexAny(line, ":/~ ("); i > 0 {
		line = line[:i] + line[len(line)-1:]
	}
	if slices.Contains(t.shells, line) {
		return true
	}
	if len(t.shells) < templatesMost {
		t.shells = append(t.shells, strings.Clone(line))
	}
	return false
}

// Observed tells a tool's result from a prompt: it ends with the prompt of a
// shell that an earlier message ended with, or it is a document that follows a
// message of the assistant, whose role is before. Where a task is expected to
// begin, what ends like a shell is a prompt.
func (t *Templates) Observed(text string, before chat.Role, expected bool) bool {
	if line := lastLine(text); promptLike(line) {
		known := t.shell(line)
		switch {
		case expected || t.Match(text):
			return false
		case known:
			return true
		}
		// A harness shows its first prompt: the next that begins so is a task.
		t.Add(text)
	}
	return before == chat.Assistant && document(text)
}

// lastLine returns the last line of a text that is not blank, "" if it is
// longer than a prompt of a shell may be.
func lastLine(text string) string {
	text = strings.TrimRight(phrases.ClipLeft(text, promptMost+64), " \t\r\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	if len(text) > promptMost {
		return ""
	}
	return text
}

const promptMost = 120 // bytes of a shell's prompt

// promptLike reports whether a line looks like the prompt of a shell.
func promptLike(line string) bool {
	if len(line) < 2 {
		return false
	}
	return strings.IndexByte("$#>%", line[len(line)-1]) >= 0
}

// document reports whether a text is one JSON object or list: what a tool
// answers, and nobody types.
func document(text string) bool {
	if len(text) < 2 {
		return false
	}
	open, last := text[0], text[len(text)-1]
	return open == '{' && last == '}' && strings.ContainsAny(phrases.Clip(text, 64), "\":") || open == '[' && last == ']' && strings.ContainsAny(phrases.Clip(text, 64), "{\"")
}
