package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// acceptsMessages takes an object with a conversation: a list of messages of
// either style, or a prompt and its completion, each such a list.
func acceptsMessages(o *object, _ *memory, _ bool) bool {
	if rawjson.IsText(o.Get("type")) && o.Has("sessionKey", "sessionId", "seq") {
		return false // an event of a log, with what the model was sent
	}
	lists := messageLists(o)
	for _, l := range lists {
		if holdsMember(l.val, "role", "from") {
			return true
		}
	}
	return isEmptyList(lists[0].val) && !o.Has("sessionId")
}

// listed is a field of a record that holds messages.
type listed struct {
	name string // "" for none
	val  []byte
}

// messageLists returns the lists that make up the conversation of a record.
func messageLists(o *object) (lists [2]listed) {
	for _, name := range [...]string{"messages", "traj"} {
		if val := o.Get(name); rawjson.IsList(val) {
			lists[0] = listed{name, val}
			return lists
		}
	}
	prompt, completion := o.Get("prompt"), o.Get("completion")
	if rawjson.IsList(prompt) && rawjson.IsList(completion) {
		lists = [2]listed{{"prompt", prompt}, {"completion", completion}}
	}
	return lists
}

func decodeMessages(o *object, e *entry) outcome { return e.conversationOf(o, messageLists(o)) }

// style tells the messages of a conversation apart as lines are told apart,
// but with all of it at hand.
type style struct {
	anthropic bool // the message before was
	openai    bool // something that only OpenAI-style recorders write is in it
	searched  bool // for that, up to its end
}

// isAnthropic decides on the message being read.
func (t *talk) isAnthropic() bool {
	o, s := &t.one, &t.style
	if !s.openai && openAIEvidence(o) {
		s.openai = true
	}
	if !s.openai && !s.searched && rawjson.IsList(o.Get("content")) {
		s.searched, s.openai = true, t.speaksOpenAI()
	}
	s.anthropic = takesAnthropic(o, s.openai, s.anthropic)
	return s.anthropic
}

// speaksOpenAI looks for evidence of OpenAI's style in all of the conversation.
func (t *talk) speaksOpenAI() bool { return t.anyField(isOpenAIField) }

// anyField reports whether a field of any element is one that is looked for.
func (t *talk) anyField(is func(name, val []byte) bool) bool {
	for _, l := range t.lists {
		for msg := range rawjson.Elements(l.val) {
			for name, val := range rawjson.Members(msg) {
				if is(name, val) {
					return true
				}
			}
		}
	}
	return false
}

// chatMessage reads an element with one of the four roles.
func (t *talk) chatMessage(role chat.Role) outcome {
	t.flush()
	if t.isAnthropic() {
		return t.anthropicMessage(&t.one, role, t)
	}
	return t.openAITurn(role)
}

// openAITurn reads an element in OpenAI's style.
func (t *talk) openAITurn(role chat.Role) outcome {
	m, why, ok := t.openAIMessage(&t.one, role)
	if !ok {
		return why
	}
	if role == chat.Assistant {
		if m.Reasoning == "" && t.one.Has("loss") {
			said := m.Content
			m.Reasoning, m.Content = chat.CutThink(said) // ms-swift has no field for it
			if len(m.Content) < len(said) {
				t.cutStrays(m)
			}
		}
		return t.hold(m, true)
	}
	return t.give(m)
}

// callTurn reads an element that holds calls as JSON text: those in a row, and
// the text in front of them, are one message.
func (t *talk) callTurn(text string) outcome {
	reasoning, calls := chat.CutThink(text)
	if reasoning == "" && t.open && t.writtenCalls(&t.held, calls) {
		return read()
	}
	t.flush()
	m := t.head(chat.Assistant)
	m.Reasoning = reasoning
	if t.writtenCalls(m, calls) {
		return t.hold(m, true)
	}
	t.spoken(m, text)
	if len(m.ToolCalls) == 0 && t.writtenCalls(m, m.Content) {
		m.Content = "" // it stands after a stray end of the reasoning
	}
	if len(m.ToolCalls) == 0 {
		m.Marks |= chat.MarkMalformedCall
		t.note(noteMalformed, "")
	}
	return t.hold(m, false)
}
