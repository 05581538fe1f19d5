package compress

import (
	"math"

	"winnow/core/chat"
)

// Outline is what compressing a conversation would do, before anything is written
// or asked.
type Outline struct {
	Outcome Outcome // Compressed if something would go
	Before  int     // tokens
	// Least is what stays whatever goes: above the target, it cannot fit.
	Least int
	// Regions is what would go at first, without texts, and Send what of that a
	// model would be sent, in tokens; 0 if none is asked.
	Regions []Region
	Send    int
}

// Look tells what Compress would do with the same options. It asks no model.
func Look(messages []chat.Message, o Options) Outline {
	o.complete()
	s := newSession(messages, &o)
	look := Outline{Outcome: UnderTarget, Before: s.total, Least: s.least()}
	if s.total <= o.Target {
		return look
	}
	look.Regions = o.By.choose(s, s.total-o.Target)
	switch {
	case len(look.Regions) > 0:
		look.Outcome = Compressed
	case s.removable():
		look.Outcome = NoSavings
	default:
		look.Outcome = Nothing
	}
	if _, asks := o.By.(Model); asks {
		for i := range look.Regions {
			look.Send += look.Regions[i].Tokens
		}
	}
	return look
}

// least is what the session costs without all that may go.
func (s *session) least() int {
	if clear, ok := s.o.By.(Clear); ok {
		return s.after(clear.choose(s, math.MaxInt))
	}
	n := s.total
	for _, a := range s.atoms {
		if !a.kept {
			n -= a.cost
		}
	}
	return n
}
