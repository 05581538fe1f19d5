package metric

import "strings"

// asksBrief reports whether a request asks for a brief answer, at its beginning
// (head) or its end.
func asksBrief(head, text string) bool {
	head = strings.ToLower(head)
	tail := ""
	if len(text) > len(head) {
		tail = strings.ToLower(text[max(len(head), len(text)-briefTail):])
	}
	for _, phrase := range tables().brief {
		if strings.Contains(head, phrase) || strings.Contains(tail, phrase) {
			return true
		}
	}
	return false
}

// briefTail is how much of the end of a long request is searched, in bytes.
const briefTail = 400
