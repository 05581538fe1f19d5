package digest

import "slices"

// spend gives rows away: to the last answer, the work, the other answers, the
// prompts.
func (l *layout) spend() {
	if len(l.blocks) == 0 {
		return
	}
	left := l.Rows - l.fixed()
	for _, b := range l.blocks {
		left -= b.prompts + b.works
	}
	last := l.blocks[len(l.blocks)-1]
	if last.answer == nil {
		left-- // for saying so
		if i := lastAnswer(l.blocks); i >= 0 {
			last = l.blocks[i]
		}
	}
	// grow gives each block one row more in turn, the last first, until it has what
	// it wants or no row is left.
	grow := func(rows func(*block) *int, wants func(*block) int, keep int) {
		for more := true; more; {
			more = false
			for _, b := range slices.Backward(l.blocks) {
				if n := rows(b); left > keep && *n < wants(b) {
					*n, left, more = *n+1, left-1, true
				}
			}
		}
	}
	answers, works, prompts := func(b *block) *int { return &b.answers }, func(b *block) *int { return &b.works }, func(b *block) *int { return &b.prompts }
	full := func(b *block) int {
		if b.answer == nil {
			return 0
		}
		return b.answer.rows(l.said())
	}
	grow(answers, func(b *block) int {
		if b != last {
			return 0
		}
		return min(full(b), l.Rows/4)
	}, 0)
	grow(works, func(b *block) int { return max(b.works, min(1, len(b.before))+min(1, len(b.after))) }, 0)
	grow(answers, func(b *block) int { return max(b.answers, min(1, full(b))) }, 0)
	grow(works, func(b *block) int { return max(b.works, min(4, b.heavy())) }, l.Rows/6)
	grow(prompts, func(b *block) int { return max(b.prompts, min(2, l.promptRows(b))) }, 0)
	grow(answers, func(b *block) int { return max(b.answers, min(3, full(b))) }, l.Rows/5)
	grow(works, func(b *block) int { return max(b.works, b.heavy()) }, l.Rows/10)
	grow(prompts, func(b *block) int { return max(b.prompts, min(5, l.promptRows(b))) }, 0)
	grow(works, func(b *block) int { return max(b.works, b.heavy()) }, 0)
	grow(answers, full, l.Rows/10)
	grow(prompts, l.promptRows, 0)
	grow(works, (*block).entries, 0)
	grow(answers, full, 0)
}

// lastAnswer returns the index of the last block that has an answer, -1 without one.
func lastAnswer(blocks []*block) int {
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].answer != nil {
			return i
		}
	}
	return -1
}
