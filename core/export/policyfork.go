package export

import (
	"context"
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

const unknownFork = "a branch, and what the model saw before its fork is not known"

// fork names the check that what stands before a branch is known.
const fork = "fork"

// prefix is what the model saw before a branch: the messages of its parent up to
// the fork and, if that is a branch too, of the parent's parent. Without them a
// branch would teach an answer to half of what was asked.
type prefix struct {
	messages []chat.Message // numbered 0, as none of them is of the session
	sessions []string       // ids, from the nearest on
	unknown  bool           // there is one, but not where it forks
}

// prefixOf returns the prefix of a session as the model saw it; that of one which
// is no branch is empty.
func prefixOf(ctx context.Context, src Source, sess *review.Session) (p prefix, err error) {
	p, err = recordedPrefix(ctx, src, sess)
	p.messages = sinceCompaction(p.messages)
	return p, err
}

// sinceCompaction returns what a model saw of messages: from a compaction on the
// summary in place of what was before.
func sinceCompaction(messages []chat.Message) []chat.Message {
	for i := range slices.Backward(messages) {
		if messages[i].Marks.Has(chat.MarkCompaction) {
			return messages[i:]
		}
	}
	return messages
}

// recordedPrefix returns all that was recorded before a branch, but for what is
// redacted.
func recordedPrefix(ctx context.Context, src Source, sess *review.Session) (p prefix, err error) {
	var parts [][]chat.Message
	for sess.Origin.Kind == session.Branch {
		if sess.Parent == "" || sess.Origin.At < 1 || len(parts) == mostParents {
			return prefix{unknown: true}, nil
		}
		parent, err := src.Session(ctx, sess.Parent)
		if errors.Is(err, review.ErrNotFound) {
			return prefix{unknown: true}, nil
		}
		if err != nil {
			return prefix{}, err
		}
		part, whole, err := branchView(ctx, src, parent.Body, 1, sess.Origin.At)
		if err != nil {
			return prefix{}, err
		}
		if !whole {
			return prefix{unknown: true}, nil
		}
		parts, p.sessions = append(parts, part), append(p.sessions, parent.ID)
		sess = &parent
	}
	for _, part := range slices.Backward(parts) {
		p.messages = append(p.messages, part...)
	}
	for i := range p.messages {
		p.messages[i].N = 0
	}
	return p, nil
}

// precede puts the prefix in front of a sample. None of it is trained.
func (p *prefix) precede(s *Sample) {
	s.forks = p.unknown
	if len(p.messages) == 0 {
		return
	}
	before := make([]Message, len(p.messages), len(p.messages)+len(s.Messages))
	for i := range p.messages {
		before[i] = newMessage(&p.messages[i])
		before[i].Train, before[i].before = false, true
	}
	s.Messages, s.said = append(before, s.Messages...), 0
}

func findUnknownFork(s *Sample, _ *Emitter, tell teller) {
	if s.forks {
		tell(nil, unknownFork)
	}
}
