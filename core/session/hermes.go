package session

import (
	"bytes"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// The tags that Hermes models write around calls, and trainers around their
// results.
const (
	callOpen, callShut     = "<tool_call>", "</tool_call>"
	resultOpen, resultShut = "<tool_response>", "</tool_response>"
	toolsOpen, toolsShut   = "<tools>", "</tools>"
	// resultBorder stands between the results of one turn where the template
	// writes the tags around all of them, as in LLaMA-Factory.
	resultBorder = "\n" + resultShut + "\n" + resultOpen + "\n"
)

const (
	noteOpenCall   = "tool call without its closing tag"
	noteOpenResult = "tool response without its closing tag"
	noteStray      = "stray closing tag of reasoning removed, with what it repeats"
	noteOutside    = "text outside of the tool responses, kept after one"
)

// tagged looks for JSON between tags in a text. A closing tag inside of a JSON
// string closes nothing.
//
// Looking for it after every opening tag costs no more than twice the text:
// JSON can hold a tag in its strings only, so what began at the tag before and
// what begins at this one can't both go on after the next.
type tagged struct {
	*entry
	text       string
	b          []byte // the same
	open, shut string
	next       int // place of a closing tag; none is before it and after sought
	sought     int
}

func (e *entry) tagged(text, open, shut string) *tagged {
	e.buf = append(e.buf[:0], text...)
	return &tagged{entry: e, text: text, b: e.buf, open: open, shut: shut, next: -1}
}

// find returns the place of the next opening tag, -1 if there is none.
func (w *tagged) find(from int) int {
	i := strings.Index(w.text[from:], w.open)
	if i < 0 {
		return -1
	}
	return from + i
}

// shutAt returns the place of the first closing tag from there on, the end of
// the text if there is none.
func (w *tagged) shutAt(from int) int {
	if w.next < from || w.sought > from {
		w.sought, w.next = from, len(w.text)
		if i := strings.Index(w.text[from:], w.shut); i >= 0 {
			w.next = from + i
		}
	}
	return w.next
}

func (w *tagged) pass(i int) int {
	return len(w.b) - len(bytes.TrimLeft(w.b[i:], " \t\r\n"))
}

// json reads the object or list after an opening tag, up to its closing tag.
// It returns its place and the end of the closing tag; without one, the text
// must end after it. The fields of an object are then those of the scanner.
func (w *tagged) json(from int) (lo, hi, end int, ok bool) {
	lo = w.pass(from)
	if lo == len(w.b) || w.b[lo] != '{' && w.b[lo] != '[' {
		return 0, 0, 0, false
	}
	w.scan.Reset()
	limit := w.shutAt(lo)
	p := w.scan.Scan(w.b[lo:limit], false)
	for p == rawjson.More && limit < len(w.b) {
		limit = w.shutAt(limit + 1)
		p = w.scan.Scan(w.b[lo:limit], false)
	}
	hi = lo + w.scan.End
	if p == rawjson.Done && !w.scan.Flawed {
		end = w.pass(hi)
		if end == len(w.b) {
			return lo, hi, end, true
		}
		if strings.HasPrefix(w.text[end:], w.shut) {
			return lo, hi, end + len(w.shut), true
		}
	}
	return 0, 0, 0, false
}

// closed reports whether a closing tag ends there.
func (w *tagged) closed(end int) bool { return strings.HasSuffix(w.text[:end], w.shut) }

// spoken takes what a model said apart: leading reasoning, then calls between
// tags, and the rest, which is the content. What stands between the tags and is
// no call stays in the content.
func (t *talk) spoken(m *chat.Message, text string) {
	m.Reasoning, m.Content = chat.CutThink(text)
	thought := len(m.Content) < len(text)
	t.spokenCalls(m)
	if thought {
		t.cutStrays(m)
	}
}

// cutStrays takes closing tags of reasoning that nothing opened out of what was
// said.
func (t *talk) cutStrays(m *chat.Message) {
	mended := false
	if m.Reasoning, m.Content, mended = chat.CutStrays(m.Reasoning, m.Content, len(m.ToolCalls) > 0); mended {
		m.Marks |= chat.MarkRepaired
		t.note(noteStray, "")
	}
}

// spokenCalls takes the calls between tags out of the content.
func (t *talk) spokenCalls(m *chat.Message) {
	if !strings.Contains(m.Content, callOpen) {
		return
	}
	text := m.Content
	w := t.tagged(text, callOpen, callShut)
	took := 0 // end of the last call
	for from := 0; ; {
		i := w.find(from)
		if i < 0 {
			break
		}
		from = i + len(w.open)
		lo, hi, end, ok := w.json(from)
		call, named := t.readCall(w.b[lo:hi])
		if !ok || !named {
			m.Marks |= chat.MarkMalformedCall
			t.note(noteMalformed, "")
			continue
		}
		if !w.closed(end) {
			t.note(noteOpenCall, "")
		}
		t.piece(text[took:i], took > 0, true)
		m.ToolCalls = append(m.ToolCalls, call)
		took, from = end, end
	}
	if took > 0 {
		t.piece(text[took:], true, false)
		m.Content = t.text.take()
	}
}

// piece adds what stands beside calls to the content, without the line breaks
// that belong to the tags before and after it.
func (e *entry) piece(text string, before, behind bool) {
	if before {
		text = strings.TrimPrefix(text, "\n")
	}
	if behind {
		text = strings.TrimSuffix(text, "\n")
	}
	if strings.TrimSpace(text) != "" {
		e.text.add(text, "\n")
	}
}

// resultsIn gives the results that a turn holds: one per tag, one per piece
// between borders, one per element of a list that has as many as there are
// calls (LLaMA-Factory), or just one.
func (t *talk) resultsIn(a answer) {
	text := a.content
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), resultOpen):
		t.taggedResults(a)
	case strings.Contains(text, resultBorder):
		for a.content = range strings.SplitSeq(text, resultBorder) {
			t.answered(a)
		}
	case string(t.one.Get("from")) == `"observation"` && strings.HasPrefix(text, "[") && t.listedResults(a):
	default:
		t.answered(a)
	}
}

// listedResults takes a JSON list of results apart if it has one for each of
// several calls, and reports whether it did.
func (t *talk) listedResults(a answer) bool {
	if !t.holds || len(t.held.ToolCalls) < 2 || len(t.results) > 0 {
		return false
	}
	t.buf = append(t.buf[:0], a.content...)
	if !t.valid(t.buf) {
		return false
	}
	n := 0
	for range rawjson.Elements(t.buf) {
		n++
	}
	if n != len(t.held.ToolCalls) {
		return false
	}
	for val := range rawjson.Elements(t.buf) {
		a.content = rawjson.Recorded(val)
		t.answered(a)
	}
	return true
}

// taggedResults takes a turn of results between tags apart. Text after a
// closing tag belongs to no result, and stays with the one before it.
func (t *talk) taggedResults(a answer) {
	w := t.tagged(a.content, resultOpen, resultShut)
	for at := w.find(0); at >= 0; {
		one := a
		end := t.taggedResult(w, &one, at+len(w.open))
		if at = w.find(end); at < 0 {
			at = len(w.text)
		}
		if outside := w.text[end:at]; strings.TrimSpace(outside) != "" {
			t.note(noteOutside, "")
			one.content += outside
		}
		t.answered(one)
		if at == len(w.text) {
			return
		}
	}
}

// taggedResult reads the result after an opening tag, and returns the end of
// its closing tag.
func (t *talk) taggedResult(w *tagged, a *answer, from int) (end int) {
	lo, hi, end, isJSON := w.json(from)
	if !isJSON {
		end = min(w.shutAt(from)+len(w.shut), len(w.text))
	}
	closed := end
	if w.closed(end) {
		closed -= len(w.shut)
	} else {
		t.note(noteOpenResult, "")
	}
	a.content = strings.TrimSuffix(strings.TrimPrefix(w.text[from:closed], "\n"), "\n")
	if isJSON && w.b[lo] == '{' {
		t.unwrap(a, &object{Object: rawjson.Object{In: w.b[lo:hi], Fields: w.scan.Fields}})
	}
	return end
}

// unwrap takes the result out of the object that Hermes puts around it. An
// object that only looks like one is the result itself: one without an id whose
// name is not that of a call that was made.
func (t *talk) unwrap(a *answer, o *object) {
	var content, id, name []byte
	failed, others := a.failed, false
	for i := range o.Fields {
		key, val := o.At(i)
		switch string(key) {
		case "content":
			content = val
		case "tool_call_id":
			id = val
		case "name":
			name = val
		case "is_error":
			failed = failed || string(val) == "true"
		case "role":
			others = others || string(val) != `"tool"`
		default:
			others = true
		}
	}
	if content == nil || id == nil && (!rawjson.IsText(name) || others || !t.called(rawjson.Unquote(name))) {
		return
	}
	a.id, a.failed = rawjson.Recorded(id), failed
	if a.name = textual(name); a.name == unknownTool {
		a.name = ""
	}
	if !others { // else what stands beside it would be lost
		a.content = rawjson.Recorded(content)
	}
}

// unknownTool is what Hermes calls the tool of a result beyond the calls.
const unknownTool = "unknown"

// called reports whether a result may come from a tool with that name: it was
// called, or it is not known what was.
func (t *talk) called(name string) bool {
	if !t.holds || len(t.results) == len(t.held.ToolCalls) || name == unknownTool {
		return true
	}
	for i := range t.held.ToolCalls {
		if t.held.ToolCalls[i].Name == name {
			return true
		}
	}
	return false
}

// toolBlock returns the list of tools in a system prompt, "" if there is none.
func (t *talk) toolBlock(prompt string) string {
	w := t.tagged(prompt, toolsOpen, toolsShut)
	for from := 0; ; {
		i := w.find(from)
		if i < 0 {
			return ""
		}
		from = i + len(w.open)
		if lo, hi, _, ok := w.json(from); ok && rawjson.IsList(w.b[lo:hi]) && !isEmptyList(w.b[lo:hi]) {
			return string(w.b[lo:hi])
		}
		if tools := w.objects(from); tools != "" {
			return tools
		}
	}
}

// objects returns the objects that stand one after the other up to the
// closing tag as a list, "" if anything else is among them.
func (w *tagged) objects(from int) string {
	var list bytes.Buffer
	for {
		lo := w.pass(from)
		if list.Len() > 0 && strings.HasPrefix(w.text[lo:], w.shut) {
			return list.String() + "]"
		}
		if lo == len(w.b) || w.b[lo] != '{' {
			return ""
		}
		w.scan.Reset()
		p := w.scan.Scan(w.b[lo:], false)
		from = lo + w.scan.End
		if p != rawjson.Done || w.scan.Flawed {
			return ""
		}
		if list.Len() == 0 {
			list.WriteByte('[')
		} else {
			list.WriteByte(',')
		}
		list.Write(w.b[lo:from])
	}
}
