package reader

import (
	"cmp"
	"strings"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/reader/gist"
	"winnow/tui/reader/markdown"
	"winnow/tui/reader/sheet"
)

// callOf shows a call: its name and the argument that matters, and under it
// all arguments.
func callOf(c *chat.ToolCall, label string) block {
	b := block{kind: callBlock, label: label}
	args := strings.TrimSpace(c.Arguments)
	if args == "" || args == "{}" {
		return b
	}
	fields, ok := sheet.FieldsOf(args)
	if !ok {
		b.brief = gist.Line(args)
		b.text = sheet.Body(c.Arguments)
		if sheet.IsDiff(b.text) {
			b.sections = []sheet.Section{{Kind: sheet.DiffLines}}
			b.change.Count(b.text)
			b.brief = cmp.Or(sheet.PatchFiles(b.text), b.brief)
		}
		return b
	}
	b.brief = gist.Line(fields.Argument())
	b.language, b.prints = written(c.Name, fields), printed(c.Name, fields)
	recorded := sheet.Indented(args)
	if !b.layOut(args) {
		b.text = sheet.Body(c.Arguments)
	}
	s := b.makeReadable(fields, recorded)
	if b.change = s.Change; b.change.Edits {
		b.brief = cmp.Or(gist.Line(fields.Path()), s.Files, b.brief)
	}
	b.change.CountWritten(c.Name, fields)
	if line, ok := fields.Line(); ok {
		// It is all said in the headline.
		b.pretty, b.text, b.sections, b.brief = &form{text: recorded}, line, nil, line
	}
	if b.pretty != nil && recorded == "" {
		b.pretty = nil
	}
	return b
}

// layOut makes a JSON value the text of a block; false if it is too large, or none.
func (b *block) layOut(value string) bool {
	of := sheet.Of(value)
	if of != nil {
		b.lay(of)
	}
	return of != nil
}

// makeReadable shows JSON as it reads best, and keeps it as recorded for
// those who ask for detail.
func (b *block) makeReadable(all sheet.Fields, recorded string) *sheet.Sheet {
	s, ok := sheet.Readable(all)
	if ok {
		b.pretty = &form{text: recorded}
		b.lay(s)
	}
	return s
}

// lay makes what is laid out the text of a block.
func (b *block) lay(s *sheet.Sheet) { b.text, b.sections, b.tables = s.String(), s.Sections, s.Tables }

// reports are the tools that start a sub-agent: what they answer is written for
// people.
var reports = map[string]bool{"Task": true, "Agent": true, "task": true, "agent": true, "delegate_task": true, "spawn_agent": true}

// resultOf shows what a tool answered.
func resultOf(m *chat.Message) block {
	b := block{kind: resultBlock, label: gist.Line(m.Name), text: sheet.Body(m.Content)}
	if sheet.IsDiff(b.text) {
		b.sections = []sheet.Section{{Kind: sheet.DiffLines}}
	}
	if b.brief = gist.Of(m.Name, b.text); b.sections != nil {
		b.change.Count(b.text)
		b.brief = cmp.Or(sheet.PatchFiles(b.text), b.brief)
	}
	b.markdown = reports[m.Name] && b.sections == nil && markdown.Worth(b.text)
	code := ""
	if text := strings.TrimSpace(m.Content); len(text) <= sheet.Most && text != "" && (text[0] == '{' || text[0] == '[') {
		code = b.showJSON(text)
	} else if b.sections == nil && !b.markdown {
		if s := sheet.Prose(strings.Trim(m.Content, "\r\n")); s != nil {
			b.lay(s)
		}
	}
	switch {
	case b.text == "":
		b.brief = "no output"
	case code != "":
		b.note = exitNote + code
	}
	return b
}

// exitNote is what the note of a result with an exit code begins with.
const exitNote = "exit "

// showJSON shows a result that is JSON. It returns the exit code that stands
// in it, "" for none.
func (b *block) showJSON(text string) (code string) {
	if !b.layOut(text) {
		return ""
	}
	if b.brief = gist.Line(text); strings.IndexByte(b.text, '\n') < 0 && len(b.text) < gist.Most {
		b.brief = b.text
	}
	b.size = draw.Bytes(int64(len(text))) // its lines are ours
	fields, ok := sheet.FieldsOf(text)
	if !ok {
		return ""
	}
	if said := fields.Answer(); said != "" {
		b.brief = gist.Of(b.label, clean.Text(said))
	}
	s := b.makeReadable(fields, "")
	if b.pretty != nil {
		b.size, b.pretty.text = "", sheet.Indented(text)
	}
	if b.change = s.Change; s.Files != "" {
		b.brief = s.Files
	}
	return fields.Exit()
}
