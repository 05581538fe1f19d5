package segment

// window is a run of messages that a model sees at once.
type window struct {
	from, to int
	// over says that its one message costs more than the budget: it has to be
	// truncated.
	over bool
}

// windows plans which messages of a run a model sees at once, and puts
// together what it says. It knows no text and no model: it is fed what messages
// cost, each once and in order, and what was said about its windows.
//
// Each window packs as many messages as fit the budget from the current start.
// If several tasks were seen there and messages are left, the next window
// starts at the first message of the last task, and what is said about it
// replaces what was said from there on; if one task filled the window, the
// next starts right after it. So each window starts after the one before,
// and the costs of what lies before it are forgotten.
//
//	for !p.done() {
//		for p.more() {
//			p.feed(cost of message p.wanted())
//		}
//		err := p.took(what is said about p.next())
//	}
type windows struct {
	to     int // the last message of the run
	budget int // tokens
	// numbers returns what the numbers of a window of so many messages cost
	// together: they depend on the window, not on the message.
	numbers func(messages int) int

	start int   // the first message of the next window
	costs []int // of the messages from start on, as far as they are wanted
	fit   int   // how many of them fit the budget
	sum   int   // what those cost, without numbers
	kept  []Cut
}

func newWindows(from, to, budget int, numbers func(messages int) int) *windows {
	return &windows{to: to, budget: budget, numbers: numbers, start: from}
}

// done reports whether nothing is left to look at.
func (p *windows) done() bool { return p.start > p.to }

// more reports whether the next window depends on what message wanted costs.
func (p *windows) more() bool { return p.fit == len(p.costs) && p.wanted() <= p.to }

// wanted is the number of the first message whose cost is not known.
func (p *windows) wanted() int { return p.start + len(p.costs) }

// feed tells the cost of message wanted, without its number.
func (p *windows) feed(cost int) {
	p.costs = append(p.costs, cost)
	p.pack()
}

// pack counts how many of the known messages fit.
func (p *windows) pack() {
	for p.fit < len(p.costs) && p.sum+p.costs[p.fit]+p.numbers(p.fit+1) <= p.budget {
		p.sum += p.costs[p.fit]
		p.fit++
	}
}

// next returns the window to be looked at. Nothing more must be wanted.
func (p *windows) next() window {
	if p.fit == 0 {
		return window{from: p.start, to: p.start, over: true}
	}
	return window{from: p.start, to: p.start + p.fit - 1}
}

// took takes what was said about the next window: the tasks of its messages,
// in numbers of the session. It keeps nothing of them if they do not cover the
// window.
func (p *windows) took(cuts []Cut) error {
	w := p.next()
	if err := CheckCuts(cuts, w.from, w.to); err != nil {
		return err
	}
	for len(p.kept) > 0 && p.kept[len(p.kept)-1].Start >= w.from {
		p.kept = p.kept[:len(p.kept)-1]
	}
	p.kept = append(p.kept, cuts...)
	if start := cuts[len(cuts)-1].Start; w.to < p.to && len(cuts) > 1 {
		p.move(start)
	} else {
		p.move(w.to + 1)
	}
	return nil
}

// move makes message start the first one of the next window.
func (p *windows) move(start int) {
	passed := start - p.start
	for _, cost := range p.costs[:min(passed, p.fit)] {
		p.sum -= cost
	}
	p.fit = max(p.fit-passed, 0)
	p.costs = p.costs[passed:] // growing again, it is copied without what was passed
	p.start = start
	p.pack()
}

// cuts returns the tasks of the whole run, once nothing is left.
func (p *windows) cuts() []Cut { return p.kept }
