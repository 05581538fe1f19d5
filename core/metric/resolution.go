package metric

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
)

// resolution says whether the assistant did what was asked: each answer that
// declines lowers the score. Of work that it handed over to a person nobody
// knows here whether that was right: it does not apply then.
type resolution struct {
	answers  int // messages of the assistant that say something and call nothing
	declined int // of them
	where    cited
	handed   bool // by the last call
}

// declineMost is how much of an answer is searched for a refusal, in bytes: it
// stands at its beginning.
const declineMost = 240

func (s *resolution) add(r *reading) {
	switch {
	case r.m.Role == chat.Tool && r.paired && r.answers.hands:
		s.handed = r.found.Outcome == outcome.OK
	case r.m.Role != chat.Assistant || !r.own:
	case len(r.calls) > 0 || r.m.Marks.Has(chat.MarkMalformedCall):
		s.handed = false
	case strings.TrimSpace(r.text) != "":
		s.answers++
		if declines(r.text) {
			s.declined++
			s.where.add(r.n)
		}
	}
}

// handsOver reports whether a tool gives the work to a person by its name, as
// transfer_to_human_agents does.
func handsOver(tool string) bool {
	gives, person := false, false
	nameWords(tool, func(word string) bool {
		gives = gives || slices.Contains(giveWords, word)
		person = person || slices.Contains(personWords, word)
		return !gives || !person
	})
	return gives && person
}

var (
	giveWords   = []string{"transfer", "escalate", "handoff", "handover", "hand", "forward", "route", "connect"}
	personWords = []string{"human", "humans", "person", "operator", "support", "representative", "staff"}
)

// declines reports whether an answer begins with a refusal.
func declines(text string) (found bool) {
	head := phrases.Clip(text, declineMost)
	if !saysI(head) {
		return false
	}
	tables().refusals.each(plainText(head), false, func(bool, string) bool {
		found = true
		return false
	})
	return found
}

// saysI reports whether a text speaks of its author, as each refusal does. It
// spares most answers a search for phrases.
func saysI(text string) bool {
	for i := 0; i < len(text); i++ {
		n := strings.IndexByte(text[i:], 'I')
		if n < 0 {
			break
		}
		i += n
		if i > 0 && (text[i-1] == 'A' || text[i-1] == 'a') || i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\'' || text[i+1] >= 0x80) {
			return true
		}
	}
	return strings.Contains(text, "我") || strings.Contains(text, "作为")
}

func (s *resolution) score(*ending) (float64, string, bool) {
	switch {
	case s.answers == 0 || s.handed:
		return 0, "", false
	case s.declined == 0:
		return 1, "no answer declines what was asked", true
	}
	return share(1+s.answers-s.declined, 1+s.answers), of(s.declined, s.answers, "answer") + plural(s.declined, " declines", " decline") + " what was asked: " + s.where.String(), true
}

func (s *resolution) flag(_ *ending, set func(Flag, bool)) {
	set(Declined, s.declined > 0)
	set(HandedOver, s.handed)
}
