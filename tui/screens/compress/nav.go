package compress

import (
	"cmp"

	"winnow/core/compress"
	"winnow/tui/keys"
)

// open shows what is folded under the cursor, or folds it.
func (s *Screen) open() {
	v := &s.view
	ln := v.rows.Selected()
	b := &v.sheet.blocks[ln.block]
	switch {
	case ln.kind == run && ln.sub < 0:
		v.unfolded = toggled(v.unfolded, -ln.msg-1)
	case ln.kind == message || ln.kind == text:
		v.opened = toggled(v.opened, ln.msg)
		v.want = &wanted{msg: ln.msg}
	case b.region && b.g.Cleared:
		v.opened = toggled(v.opened, b.from)
	case b.region:
		v.unfolded = toggled(v.unfolded, b.from)
	default:
		v.unfolded = toggled(v.unfolded, ln.msg)
	}
	v.stale = true
}

func toggled(m map[int]bool, key int) map[int]bool {
	if m == nil {
		m = map[int]bool{}
	}
	if m[key] = !m[key]; !m[key] {
		delete(m, key)
	}
	return m
}

// openAll shows all messages in a line each, or folds all.
func (s *Screen) openAll() {
	v := &s.view
	v.stale = true
	if len(v.unfolded)+len(v.opened) > 0 {
		v.unfolded, v.opened = nil, nil
		return
	}
	v.unfolded = map[int]bool{}
	for i := range v.sheet.blocks {
		b := &v.sheet.blocks[i]
		if b.group > 0 {
			v.unfolded[-b.from-1] = true
		}
		if b.region && b.g.Cleared {
			continue
		}
		v.unfolded[b.from] = true
		for at := b.from; at < b.to && !b.region; at++ {
			if at > b.from && s.pins[at-1] {
				v.unfolded[at] = true
			}
		}
	}
}

func (s *Screen) noSamples() string {
	return cmp.Or(s.noProposal(), keys.Reason(len(s.seen.Got.samples) < 2, "there is one sample only"))
}

// otherSample shows the next sample or the one before.
func (s *Screen) otherSample(by int) {
	n := len(s.seen.Got.samples)
	s.sample = (s.sample + by + n) % n
	s.view.stale = true
	s.view.want = s.ofSample()
}

// ofSample is where a sample begins to differ: at its first text, else at its start.
func (s *Screen) ofSample() *wanted {
	for _, piece := range s.seen.Got.samples[s.sample].Pieces {
		if piece.Stand != nil {
			return &wanted{msg: piece.From, region: true}
		}
	}
	return &wanted{}
}

func (s *Screen) noFindings() string {
	return cmp.Or(s.noProposal(), keys.Reason(len(s.findings()) == 0, "nothing was found"))
}

// nextFinding goes to the message that the next finding names, in a sample that shows
// it as the finding means it.
func (s *Screen) nextFinding() {
	all := s.findings()
	s.finding = s.finding%len(all) + 1
	f := &all[s.finding-1]
	at := s.indexOf(f.N)
	if at < 0 || len(s.seen.Got.samples) == 0 {
		s.Say("the finding names no message")
		return
	}
	if k := s.sampleOf(at, f.Check == compress.Dangling); k != s.sample {
		s.sample = k
		s.view.stale = true
	}
	to := wanted{msg: at, region: f.Check != compress.Dangling}
	if s.view.want = &to; !s.view.stale {
		s.view.rows.Pick(s.view.sheet.find(&to))
		s.view.want = nil
	}
}

// sampleOf is the sample that shows a message: with a text in front of it where what it
// names is gone, else with the text that stands for it. The one that is shown goes before
// others.
func (s *Screen) sampleOf(at int, after bool) int {
	samples := s.seen.Got.samples
	fits := func(k int) bool {
		left := false
		for _, piece := range samples[k].Pieces {
			if piece.From <= at && at < piece.To {
				return after && left && piece.Stand == nil || !after && piece.Stand != nil
			}
			left = left || piece.Stand != nil
		}
		return false
	}
	if fits(s.sample) {
		return s.sample
	}
	for k := range samples {
		if fits(k) {
			return k
		}
	}
	return s.sample
}

// otherRegion goes to the next or the previous messages that are left out.
func (s *Screen) otherRegion(by int) {
	v := &s.view
	last := -1
	if ln := v.rows.Selected(); ln != nil {
		last = ln.block
	}
	for i := v.rows.Cur + by; i >= 0 && i < len(v.rows.Rows); i += by {
		ln := &v.rows.Rows[i]
		if ln.block == last && by > 0 || !v.sheet.blocks[ln.block].region || i > 0 && v.rows.Rows[i-1].block == ln.block {
			continue
		}
		v.rows.Pick(i)
		return
	}
	s.Say(map[int]string{1: "nothing more is left out below", -1: "nothing more is left out above"}[by])
}

func (s *Screen) noRead() string {
	if reason := s.noLines(); reason != "" {
		return reason
	}
	return keys.Reason(s.view.rows.Selected().msg < s.view.sheet.of.Own, "the message stands in front of the segment")
}

// read goes to the message under the cursor in the reader.
func (s *Screen) read() {
	n := s.view.sheet.of.Messages[s.view.rows.Selected().msg].N
	s.Leave()
	s.program.Read(n)
}
