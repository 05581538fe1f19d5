package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/export/pairs"
)

// pairing is the job of making the record of a pair.
type pairing struct {
	chosen, rejected pairSide
	prompt           pairPrompt
	sums             pairs.Pair
	group            string // the sessions that begin alike, by one of them

	pair *Pair
	made
}

func (w *pairing) result() *made { return &w.made }

// size counts the prompt twice: formats of whole conversations repeat it.
func (w *pairing) size(bool) int {
	n := len(w.chosen.session.Tools)
	for _, list := range [...][]chat.Message{w.prompt.system, w.prompt.messages} {
		for i := range list {
			n += list[i].Size()
		}
	}
	return 2*n + w.chosen.answer.Size() + w.rejected.answer.Size()
}

// id names a pair after what it says: those of one prompt begin with the same half.
func (w *pairing) id() string {
	p := &w.sums
	sum := sha256.Sum256(slices.Concat(p.ChosenSum[:], p.RejectedSum[:]))
	return hex.EncodeToString(p.Prompt[:8]) + "-" + hex.EncodeToString(sum[:8])
}

func (w *pairing) begin(m *maker) {
	w.of = LeftOut{Segment: w.chosen.segment.ID, SessionFile: w.chosen.segment.SessionFile, Rejected: w.rejected.segment.ID}
	if len(w.findings) > 0 {
		return
	}
	answers := []chat.Message{w.chosen.answer, w.rejected.answer}
	if w.findings = m.leak(w.prompt.system, w.prompt.messages, answers); len(w.findings) > 0 {
		return
	}
	w.pair = &Pair{w.sample(&w.chosen), w.sample(&w.rejected)}
	for i, s := range w.pair.sides() {
		if s.Tools == "" { // not recorded there: they begin alike
			s.Tools = w.pair.sides()[1-i].Tools
		}
		m.opts.taken.from(s)
		m.opts.System.apply(s, w.prompt.system)
		w.cut = cutEphemeral(s, m.opts.Ephemeral) || w.cut
	}
	if m.redactor == nil {
		return
	}
	w.found = m.redactor.find(w.texts())
	chosen := len(w.pair.Chosen.texts())
	for i := range w.found {
		f := &w.found[i]
		f.secret.Segment = w.chosen.segment.ID
		if f.spots[0].text >= chosen {
			f.secret.Segment = w.rejected.segment.ID
		}
	}
}

// sample makes a side: the prompt and its answer.
func (w *pairing) sample(side *pairSide) *Sample {
	seg := *side.segment
	seg.Masked = nil // places in the segment, which the sample is not
	s := New(&seg, side.session, append(slices.Clone(w.prompt.messages), side.answer))
	s.ID, s.said = w.id(), 0
	s.complete()
	return s
}

// texts lists the texts of both sides, those of the chosen one first.
func (w *pairing) texts() []sampleText {
	return append(w.pair.Chosen.texts(), w.pair.Rejected.texts()...)
}

func (w *pairing) number(m *maker) {
	if m.redactor != nil {
		m.redactor.number(w.found)
	}
}

func (w *pairing) finish(m *maker) {
	if len(w.findings) > 0 {
		w.prompt = pairPrompt{}
		return
	}
	var clean map[string]bool
	if m.opts.Redact != nil {
		clean = m.redactor.replace(w.texts(), w.found)
	}
	e, p := m.emitter, w.pair
	repairs, long := e.ready(p.Chosen, m.opts)
	more, longer := e.ready(p.Rejected, m.opts)
	if len(long) == 0 {
		long = longer
	}
	if w.findings = append(e.CheckPair(p), long...); len(w.findings) == 0 {
		w.write(m, append(repairs, more...))
	}
	if m.opts.Redact != nil && len(w.findings) == 0 {
		w.findings = m.redactor.left(w.lines, clean)
	}
	w.pair, w.prompt = nil, pairPrompt{}
}

// write makes the record, and what is told of it.
func (w *pairing) write(m *maker, repairs []Finding) {
	p := w.pair
	w.facts = factsFrom(p.Chosen, repairs, m.opts)
	other := factsFrom(p.Rejected, nil, m.opts)
	w.facts.Tokens = max(w.facts.Tokens, other.Tokens)
	for _, name := range other.Tools {
		if !slices.Contains(w.facts.Tools, name) {
			w.facts.Tools = append(w.facts.Tools, name)
		}
	}
	slices.Sort(w.facts.Tools)
	w.facts.Origin = w.origin()
	w.facts.Cut, w.facts.OfRun = w.cut, m.opts.System.keeps() && p.Chosen.ofRun()
	w.facts.Part = m.emitter.partFor(p.Chosen)
	w.lines = m.emitter.pair.encode(takeBuffer(), p)
	w.facts.Rows, w.facts.Size, w.facts.Trained = 1, len(w.lines), len(p.sides())
	if m.whole {
		w.row = w.rowOf(m.opts)
	}
}

// origin tells where both answers come from.
func (w *pairing) origin() lineage.Origin {
	o := originFrom(w.chosen.segment, w.pair.Chosen, append(slices.Clone(w.prompt.messages), w.chosen.answer))
	for i := range w.prompt.messages {
		if w.prompt.messages[i].N == 0 {
			o.Context++
		}
	}
	answer := &Sample{ID: o.Sample, Verdict: w.pair.Rejected.Verdict, Messages: w.pair.Rejected.Messages[len(w.pair.Rejected.prompt()):]}
	rejected := originFrom(w.rejected.segment, answer, []chat.Message{w.rejected.answer})
	if rejected.Recorded = w.rejected.recorded; rejected.Recorded {
		o.Answer, rejected.Answer = w.chosen.n, w.rejected.n
	}
	o.Rejected = &rejected
	return o
}

// rowOf returns the row of a pair. For splits, both of its sessions and all that
// begin alike belong together; a pair is as good as its chosen answer.
func (w *pairing) rowOf(opts *Options) row {
	whole := &Sample{Messages: append(slices.Clone(w.pair.Chosen.Messages), *w.pair.Rejected.answer())}
	path := append(slices.Concat(w.chosen.path, []string{w.rejected.session.ID}, w.rejected.path), "begins as "+w.group)
	r := rowFrom(w.of, w.chosen.segment, w.chosen.session, path, whole, opts)
	r.sample, r.prompt = w.pair.Chosen.ID, w.sums.Prompt
	r.joined = max(r.joined, rowFrom(w.of, w.rejected.segment, w.rejected.session, nil, &Sample{}, opts).joined)
	return r
}
