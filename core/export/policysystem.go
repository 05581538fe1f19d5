package export

import (
	"context"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// keeps reports whether recorded system messages stay.
func (p System) keeps() bool { return !p.Drop && p.Text == "" }

// apply brings the beginning of a sample in line with the policy. prompt is
// what the session began with, if the sample begins later. A summary that took
// the place of earlier messages is no system message here: what it tells the
// model belongs to the conversation.
func (p System) apply(s *Sample, prompt []chat.Message) {
	own := s.prompts()
	switch {
	case p.Drop:
		s.Messages = s.Messages[own:]
	case p.Text != "":
		first := Message{Role: chat.System, Content: p.Text}
		s.Messages = append([]Message{first}, s.Messages[own:]...)
	case own == 0 && len(prompt) > 0:
		before := make([]Message, len(prompt), len(prompt)+len(s.Messages))
		for i := range prompt {
			before[i] = newMessage(&prompt[i])
		}
		s.Messages = append(before, s.Messages...)
	}
}

func isPrompt(role chat.Role, marks chat.Marks) bool {
	return role == chat.System && !marks.Has(chat.MarkCompaction)
}

// cutEphemeral cuts a text out of all system messages, and reports whether it was
// in one. One of which nothing is left goes.
func cutEphemeral(s *Sample, text string) (found bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	s.keep(func(_ int, m *Message) bool {
		if m.Role != chat.System || !strings.Contains(m.Content, text) {
			return true
		}
		found = true
		m.Content = without(m.Content, text)
		return m.Content != ""
	})
	return found
}

// without cuts every occurrence of a part out of a text, with the white space
// around it: at the ends all of it, else of the two spaces at the cut the
// smaller one.
func without(text, part string) string {
	pieces := strings.Split(text, part)
	out := pieces[0]
	for _, piece := range pieces[1:] {
		left, right := strings.TrimRight(out, blanks), strings.TrimLeft(piece, blanks)
		gap, other := out[len(left):], piece[:len(piece)-len(right)]
		if len(other) > len(gap) {
			gap = other
		}
		switch {
		case left == "":
			out = right
		case right == "":
			out = left
		default:
			out = left + gap + right
		}
	}
	return out
}

// blanks is what separates the parts of a prompt.
const blanks = " \t\r\n"

// prompts finds the system messages that sessions began with, each once.
type prompts struct {
	src     Source
	session string // id
	own     bool   // they are of the session itself
	found   []chat.Message
}

// mostParents bounds how far up the sessions are followed that a session goes
// on from. A damaged database may hold a circle of them.
const mostParents = 16

// before returns the system messages that the model saw before a segment which
// does not hold them: those that its session begins with or, where that goes
// on from another session, those of that one.
func (p *prompts) before(ctx context.Context, seg *review.Segment, sess *review.Session) ([]chat.Message, error) {
	if seg.Start == 1 && !goesOn(sess) {
		return nil, nil
	}
	if p.session != sess.ID {
		found, err := firstPrompt(ctx, p.src, seg.Body, p.src.Messages)
		if err != nil {
			return nil, err
		}
		p.session, p.found, p.own = sess.ID, found, len(found) > 0
		if !p.own {
			if p.found, err = p.inherited(ctx, sess); err != nil {
				return nil, err
			}
		}
	}
	if p.own && len(p.found) > 0 && p.found[0].N >= seg.Start {
		return nil, nil
	}
	return p.found, nil
}

// goesOn reports whether a session goes on from a stored one: a model saw that
// one too.
func goesOn(sess *review.Session) bool {
	return sess.Parent != "" && (sess.Origin.Kind == session.Branch || sess.Origin.Kind == session.Continuation)
}

// inherited returns the system messages of the sessions that a session goes on
// from.
func (p *prompts) inherited(ctx context.Context, sess *review.Session) ([]chat.Message, error) {
	branched := func(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
		list, _, err := branchView(ctx, p.src, body, from, to)
		return list, err
	}
	for range mostParents {
		if !goesOn(sess) {
			return nil, nil
		}
		parent, err := p.src.Session(ctx, sess.Parent)
		if err != nil {
			return nil, err
		}
		found, err := firstPrompt(ctx, p.src, parent.Body, branched)
		if err != nil || len(found) > 0 {
			for i := range found {
				found[i].N = 0 // no number of this session
			}
			return found, err
		}
		sess = &parent
	}
	return nil, nil
}

// promptBatch is how many messages are read at once: system messages are among
// the first few.
const promptBatch = 8

// firstPrompt returns the first run of system messages of a session that stand
// before anything a model said in it.
func firstPrompt(ctx context.Context, src Source, body int64, read func(ctx context.Context, body int64, from, to int) ([]chat.Message, error)) (run []chat.Message, err error) {
	for from := 1; ; from += promptBatch {
		messages, err := read(ctx, body, from, from+promptBatch-1)
		if err != nil {
			return nil, err
		}
		for i := range messages {
			m := &messages[i]
			switch {
			case isPrompt(m.Role, m.Marks):
				run = append(run, *m)
			case len(run) > 0, m.Role != chat.User, m.Marks.Has(chat.MarkCompaction):
				return run, nil
			}
		}
		if len(messages) < promptBatch {
			if over, err := behind(ctx, src, body, from+promptBatch-1); err != nil || over {
				return run, err
			}
		}
	}
}
