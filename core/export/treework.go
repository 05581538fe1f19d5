package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// treeJob is the job of making a tree of the rows of a session and its branches. Rows
// with other tools make a tree of their own.
type treeJob struct {
	rows []*exactRow
	made
}

// newTreeJob makes a job of rows, and of the segments that are in none.
func newTreeJob(rows []*exactRow, out []LeftOut) *treeJob {
	w := &treeJob{rows: rows, made: made{also: out}}
	if len(rows) == 0 {
		w.of, w.findings, w.also = out[0], []Finding{out[0].Finding}, out[1:]
	} else {
		w.of = leftOutOf(rows[0].first(), "", "")
	}
	return w
}

func (w *treeJob) result() *made { return &w.made }

func (w *treeJob) size(repeats bool) (n int) {
	for _, r := range w.rows {
		n += r.size(repeats)
	}
	return n
}

func (w *treeJob) begin(m *maker) {
	for _, r := range w.rows {
		r.begin(m)
	}
}

func (w *treeJob) number(m *maker) {
	for _, r := range w.rows {
		for _, i := range r.number(m) {
			w.also = append(w.also, leftOutOf(&r.segments[i], trainedElsewhere.Check, trainedElsewhere.Detail))
		}
	}
}

func (w *treeJob) finish(m *maker) {
	var rows []*exactRow
	var repairs []Finding
	clean := map[string]bool{}
	for _, r := range w.rows {
		texts, done := r.finish(m)
		for text := range texts {
			clean[text] = true
		}
		if w.found = append(w.found, r.found...); len(r.findings) > 0 {
			w.also = append(w.also, r.left()...)
			w.lost = append(w.lost, lostClaim{r.claim, r.findings[0]})
			continue
		}
		m.formed(r.sample)
		w.claimed = append(w.claimed, r.claim)
		rows, repairs = append(rows, r), append(repairs, done...)
	}
	if len(w.findings) > 0 { // there is no row
		return
	}
	if len(rows) > 0 {
		w.write(m, rows, repairs)
	}
	if m.opts.Redact != nil {
		w.findings = m.redactor.left(w.lines, clean)
	}
	switch {
	case len(rows) == 0:
		w.of, w.also = w.also[0], w.also[1:]
		w.findings = []Finding{w.of.Finding}
		for range w.of.More {
			w.findings = append(w.findings, w.of.Finding)
		}
	case len(w.findings) > 0:
		for _, r := range rows {
			r.findings = w.findings
			w.also = append(w.also, r.left()...)
		}
	}
	w.rows = nil
}

// left returns the segments of a row that is left out, with its findings.
func (r *exactRow) left() []LeftOut {
	of := leftOutOf(r.first(), r.findings[0].Check, r.findings[0].Detail)
	of.Message, of.More, of.Gaps = r.findings[0].Message, len(r.findings)-1, r.missing()
	return append([]LeftOut{of}, r.others(r.findings[0])...)
}

// write makes the records, and what is told of them.
func (w *treeJob) write(m *maker, rows []*exactRow, repairs []Finding) {
	w.lines = takeBuffer()
	all := &Sample{Tools: rows[0].sample.Tools}
	for rest := rows; len(rest) > 0; {
		tools := rest[0].sample.Tools
		var same, others []*exactRow
		for _, r := range rest {
			if r.sample.Tools == tools {
				same = append(same, r)
			} else {
				others = append(others, r)
			}
		}
		t := treeOf(same)
		for i := range t.Nodes {
			all.Messages = append(all.Messages, t.Nodes[i].Message)
		}
		w.lines = m.emitter.tree.encode(w.lines, t)
		w.facts.Rows++
		rest = others
	}
	count := w.facts.Rows
	w.facts = factsFrom(all, repairs, m.opts)
	w.facts.Rows, w.facts.Size = count, len(w.lines)
	o := rows[0].origin()
	for i, r := range rows {
		w.facts.OfRun = w.facts.OfRun || r.sample.ofRun()
		for _, g := range r.gaps {
			if !slices.Contains(w.facts.Gaps, g) {
				w.facts.Gaps = append(w.facts.Gaps, g)
			}
		}
		one := o
		if i > 0 {
			one = r.origin()
			also := one.Also
			one.Also = nil
			o.Also = append(append(o.Also, one), also...)
		}
		w.facts.Trained += len(one.Trained)
	}
	w.facts.Origin = o
	if m.whole {
		w.row = rows[0].rowOf(m.opts)
		for _, r := range rows[1:] {
			next := r.rowOf(m.opts)
			w.row.path = append(append(w.row.path, next.session), next.path...)
			w.row.exact.also = append(append(w.row.exact.also, next.of), next.exact.also...)
		}
	}
}

// treeOf makes a tree of rows with the same tools.
func treeOf(rows []*exactRow) *Tree {
	var t treeMaker
	first := rows[0].sample
	for _, r := range rows {
		t.add(r.sample)
	}
	tree := &t.tree
	tree.Tools = first.Tools
	tree.Provenance = first.Provenance
	if len(rows) > 1 {
		tree.Provenance = provenanceOf(rows)
	}
	h := sha256.New()
	for _, r := range rows {
		h.Write([]byte(r.sample.ID + "\n"))
	}
	tree.ID = sessionPart(rows[0].first()) + "-" + hex.EncodeToString(h.Sum(nil)[:8])
	return tree
}

// provenanceOf lists where the rows of a tree come from.
func provenanceOf(rows []*exactRow) string {
	b := appendField([]byte{'{'}, "agent", rows[0].sample.Agent)
	b = appendField(b, "policy", Policies()[1])
	b = appendList(b, "paths", len(rows), func(dst []byte, i int) []byte { return append(dst, rows[i].sample.Provenance...) })
	return string(append(b, '}'))
}

// formed brings the recorded answers beside rewritten ones into the form of the format.
// One that cannot be written is left out.
func (m *maker) formed(s *Sample) {
	for i := range s.Messages {
		one := &s.Messages[i]
		if one.was == nil {
			continue
		}
		lone := &Sample{Messages: []Message{*one.was}, Tools: s.Tools, exact: true}
		m.emitter.ready(lone, m.opts)
		one.was = nil
		if !slices.ContainsFunc(m.emitter.Check(lone), func(f Finding) bool { return f.Check != "no_user" && f.Check != "no_assistant" }) {
			one.was = &lone.Messages[0]
		}
	}
}
