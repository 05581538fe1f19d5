package segment

import (
	"strings"

	"winnow/core/chat"
)

// TitleFrom is the Title that a message gives to what begins with it: "" for
// what no user says. written is false if a recorder, a hook or an interruption
// stands in the user's place; such a title is better than none.
func TitleFrom(m *chat.Message) (title string, written bool) {
	if m.Role != chat.User {
		return "", false
	}
	text := strings.TrimSpace(m.Content)
	low := lowerHead(text, machineMost)
	said, _ := unwrap(text)
	written = !m.Marks.Has(chat.MarkCompaction) && said != "" && !startsWithAny(said, machineHeads[:]) && !strings.HasPrefix(text, "<command-name>") &&
		!startsWithAny(low, compactionHeads[:]) && !startsWithAny(low, interruptHeads[:]) && !startsWithAny(low, observationHeads[:])
	if !written {
		said = text
	}
	return Title(said), written
}
