package compat

import (
	"errors"
	"slices"
	"unicode/utf8"
)

// Flaws are ways of the published program that lose or spoil what it
// compresses. Without one of them the entry stays as it was instead.
type Flaws uint8

const (
	// Midpoint tells head and tail apart by the middle of the trajectory, so
	// that a first turn of a role in the second half counts as its tail.
	// Without it, the head is the first turns by role and the tail the last
	// turns.
	Midpoint Flaws = 1 << iota
	// Drop loses an entry that takes longer than Timeout.
	Drop
	// Filler lets a fixed sentence, or nothing, stand for a summary that failed.
	Filler

	// All is the published program to the letter.
	All = Midpoint | Drop | Filler
)

// Has reports whether all flaws of o are asked for.
func (f Flaws) Has(o Flaws) bool { return f&o == o }

// Outcome is what became of an entry.
type Outcome string

// The outcomes. An entry that Failed or is Unsummarized is written as it was read;
// the latter is there without the flaw Filler only.
const (
	UnderTarget  Outcome = "under_target"
	Compressed   Outcome = "compressed"
	Fallback     Outcome = "fallback_summary"
	Nothing      Outcome = "nothing_compressible"
	NoSavings    Outcome = "no_net_savings"
	Failed       Outcome = "error_kept"
	Unsummarized Outcome = "summary_failed"
	Dropped      Outcome = "dropped"
)

// Plan is what would be summarized of an entry.
type Plan struct {
	Outcome   Outcome // Compressed if something would be
	Tokens    []int   // of each turn
	Total     int
	Protected []int // in order
	// From and To are the compressible region as protection leaves it, and
	// Start and End what goes of it. Ends are exclusive.
	From, To, Start, End int
}

var errRole = errors.New("from is no text")

// count counts the tokens of a value.
func (c *Compressor) count(value string) int {
	if value == "" {
		return 0
	}
	n, err := c.Count(value)
	if err != nil {
		return utf8.RuneCountInString(value) / 4
	}
	return n
}

// plan decides what of a trajectory goes.
func (c *Compressor) plan(turns []turn) (p Plan, err error) {
	for i := range turns {
		n := c.count(turns[i].value)
		p.Tokens = append(p.Tokens, n)
		p.Total += n
	}
	if p.Total <= c.Config.TargetMaxTokens {
		p.Outcome = UnderTarget
	}
	if err := c.protect(turns, &p); err != nil && p.Outcome != UnderTarget {
		return p, err
	}
	if p.Outcome == UnderTarget {
		return p, nil
	}
	start := snap(turns, p.From, p.From, p.To)
	if start >= p.To {
		p.Outcome = Nothing
		return p, nil
	}
	need, sum, until := p.Total-c.Config.TargetMaxTokens+c.Config.SummaryTargetTokens, 0, start
	for until < p.To {
		sum += p.Tokens[until]
		until++
		if sum >= need {
			break
		}
	}
	until = snap(turns, until, start, p.To)
	sum = 0
	for _, n := range p.Tokens[start:max(start, until)] {
		sum += n
	}
	if until <= start || sum <= c.Config.SummaryTargetTokens {
		p.Outcome = NoSavings
		return p, nil
	}
	p.Outcome, p.Start, p.End = Compressed, start, until
	return p, nil
}

// protect finds what must stay and the region between.
func (c *Compressor) protect(turns []turn, p *Plan) error {
	conf, n := &c.Config, len(turns)
	firsts := map[string]int{}
	for i := range turns {
		t := &turns[i]
		if t.role == hollow || t.role == nested {
			return errRole
		}
		if _, seen := firsts[t.from]; !seen && (t.role == text || t.role == absent) {
			firsts[t.from] = i
		}
	}
	var heads []int
	for role, on := range map[string]bool{system: conf.FirstSystem, human: conf.FirstHuman, gpt: conf.FirstGPT, tool: conf.FirstTool} {
		if i, there := firsts[role]; there && on {
			heads = append(heads, i)
		}
	}
	slices.Sort(heads)
	p.Protected = slices.Clone(heads)
	tail := min(n, max(0, n-conf.LastNTurns))
	for i := tail; i < n; i++ {
		p.Protected = append(p.Protected, i)
	}
	slices.Sort(p.Protected)
	p.Protected = slices.Compact(p.Protected)
	p.From, p.To = 0, n
	if c.Flaws.Has(Midpoint) {
		at, _ := slices.BinarySearch(p.Protected, n/2)
		if at > 0 {
			p.From = p.Protected[at-1] + 1
		}
		if at < len(p.Protected) {
			p.To = p.Protected[at]
		}
		return nil
	}
	p.To = tail
	for _, i := range heads {
		if i < tail {
			p.From = i + 1
		}
	}
	return nil
}

// clean reports whether a boundary parts no call from its responses.
func clean(turns []turn, i int) bool { return i >= len(turns) || turns[i].from != tool }

// snap moves a boundary forward to a clean place, else back to one.
func snap(turns []turn, at, least, most int) int {
	forward := at
	for forward < most && !clean(turns, forward) {
		forward++
	}
	if clean(turns, forward) {
		return forward
	}
	for at > least && !clean(turns, at) {
		at--
	}
	return at
}
