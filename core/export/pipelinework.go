package export

import (
	"slices"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/review"
)

// made is what has become of a job.
type made struct {
	of       LeftOut   // what it is named by where it is left out
	found    []found   // secrets
	findings []Finding // why it is left out, if it is
	also     []LeftOut // other segments that are left out, each with its reason
	lines    []byte    // its records
	facts    facts
	cut      bool        // text was cut out of its system messages
	counted  []string    // tools that its records count
	row      row         // of an export that decides with all samples known
	claimed  []claim     // what its rows train
	lost     []lostClaim // what those claimed that are left out of it
	further  bool        // a sample of a segment of which another one comes before
	silent   bool        // another one says why all of them are left out
	missed   bool        // a compression of it is not applied, as it changed since
	inFront  bool        // that is so though the segment itself did not change
}

// facts is what the report and the manifest say of a sample.
type facts struct {
	Origin   lineage.Origin `json:"origin"`
	Part     int            `json:"part,omitzero"`
	Rows     int            `json:"rows"`
	Size     int            `json:"size"` // of the records, in bytes
	Tokens   int            `json:"tokens"`
	Trained  int            `json:"trained"`
	Unmarked int            `json:"unmarked,omitzero"`
	OfRun    bool           `json:"of_run,omitzero"`
	Cut      bool           `json:"cut,omitzero"`     // of text that was of the run only
	Tools    []string       `json:"tools,omitzero"`   // that it calls, sorted
	Repairs  []string       `json:"repairs,omitzero"` // names of checks
	Gaps     []Gap          `json:"gaps,omitzero"`
}

// maker is what turns jobs into records. It keeps nothing of them: the workers
// share it.
type maker struct {
	emitter  *Emitter
	opts     *Options
	redactor *redactor // nil: secrets are not looked for
	whole    bool      // rows are wanted
	sealed   *redactions
	claims   claims // of an export on policy
}

// sampling is the job of making a sample of a candidate.
type sampling struct {
	candidate
	sample *Sample
	made
}

func (w *sampling) result() *made { return &w.made }

func (w *sampling) begin(m *maker) {
	w.of = LeftOut{Segment: w.segment.ID, SessionFile: w.segment.SessionFile}
	w.missed, w.inFront = w.stale, w.stale && w.segment.Compression != review.CompressionOutdated
	if w.laid != nil {
		w.sample, w.findings = w.laid.make(w, m)
	} else {
		w.sample, w.findings = w.make(m)
	}
	if w.sample == nil {
		return
	}
	w.cut = cutEphemeral(w.sample, m.opts.Ephemeral)
	if m.redactor != nil {
		w.found = m.redactor.find(w.sample.texts())
		for i := range w.found {
			w.found[i].secret.Segment = w.segment.ID
		}
	}
}

// make makes the sample of a candidate as it is, or finds what keeps it out.
func (c *candidate) make(m *maker) (*Sample, []Finding) {
	if c.about != nil && c.about.redacted {
		return nil, c.about.withheld()
	}
	if found := m.leak(c.prompt, c.before.messages, c.messages); len(found) > 0 {
		return nil, found
	}
	s := New(&c.segment, c.session, c.messages)
	m.opts.taken.from(s)
	if left := m.opts.Train.written(s, c.edits); !left && m.opts.Train == TrainEdited {
		return nil, []Finding{{Check: OutUnedited, Detail: "no answer that is trained was written by a curator"}}
	}
	c.about.narrow(s)
	c.before.precede(s)
	m.opts.System.apply(s, c.prompt)
	return s, nil
}

func (w *sampling) number(m *maker) {
	if m.redactor != nil {
		m.redactor.number(w.found)
	}
}

func (w *sampling) finish(m *maker) {
	if len(w.findings) > 0 {
		w.messages = nil
		return
	}
	s := w.sample
	var clean map[string]bool
	if m.opts.Redact != nil {
		clean = m.redactor.replace(s.texts(), w.found)
	}
	repairs, findings := m.emitter.prepare(s, m.opts)
	if w.findings = append(findings, m.refuse(s)...); len(w.findings) > 0 {
		w.sample, w.messages = nil, nil
		return
	}
	w.facts = factsOf(w, repairs, m.emitter, m.opts)
	w.facts.Cut, w.facts.OfRun = w.cut, m.opts.System.keeps() && s.ofRun()
	w.facts.Part = m.emitter.partFor(s)
	w.lines, w.facts.Rows = m.emitter.encode(takeBuffer(), s)
	if w.facts.Size = len(w.lines); m.emitter.completes {
		w.facts.Trained = w.facts.Rows
	}
	if m.emitter.finish != nil {
		w.counted, _ = s.toolStats()
	}
	if m.opts.Redact != nil {
		w.findings = m.redactor.left(w.lines, clean)
	}
	if m.whole {
		w.row = rowOf(w, m.opts)
	}
	w.sample, w.messages = nil, nil
}

// refuse finds what the options have against a sample that is fit to be
// written.
func (m *maker) refuse(s *Sample) (found []Finding) {
	if m.emitter.reasoned && !m.opts.KeepNoReasoning && !s.reasons() {
		found = append(found, Finding{Check: "no_reasoning", Detail: "no assistant message has any reasoning"})
	}
	return found
}

// reasons reports whether any assistant message has reasoning.
func (s *Sample) reasons() bool {
	return slices.ContainsFunc(s.Messages, func(m Message) bool {
		if m.Role != chat.Assistant || m.Reasoning != "" {
			return m.Reasoning != ""
		}
		thought, _ := chat.SplitThink(m.Content) // formats that have it as text leave it there
		return thought != ""
	})
}

func factsOf(w *sampling, repairs []Finding, e *Emitter, opts *Options) facts {
	f := factsFrom(w.sample, repairs, opts)
	f.Origin = originOf(w)
	for i := range w.sample.Messages {
		switch m := &w.sample.Messages[i]; {
		case m.Role != chat.Assistant:
		case m.Train:
			f.Trained++
		case e.unmarked:
			f.Unmarked++
		}
	}
	return f
}

// factsFrom is what is told of a sample, whatever it is part of.
func factsFrom(s *Sample, repairs []Finding, opts *Options) facts {
	f := facts{Tokens: s.counted(opts.Counter)}
	for _, c := range s.calls {
		if !slices.Contains(f.Tools, c.Name) {
			f.Tools = append(f.Tools, c.Name)
		}
	}
	slices.Sort(f.Tools)
	for _, r := range repairs {
		if !slices.Contains(f.Repairs, r.Check) {
			f.Repairs = append(f.Repairs, r.Check)
		}
	}
	return f
}

func originOf(w *sampling) lineage.Origin {
	o := originFrom(&w.segment, w.sample, w.messages)
	o.Context = len(w.before.messages)
	if w.laid != nil {
		o.Compression = &w.laid.sample.Told
		o.Context = w.sample.inFront()
	}
	if w.about != nil {
		o.Answer, o.Recorded = w.about.n, w.about.recordedOne
	}
	return o
}

// originFrom is where a sample comes from that is made of messages of a segment.
func originFrom(seg *review.Segment, s *Sample, messages []chat.Message) lineage.Origin {
	o := lineage.Origin{
		Sample: s.ID, Segment: seg.ID, Fingerprint: seg.Fingerprint, Edited: seg.Edited, Source: review.SourcePath(seg.SessionFile),
		SessionFile: seg.SessionFile, Start: seg.Start, End: seg.End, Verdict: string(s.Verdict), Curator: seg.Reviewer,
		Score: seg.Score, TaskType: seg.TaskType,
	}
	at := seg.ReviewedAt
	if seg.Stale && seg.Was != "" {
		o.Curator, at = seg.WasBy, seg.WasAt
	}
	if !at.IsZero() {
		o.ReviewedAt = at.UTC().Format(time.RFC3339)
	}
	for _, place := range seg.Masked {
		o.Masked = append(o.Masked, seg.Start+place-1)
	}
	for i := range s.Messages {
		if n := s.Messages[i].N; n > 0 && s.Messages[i].part == 0 {
			o.Messages = append(o.Messages, n)
		}
	}
	for i := range messages {
		line := messages[i].SourceLine
		if line > 0 && (o.FirstLine == 0 || line < o.FirstLine) {
			o.FirstLine = line
		}
		if isLines(o.Source) {
			o.LastLine = max(o.LastLine, line)
		}
	}
	return o
}

// isLines reports whether the name of a source says that each of its lines is a
// value. A document spans lines, as do the elements of an array.
func isLines(path string) bool {
	path = strings.ToLower(path)
	for _, packed := range [...]string{".gz", ".zst"} {
		path = strings.TrimSuffix(path, packed)
	}
	return strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".ndjson")
}
