package phrases

import "strings"

// Closes reports whether what somebody said only ends a task: with thanks or a
// farewell, and nothing asked for, before or after them.
func Closes(text string) bool {
	if len(text) >= closeMost || Asks(text) {
		return false
	}
	l := Seams()
	head := withoutPromises(Plain(text, closeMost))
	for _, word := range goesOn {
		if strings.Contains(head, word) {
			return false
		}
	}
	f, rest := l.Find(head), l.Find(Plain(l.WithoutOpening(head), closeMost))
	return (f.Has(Closing) || f.Has(Thanks)) && !f.Has(Ask) && !f.Has(Shift) && !rest.Has(Ask)
}

// Nods reports whether a text is nothing but agreement, such as "ok, got it":
// after an answer that asked nothing it wants nothing, either.
func Nods(text string) bool {
	if len(text) > nodMost || Asks(text) {
		return false
	}
	head := Plain(text, nodMost)
	return head != "" && Seams().Only(head, Ack, Thanks, Closing)
}

// nodMost is how long, in bytes, agreement is at most.
const nodMost = 80

// closeMost is how long, in bytes, a farewell is at most: a longer text says
// more.
const closeMost = 300

// goesOn are words with which thanks lead to another wish.
var goesOn = [...]string{"please", "now ", " then ", "next", "but ", "请", "但"}

// promises are what a farewell says of later, not of now.
var promises = [...]string{
	"if i need anything else", "if i need anything", "if i need any more help", "if i need more help", "if i need further help", "if i need help", "if i have any more questions", "if i have more questions", "if i have any other questions", "if i have any questions", "if i have questions",
	"if anything else comes up", "if anything comes up", "should i need anything", "if there's anything else", "i'm good for now", "i'm good now",
}

// withoutPromises cuts them out of a plain text.
func withoutPromises(text string) string {
	for _, promise := range promises {
		if strings.Contains(text, promise) {
			text = strings.ReplaceAll(text, promise, "later")
		}
	}
	return text
}
