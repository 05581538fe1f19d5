package export

import (
	"encoding/hex"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/lineage"
	"winnow/core/export/onpolicy"
	"winnow/core/rawjson"
	"winnow/core/review"
)

// exactRow is a row on its way to become a sample.
type exactRow struct {
	onpolicy.Row
	session  *review.Session
	segments []review.Segment      // of the session that were selected
	of       []int                 // those of them that it trains answers of
	before   []string              // ids of the sessions that it branches off
	by       map[edit.Place]string // who made the edits on the path, if a tree tells

	sample   *Sample
	gaps     []Gap
	found    []found
	findings []Finding // why it is left out, if it is
	claim    claim
}

// first returns the first segment that a row trains answers of.
func (r *exactRow) first() *review.Segment { return &r.segments[r.of[0]] }

// trains lists the segments of which a row trains answers, in their order.
func (r *exactRow) trains() (list []int) {
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Train && !slices.Contains(list, m.Segment) {
			list = append(list, m.Segment)
		}
	}
	return list
}

// size is about how much text its records hold, in bytes.
func (r *exactRow) size(repeats bool) int {
	before, rows := len(r.session.Tools), 0
	for i := range r.Messages {
		before += r.Messages[i].Size()
		if repeats && r.Messages[i].Train {
			rows += before
		}
	}
	return max(before, rows)
}

// make makes a sample of a row, another one with each call.
func (r *exactRow) make() *Sample {
	first := *r.first()
	first.Masked = nil // places in the segment, which the sample is not
	s := New(&first, r.session, nil)
	end := r.Messages[len(r.Messages)-1].Node
	s.ID, s.said, s.exact = sessionPart(&first)+"-"+hex.EncodeToString(end[:8]), 0, true
	s.Provenance = r.provenance()
	s.Messages = make([]Message, len(r.Messages))
	for i := range r.Messages {
		from := &r.Messages[i]
		m := newMessage(from.Message)
		m.Train, m.sampled, m.before = from.Train, from.Sampled, !from.Own
		if m.before {
			m.N = 0
		}
		if m.Role == chat.System && m.Marks.Has(chat.MarkCompaction) {
			m.Role = chat.User // as agents send it: the recorder's role says who made it
		}
		if from.Edit != nil {
			m.by = r.by[from.Edit.Place]
		}
		if from.Recorded != nil && from.Edit.Why == edit.Fix && from.Role == chat.Assistant && from.Recorded.Role == chat.Assistant && r.by != nil {
			was := newMessage(from.Recorded)
			was.Train, was.sampled = false, from.Given
			m.was = &was
		}
		s.Messages[i] = m
	}
	return s
}

// provenance tells where a row comes from.
func (r *exactRow) provenance() string {
	first := r.first()
	b := appendField([]byte{'{'}, "agent", first.AgentID)
	b = appendField(b, "session", review.FileTitle(first.SessionFile))
	b = appendField(b, "policy", Policies()[1])
	b = appendList(b, "segments", len(r.of), func(dst []byte, i int) []byte {
		return append(appendJudged(appendPlace(append(dst, '{'), &r.segments[r.of[i]]), &r.segments[r.of[i]]), '}')
	})
	if len(r.gaps) > 0 {
		b = appendList(b, "gaps", len(r.gaps), func(dst []byte, i int) []byte { return rawjson.AppendString(dst, string(r.gaps[i])) })
	}
	return string(append(appendMade(b, r.session), '}'))
}

// begin looks what a row would give: what is left out must not keep others from
// training what they share with it.
func (r *exactRow) begin(m *maker) {
	s := r.make()
	tools := s.Tools
	repairs, findings := m.emitter.prepare(s, m.opts)
	r.gaps = gapsOf(&r.Row, tools, r.session.Format, repairs)
	r.findings = append(m.opts.refusedGaps(r.gaps), findings...)
	switch {
	case len(r.findings) == 0:
		r.ready(m)
	case r.Shorten(): // what comes after what trains is not worth losing it
		r.begin(m)
	}
}

// missing names the gaps that a row is left out for.
func (r *exactRow) missing() (names string) {
	if len(r.findings) > 0 && r.findings[0].Check == gapCheck {
		names, _, _ = strings.Cut(r.findings[0].Detail, ":")
	}
	return names
}

// ready makes the sample, and looks for secrets in it.
func (r *exactRow) ready(m *maker) {
	r.sample = r.make()
	m.opts.taken.from(r.sample)
	for i := range r.sample.Messages {
		one := &r.sample.Messages[i]
		one.by = m.opts.taken.of(one.by)
	}
	if m.redactor == nil {
		return
	}
	r.found = m.redactor.find(r.sample.texts())
	for i := range r.found {
		r.found[i].secret.Segment = r.first().ID
	}
}

// number claims what the row trains: rows come in the order of the export. It
// returns the segments of which others train all that it would.
func (r *exactRow) number(m *maker) (elsewhere []int) {
	row, why, barred := m.claims.next()
	if len(r.findings) > 0 {
		return nil
	}
	if barred {
		r.findings = []Finding{why}
		return nil
	}
	var changed bool
	r.claim, changed = m.claims.make(row, &r.Row)
	is := r.trains()
	if len(is) == 0 {
		r.findings, r.sample = []Finding{trainedElsewhere}, nil
		return nil
	}
	elsewhere, r.of = slices.DeleteFunc(r.of, func(i int) bool { return slices.Contains(is, i) }), is
	if changed {
		r.ready(m)
	}
	if m.redactor != nil {
		m.redactor.number(r.found)
	}
	return elsewhere
}

// finish replaces secrets, and makes the sample fit to be written. It returns the
// texts without secrets.
func (r *exactRow) finish(m *maker) (clean map[string]bool, repairs []Finding) {
	if len(r.findings) > 0 {
		return nil, nil
	}
	if m.opts.Redact != nil {
		clean = m.redactor.replace(r.sample.texts(), r.found)
	}
	repairs, r.findings = m.emitter.prepare(r.sample, m.opts)
	return clean, repairs
}

var trainedElsewhere = Finding{Check: OutElsewhere, Detail: "every answer that it would train is trained in another sample"}

// exactJob is the job of making a sample of a row.
type exactJob struct {
	exact *exactRow // nil: it only says that a segment is left out
	made
}

func (w *exactJob) result() *made { return &w.made }

func (w *exactJob) size(repeats bool) int {
	if w.exact == nil {
		return 0
	}
	return w.exact.size(repeats)
}

func (w *exactJob) begin(m *maker) {
	if w.exact != nil {
		w.exact.begin(m)
	}
}

func (w *exactJob) number(m *maker) {
	if w.exact == nil {
		return
	}
	for _, i := range w.exact.number(m) {
		w.also = append(w.also, leftOutOf(&w.exact.segments[i], trainedElsewhere.Check, trainedElsewhere.Detail))
	}
}

func (w *exactJob) finish(m *maker) {
	r := w.exact
	if r == nil {
		return
	}
	w.of = leftOutOf(r.first(), "", "")
	clean, repairs := r.finish(m)
	w.found = r.found
	if len(r.findings) == 0 {
		w.write(m, repairs)
		if m.opts.Redact != nil {
			r.findings = m.redactor.left(w.lines, clean)
		}
	}
	w.claimed = []claim{r.claim}
	if w.findings = r.findings; len(w.findings) > 0 {
		w.of.Gaps = r.missing()
		w.also = append(w.also, r.others(w.findings[0])...)
	}
	r.sample, r.Messages = nil, nil
}

// others are the segments of a row after the first one, left out for the same
// reason.
func (r *exactRow) others(why Finding) (list []LeftOut) {
	for _, i := range r.of[1:] {
		list = append(list, leftOutOf(&r.segments[i], why.Check, why.Detail))
	}
	return list
}

// write makes the records, and what is told of them.
func (w *exactJob) write(m *maker, repairs []Finding) {
	r, s := w.exact, w.exact.sample
	w.facts = factsFrom(s, repairs, m.opts)
	w.facts.Origin, w.facts.Gaps = r.origin(), r.gaps
	w.facts.OfRun = s.ofRun()
	w.facts.Part = m.emitter.partFor(s)
	w.lines, w.facts.Rows = m.emitter.encode(takeBuffer(), s)
	w.facts.Size = len(w.lines)
	for i := range s.Messages {
		if s.Messages[i].Train {
			w.facts.Trained++
		}
	}
	if m.whole {
		w.row = r.rowOf(m.opts)
	}
}

// origin tells where a row comes from.
func (r *exactRow) origin() lineage.Origin {
	var own []chat.Message
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Own {
			own = append(own, chat.Message{SourceLine: m.SourceLine})
		}
	}
	o := originFrom(r.first(), r.sample, own)
	o.From = r.From
	for i := range r.sample.Messages {
		m := &r.sample.Messages[i]
		if m.before {
			o.Context++
		}
		if m.Train {
			o.Trained = append(o.Trained, m.N)
		}
	}
	for i := range r.gaps {
		o.Gaps = append(o.Gaps, string(r.gaps[i]))
	}
	for _, i := range r.of[1:] {
		also := originFrom(&r.segments[i], &Sample{ID: o.Sample, Verdict: judged(&r.segments[i])}, nil)
		o.Also = append(o.Also, also)
	}
	return o
}

// rowOf returns the row of a sample. For splits, its session, those that it branches
// off and all that share its first answer belong together.
func (r *exactRow) rowOf(opts *Options) row {
	path := slices.Clone(r.before)
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Sampled {
			path = append(path, "answer "+hex.EncodeToString(m.Node[:]))
			break
		}
	}
	first := r.first()
	made := rowFrom(leftOutOf(first, "", ""), first, r.session, path, r.sample, opts)
	made.exact = &exactPart{}
	for _, i := range r.of[1:] {
		made.exact.also = append(made.exact.also, leftOutOf(&r.segments[i], "", ""))
	}
	return made
}
