package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/export/lineage"
	"winnow/core/export/shortened"
	"winnow/core/proposal"
	"winnow/core/rawjson"
	"winnow/core/review"
)

// propose asks for the compressions of segments.
func (r *reader) propose(ctx context.Context, page []review.Segment) error {
	r.proposals = map[string]*proposal.Proposal{}
	var ids []string
	for i := range page {
		if r.which.Asks(page[i].Compression) {
			ids = append(ids, page[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	list, err := r.src.Proposals(ctx, ids)
	if err != nil {
		return fmt.Errorf("compressions: %w", err)
	}
	for i := range list {
		if p := &list[i]; r.which.Takes(p) {
			r.proposals[p.Segment] = p
		}
	}
	return nil
}

// laid is one of the samples that a compression makes of a candidate.
type laid struct {
	shared  *shared
	sample  shortened.Sample
	further bool // another one comes before it
}

// shared is what the samples of one compression have in common.
type shared struct {
	full    *full
	whole   *candidate
	samples []shortened.Sample
	once    sync.Once
	found   []Finding
}

// unfit finds what would keep the segment out as it is, and does so with all of its
// samples: as one. So does a format that could take some of them only: of sessions
// that lost their ends, models would learn to stop.
func (s *shared) unfit(m *maker) []Finding {
	s.once.Do(func() {
		s.found = m.leak(s.whole.prompt, s.whole.before.messages, s.whole.messages)
		s.found = append(s.found, m.emitter.breaks(s.mended(m), m.emitter.shared)...)
		if m.emitter.unmarked && len(s.found) == 0 {
			s.found = s.unmarked(m.emitter)
		}
	})
	return s.found
}

// mended is the segment as one sample, without what is repaired before it is written.
func (s *shared) mended(m *maker) *Sample {
	if !m.opts.Repair {
		return s.full.Sample
	}
	whole := *s.full.Sample
	whole.Messages = slices.Clone(whole.Messages)
	for i := range whole.Messages {
		whole.Messages[i].Calls = slices.Clone(whole.Messages[i].Calls)
	}
	rule(mend).apply(mended, &whole, m.emitter)
	return &whole
}

// unmarked finds what a format without marks would train: a summary, and answers that
// another sample of the segment trains.
func (s *shared) unmarked(e *Emitter) []Finding {
	for i := range s.samples {
		for _, row := range s.samples[i].Rows {
			was := &s.full.Messages[row.At]
			switch {
			case row.Origin == compress.Summary && row.Stand.Role == chat.Assistant:
				return []Finding{{Check: trainedSummary.Name, Detail: "a summary stands in for the assistant, which would train in this format: compress with --keep fold"}}
			case row.Stand == nil && was.Train && !row.Train:
				return []Finding{{Check: unmarkedCheck, Message: was.N, Detail: "several samples hold the answer, and " + e.Name + " cannot say that one of them trains it: compress with --keep fold, or use one of " + strings.Join(Marking(), ", ")}}
			}
		}
	}
	return nil
}

// samples returns the samples of a candidate: itself, or those of its compression.
func (c *candidate) samples(train Train) ([]candidate, error) {
	if c.proposal == nil {
		return []candidate{*c}, nil
	}
	f := c.full(train)
	conversation := f.conversation()
	list, err := shortened.Lay(c.proposal, &conversation)
	switch {
	case errors.Is(err, proposal.ErrStale):
		whole := *c
		whole.stale = true
		return []candidate{whole}, nil
	case err != nil:
		return nil, fmt.Errorf("the compression of segment %s: %w: run winnow doctor", c.segment.Short(), err)
	}
	whole := *c
	of := &shared{full: f, whole: &whole, samples: list}
	var all []candidate
	for i := range list {
		one := *c
		one.prompt, one.before.messages = nil, nil
		one.laid = &laid{shared: of, sample: list[i], further: i > 0}
		all = append(all, one)
	}
	if !slices.ContainsFunc(all, func(c candidate) bool { return c.laid.trains() }) {
		return []candidate{*c}, nil // it is left out for that, and says so once
	}
	return all, nil
}

// yield yields the samples of a candidate as jobs.
func (c *candidate) yield(train Train, yield func(job) error) error {
	list, err := c.samples(train)
	for i := range list {
		if err := yield(&sampling{candidate: list[i]}); err != nil {
			return err
		}
	}
	return err
}

// trains reports whether a sample has anything to train.
func (l *laid) trains() bool {
	return slices.ContainsFunc(l.sample.Rows, func(r shortened.Row) bool { return r.Train && l.shared.full.Messages[r.At].Train })
}

func (l *laid) size(repeats bool) int {
	before, rows := len(l.shared.full.Tools), 0
	for _, r := range l.sample.Rows {
		m := &l.shared.full.Messages[r.At]
		if r.Stand != nil {
			before += len(r.Stand.Content)
		} else {
			before += m.size()
		}
		if repeats && r.Train {
			rows += before
		}
	}
	return max(before, rows)
}

// inFront counts the messages of a sample that stand in front of a fork.
func (s *Sample) inFront() (n int) {
	for m := range s.each {
		if m.before {
			n++
		}
	}
	return n
}

// id is that of the sample.
func (l *laid) id(seg *review.Segment) string {
	return fmt.Sprintf("%s-c%d", sampleID(seg), l.sample.Told.Sample)
}

// make makes the sample of a job, or finds what keeps it out.
func (l *laid) make(w *sampling, m *maker) (*Sample, []Finding) {
	if w.further = l.further; len(l.shared.unfit(m)) > 0 {
		w.silent = l.further
		return nil, l.shared.found
	}
	c := &w.candidate
	w.of.Sample = l.id(&c.segment)
	if !l.trains() {
		return nil, []Finding{{Check: OutElsewhere, Detail: "other samples of the segment train all answers in it"}}
	}
	f := l.shared.full
	s := New(&c.segment, c.session, nil)
	s.ID, s.said, s.settled = w.of.Sample, 0, true
	s.exact = l.sample.Told.Sample+1 < l.sample.Told.Samples // it may end with a call
	s.repairs = l.repaired()
	told := l.sample.Told
	for _, row := range l.sample.Rows {
		one := f.Messages[row.At]
		one.Calls = slices.Clone(one.Calls)
		switch {
		case row.Origin == compress.Summary:
			one = newMessage(row.Stand)
			one.Train, one.sums = false, one.Role == chat.Assistant
			if text := m.opts.taken.of(one.Content); text != one.Content {
				one.Content = text
				s.repairs = append(s.repairs, Finding{Check: taken, Detail: "what was redacted is taken out of a summary"})
			}
			if m.sealed.in(&chat.Message{Role: one.Role, Content: one.Content}) {
				return nil, []Finding{{Check: sealed, Detail: "a summary says what was redacted: reject the compression, or write the summary anew"}}
			}
		case row.Stand != nil:
			one.Content = row.Stand.Content
		default:
			one.Train = one.Train && row.Train
		}
		if one.Train && row.Off {
			told.OffContext++
		}
		s.Messages = append(s.Messages, one)
	}
	l.sample.Told = told
	s.Provenance = withCompression(s.Provenance, &told)
	m.opts.taken.from(s)
	m.opts.System.apply(s, nil)
	return s, nil
}

// repaired lists the repairs of what is in the sample.
func (l *laid) repaired() (list []Finding) {
	numbers := map[int]bool{0: true}
	for _, r := range l.sample.Rows {
		if r.Stand == nil {
			numbers[l.shared.full.Messages[r.At].N] = true
		}
	}
	for _, f := range l.shared.full.repairs {
		if numbers[f.Message] {
			list = append(list, f)
		}
	}
	return list
}

// withCompression adds to provenance what is told of a compression.
func withCompression(provenance string, told *lineage.Compression) string {
	text, err := json.Marshal(told.Public(), lineage.JSON)
	if err != nil {
		return provenance // texts and numbers are always written
	}
	return strings.TrimSuffix(provenance, "}") + `,"compression":` + string(text) + "}"
}

// mayEndWithCall reports whether provenance says that a sample ends with the last
// answer that it trains, whose result is in another one.
func mayEndWithCall(provenance string) bool {
	told := rawjson.Get(jsontext.Value(provenance), "compression")
	sample, err := strconv.Atoi(string(rawjson.Get(told, "sample")))
	samples, failed := strconv.Atoi(string(rawjson.Get(told, "samples")))
	return err == nil && failed == nil && sample+1 < samples
}

// unsettled yields the rules that a sample is yet to be brought in line with whose
// repairs are made: what they join or take apart they would again, in pieces that
// were not beside each other.
func (e *Emitter) unsettled(yield func(*Check) bool) {
	for c := range e.shared {
		switch c.Name {
		case "stray_think", "think", "compaction", "joined", "empty_assistant":
		default:
			if !yield(c) {
				return
			}
		}
	}
}

// unmarkedCheck names the check that formats without marks train no answer twice.
const unmarkedCheck = "unmarked"

// CompressedCounts says what became of compressions.
type CompressedCounts struct {
	Segments int `json:"segments"` // written as other samples than they would be
	Samples  int `json:"samples"`  // these
	Stale    int `json:"stale"`    // segments that were written as they are, as what is written changed since
	// InFront is how many of those did not change themselves, but what stands in front
	// of them: what the system says in their session, or the path before a fork.
	InFront int `json:"in_front,omitzero"`
	last    string
}

func (r *Report) compressed() *CompressedCounts {
	if r.Compressed == nil {
		r.Compressed = &CompressedCounts{}
	}
	return r.Compressed
}

// wrote counts a sample. Those of a segment follow each other.
func (c *CompressedCounts) wrote(segment string) {
	if c.Samples++; c.last != segment {
		c.Segments++
		c.last = strings.Clone(segment)
	}
}
