package offline

// echoes counts the words of a text, and its entities, by where they stood
// before.
type echoes struct {
	damped   [wheres]float32 // words that many messages have count less
	plain    [wheres]float32
	entities [wheres]float32
}

const (
	never    = iota
	outside  // in an earlier segment, or too long ago to be close
	inside   // in the open segment
	lastTurn // in its last turn, and not since it began
	wheres
)

// memory is how many turns back closeness counts: in a long session everything
// stood somewhere.
const memory = 6

// commonAfter is in how many messages a word halves its weight. Messages are
// counted, not prompts: of those there are too few.
const commonAfter = 8

// note finds where the words of a text stood before, and remembers that they
// stand in this turn. Words that the turn had already do not count again.
func (e *run) note(words []word) (p echoes) {
	for _, w := range words {
		table := &e.terms
		if w.entity() {
			table = &e.entities
		}
		before, rows := table.touch(w.id, e.turn, e.row)
		if before == e.turn {
			continue
		}
		at := inside
		switch {
		case before == 0:
			at = never
		case before < e.open.startTurn, before < e.turn-memory:
			at = outside
		case before == e.turn-1:
			at = lastTurn
		}
		if w.entity() {
			p.entities[at]++
		}
		if _, stop := e.stop[w.id]; !stop {
			weight := float32(w.weight) / fullWeight
			p.plain[at] += weight
			p.damped[at] += weight * commonAfter / (commonAfter + float32(rows))
		}
	}
	return p
}

// overlap weighs the words of a text: those that are close, and the others.
type overlap struct{ known, others float32 }

// overlapOf weighs words by place. With began, the last turn began a segment.
func overlapOf(w *[wheres]float32, began bool) overlap {
	if began {
		return overlap{w[lastTurn], w[never] + w[outside] + w[inside]}
	}
	return overlap{w[inside] + w[lastTurn], w[never] + w[outside]}
}

func (o *overlap) add(p overlap) {
	o.known += p.known
	o.others += p.others
}

// fresh is near 1 if much is new and little is known.
func (o overlap) fresh() float32 {
	if o.others == 0 {
		return 0
	}
	share := o.others / (o.known + o.others)
	return share * share * o.others / (o.others + 1.5)
}

// related is near 1 if most is known.
func (o overlap) related() float32 { return o.known / (o.known + o.others + 1) }

// apart is 1 if nothing is known, and falls quickly: one word taken up again
// says more than several new ones.
func (o overlap) apart() float32 {
	if o.known == 0 {
		return 1
	}
	share := o.others / (o.others + 2*o.known)
	return share * share
}

// alien is 1 if a prompt and its answer have nearly nothing in common with
// what came before: then they are about something else, in whatever domain.
func (o overlap) alien() float32 {
	if o.others == 0 {
		return 0
	}
	share := o.others / (o.known + o.others)
	x := share * share * share * o.others / (o.others + 3)
	return min(1, max(0, (x-.3)/.4))
}
