// Package recorded reads recorded conversations, for benchmarks that judge what the
// program makes of them.
package recorded

import (
	"context"
	"fmt"
	"os"

	"winnow/core/chat"
	"winnow/core/session"
)

// Conversation is one session of a file.
type Conversation struct {
	Name     string // FILE or FILE#KEY
	Messages []chat.Message
}

// Read reads the sessions of a file in the order in which they begin.
func Read(path string) ([]Conversation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, _, err := session.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c := &collector{at: map[string]int{}}
	if _, err := session.Read(context.Background(), r, session.Options{}, session.State{}, c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []Conversation
	for _, s := range c.found {
		if s.Name != "" {
			s.Name = "#" + s.Name
		}
		s.Name = path + s.Name
		for i := range s.Messages {
			s.Messages[i].N = i + 1
		}
		if len(s.Messages) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// collector keeps the messages of all sessions of a source.
type collector struct {
	found []Conversation
	at    map[string]int // by key
}

func (c *collector) of(key string) *[]chat.Message {
	i, known := c.at[key]
	if !known {
		i = len(c.found)
		c.at[key] = i
		c.found = append(c.found, Conversation{Name: key})
	}
	return &c.found[i].Messages
}

func (c *collector) Message(key string, m *chat.Message) error {
	to := c.of(key)
	*to = append(*to, *m)
	return nil
}

func (c *collector) Amend(key string, back int, m *chat.Message) error {
	to := *c.of(key)
	if back >= len(to) {
		return fmt.Errorf("nothing to amend %d before the last of %d", back, len(to))
	}
	to[len(to)-1-back] = *m
	return nil
}

func (c *collector) Move(from string, after int, to string) error {
	source, target := c.of(from), *c.of(to)
	target = append(target, (*source)[after:]...)
	*c.of(from) = (*c.of(from))[:after:after]
	*c.of(to) = target
	return nil
}

func (c *collector) Meta(string, session.Meta) error { return nil }
func (c *collector) Issue(session.Issue) error       { return nil }
func (c *collector) LineDone(*session.State) error   { return nil }
