package hub

import (
	"slices"
	"strings"

	"winnow/core/chat"
)

// united returns the message of which two hold parts: what the lines of one
// answer give that were read from files which do not all have all of them. ok
// tells whether they are parts of one: they have something in common and
// nothing that differs. One that holds the other is returned as it is. With
// next, b goes on where a ends, which needs no more proof.
func united(a, b *chat.Message, next bool) (m chat.Message, ok bool) {
	if a.Role != chat.Assistant || b.Role != a.Role {
		return m, false
	}
	if !next && b.Timestamp < a.Timestamp {
		a, b = b, a
	}
	calls, shared, ok := unitedCalls(a.ToolCalls, b.ToolCalls)
	if !ok {
		return m, false
	}
	content, text := overlapping(a.Content, b.Content, "\n")
	reasoning, thought := overlapping(a.Reasoning, b.Reasoning, "\n\n")
	m = *a
	m.Content, m.Reasoning, m.ToolCalls = content, reasoning, calls
	m.Marks |= b.Marks
	if b.StopReason != "" {
		m.StopReason = b.StopReason
	}
	if m.Model == "" {
		m.Model = b.Model
	}
	return m, next || shared || text || thought
}

// unitedCalls returns the calls of two lists in order. shared tells whether
// some are in both, ok that those are the same.
func unitedCalls(a, b []chat.ToolCall) (all []chat.ToolCall, shared, ok bool) {
	all = slices.Clone(a)
	for _, c := range b {
		at := slices.IndexFunc(a, func(o chat.ToolCall) bool { return c.ID != "" && o.ID == c.ID })
		switch {
		case at < 0:
			all = append(all, c)
		case a[at] != c:
			return nil, false, false
		default:
			shared = true
		}
	}
	return all, shared, true
}

// overlapping returns the text of which two hold parts, and whether they have
// something in common: one holds the other, or what one ends with begins the
// other. Else they follow each other.
func overlapping(a, b, separator string) (text string, common bool) {
	switch {
	case a == "" || b == "":
		return a + b, false
	case strings.Contains(a, b):
		return a, true
	case strings.Contains(b, a):
		return b, true
	}
	for from := 0; ; {
		next := strings.Index(a[from:], separator)
		if next < 0 {
			return a + separator + b, false
		}
		from += next + len(separator)
		if end := a[from:]; end != "" && strings.HasPrefix(b, end+separator) {
			return a[:from] + b, true
		}
	}
}
