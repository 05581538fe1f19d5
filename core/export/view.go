package export

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// current returns the messages of a segment as they are now, and the edits over
// them, those that clash among them. Nothing is asked about edits where the segment
// has none.
func current(ctx context.Context, src Source, seg *review.Segment) ([]chat.Message, []edit.Edit, error) {
	messages, err := src.Messages(ctx, seg.Body, seg.Start, seg.End)
	if err != nil {
		return nil, nil, err
	}
	want := seg.End - seg.Start + 1
	if seg.Edited == "" && len(messages) == want {
		return messages, nil, nil
	}
	edits, err := src.Edits(ctx, seg.Body, seg.Start, seg.End)
	if err != nil {
		return nil, nil, err
	}
	for i := range edits {
		switch e := &edits[i]; {
		case e.Clash:
		case e.Op == edit.Drop:
			want--
		case e.Op == edit.Add:
			want++
		}
	}
	if len(messages) != want {
		return nil, nil, fmt.Errorf("%d of %d messages are stored: run winnow doctor", len(messages), want)
	}
	return messages, edits, nil
}

// takesOut reports whether an edit takes something out of what was recorded, which is
// then taken out of what goes on from there, too. A message that a curator added was
// never there, whatever was redacted in it.
func takesOut(e *edit.Edit) bool { return e.Why == edit.Redact && e.Op != edit.Add }

// branchView returns messages from..to as a session sees them that goes on from
// them, and whether all of them are stored: a curator mends the path that was looked
// at, and no other, but what a redaction takes out is taken out everywhere.
func branchView(ctx context.Context, src Source, body int64, from, to int) (list []chat.Message, whole bool, err error) {
	edits, err := src.Edits(ctx, body, from, to)
	if err != nil {
		return nil, false, err
	}
	messages, err := src.RecordedMessages(ctx, body, from, to)
	whole = len(messages) == to-from+1
	if err != nil || len(edits) == 0 {
		return messages, whole, err
	}
	edits = slices.DeleteFunc(edits, func(e edit.Edit) bool { return !takesOut(&e) })
	recorded := func(yield func(*chat.Message) bool) {
		for i := range messages {
			if !yield(&messages[i]) {
				return
			}
		}
	}
	for m := range edit.Lay(recorded, edits) {
		list = append(list, *m)
	}
	return list, whole, nil
}

// after reports whether a session has no messages after to, of which fewer came
// than were asked for: some may be dropped.
func behind(ctx context.Context, src Source, body int64, to int) (bool, error) {
	edits, err := src.Edits(ctx, body, 1, to)
	if err != nil || len(edits) == 0 {
		return true, err
	}
	rest, err := src.RecordedMessages(ctx, body, to, to)
	return len(rest) == 0, err
}

// answerAt returns the place of message n itself among messages as they are now, −1
// if it is dropped.
func answerAt(messages []chat.Message, n int) int {
	return slices.IndexFunc(messages, func(m chat.Message) bool { return m.N == n && m.Part == 0 })
}

// sealed names the check that nothing is said which a redaction took out.
const sealed = "sealed"

// leak finds the first message that says what a redaction in force took out,
// wherever that was; nil if none does. System messages in front are not looked at
// if none of them is written.
func (m *maker) leak(lists ...[]chat.Message) []Finding {
	if m.sealed == nil {
		return nil
	}
	inFront := !m.opts.System.keeps()
	for _, list := range lists {
		for i := range list {
			one := &list[i]
			if inFront = inFront && isPrompt(one.Role, one.Marks); inFront || !m.sealed.in(one) {
				continue
			}
			return []Finding{{Check: sealed, Message: one.N, Detail: "a message says what was redacted elsewhere: winnow redact finds it here, too"}}
		}
	}
	return nil
}
