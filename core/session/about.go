package session

import (
	"bytes"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// about is what is known of a conversation from the fields beside it.
type about struct {
	tools  bool       // they are known, or were looked for
	media  chat.Marks // kinds of media that are beside the conversation
	lead   bool       // a system prompt beside the conversation leads it
	system []byte     // that prompt
}

// maxPlace is the longest text that can say where a picture, sound or film is:
// what is longer holds the data itself, as base64.
const maxPlace = 1 << 10

// tellAbout reads all fields of a record but the conversation. What has no
// place of its own in the metadata is kept in its Extra as recorded.
func (t *talk) tellAbout(o *object) {
	var rest extra
	native := nativeField(o)
	t.about.lead = o.Has("system", "system_prompt") && !t.hasSystem()
	for i := range o.Fields {
		name, val := o.At(i)
		switch {
		case t.isRead(name):
		case native != "" && string(name) == native:
			t.meta.NativeID = rawjson.Unquote(val)
		case !t.takes(string(name), val):
			rest.field(o, i)
		}
	}
	t.meta.Extra = rest.object()
	t.about.tools = t.meta.Tools != ""
	t.systemBeside(t.about.system)
}

// takes reads a field that has its place, and reports whether that is all that
// it is good for.
func (t *talk) takes(name string, val []byte) bool {
	meta := &t.meta
	switch name {
	case "title":
		return takeText(&meta.Title, val)
	case "cwd":
		return takeText(&meta.Dir, val)
	case "model":
		if rawjson.IsText(val) {
			meta.Model = t.names.text(val)
		}
		return rawjson.IsText(val)
	case "completed":
		if rawjson.Kind(val) != "boolean" {
			return false
		}
		meta.Completed = new(isTrue(val))
		return true
	case "timestamp":
		meta.Started = later(meta.Started, stamp(val))
		return false // Hermes has it among its fields: it stays there
	case "created_at", "started_at", "session_start":
		return takeStamp(&meta.Started, val)
	case "updated_at", "ended_at", "last_updated":
		return takeStamp(&meta.Ended, val)
	case "tools", "functions":
		tools, ok := toolsOf(val)
		if ok {
			meta.Tools = later(meta.Tools, tools)
		}
		return ok
	case "system", "system_prompt":
		if !t.about.lead || t.about.system != nil || !rawjson.IsText(val) && !rawjson.IsList(val) {
			return false
		}
		t.about.system = val
		return true
	case "image", "images":
		return t.beside(val, chat.MarkImage)
	case "audio", "audios":
		return t.beside(val, chat.MarkAudio)
	case "video", "videos":
		return t.beside(val, chat.MarkFile)
	case "metadata":
		t.aboutBatch(val)
	}
	return false
}

// nativeField names the field that holds the recorder's id of the conversation.
func nativeField(o *object) string {
	for _, name := range [...]string{"session_id", "conversation_id", "id"} {
		if val := o.Get(name); rawjson.IsText(val) && len(val) > len(`""`) {
			return name
		}
	}
	return ""
}

func takeText(to *string, val []byte) bool {
	if rawjson.IsText(val) {
		*to = rawjson.Unquote(val)
	}
	return rawjson.IsText(val)
}

func takeStamp(to *string, val []byte) bool {
	at := stamp(val)
	*to = later(*to, at)
	return at != ""
}

// isRead reports whether a field of a record holds its conversation.
func (t *talk) isRead(name []byte) bool {
	for _, l := range t.lists {
		if l.name != "" && l.name == string(name) {
			return true
		}
	}
	return false
}

// aboutBatch reads the metadata that Hermes batches have in a field of their own,
// where the record itself says nothing. It stays in Extra as well.
func (t *talk) aboutBatch(val []byte) {
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "model":
			if rawjson.IsText(val) && t.meta.Model == "" {
				t.meta.Model = t.names.text(val)
			}
		case "timestamp":
			t.meta.Started = later(stamp(val), t.meta.Started)
		}
	}
}

// toolsOf returns the list of tools that a field holds, as a list or as the
// text of one; ok is false if it is neither.
func toolsOf(val []byte) (tools string, ok bool) {
	switch {
	case rawjson.IsNull(val):
		return "", true
	case rawjson.IsList(val):
		return string(val), true
	case rawjson.IsText(val):
		tools = strings.TrimSpace(rawjson.Unquote(val))
		return tools, tools == "" || tools[0] == '['
	}
	return "", false
}

// beside notes media that stand beside the conversation, and reports whether
// they are left out of the metadata: what they are is not kept, where they are is.
func (t *talk) beside(val []byte, kind chat.Marks) (leftOut bool) {
	if rawjson.IsNull(val) || isEmptyList(val) {
		return false
	}
	t.about.media |= kind
	if holdsData(val) {
		t.note("media beside the conversation are not kept", "")
		return true
	}
	return false
}

func holdsData(val []byte) bool {
	for text := range bytes.SplitSeq(val, []byte{'"'}) {
		if len(text) > maxPlace || bytes.HasPrefix(text, []byte("data:")) || string(text) == "bytes" {
			return true
		}
	}
	return false
}

func isEmptyList(val []byte) bool {
	c := rawjson.Within(val)
	_, any := c.Element()
	return rawjson.IsList(val) && !any
}

// see marks a message that refers to media beside the conversation.
func (a *about) see(m *chat.Message) {
	if a.media == 0 {
		return
	}
	for _, tag := range [...]struct {
		mark chat.Marks
		text string
	}{{chat.MarkImage, "<image>"}, {chat.MarkAudio, "<audio>"}, {chat.MarkFile, "<video>"}} {
		if a.media.Has(tag.mark) && strings.Contains(m.Content, tag.text) {
			m.Marks |= tag.mark
		}
	}
}

// hasSystem reports whether there is a system message in the conversation.
func (t *talk) hasSystem() bool {
	return t.anyField(func(name, val []byte) bool {
		return (string(name) == "role" || string(name) == "from") && (string(val) == `"system"` || string(val) == `"developer"`)
	})
}

// systemBeside gives the system prompt that stands beside the conversation: a
// text, or a list of Anthropic's blocks.
func (t *talk) systemBeside(val []byte) {
	if val == nil {
		return
	}
	m := t.entry.message(chat.System)
	if m.Content = t.textOrJSON(m, val); !m.Empty() {
		t.give(m)
	}
}

// toolsIn takes the tools from the system prompt if nothing else tells them:
// the list in its <tools> block, or the objects there, one after the other.
func (t *talk) toolsIn(prompt string) {
	if t.about.tools {
		return
	}
	t.about.tools = true
	if !strings.Contains(prompt, "<tools>") {
		return
	}
	tools := t.toolBlock(prompt)
	if !t.gave {
		t.meta.Tools = tools
	} else if tools != "" {
		t.tell(Meta{Tools: tools})
	}
}
