package digest

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
)

// plainTool stands for the tool of a call that was written as text.
const plainTool = "$"

// plainCall returns the call that an answer without structured calls may be: its
// command if the format tells it, else its first words. It counts if a result
// follows.
func plainCall(content string) *call {
	command := commandIn(content)
	if command == "" {
		return &call{kind: acts, does: one("words", content), arg: sentence(content), plain: true}
	}
	c := &call{tool: plainTool, kind: commandKind(command), judged: outcome.CallOf("bash", command), does: doesCommand(command), arg: word(shortCommand(withoutFolder(command))), plain: true}
	if first, _, _ := strings.Cut(command, " "); plainEdits[first] {
		c.kind = changes
	}
	return c
}

// plainEdits are the commands of agents' own shells that change a file.
var plainEdits = set("edit", "create", "insert", "append", "str_replace_editor")

// tags are what commands stand between.
var tags = [...][2]string{{"<command>", "</command>"}, {"<execute_bash>", "</execute_bash>"}, {"<parameter=command>", "</parameter>"}, {"<bash>", "</bash>"}}

// commandIn returns the command that a text ends with: between tags, or the last
// fenced block, after which no more than a line stands. It is "" without one.
func commandIn(content string) string {
	content = phrases.ClipLeft(content, 64<<10)
	for _, tag := range tags {
		if i := strings.LastIndex(content, tag[0]); i >= 0 {
			command, _, _ := strings.Cut(content[i+len(tag[0]):], tag[1])
			return strings.TrimSpace(command)
		}
	}
	const fence = "```"
	end := strings.LastIndex(content, fence)
	if end < 0 || strings.Contains(strings.TrimSpace(content[end+len(fence):]), "\n") {
		return ""
	}
	begin := strings.LastIndex(content[:end], fence)
	if begin < 0 || begin > 0 && content[begin-1] != '\n' {
		return ""
	}
	language, command, found := strings.Cut(content[begin+len(fence):end], "\n")
	if !found {
		return ""
	}
	switch strings.ToLower(strings.TrimSpace(language)) {
	case "", "bash", "sh", "shell", "console", "command", "cmd", "powershell", "zsh":
		return strings.TrimSpace(command)
	}
	return ""
}

// adopt makes the call of a beat that was written as text, as a result follows.
func (b *beat) adopt() *call {
	c := b.maybe
	if c == nil || len(b.calls) > 0 {
		return nil
	}
	b.calls = []*call{c}
	return c
}

// output returns what a shell printed, without the state that it shows after it.
func output(content string) string {
	for {
		content = strings.TrimRight(content, " \t\r\n")
		i := strings.LastIndexByte(content, '\n')
		line := strings.TrimSpace(content[i+1:])
		state := strings.HasPrefix(line, "(Open file:") || strings.HasPrefix(line, "(Current directory:") || len(line) > 1 && len(line) < 40 && strings.HasSuffix(line, "$")
		if !state {
			return content
		}
		content = content[:max(0, i)]
	}
}

// recorded takes an answer that a recorder wrote: it is none, but may say why
// there is none.
func (d *Draft) recorded(m *chat.Message) {
	if said := sentence(m.Content); said != "" && !strings.EqualFold(strings.Trim(said, ". "), "no response requested") {
		d.mark(m.N, said)
	}
}
