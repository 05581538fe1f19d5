package offline

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
)

// before fills in what a message and the one before it tell.
func (e *run) before(s *score, m *chat.Message, text string, f *phrases.Found) {
	s[partBase] = 1
	s[partGreeting] = yes(f.Leads(phrases.Greeting) && !f.HasWithin(phrases.Thanks, thanksNear))
	s[partRequest] = yes(f.Has(phrases.Ask))
	s[partShift] = yes(f.Has(phrases.Shift))
	s[partAck] = yes(f.Leads(phrases.Ack) || f.Leads(phrases.Thanks))
	if f.Has(phrases.Shift) { // "Thanks! One last thing: …" is about what follows
		s[partAck] /= 2
	}
	s[partLink] = yes(f.Leads(phrases.Link) || f.HasWithin(phrases.Also, alsoNear))
	s[partPointer] = yes(f.HasWithin(phrases.Pointer, pointerNear))
	s[partFull] = ramp(float64(wide(text)), fullLeast, fullMost) * (1 - s[partLink])
	s[partLong] = ramp(float64(len(text)), 150, 1500)
	switch last := &e.last; {
	case last.interrupted:
		s[partInterrupted] = 1
	case last.role == chat.User:
		s[partAfterUser] = 1
	case last.role == chat.Tool || last.role == chat.Assistant && last.called:
		s[partAfterTool] = 1
	}
	if tail := e.last.tail; tail != "" {
		t := e.lexicon.Find(phrases.Plain(tail, tailMost))
		s[partOffered] = yes(t.Has(phrases.Offer))
		s[partAsked] = yes(!t.Has(phrases.Offer) && !t.Has(phrases.Welcome) && phrases.Asks(phrases.ClipLeft(tail, questionNear)))
		s[partFarewell] = yes(t.Has(phrases.Farewell))
		s[partOutput] = yes(e.last.role == chat.Assistant && strings.HasSuffix(tail, "```") && s[partRequest]+s[partGreeting] == 0)
	}
	s[partThanked] = yes(e.last.thanked)
	s[partClosed] = yes(e.last.closed)
	s[partPause] = pause(e.last.stamp, m.Timestamp)
	s[partHarness] = yes(e.open.results > 0)
	s[partYoung] = yes(e.turn-e.open.startTurn <= 1 && m.N-e.open.start < youngMost)
	s[partAge] = ramp(float64(m.N-e.open.start), youngMost, 100)
	s[partSystems] = yes(e.open.systems)
}

// A message says enough by itself if it is so wide, in letters: what takes up
// something said before is mostly shorter, in whatever language.
const (
	fullLeast = 16
	fullMost  = 64
)

// wide is the width of a text in letters, up to fullMost; a character of a
// script whose words are short counts as three.
func wide(text string) (n int) {
	for _, r := range text {
		if n >= fullMost {
			break
		}
		n++
		if phrases.Unspaced(r) {
			n += 2
		}
	}
	return n
}

// Places in a text, in bytes.
const (
	thanksNear   = 24 // "hey, thanks for …" greets nobody
	alsoNear     = 32
	pointerNear  = 40  // "that" further on may point at something in the message itself
	questionNear = 120 // before the end of an answer
)

const youngMost = 6 // messages

// pause is 0 up to ten minutes and 1 from a day on, logarithmic between.
func pause(from, to string) float32 {
	if from == "" || to == "" || from == to {
		return 0
	}
	a, ok := chat.ParseTime(from)
	b, ok2 := chat.ParseTime(to)
	if !ok || !ok2 {
		return 0
	}
	return ramp(b.Sub(a).Minutes(), 10, 24*60)
}

// onlyCloses reports whether a message only ends a task: thanks or a farewell,
// nothing asked.
func onlyCloses(text string, f *phrases.Found) bool {
	return len(text) < 200 && (f.Has(phrases.Closing) || f.Leads(phrases.Thanks)) && !f.Has(phrases.Ask) && !f.Has(phrases.Shift) && !phrases.Asks(text)
}

// lexical fills in how the words of a message compare with those before it.
// With began, the turn before it began the segment.
func (e *run) lexical(s *score, p *echoes, began bool) {
	o := overlapOf(&p.damped, began)
	s[partNew] = o.fresh()
	s[partRelated] = o.related()
	s[partKnownEntity] = min(2, overlapOf(&p.entities, began).known) / 2
}

// answersAlien is how much less it says that a message is about something
// else when a question was asked: answers bring new words.
const answersAlien = .7

// talkAlike is how much of a likeness counts where no tools are used: what is
// only talked about may be anything, and openings are seldom alike.
const talkAlike = .6

// after fills in what the turn told, and the user message after it.
func (e *run) after(s *score, next *echoes) {
	c := &e.cand
	s[partAlien] = c.subject.alien() * c.named * (1 - s[partAsked]*answersAlien)
	s[partReplyRelated] = c.said.related()
	s[partReplyEntityKnown] = c.known / (c.known + c.unknown/2 + 1)
	s[partLikeOpening] = e.openings.nearest(&c.words) - e.middles.nearest(&c.words)
	s[partReplyLikeOpening] = e.openAnswers.nearest(&c.answer) - e.midAnswers.nearest(&c.answer)
	if e.open.called || e.open.calledBefore || c.called {
		s[partFull] = 0
	} else {
		s[partFull] *= c.named * (1 - s[partAsked])
		s[partLikeOpening] *= talkAlike
		s[partReplyLikeOpening] *= talkAlike
	}
	if next != nil {
		known, unknown := next.entities[inside], next.entities[never]
		s[partNextKnownEntity] = known / (known + 1)
		s[partNextNewEntity] = unknown / (unknown + 1)
		s[partNextLikeSecond] = e.seconds.nearest(&e.next) - e.middles.nearest(&e.next)
	}
}
