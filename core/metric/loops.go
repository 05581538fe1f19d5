package metric

import (
	"hash/maphash"
	"slices"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/voice"
)

// loops finds calls that repeat an earlier one, with equal name and arguments,
// while nothing has changed in between. Something has changed if
//
//   - the user said something, or earlier messages were summed up,
//   - another call succeeded that may change something and did not just repeat
//     itself, or time was waited for,
//   - the repeated call has another result than before: it was worth asking.
//
// A repetition without a result is one.
type loops struct {
	seed    maphash.Seed
	known   map[uint64]*repeated // by call
	change  int                  // counts what has changed
	calls   int
	repeats int
	longest int   // calls in the longest run that is over or answered
	where   []int // messages of the first repetitions
}

// repeated is what is known of calls that are equal.
type repeated struct {
	change   int    // what had changed when its latest call was made or answered
	result   uint64 // hash of its latest result, 0 without one
	run      int    // calls with nothing changed in between
	counted  int    // of them as repetitions
	answered int    // of them with a result
}

const (
	// keysMost bounds the calls that are remembered: a repetition so far apart
	// is no loop.
	keysMost = 1 << 14
	// whereMost is more than a reason names, as repetitions may turn out to be none.
	whereMost = 64
	// loopFrom is how many equal calls in a run raise the flag: the first, one
	// that may have been a slip, and one more.
	loopFrom = 3
)

func newLoops() measure {
	return &loops{seed: maphash.MakeSeed(), known: map[uint64]*repeated{}}
}

func (s *loops) add(r *reading) {
	if _, sums := r.m.BesideSummary(); sums {
		s.change++
	}
	switch r.m.Role {
	case chat.User:
		if r.voice != voice.Machine && r.voice != voice.Result {
			s.change++
		}
	case chat.Assistant:
		for i := range r.calls {
			s.call(&r.calls[i])
		}
	case chat.Tool:
		if r.paired {
			s.result(r)
		}
	}
}

func (s *loops) call(c *call) {
	s.calls++
	if c.effects == waits {
		return
	}
	k := s.known[c.key]
	switch {
	case k == nil:
		if len(s.known) >= keysMost {
			s.longest = s.longestRun()
			clear(s.known)
		}
		s.known[c.key] = &repeated{change: s.change, run: 1}
	case k.change == s.change:
		k.run++
		k.counted++
		s.repeats++
		if len(s.where) < whereMost {
			s.where = append(s.where, c.n)
		}
	default:
		s.longest = max(s.longest, k.run)
		k.change, k.run, k.counted, k.answered = s.change, 1, 0, 0
	}
}

func (s *loops) result(r *reading) {
	c := &r.answers
	if c.effects == waits {
		s.change++
		return
	}
	k := s.known[c.key]
	if k == nil {
		return
	}
	before := k.result
	k.result = s.hash(r)
	k.answered++
	switch {
	case k.result == before:
		s.longest = max(s.longest, k.run) // it changed nothing, or nothing anew
	case k.answered > 1:
		s.forgive(k, c.n)
		s.change++
		k.run = 1
	case r.found.Outcome != outcome.Error && c.effects == mayChange:
		s.change++
	}
	k.change = s.change
}

// longestRun counts the runs that are not over, too.
func (s *loops) longestRun() int {
	longest := s.longest
	for _, k := range s.known {
		longest = max(longest, k.run)
	}
	return longest
}

// hash tells results apart. Of an image only a placeholder is left: it may show
// anything.
func (s *loops) hash(r *reading) uint64 {
	if r.m.Marks&(chat.MarkImage|chat.MarkAudio|chat.MarkFile) != 0 {
		return uint64(r.n)<<2 | 2
	}
	h := maphash.String(s.seed, r.m.Content) &^ 3
	if r.found.Outcome == outcome.Error {
		return h | 3
	}
	return h | 1
}

// forgive takes a repetition back that message n holds. A result that comes
// late, after what changed meanwhile, may find none to be taken back.
func (s *loops) forgive(k *repeated, n int) {
	if k.counted == 0 {
		return
	}
	k.counted--
	s.repeats--
	if i := slices.Index(s.where, n); i >= 0 {
		s.where = slices.Delete(s.where, i, i+1)
	}
}

func (s *loops) score(*ending) (float64, string, bool) {
	if s.calls == 0 {
		return 0, "", false
	}
	if s.repeats == 0 {
		return 1, "no call repeats an earlier one with nothing changed in between", true
	}
	var where cited
	for _, n := range s.where {
		where.add(n)
	}
	where.n = max(where.n, s.repeats-len(s.where)+where.n)
	return share(s.calls-s.repeats, s.calls), of(s.repeats, s.calls, "call") + plural(s.repeats, " repeats", " repeat") +
		" an earlier one with nothing changed in between: " + where.String(), true
}

func (s *loops) flag(_ *ending, set func(Flag, bool)) { set(Loop, s.longestRun() >= loopFrom) }
