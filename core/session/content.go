package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// partKind maps the part types of both families to what they leave.
func partKind(kind string) (mark chat.Marks, known bool) {
	switch kind {
	case "image_url", "image", "input_image", "image_file":
		return chat.MarkImage, true
	case "input_audio", "audio", "audio_url":
		return chat.MarkAudio, true
	case "file", "input_file", "document", "container_upload", "video", "video_url":
		return chat.MarkFile, true
	}
	return 0, false
}

// placeholder is what stands in the text for a part that is not text. What that
// held (mostly base64) is not kept.
func placeholder(mark chat.Marks) string {
	switch mark {
	case chat.MarkImage:
		return "[image]"
	case chat.MarkAudio:
		return "[audio]"
	}
	return "[file]"
}

// part is one element of a content list. Values are as recorded, nil if the
// element does not have them.
type part struct {
	raw      []byte
	kind     string // its type; "" for an object without one
	object   bool
	empty    bool   // an object without members
	text     []byte // the string that holds its text
	valued   bool   // that string is its "value", as LLaMA-Factory has it
	thinking []byte
	id       []byte
	name     []byte
	input    []byte
	args     []byte // arguments
	answers  []byte // tool_use_id
	content  []byte
	failed   bool // is_error
	source   bool
}

// object is one valid JSON object, ready to be decoded. It is valid until more
// of the source is read.
type object struct {
	rawjson.Object
	scratch *scratch
}

// scratch is what objects share, so that a line costs no allocation.
type scratch struct {
	list   []byte                 // the content list that was looked at last
	parts  []part                 // its first ones
	rest   rawjson.Cursor[[]byte] // after them
	fields []rawjson.Field        // of an object inside of another
}

// maxParts is how many parts of a content list are kept for the next one who
// asks; real lists have a few. Those after them are read again, since a part
// takes a hundred times the memory of the smallest element.
const maxParts = 64

// partWalk goes through a content list.
type partWalk struct {
	kept []part                 // the first ones
	rest rawjson.Cursor[[]byte] // after them
	one  part                   // the last of the rest
}

// next returns the next part, valid until the one after it is asked for; nil
// at the end.
func (w *partWalk) next() *part {
	if len(w.kept) > 0 {
		p := &w.kept[0]
		w.kept = w.kept[1:]
		return p
	}
	if !w.one.read(&w.rest) {
		return nil
	}
	return &w.one
}

// read reads the next element of a list.
func (p *part) read(c *rawjson.Cursor[[]byte]) bool {
	*p = part{}
	c.Pass()
	if c.At < len(c.In) && c.In[c.At] == '{' {
		c.At = p.parse(c.In, c.At)
		return true
	}
	val, ok := c.Element()
	p.raw = val
	return ok
}

// parse reads the object at b[i] and returns its end.
func (p *part) parse(b []byte, i int) (end int) {
	p.object, p.empty = true, true
	c := rawjson.Cursor[[]byte]{In: b, At: i + 1}
	var other []byte
	for {
		name, val, ok := c.Member()
		if !ok {
			break
		}
		p.empty = false
		switch string(name) {
		case "type":
			p.kind = ""
			if rawjson.IsText(val) {
				p.kind = partType(val)
			}
		case "text", "refusal":
			if rawjson.IsText(val) {
				p.text = val
			}
		case "value":
			if rawjson.IsText(val) {
				other = val
			}
		case "thinking":
			p.thinking = val
		case "id":
			p.id = val
		case "name":
			p.name = val
		case "input":
			p.input = val
		case "arguments":
			p.args = val
		case "tool_use_id":
			p.answers = val
		case "content":
			p.content = val
		case "is_error":
			p.failed = string(val) == "true"
		case "source":
			p.source = true
		}
	}
	if p.text == nil {
		p.text, p.valued = other, other != nil
		if other == nil && rawjson.IsText(p.content) {
			p.text = p.content
		}
	}
	end = min(c.At+1, len(b))
	p.raw = b[i:end]
	return end
}

// parts goes through the elements of the object's content list. The first ones
// are read once, whoever asks.
func (o *object) parts(list []byte) partWalk {
	s := o.scratch
	if len(s.list) == 0 || &s.list[0] != &list[0] || len(s.list) != len(list) {
		s.read(rawjson.Within(list))
		s.list = list
	}
	return partWalk{kept: s.parts, rest: s.rest}
}

// content returns the content that is the next element of a walk. Of a list,
// the parts are read on the way.
func (o *object) content(c *rawjson.Cursor[[]byte]) (val []byte) {
	if !c.More() || c.In[c.At] != '[' {
		val, _ = c.Element()
		return val
	}
	s, from := o.scratch, c.At
	s.read(rawjson.Cursor[[]byte]{In: c.In, At: from + 1})
	end := s.rest
	for end.More() {
		end.At = rawjson.End(end.In, end.At)
	}
	c.At = min(end.At+1, len(c.In))
	s.list = c.In[from:c.At]
	return s.list
}

// read reads the first parts of a content list.
func (s *scratch) read(list rawjson.Cursor[[]byte]) {
	s.parts, s.rest = s.parts[:0], list
	for len(s.parts) < maxParts {
		s.parts = append(s.parts, part{})
		if n := len(s.parts) - 1; !s.parts[n].read(&s.rest) {
			s.parts = s.parts[:n]
			break
		}
	}
}

// partType returns the type without making a string of the frequent ones.
func partType(val []byte) string {
	raw := val[1 : len(val)-1]
	for _, known := range [...]string{"text", "tool_use", "tool_result", "thinking", "image_url", "image", "input_text", "output_text", "toolCall"} {
		if string(raw) == known {
			return known
		}
	}
	return rawjson.Unquote(val)
}

// addPart adds what a part leaves in the text of its message, and marks the
// message for what it does not leave.
func (e *entry) addPart(p *part, marks *chat.Marks) {
	if mark, known := partKind(p.kind); known {
		*marks |= mark
		e.text.add(placeholder(mark), "\n")
		return
	}
	if p.text != nil {
		e.text.text(p.text, "\n")
		return
	}
	switch p.kind {
	case "text", "input_text", "output_text", "refusal", "redacted_thinking", "encrypted_content":
		return // nothing was said
	case "":
		e.note("content part without a type", "")
		if p.empty {
			return
		}
	default:
		e.note("content part of unknown type", shown(p.kind, shownKey))
	}
	*marks |= chat.MarkFile
	e.text.add(placeholder(chat.MarkFile), "\n")
}

// listText joins the text of all parts of a list with newlines.
func (e *entry) listText(parts partWalk, m *chat.Message) string {
	for p := parts.next(); p != nil; p = parts.next() {
		e.addElement(p, &m.Marks)
	}
	return e.text.take()
}

// addElement adds what an element of a content list leaves.
func (e *entry) addElement(p *part, marks *chat.Marks) {
	if p.object {
		e.addPart(p, marks)
	} else {
		e.bareText(p.raw)
	}
}

// bareText adds an element of a content list that is no object.
func (e *entry) bareText(val []byte) {
	switch {
	case rawjson.IsText(val):
		e.text.text(val, "\n")
	case !rawjson.IsNull(val):
		e.note("content part is no object", rawjson.Kind(val))
	}
}

// roleOf reads the role of a line. The outcome is only set if ok is false.
func roleOf(val []byte) (role chat.Role, why outcome, ok bool) {
	if !rawjson.IsText(val) {
		return "", bad("role is not text: " + rawjson.Kind(val)), false
	}
	raw := rawjson.Unescape(val[1 : len(val)-1])
	role, ok = chat.ParseRole(string(raw))
	if !ok {
		return "", bad(`unknown role "` + shown(string(raw[:min(len(raw), 4*shownKey)]), shownKey) + `"`), false
	}
	return role, outcome{}, true
}

// common takes the fields that all formats with one message per line share.
func (e *entry) common(m *chat.Message, name string, val []byte) {
	switch name {
	case "timestamp", "created_at", "ts":
		m.Timestamp = later(m.Timestamp, stamp(val))
	case "model":
		m.Model = later(m.Model, e.name(val))
	case "id", "message_id":
		m.NativeID = later(m.NativeID, stamp(val))
	case "parent_id":
		m.ParentID = later(m.ParentID, stamp(val))
	case "stop_reason", "finish_reason":
		m.StopReason = later(m.StopReason, e.name(val))
	}
}
