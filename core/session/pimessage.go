package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// piMessage are the fields of a message, as recorded.
type piMessage struct {
	role, content, at, model, stop, usage []byte
	callID, tool, failed, summary         []byte
	command, output, exitCode, cancelled  []byte
	truncated, outputPath, excluded       []byte
	failure                               []byte // why an answer failed
}

// shownFailure is how many characters of the reason for a failed answer the
// ledger tells.
const shownFailure = 80

func (pm *piMessage) read(obj []byte) {
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "role":
			pm.role = val
		case "content":
			pm.content = val
		case "timestamp":
			pm.at = val
		case "model":
			pm.model = val
		case "stopReason":
			pm.stop = val
		case "usage":
			pm.usage = val
		case "toolCallId":
			pm.callID = val
		case "toolName":
			pm.tool = val
		case "isError":
			pm.failed = val
		case "summary":
			pm.summary = val
		case "command":
			pm.command = val
		case "output":
			pm.output = val
		case "exitCode":
			pm.exitCode = val
		case "cancelled":
			pm.cancelled = val
		case "truncated":
			pm.truncated = val
		case "fullOutputPath":
			pm.outputPath = val
		case "errorMessage":
			pm.failure = val
		case "excludeFromContext":
			pm.excluded = val
		}
	}
}

// messageEntry reads an entry with a message.
func (p *piReader) messageEntry(obj []byte) outcome {
	var pm piMessage
	pm.read(obj)
	if p.at == "" {
		p.at = stamp(pm.at)
	}
	if !rawjson.IsText(pm.role) {
		p.pass()
		return bad("role is not text: " + rawjson.Kind(pm.role))
	}
	switch string(rawjson.Inner(pm.role)) {
	case "assistant":
		return p.assistant(&pm)
	case "toolResult":
		return p.result(&pm)
	case "bashExecution":
		if string(pm.excluded) == "true" {
			p.pass()
			return skipped("command that the model was not shown")
		}
		m := p.next(chat.User)
		m.Content = pm.ran()
		return p.gave(m)
	case "custom", "hookMessage":
		m := p.next(chat.User)
		m.Content = p.content(m, pm.content)
		return p.gave(m)
	case "compactionSummary", "branchSummary":
		if rawjson.IsText(pm.summary) {
			return p.summary(pm.summary)
		}
	}
	role, why, ok := roleOf(pm.role)
	if !ok {
		p.pass()
		return why
	}
	m := p.next(role)
	m.ToolCallID = rawjson.Recorded(pm.callID)
	m.Content = p.content(m, pm.content)
	return p.gave(m)
}

// content returns the text of a message that is no answer of the model.
func (p *piReader) content(m *chat.Message, val []byte) string {
	switch {
	case rawjson.IsList(val):
		return p.listText(partWalk{rest: rawjson.Within(val)}, m)
	case rawjson.IsObject(val):
		p.note("content is an object, kept as its JSON text", "")
	}
	return rawjson.Recorded(val)
}

func (p *piReader) result(pm *piMessage) outcome {
	m := p.next(chat.Tool)
	m.ToolCallID, m.IsError = rawjson.Recorded(pm.callID), string(pm.failed) == "true"
	if rawjson.IsText(pm.tool) {
		m.Name = p.names.text(pm.tool)
	}
	m.Content = p.content(m, pm.content)
	return p.gave(m)
}

// assistant reads what the model answered. An answer that failed before there
// was any text still says that the session did not come to its end.
func (p *piReader) assistant(pm *piMessage) outcome {
	m := p.next(chat.Assistant)
	if rawjson.IsText(pm.model) {
		m.Model = p.names.text(pm.model)
	}
	if rawjson.IsText(pm.stop) {
		m.StopReason = p.names.text(pm.stop)
	}
	if rawjson.IsList(pm.content) {
		p.parts(m, pm.content)
	} else {
		m.Content = p.content(m, pm.content)
	}
	if used := piUsage(pm.usage); used != (Usage{}) {
		p.metas++
		p.tell(Meta{Usage: used})
	}
	failed := m.StopReason == "error" || m.StopReason == "aborted"
	if failed && m.Empty() && !p.mem.pi.failed || m.StopReason == "stop" && p.mem.pi.failed {
		p.mem.pi.failed = failed
		completed := !failed
		p.metas++
		p.tell(Meta{Completed: &completed})
	}
	told := p.metas > 0
	if out := p.gave(m); out.as == asRead || !told {
		return out
	}
	p.note("answer of "+reasonEmpty, shown(textual(pm.failure), shownFailure))
	return read()
}

// parts reads the blocks of an answer.
func (p *piReader) parts(m *chat.Message, list []byte) {
	walk := partWalk{rest: rawjson.Within(list)}
	for b := walk.next(); b != nil; b = walk.next() {
		switch {
		case !b.object:
			p.bareText(b.raw)
		case b.kind == "thinking":
			if rawjson.IsText(b.thinking) && len(b.thinking) > len(`""`) {
				p.reasons.text(b.thinking, "\n\n")
			}
		case b.kind == "toolCall" && rawjson.IsText(b.name) && len(b.name) > len(`""`):
			m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: rawjson.Recorded(b.id), Name: p.names.text(b.name), Arguments: rawjson.Recorded(b.args)})
		case b.kind == "toolCall":
			m.Marks |= chat.MarkMalformedCall
			p.note(noteMalformed, "")
			p.text.recorded(b.raw, "\n")
		default:
			p.addPart(b, &m.Marks)
		}
	}
	m.Content, m.Reasoning = p.text.take(), p.reasons.take()
}

func piUsage(obj []byte) Usage {
	var u Usage
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "input", "cacheWrite":
			u.Input += countOf(val)
		case "cacheRead":
			u.Cached = countOf(val)
			u.Input += u.Cached
		case "output":
			u.Output = countOf(val)
		}
	}
	return u
}

// ran returns a command that the user ran, with its output, in the words in
// which Pi tells the model about it.
func (pm *piMessage) ran() string {
	var b strings.Builder
	b.WriteString("Ran `" + textual(pm.command) + "`\n")
	if output := textual(pm.output); output != "" {
		b.WriteString("```\n")
		b.WriteString(output)
		b.WriteString("\n```")
	} else {
		b.WriteString("(no output)")
	}
	switch {
	case string(pm.cancelled) == "true":
		b.WriteString("\n\n(command cancelled)")
	case rawjson.Kind(pm.exitCode) == "number" && string(pm.exitCode) != "0":
		b.WriteString("\n\nCommand exited with code " + string(pm.exitCode))
	}
	if path := textual(pm.outputPath); path != "" && string(pm.truncated) == "true" {
		b.WriteString("\n\n[Output truncated. Full output: " + path + "]")
	}
	return b.String()
}
