package reader

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/tui/reader/gist"
	"winnow/tui/reader/sheet"
)

// Brief is what one line says of a message. Its texts are clean, and no longer
// than any screen is wide.
type Brief struct {
	// Tool is the tool that is called or answers, "" for speech.
	Tool string
	// Kind names what is no speech: "compaction", "thinking", "(empty)"; "".
	Kind string
	// Text is what was said, the argument of the call that matters, or what
	// the tool answered first.
	Text string
	// Calls counts the tool calls.
	Calls int
}

// BriefOf returns what one line says of a message; paths in what tools are called with
// and answer begin at the folder that the session worked in, "" for none. It takes
// time linear in the message and is called from commands only.
func BriefOf(m *chat.Message, dir string, ascii bool) Brief {
	b := Brief{Calls: len(m.ToolCalls)}
	if m.Role == chat.Tool {
		b.Tool, b.Text = gist.Line(m.Name), answerOf(m.Content)
		if b.Text == "" {
			b.Text = "no output"
		}
	} else {
		b.say(m)
	}
	if dir = folder(dir); dir != "" && (m.Role == chat.Tool || b.Tool != "") {
		b.Text = gist.Within(b.Text, dir)
	}
	if ascii {
		b.Tool, b.Text = clean.Carets(b.Tool), clean.Carets(b.Text)
	}
	b.Tool, b.Text = strings.Clone(b.Tool), strings.Clone(b.Text) // a part would keep all of the message alive
	return b
}

// say takes what a message says, else what it calls, else what it thinks.
func (b *Brief) say(m *chat.Message) {
	thought, content := chat.SplitThink(m.Content)
	if m.Summary() {
		b.Kind = "compaction"
	}
	if b.Text = gist.Opening(content); b.Text != "" {
		return
	}
	if b.Calls > 0 {
		b.Tool = gist.Line(m.ToolCalls[0].Name)
		b.Text = argumentOf(m.ToolCalls[0].Arguments)
		return
	}
	for _, text := range [...]string{m.Reasoning, thought} {
		if b.Text = gist.Opening(text); b.Text != "" {
			b.Kind = "thinking"
			return
		}
	}
	for _, media := range mediaMarks {
		if m.Marks.Has(media.mark) && b.Text == "" {
			b.Text = media.label
		}
	}
	if b.Text == "" && b.Kind == "" {
		b.Kind = "(empty)"
	}
}

// argumentOf returns the argument that tells most of what a call does.
func argumentOf(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	if arguments == "" || arguments == "{}" {
		return ""
	}
	if all, ok := sheet.FieldsOf(arguments); ok {
		return gist.Line(all.Argument())
	}
	return gist.Line(arguments)
}

// answerOf returns the first line of what a tool answered, in its own words if
// they stand in JSON.
func answerOf(content string) string {
	text := strings.TrimSpace(content)
	if len(text) <= sheet.Most && strings.HasPrefix(text, "{") {
		if all, ok := sheet.FieldsOf(text); ok {
			if said := all.Answer(); said != "" {
				return gist.First(clean.Text(gist.Beginning(said, gist.Looked)))
			}
			return gist.Line(text)
		}
	}
	return gist.First(clean.Text(gist.Beginning(text, 4*gist.Most)))
}
