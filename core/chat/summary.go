package chat

import "strings"

// Agents and tools that shorten a conversation put a text in the place of what they
// took out, under whatever role fits there. Some recorders mark it, others leave
// nothing but how it begins.

const (
	// summaryHead begins the summaries of hermes-agent's trajectory compressor, of its
	// agent at first, and ours; others write it in other letters.
	summaryHead = "[context summary]:"
	// compactionHead begins those that its agent writes since.
	compactionHead = "[CONTEXT COMPACTION"
	// Where no message of its own had room for a summary, that agent put it into the
	// next one: after what that said, between these two, or in front of it, up to the
	// line that begins with summaryEnd.
	priorHead  = "[PRIOR CONTEXT"
	priorEnd   = "[END OF PRIOR CONTEXT"
	summaryEnd = "--- END OF CONTEXT SUMMARY"
)

// continuedHeads begin what agents put in the user's place, in lower case. Other
// roles may begin a text so and mean it.
var continuedHeads = [...]string{
	"this session is being continued from a previous conversation", "this is a session continuation summary", "# context checkpoint",
	"another language model started to solve this problem", "the conversation history before this point was compacted",
}

// Summary reports whether a message is a summary of what an earlier compaction took
// out of the conversation: marked as one, or one by how it begins. Nobody said it,
// and nothing is to be trained to write it. A message of a user who speaks beside a
// summary is none.
func (m *Message) Summary() bool {
	said, sums := m.BesideSummary()
	return sums && (said == "" || m.Role != User)
}

// BesideSummary reports whether a summary stands in a message, at its beginning or
// after a head that announces it, and returns what was said beside it: "" for
// nothing. Of a message without one it returns the content.
func (m *Message) BesideSummary() (said string, sums bool) {
	if m.Marks.Has(MarkCompaction) {
		return "", true
	}
	text := strings.TrimLeft(m.Content, " \t\r\n")
	switch {
	case m.Role == Tool:
	case hasFoldedPrefix(text, summaryHead), strings.HasPrefix(text, compactionHead):
		return afterSummary(text), true
	case strings.HasPrefix(text, priorHead):
		if before, summary, found := strings.Cut(text, priorEnd); found {
			_, before, _ = strings.Cut(before, "\n")
			return joinSaid(before, afterSummary(summary)), true
		}
	case m.Role == User:
		for _, head := range continuedHeads {
			if hasFoldedPrefix(text, head) {
				return "", true
			}
		}
	}
	return m.Content, false
}

// afterSummary returns what follows the line that ends a summary.
func afterSummary(text string) string {
	for at := 0; ; at += len(summaryEnd) {
		i := strings.Index(text[at:], summaryEnd)
		if i < 0 {
			return ""
		}
		if at += i; at == 0 || text[at-1] == '\n' {
			_, rest, _ := strings.Cut(text[at:], "\n")
			return strings.TrimSpace(rest)
		}
	}
}

func joinSaid(before, after string) string {
	if before = strings.TrimSpace(before); before == "" || after == "" {
		return before + after
	}
	return before + "\n\n" + after
}

// hasFoldedPrefix is strings.HasPrefix for a head in lower case ASCII and a text in
// any letters.
func hasFoldedPrefix(text, head string) bool {
	return len(text) >= len(head) && strings.EqualFold(text[:len(head)], head)
}
