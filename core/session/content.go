package session

import (
	"bytes"
	"strings"

	"winnow/core/chat"
)

// placeholders stand in the text for parts that are not text. What they held
// (mostly base64) is not kept.
var placeholders = [...]struct {
	mark chat.Marks
	text string
}{
	{chat.MarkImage, "[image]"},
	{chat.MarkAudio, "[audio]"},
	{chat.MarkFile, "[file]"},
}

// partKinds maps the part types of both families to what they leave.
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

func placeholder(mark chat.Marks) string {
	for _, p := range placeholders {
		if p.mark == mark {
			return p.text
		}
	}
	return ""
}

// part is one element of a content list.
type part struct {
	obj  []byte
	kind string // "" if it has none
	text []byte // the value that holds its text, nil without one
}

// parsePart looks at one object of a content list.
func parsePart(obj []byte) part {
	p := part{obj: obj}
	c := within(obj)
	for {
		name, val, ok := c.member()
		if !ok {
			return p
		}
		switch string(name) {
		case "type":
			p.kind = ""
			if isText(val) {
				p.kind = partType(val)
			}
		case "text", "refusal":
			if isText(val) {
				p.text = val
			}
		case "value", "content":
			if isText(val) && p.text == nil {
				p.text = val
			}
		}
	}
}

// partType returns the type without making a string of the frequent ones.
func partType(val []byte) string {
	raw := val[1 : len(val)-1]
	for _, known := range [...]string{"text", "tool_use", "tool_result", "thinking", "image_url", "image", "input_text", "output_text"} {
		if string(raw) == known {
			return known
		}
	}
	return textOf(val)
}

// partText returns what a part leaves in the text of its message, and marks
// the message for what it does not leave.
func (e *entry) partText(p part, m *chat.Message) (text string, ok bool) {
	if mark, known := partKind(p.kind); known {
		m.Marks |= mark
		return placeholder(mark), true
	}
	if p.text != nil {
		return textOf(p.text), true
	}
	switch p.kind {
	case "text", "input_text", "output_text", "refusal", "redacted_thinking":
		return "", false // nothing was said
	case "":
		e.note("content part without a type")
	default:
		e.note("content part of unknown type: " + shown(p.kind, shownKey))
	}
	m.Marks |= chat.MarkFile
	return placeholder(chat.MarkFile), true
}

// listText joins the text of all parts of a list with newlines.
func (e *entry) listText(list []byte, m *chat.Message) string {
	texts := e.texts[:0]
	for c := within(list); ; {
		val, ok := c.element()
		if !ok {
			break
		}
		switch {
		case isText(val):
			texts = append(texts, textOf(val))
		case isObject(val):
			if text, ok := e.partText(parsePart(val), m); ok {
				texts = append(texts, text)
			}
		case !isNull(val):
			e.note("content part is no object: " + kindOf(val))
		}
	}
	text := strings.Join(texts, "\n")
	clear(texts) // don't hold on to long texts
	e.texts = texts
	return text
}

// roleOf reads the role of a line. The outcome is only set if ok is false.
func roleOf(val []byte) (role chat.Role, why outcome, ok bool) {
	if !isText(val) {
		return "", bad("role is not text: " + kindOf(val)), false
	}
	raw := val[1 : len(val)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		raw = appendText(nil, raw)
	}
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
		if isText(val) || kindOf(val) == "number" {
			m.Timestamp = recorded(val)
		}
	case "model":
		if isText(val) {
			m.Model = e.names.text(val)
		}
	case "id", "message_id":
		if isText(val) || kindOf(val) == "number" {
			m.NativeID = recorded(val)
		}
	case "parent_id":
		if isText(val) || kindOf(val) == "number" {
			m.ParentID = recorded(val)
		}
	case "stop_reason", "finish_reason":
		if isText(val) {
			m.StopReason = e.names.text(val)
		}
	}
}
