package segment

import "winnow/core/chat"

// Begins reports whether a message by itself may begin a task: somebody wrote
// it, or it gives new rules. Words like "continue" don't, nor does what a
// recorder writes in the user's place.
func Begins(m *chat.Message) bool {
	switch m.Role {
	case chat.System:
		return !m.Marks.Has(chat.MarkCompaction)
	case chat.User:
		k, _ := kindOf(m, newPhrases())
		return k == kindReal || k == kindReset
	}
	return false
}
