package export

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/export/shortened"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
)

// recordedLibrary has all sessions of files, and parts of them.
func recordedLibrary(t *testing.T, globs ...string) *library {
	t.Helper()
	l := &library{}
	for _, glob := range globs {
		paths, _ := filepath.Glob(glob)
		for i, path := range paths {
			if i%slower == 0 {
				l.addFile(t, path)
			}
		}
	}
	return l
}

func costOf(p compress.Price, messages []chat.Message) int {
	n := p.Rest()
	for i := range messages {
		n += p.Message(&messages[i])
	}
	return n
}

// TestConversations checks that a conversation is what an export writes, message by
// message and token by token.
func TestConversations(t *testing.T) {
	t.Parallel()
	l := recordedLibrary(t, "../../testdata/sessions/*.jsonl", "../../../shared/data/openai/tau_[0-9]*[0-9].jsonl", "../../../shared/data/anthropic/*.jsonl", "../../../shared/data/nanobot/*.jsonl")
	for name, sess := range l.sessions {
		sess.Tools = `[{"name":"read","description":"reads","parameters":{}}]`
		l.sessions[name] = sess
	}
	for i := range l.segments {
		// Most go without what they begin with: the session's prompt is put in front.
		if seg := &l.segments[i]; i%3 > 0 && seg.End > 4 {
			seg.Start = 3
			seg.Digest = chat.DigestOf(l.messages[seg.Body][2:])
		}
	}
	counter, _ := token.Named("cl100k_base")
	written := 0
	err := eachConversation(t.Context(), l, Selection{}, func(seg *review.Segment, c proposal.Conversation) error {
		records, r, err := Preview(t.Context(), l, seg, Options{Counter: counter})
		if err != nil || r.Written == 0 {
			return err
		}
		written++
		s, err := emitters[0].Read(bytes.TrimSpace(records))
		if err != nil {
			t.Fatal(err)
		}
		if got := costOf(Price(counter, c.Tools), c.Messages); got != r.Tokens {
			t.Errorf("%s: the export counts %d tokens, the conversation %d", seg.SessionFile, r.Tokens, got)
		}
		if len(s.Messages) != len(c.Messages) {
			t.Errorf("%s: %d messages are written, the conversation has %d", seg.SessionFile, len(s.Messages), len(c.Messages))
			return nil
		}
		for i := range s.Messages {
			wrote := newMessage(&c.Messages[i])
			wrote.Train, wrote.N = s.Messages[i].Train, s.Messages[i].N
			was := chat.Message{Role: s.Messages[i].Role, Content: s.Messages[i].Content, Reasoning: s.Messages[i].Reasoning, ToolCalls: s.Messages[i].Calls, ToolCallID: s.Messages[i].ToolCallID, Name: s.Messages[i].Name}
			is := chat.Message{Role: wrote.Role, Content: wrote.Content, Reasoning: wrote.Reasoning, ToolCalls: wrote.Calls, ToolCallID: wrote.ToolCallID, Name: wrote.Name}
			if !bytes.Equal(chat.AppendCanonical(nil, &was), chat.AppendCanonical(nil, &is)) {
				t.Errorf("%s: message %d is not as it is written:\n%+v\n%+v", seg.SessionFile, i+1, was, is)
			}
		}
		if c.Own >= len(c.Messages) || c.Messages[c.Own].N < seg.Start || c.Own > 0 && c.Messages[c.Own-1].N >= seg.Start {
			t.Errorf("%s: its own begin at %d", seg.SessionFile, c.Own)
		}
		one, err := ConversationOf(t.Context(), l, seg)
		if err != nil || one.Sum() != c.Sum() {
			t.Errorf("%s alone is another conversation: %v", seg.SessionFile, err)
		}
		return nil
	})
	if err != nil || written == 0 {
		t.Errorf("%d written, %v", written, err)
	}
	t.Log(written, "segments compared")
}

// eachConversation yields the selected segments with what they would be written as.
func eachConversation(ctx context.Context, src Source, sel Selection, yield func(*review.Segment, proposal.Conversation) error) error {
	opts := Options{Selection: sel, Compressed: shortened.None}
	return candidates(ctx, src, &emitters[0], &opts, func(c candidate) error {
		return yield(&c.segment, c.full(TrainAll).conversation())
	})
}
