package session

import (
	"strconv"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// talk reads a conversation that is all in one value, element by element.
//
// The last assistant message is held back until it is known what belongs to
// it: calls that stand in elements of their own, and the ids that only the
// results of its calls have.
type talk struct {
	opening
	lists [2]listed
	one   object // the element being read
	style style
	about about

	holds   bool
	held    chat.Message
	open    bool     // elements that hold calls go on with held
	results []answer // of held, so far
}

const reasonNoMessage = "conversation without a message"

// conversationOf reads a record whose conversation is in those lists.
func (e *entry) conversationOf(o *object, lists [2]listed) outcome {
	t := talk{opening: opening{entry: e}, lists: lists}
	t.one = object{rawjson.Object{Fields: o.scratch.fields}, o.scratch}
	t.tellAbout(o)
	for _, l := range lists {
		t.elements(l.val)
	}
	t.flush()
	o.scratch.fields = t.one.Fields[:0]
	if t.gave {
		e.keep(e.amendLast())
		e.t.forget()
	} else if e.exact {
		t.openSession()
	}
	return t.outcome()
}

// elements reads the elements of a list.
func (t *talk) elements(list []byte) {
	for c := rawjson.Within(list); ; {
		c.Pass()
		if c.At < len(c.In) && c.In[c.At] == '{' {
			var narrow bool
			if c.At, narrow = t.one.Open(c.In, c.At); narrow {
				t.leave(t.element())
			} else {
				t.leave(bad("more than " + strconv.Itoa(rawjson.MaxFields) + " fields"))
			}
			continue
		}
		val, ok := c.Element()
		if !ok {
			return
		}
		t.leave(notObject(val))
	}
}

// element reads an element: a message with role and content, a turn with from
// and value, or a pair of turns.
func (t *talk) element() outcome {
	o := &t.one
	from, text := o.Get("from"), o.Get("value")
	if from == nil {
		from = o.Get("role")
		role, _, known := roleOf(from)
		if known && (text == nil || o.Has("content")) {
			return t.chatMessage(role)
		}
		if text == nil {
			text = o.Get("content")
		}
	}
	switch {
	case rawjson.IsText(from):
		return t.turn(from, text)
	case from != nil:
		return bad("role is not text: " + rawjson.Kind(from))
	case o.Has("human", "assistant", "input", "output"):
		return t.pair()
	}
	return skipped("no message: " + keysOf(o))
}

// outcome says what became of the record.
func (t *talk) outcome() outcome {
	if t.gave {
		t.account()
		return read()
	}
	for _, l := range t.left {
		if l.why.as == Bad {
			return l.why
		}
	}
	if len(t.left) > 0 {
		return t.left[0].why
	}
	return skipped(reasonNoMessage)
}

// give delivers a message that nothing adds to.
func (t *talk) give(m *chat.Message) outcome {
	t.about.see(m)
	if m.Role == chat.System {
		t.toolsIn(m.Content)
	}
	return readIf(t.deliver(m))
}

// hold keeps an assistant message back. Nothing else is held, and none that is
// read before it is delivered has calls of its own. open says that elements which
// hold calls go on with it.
func (t *talk) hold(m *chat.Message, open bool) outcome {
	t.held, t.holds, t.open = *m, true, open
	return read()
}

// flush delivers what is held.
func (t *talk) flush() {
	if !t.holds {
		return
	}
	t.holds, t.open = false, false
	t.leave(t.give(&t.held))
	for i := range t.results {
		t.giveAnswer(&t.results[i])
	}
	clear(t.results)
	t.results = t.results[:0]
}

// answer is what came of a call.
type answer struct {
	id, name, content string
	when              string
	marks             chat.Marks
	failed            bool
}

// answered takes the next result. The calls of the message before are answered
// in their order; those without an id get the one of their result.
func (t *talk) answered(a answer) {
	if !t.holds || len(t.results) == len(t.held.ToolCalls) {
		t.flush()
		t.giveAnswer(&a)
		return
	}
	call := &t.held.ToolCalls[len(t.results)]
	if call.ID == "" {
		call.ID = a.id
	} else if a.id == "" {
		a.id = call.ID
	}
	t.open = false
	if t.results = append(t.results, a); len(t.results) == len(t.held.ToolCalls) {
		t.flush()
	}
}

func (t *talk) giveAnswer(a *answer) {
	m := t.entry.message(chat.Tool)
	m.ToolCallID, m.Name, m.Content, m.Timestamp = a.id, a.name, a.content, a.when
	m.Marks, m.IsError = a.marks, a.failed
	t.give(m)
}
