package memory

import (
	"path"
	"slices"
	"strings"

	"winnow/core/chat"
)

// Marks that winnow writes into files which agents read. What stands in a block
// of them, or on a line with MarkHead, was recalled and proves nothing.
const (
	BlockBegin = "<!-- winnow:begin -->"
	BlockEnd   = "<!-- winnow:end -->"
	MarkHead   = "<!-- w:"
	MarkTail   = " -->"
)

// Mark is what ends a line that says a memory.
func Mark(m *Memory) string { return MarkHead + m.Short() + MarkTail }

// injected are elements that harnesses put into messages of others, by their
// names: texts of theirs, wherever they stand.
var injected = [...]string{"system-reminder", "user_instructions", "INSTRUCTIONS", "environment_context", "environment_details", "system_reminder"}

// typedHeads begin what recorders write of commands that a user typed, and of what
// came of them: nobody is told anything by it.
var typedHeads = [...]string{"<command-", "<local-command-", "<bash-", "<task-notification>"}

func byCommand(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(typedHeads[:], func(head string) bool { return strings.HasPrefix(text, head) })
}

// withoutInjected takes out of a text what a harness put in and what was
// recalled, and notes it as instructions.
func (e *Evidence) withoutInjected(text string) string {
	if !strings.Contains(text, "<") {
		return strings.TrimSpace(text)
	}
	for _, name := range injected {
		text = e.cutAll(text, "<"+name+">", "</"+name+">")
	}
	text = e.cutAll(text, BlockBegin, BlockEnd)
	if strings.Contains(text, MarkHead) {
		text = e.cutMarked(text)
	}
	return strings.TrimSpace(text)
}

// cutAll puts NotShown in the place of all that stands between two signs. What is
// not closed goes on to the end.
func (e *Evidence) cutAll(text, from, to string) string {
	i := strings.Index(text, from)
	if i < 0 {
		return text
	}
	var b strings.Builder
	for ; i >= 0; i = strings.Index(text, from) {
		b.WriteString(text[:i])
		b.WriteString(NotShown)
		inner, rest, _ := strings.Cut(text[i+len(from):], to)
		e.instruct(inner)
		text = rest
	}
	b.WriteString(text)
	return b.String()
}

// cutMarked puts NotShown in the place of lines with a mark.
func (e *Evidence) cutMarked(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, MarkHead) {
			b.WriteString(line)
			continue
		}
		e.instruct(line)
		b.WriteString(NotShown + "\n")
	}
	return b.String()
}

// instructionFiles are files that agents are told by, in lower case.
var instructionFiles = [...]string{
	"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "skill.md", "memory.md", ".cursorrules", ".windsurfrules", ".clinerules", "copilot-instructions.md",
}

// hideFiles takes results out that show a file of instructions.
func (e *Evidence) hideFiles() {
	for i := range e.Said {
		s := &e.Said[i]
		if s.Role != chat.Tool || s.Answers == 0 || s.Text == "" {
			continue
		}
		call := &e.Said[s.Answers-1].Calls[s.Call]
		if !readsInstructions(call) {
			continue
		}
		e.instruct(s.Text)
		s.Text = NotShown
	}
}

// readsInstructions reports whether a call reads a file of instructions: it names
// one, and holds nothing that such a file would be written with.
func readsInstructions(c *chat.ToolCall) bool {
	const most = 400 // bytes of a call that only reads
	if len(c.Arguments) > most {
		return false
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(c.Arguments), func(r rune) bool { return strings.ContainsRune(" \t\n\"'`,;()=<>|&", r) }) {
		base := path.Base(strings.ReplaceAll(word, `\`, "/"))
		for _, name := range instructionFiles {
			if base == name {
				return true
			}
		}
	}
	return false
}
