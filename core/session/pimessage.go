package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// shownFailure is how many characters of the reason for a failed answer the
// ledger tells.
const shownFailure = 80

// messageEntry reads an entry with a message.
func (p *piReader) messageEntry(val []byte) outcome {
	pm := p.open(payload, val)
	if p.at == "" {
		p.at = stamp(pm.Get("timestamp"))
	}
	speaker, content := pm.Get("role"), pm.Get("content")
	if !rawjson.IsText(speaker) {
		p.pass()
		return bad("role is not text: " + rawjson.Kind(speaker))
	}
	switch string(rawjson.Inner(speaker)) {
	case "assistant":
		return p.assistant(pm)
	case "toolResult":
		m := p.next(chat.Tool)
		m.ToolCallID, m.Name = rawjson.Recorded(pm.Get("toolCallId")), p.name(pm.Get("toolName"))
		m.IsError = isTrue(pm.Get("isError"))
		m.Content = p.content(m, content)
		return p.gave(m)
	case "bashExecution":
		if isTrue(pm.Get("excludeFromContext")) {
			p.pass()
			return skipped("command that the model was not shown")
		}
		m := p.next(chat.User)
		m.Content = piRan(pm)
		return p.gave(m)
	case "custom", "hookMessage":
		m := p.next(chat.User)
		m.Content = p.content(m, content)
		return p.gave(m)
	case "compactionSummary", "branchSummary":
		if summary := pm.Get("summary"); rawjson.IsText(summary) {
			return p.summary(summary)
		}
	}
	role, why, ok := roleOf(speaker)
	if !ok {
		p.pass()
		return why
	}
	m := p.next(role)
	m.ToolCallID = rawjson.Recorded(pm.Get("toolCallId"))
	m.Content = p.content(m, content)
	return p.gave(m)
}

// content returns the text of a message that is no answer of the model.
func (p *piReader) content(m *chat.Message, val []byte) string {
	if rawjson.IsObject(val) {
		p.note("content is an object, kept as its JSON text", "")
	}
	return p.textOrJSON(m, val)
}

// assistant reads what the model answered. An answer that failed before there
// was any text still says that the session did not come to its end.
func (p *piReader) assistant(pm *rawjson.Object) outcome {
	m := p.next(chat.Assistant)
	m.Model, m.StopReason = p.name(pm.Get("model")), p.name(pm.Get("stopReason"))
	if content := pm.Get("content"); rawjson.IsList(content) {
		p.parts(m, content)
	} else {
		m.Content = p.content(m, content)
	}
	o := p.open(inner, pm.Get("usage"))
	used := Usage{Input: countsOf(o, "input", "cacheWrite", "cacheRead"), Output: countsOf(o, "output"), Cached: countsOf(o, "cacheRead")}
	if used != (Usage{}) {
		p.entry.told(Meta{Usage: used})
	}
	failed := m.StopReason == "error" || m.StopReason == "aborted"
	if failed && m.Empty() && !p.mem.pi.failed || m.StopReason == "stop" && p.mem.pi.failed {
		p.mem.pi.failed = failed
		p.entry.told(Meta{Completed: new(!failed)})
	}
	told := p.metas > 0
	if out := p.gave(m); out.as == asRead || !told {
		return out
	}
	p.note("answer of "+reasonEmpty, shown(textual(pm.Get("errorMessage")), shownFailure))
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
			if rawjson.IsText(b.thinking) {
				p.reasoningPart(b)
			}
		case b.kind == "toolCall":
			p.addCall(m, b.raw, b.id, b.name, b.args)
		default:
			p.addPart(b, &m.Marks)
		}
	}
	m.Content, m.Reasoning = p.text.take(), p.reasons.take()
}

// piRan returns a command that the user ran, with its output, in the words in
// which Pi tells the model about it.
func piRan(pm *rawjson.Object) string {
	var b strings.Builder
	b.WriteString("Ran `" + textual(pm.Get("command")) + "`\n")
	if output := textual(pm.Get("output")); output != "" {
		b.WriteString("```\n")
		b.WriteString(output)
		b.WriteString("\n```")
	} else {
		b.WriteString("(no output)")
	}
	code := pm.Get("exitCode")
	switch {
	case isTrue(pm.Get("cancelled")):
		b.WriteString("\n\n(command cancelled)")
	case rawjson.Kind(code) == "number" && string(code) != "0":
		b.WriteString("\n\nCommand exited with code " + string(code))
	}
	if path := textual(pm.Get("fullOutputPath")); path != "" && isTrue(pm.Get("truncated")) {
		b.WriteString("\n\n[Output truncated. Full output: " + path + "]")
	}
	return b.String()
}
