package export

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/export/pairs"
	"winnow/core/review"
)

// pairSide is one of the two answers of a pair, and where it is.
type pairSide struct {
	segment *review.Segment
	session *review.Session
	n       int          // its number in the session
	path    []string     // ids of the sessions that its own branches off
	answer  chat.Message // as it is now
	// recorded says that the answer is as the model wrote it, and another one
	// stands there now.
	recorded bool
}

// pairReader reads what belongs to pairs. Those of one prompt follow each other,
// and of these those of one answer that is preferred.
type pairReader struct {
	src      Source
	sessions map[string]*review.Session // of the two sides read last
	prompt   pairPrompt
}

// pairPrompt is what an answer was given to.
type pairPrompt struct {
	session string // id
	n       int    // of the answer
	cut     bool   // it begins with the segment
	// system are the system messages that the session began with, if a summary
	// took the place of what came after them.
	system   []chat.Message
	messages []chat.Message
	answer   chat.Message
}

// read returns a pair with all it holds. Its prompt is that of the chosen answer:
// the rejected one was given to the same.
func (r *pairReader) read(ctx context.Context, chosen, rejected pairSide, p pairs.Pair) (*pairing, error) {
	known := r.sessions
	r.sessions = map[string]*review.Session{}
	for _, side := range [...]*pairSide{&chosen, &rejected} {
		sess := known[side.segment.SessionID]
		if sess == nil {
			var err error
			if sess, err = sessionOf(ctx, r.src, side.segment); err != nil {
				return nil, err
			}
		}
		side.session, r.sessions[sess.ID] = sess, sess
	}
	cut := rejected.recorded
	if r.prompt.session != chosen.session.ID || r.prompt.n != chosen.n || r.prompt.cut != cut {
		var err error
		if r.prompt, err = r.promptOf(ctx, &chosen, cut); err != nil {
			return nil, fmt.Errorf("what segment %s answers: %w", chosen.segment.Short(), err)
		}
	}
	chosen.answer = r.prompt.answer
	if rejected.recorded {
		return &pairing{chosen: chosen, rejected: rejected, prompt: r.prompt, sums: p}, nil
	}
	answers, err := r.src.Messages(ctx, rejected.session.Body, rejected.n, rejected.n)
	at := answerAt(answers, rejected.n)
	if err == nil && at < 0 {
		err = errNotStored
	}
	if err != nil {
		return nil, fmt.Errorf("message %d of segment %s: %w", rejected.n, rejected.segment.Short(), err)
	}
	rejected.answer = answers[at]
	return &pairing{chosen: chosen, rejected: rejected, prompt: r.prompt, sums: p}, nil
}

var errNotStored = fmt.Errorf("it is not stored: run winnow doctor")

// promptOf reads all that a model saw before an answer or, cut, what of that is in a
// sample of its segment.
func (r *pairReader) promptOf(ctx context.Context, side *pairSide, cut bool) (p pairPrompt, err error) {
	first := 1
	if cut {
		first = side.segment.Start
	}
	var before prefix
	if first == 1 {
		if before, err = recordedPrefix(ctx, r.src, side.session); err != nil {
			return p, err
		}
	}
	own, err := r.src.Messages(ctx, side.session.Body, first, side.n)
	at := answerAt(own, side.n)
	if err == nil && (at < 0 || before.unknown) {
		err = errNotStored
	}
	if err != nil {
		return p, err
	}
	all := append(before.messages, own[:at]...)
	p = pairPrompt{session: side.session.ID, n: side.n, cut: cut, messages: sinceCompaction(all), answer: own[at]}
	if len(p.messages) < len(all) {
		for i := 0; i < len(all) && isPrompt(all[i].Role, all[i].Marks); i++ {
			p.system = append(p.system, all[i])
		}
	}
	if cut && len(p.system) == 0 && (len(all) == 0 || !isPrompt(all[0].Role, all[0].Marks)) {
		above := prompts{src: r.src}
		p.system, err = above.before(ctx, side.segment, side.session)
	}
	return p, err
}
