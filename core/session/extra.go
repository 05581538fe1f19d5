package session

import (
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// extra collects metadata that has no field of its own, as the members of a
// JSON object. Values stand in it as recorded; null and {} are left out.
type extra struct{ b strings.Builder }

// field adds the i-th field of an object.
func (x *extra) field(o *object, i int) {
	f := o.Fields[i]
	x.member(o.In[f.NameLo-1:f.NameHi+1], o.In[f.Lo:f.Hi])
}

// member adds a member; key is its name as recorded, with the quotes.
func (x *extra) member(key, val []byte) {
	if rawjson.IsNull(val) || string(val) == "{}" {
		return
	}
	if x.b.Len() == 0 {
		x.b.WriteByte('{')
	} else {
		x.b.WriteByte(',')
	}
	x.b.Write(key)
	x.b.WriteByte(':')
	x.b.Write(val)
}

// object returns the object, "" without a member.
func (x *extra) object() string {
	if x.b.Len() == 0 {
		return ""
	}
	return x.b.String() + "}"
}

// maxCount bounds a recorded number of tokens: sums of them must not wrap.
const maxCount = 1 << 40

// countOf reads a recorded number of tokens; what is none is 0.
func countOf(val []byte) int64 {
	if rawjson.Kind(val) != "number" || len(val) > 32 {
		return 0
	}
	n, err := strconv.ParseFloat(string(val), 64)
	if err != nil || n < 0 || n > maxCount {
		return 0
	}
	return int64(n)
}

// stamp returns a recorded time: a text or a number, "" for anything else.
func stamp(val []byte) string {
	if rawjson.IsText(val) || rawjson.Kind(val) == "number" {
		return rawjson.Recorded(val)
	}
	return ""
}

func isTrue(val []byte) bool { return string(val) == "true" }

// textual returns the text of a string, "" for anything else.
func textual(val []byte) string {
	if rawjson.IsText(val) {
		return rawjson.Unquote(val)
	}
	return ""
}

// content sets the text of a message: a text, a list of parts, or any other
// value as its JSON.
func (e *entry) content(m *chat.Message, val []byte) {
	if m.Content = e.textOrJSON(m, val); !rawjson.IsNull(val) && !rawjson.IsText(val) && !rawjson.IsList(val) {
		e.note("content is no text, kept as its JSON", rawjson.Kind(val))
	}
}

// textOrJSON returns what a content says: a text, the texts of a list of parts,
// or any other value as its JSON.
func (e *entry) textOrJSON(m *chat.Message, val []byte) string {
	if rawjson.IsList(val) {
		return e.listText(partWalk{rest: rawjson.Within(val)}, m)
	}
	return rawjson.Recorded(val)
}

// onlyText sets the text of a message from a text or a list of parts; nothing
// else is one.
func (e *entry) onlyText(m *chat.Message, val []byte) (why outcome, ok bool) {
	if !rawjson.IsNull(val) && !rawjson.IsText(val) && !rawjson.IsList(val) {
		return bad("content is not text: " + rawjson.Kind(val)), false
	}
	m.Content = e.textOrJSON(m, val)
	return outcome{}, true
}
