package export

import (
	"strings"

	"winnow/core/chat"
)

// dayLayouts are the ways prompts write the day they are made on.
var dayLayouts = [...]string{"2006-01-02", "2006/01/02", "January 2, 2006", "Jan 2, 2006", "January 02, 2006", "Jan 02, 2006", "2 January 2006", "02 January 2006", "2 Jan 2006", "02 Jan 2006"}

// ofRun reports whether a system message looks as if it was only meant for the
// run: it names the folder that its session worked in, or the day on which the
// session began. A date or a folder that is no fact of the session itself, as in
// a task that is set in another year, does not count.
func (s *Sample) ofRun() bool {
	var facts []string
	for m := range s.each {
		if !isPrompt(m.Role, m.Marks) {
			continue
		}
		if facts == nil {
			facts = s.runFacts()
		}
		for _, fact := range facts {
			if namesFact(m.Content, fact) {
				return true
			}
		}
	}
	return false
}

// runFacts returns what only holds for the run of a sample's session. The day
// may be that of another zone.
func (s *Sample) runFacts() (facts []string) {
	const short = len("/a") // "/" and "C:" name no place of a run
	if len(s.dir) > short {
		facts = append(facts, s.dir)
	}
	if at, ok := chat.ParseTime(s.Started); ok {
		for day := -1; day <= 1; day++ {
			for _, layout := range dayLayouts {
				facts = append(facts, at.AddDate(0, 0, day).Format(layout))
			}
		}
	}
	return facts
}

// namesFact reports whether a text holds a fact that is not a part of a longer
// name or number.
func namesFact(text, fact string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], fact)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(fact)
		if (i == 0 || !isNamePart(text[i-1])) && (from == len(text) || !isNamePart(text[from]) || text[from] == 'T') {
			return true
		}
	}
}

func isNamePart(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
}
