package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// user delivers what the user said. Results of tools stand there as parts,
// unless the call has them (toolCalls): then they are the same ones again.
func (g *gemini) user(n *geminiEntry, marks chat.Marks) (gave bool) {
	flush := func() {
		m := n.head(g, chat.User)
		if m.Content, m.Marks = g.text.take(), marks; m.Content != "" && g.deliver(m) {
			gave = true
		}
	}
	mine := marks
	g.parts(n.Get("content", "parts"), func(name string, val []byte) {
		switch name {
		case "functionResponse":
			if g.gave && g.t.hasLast && g.t.after > 0 && len(g.t.calls) == 0 {
				g.note("results of tools that the call has already, left out", "")
				return
			}
			flush()
			marks = mine
			m, r := n.head(g, chat.Tool), g.open(innermost, val)
			m.NativeID, m.ToolCallID, m.Name = "", rawjson.Recorded(r.Get("id")), g.name(r.Get("name"))
			g.response(m, r)
			m.Content = g.text.take()
			gave = g.deliver(m) || gave
		case "functionCall":
			g.note("call of a tool by the user, kept as its JSON", "")
			g.text.recorded(val, "\n")
		case "thought":
			g.text.text(val, "\n")
		default:
			marks |= g.media(name, val)
		}
	})
	flush()
	return gave
}

// model delivers an answer of the model, and the results of its calls.
func (g *gemini) model(n *geminiEntry) (gave bool) {
	m := n.head(g, chat.Assistant)
	m.Model = g.name(n.Get("model"))
	g.thoughts(n.Get("thoughts"))
	calls := n.Get("toolCalls")
	called := rawjson.IsList(calls) && !isEmptyList(calls)
	g.parts(n.Get("content", "parts"), func(name string, val []byte) {
		switch name {
		case "thought":
			g.reasons.text(val, "\n\n")
		case "functionCall":
			if !called {
				g.call(m, val)
			}
		case "functionResponse":
			g.note("result of a tool in an answer, kept as its JSON", "")
			g.text.recorded(val, "\n")
		default:
			m.Marks |= g.media(name, val)
		}
	})
	if called {
		for val := range rawjson.Elements(calls) {
			if !rawjson.IsNull(val) {
				g.call(m, val)
			}
		}
	}
	m.Content, m.Reasoning = g.text.take(), g.reasons.take()
	again := g.lines && m.NativeID != "" && g.t.hasLast && g.t.last.NativeID == m.NativeID
	if again {
		gave = g.renew(m)
	} else {
		gave = g.deliver(m)
	}
	if used := n.Get("tokens"); gave && rawjson.IsObject(used) {
		o := g.open(inner, used) // what the model thought counts as output
		g.used(m.NativeID, Usage{Input: countsOf(o, "input"), Output: countsOf(o, "output", "thoughts"), Cached: countsOf(o, "cached")})
	}
	return g.results(calls, again) || gave
}

// thoughts adds what the model thought to the reasoning. It writes a thought
// as "**subject**", a blank line and the description, which the recorder takes
// apart.
func (g *gemini) thoughts(list []byte) {
	var subject, description string
	for val := range rawjson.Elements(list) {
		if subject, description = textual(rawjson.Get(val, "subject")), textual(rawjson.Get(val, "description")); rawjson.IsText(val) {
			description = rawjson.Unquote(val)
		}
		switch {
		case subject == "" && description == "":
		case subject == "":
			g.reasons.add(description, "\n\n")
		case description == "":
			g.reasons.add("**"+subject+"**", "\n\n")
		default:
			g.reasons.add("**"+subject+"**\n\n"+description, "\n\n")
		}
	}
}

// parts goes through a content: a text, a part, or a list of both. The text is
// added to g.text; any other part is given to other under the name of what it
// has, with a text of the model's thinking as "thought".
func (g *gemini) parts(content []byte, other func(name string, val []byte)) {
	switch {
	case rawjson.IsText(content), rawjson.IsObject(content):
		g.part(content, other)
	case rawjson.IsList(content):
		for val := range rawjson.Elements(content) {
			g.part(val, other)
		}
	case !rawjson.IsNull(content):
		g.note("content is no text, kept as its JSON", rawjson.Kind(content))
		g.text.recorded(content, "\n")
	}
}

func (g *gemini) part(val []byte, other func(name string, val []byte)) {
	switch {
	case rawjson.IsText(val):
		if len(val) > len(`""`) {
			g.text.text(val, "\n")
		}
		return
	case rawjson.IsNull(val):
		return
	case !rawjson.IsObject(val):
		g.note("content part is no object", rawjson.Kind(val))
		return
	}
	var text, what []byte
	kind, thought, unknown := "", false, ""
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "text":
			text = val
		case "thought":
			thought = string(val) == "true"
		case "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult":
			kind, what = string(name), val
		case "thoughtSignature", "videoMetadata", "type":
		default:
			unknown = shown(string(name[:min(len(name), 4*shownKey)]), shownKey)
		}
	}
	switch {
	case kind != "":
		other(kind, what)
	case rawjson.IsText(text) && thought:
		other("thought", text)
	case rawjson.IsText(text):
		if len(text) > len(`""`) {
			g.text.text(text, "\n")
		}
	case unknown != "":
		other(unknown, nil)
	}
}

// media adds what a part that is no text leaves, and returns its mark.
func (g *gemini) media(name string, val []byte) (mark chat.Marks) {
	switch name {
	case "executableCode", "codeExecutionResult":
		for _, member := range [...]string{"code", "output"} {
			if text := rawjson.Get(val, member); rawjson.IsText(text) {
				g.text.text(text, "\n")
			}
		}
		return 0
	case "inlineData", "fileData":
		mark = mediaMark(textual(rawjson.Get(val, "mimeType")))
	default:
		g.note("content part of unknown type", name)
		mark = chat.MarkFile
	}
	g.text.add(placeholder(mark), "\n")
	return mark
}

func mediaMark(mime string) chat.Marks {
	switch kind, _, _ := strings.Cut(mime, "/"); kind {
	case "image":
		return chat.MarkImage
	case "audio":
		return chat.MarkAudio
	}
	return chat.MarkFile
}
