package export

import (
	"slices"

	"winnow/core/chat"
	"winnow/core/session"
)

// conversation is a session that is being read.
type conversation struct {
	key      string
	line     int64 // of the source, where it begins
	meta     session.Meta
	messages []chat.Message
	whole    bool // complete with the end of the value
}

// number numbers the messages anew: a number is the place in the list.
func (c *conversation) number() {
	for i := range c.messages {
		c.messages[i].N = i + 1
	}
}

// conversations is a session.Sink that gives conversations away in the order
// in which they begin.
type conversations struct {
	take  func(*conversation) error
	issue func(session.Issue)
	known map[string]*conversation
	queue []*conversation
	// single says that all is one conversation, which stays.
	single bool
}

func newConversations(take func(*conversation) error, issue func(session.Issue)) *conversations {
	return &conversations{take: take, issue: issue, known: map[string]*conversation{}}
}

func (c *conversations) of(key string) *conversation {
	if c.single {
		key = ""
	}
	conv := c.known[key]
	if conv == nil {
		conv = &conversation{key: key}
		c.known[key] = conv
		c.queue = append(c.queue, conv)
	}
	return conv
}

func (c *conversations) Meta(key string, m session.Meta) error {
	conv := c.of(key)
	conv.whole = conv.whole || m.Whole
	for _, f := range [...]struct{ to, from *string }{
		{&conv.meta.Format, &m.Format}, {&conv.meta.Title, &m.Title}, {&conv.meta.Model, &m.Model}, {&conv.meta.Started, &m.Started},
		{&conv.meta.Dir, &m.Dir},
		{&conv.meta.Tools, &m.Tools}, {&conv.meta.Extra, &m.Extra},
	} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if m.Completed != nil {
		conv.meta.Completed = m.Completed
	}
	return nil
}

func (c *conversations) Message(key string, m *chat.Message) error {
	conv := c.of(key)
	if conv.line == 0 {
		conv.line = m.SourceLine
	}
	conv.messages = append(conv.messages, owned(m))
	return nil
}

func (c *conversations) Amend(key string, back int, m *chat.Message) error {
	conv := c.of(key)
	if i := len(conv.messages) - 1 - back; i >= 0 {
		conv.messages[i] = owned(m)
	}
	return nil
}

// owned is a message that its reader does not change later.
func owned(m *chat.Message) chat.Message {
	own := *m
	own.ToolCalls = slices.Clone(m.ToolCalls)
	return own
}

func (c *conversations) Move(from string, after int, to string) error {
	source := c.of(from)
	target := c.of(to)
	if source != target && after < len(source.messages) {
		moved := source.messages[after:]
		if target.line == 0 {
			target.line = moved[0].SourceLine
		}
		target.messages = append(target.messages, moved...)
		source.messages = slices.Clip(source.messages[:after])
	}
	return nil
}

func (c *conversations) Issue(i session.Issue) error {
	c.issue(i)
	return nil
}

// LineDone gives away what is complete, as far as all before it is.
func (c *conversations) LineDone(at *session.State) error {
	n := 0
	for ; n < len(c.queue) && c.queue[n].whole && !c.single; n++ {
		conv := c.queue[n]
		if conv.line == 0 {
			conv.line = at.Lines // it has no message that tells
		}
		if err := c.take(conv); err != nil {
			return err
		}
		delete(c.known, conv.key)
		c.queue[n] = nil
	}
	c.queue = c.queue[n:]
	return nil
}

// end gives away the rest. A session without any message is none: something
// was told about it, and that is all.
func (c *conversations) end() error {
	for _, conv := range c.queue {
		if len(conv.messages) == 0 && !conv.whole {
			continue
		}
		if err := c.take(conv); err != nil {
			return err
		}
	}
	c.queue = nil
	return nil
}
