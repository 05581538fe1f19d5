package metric

import (
	"strconv"

	"winnow/core/chat"
	"winnow/core/voice"
)

// userSignal is what the user says of the assistant's work: the messages
// after its first one that somebody wrote. Each correction lowers the score,
// thanks raise it again; without a correction it is 1.
type userSignal struct {
	begun bool // the assistant said something
	asked bool // and last it asked a question
	said  int  // messages of the user since it began

	corrections, thanks int
	where, thanked      cited
	words               string // of the first correction, from the lexicon
}

func (s *userSignal) add(r *reading) {
	switch {
	case r.m.Role == chat.Assistant && r.own:
		s.begun = true
		s.asked = asks(r.text)
	case r.m.Role == chat.User && s.begun && r.voice == voice.Person && r.text != "":
		s.said++
		switch mood, words := moodOf(r.text, s.asked); mood {
		case corrects:
			if s.corrections++; s.corrections == 1 {
				s.words = words
			}
			s.where.add(r.n)
		case praises:
			s.thanks++
			s.thanked.add(r.n)
		}
		s.asked = false
	}
}

func (s *userSignal) score(*ending) (float64, string, bool) {
	if s.said == 0 {
		return 0, "", false
	}
	thanks := ""
	if s.thanks > 0 {
		thanks = "; " + strconv.Itoa(s.thanks) + plural(s.thanks, " says", " say") + " thanks: " + s.thanked.String()
	}
	if s.corrections == 0 {
		return 1, "no correction in " + count(s.said, "message") + " of the user after the first answer" + thanks, true
	}
	reason := of(s.corrections, s.said, "message") + " of the user after the first answer" + plural(s.corrections, " corrects", " correct") +
		" the assistant: " + s.where.String() + " (“" + s.words + "”)" + thanks
	return share(1+s.thanks, 1+s.thanks+s.corrections), reason, true
}

func (s *userSignal) flag(_ *ending, set func(Flag, bool)) {
	set(UserCorrected, s.corrections > 0)
	set(UserThanked, s.thanks > 0)
}
