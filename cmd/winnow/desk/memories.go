package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/cmd/winnow/models"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/secret"
)

// Scanner finds what is a secret on this machine.
func (d *Desk) Scanner() *secret.Scanner { return secret.New(d.Env.UserNames(nil)) }

// Learning returns a run that looks for memories, as it is configured.
func (d *Desk) Learning(who *models.Extractor) (*runs.Learning, error) {
	n, err := filter.Parse(d.Text("memory.filter"), filter.Options{Now: d.Now()})
	if err != nil {
		return nil, fmt.Errorf("memory.filter: %w", err)
	}
	g := &runs.Learning{Store: d.Store, By: who.Extractor, Filter: n, Jobs: who.Jobs, Scanner: d.Scanner(), Plain: !d.Truth("memory.redact") && !who.Silent()}
	if d.Text("memory.from") == "eligible" {
		t := d.Thresholds()
		g.Eligible = &t
	}
	return g, nil
}

// unfit says why a memory that a curator writes is none.
var unfit = map[memory.Drop]string{
	memory.NoQuote: "a memory needs a quote of the segment", memory.QuoteNotFound: "the quote is not in the text, call or result of that message",
	memory.Long: "it is too long", memory.Secret: "a secret is in it", memory.Same: "another memory says the same", memory.Near: "another memory says nearly the same",
}

// NewMemory makes what a curator writes of a segment a memory.
func (d *Desk) NewMemory(ctx context.Context, seg *review.Segment, c memory.Candidate) (memory.Memory, error) {
	if seg.Verdict == review.Rejected {
		return memory.Memory{}, fmt.Errorf("segment %s is rejected: nothing is to be learned from it", seg.Short())
	}
	w := memory.Words{Kind: c.Kind, Title: c.Title, Content: c.Content, Context: c.Context, Resolution: c.Resolution}
	if err := w.Check(); err != nil {
		return memory.Memory{}, err
	}
	c.Title = w.Title
	e, err := runs.EvidenceOf(ctx, d.Store, seg, d.Scanner())
	if err != nil {
		return memory.Memory{}, err
	}
	known, err := d.Store.KnownMemories(ctx, e.Agent, e.Dir)
	if err != nil {
		return memory.Memory{}, err
	}
	m, drop := memory.ByHand(c, e, known)
	if drop != memory.Kept {
		text := unfit[drop]
		if text == "" {
			text = string(drop)
		}
		if m.ID != "" && (drop == memory.Same || drop == memory.Near) {
			text += ": " + m.Short() + " " + m.Standing()
		}
		return memory.Memory{}, errors.New("no memory: " + text)
	}
	return m, nil
}

var errSecret = errors.New("a secret is in it")

// leaks reports whether a secret is in what is said of a segment: some are told by where
// they stand in it alone.
func leaks(w *memory.Words, e *memory.Evidence) bool {
	return slices.ContainsFunc([]string{w.Title, w.Content, w.Context, w.Resolution}, func(text string) bool { return e.Shown(text) != text })
}

// Rewritten checks the words that a curator gives a memory, and finds their flags.
func (d *Desk) Rewritten(ctx context.Context, m *memory.Memory, w memory.Words) (memory.Words, error) {
	if err := w.Check(); err != nil {
		return w, err
	}
	scanner := d.Scanner()
	var e *memory.Evidence // of the first one that is there
	for i := range m.Sources {
		if !m.Sources[i].Live {
			continue
		}
		seg, err := d.Store.Segment(ctx, m.Sources[i].Segment)
		if err != nil {
			return w, err
		}
		of, err := runs.EvidenceOf(ctx, d.Store, &seg, scanner)
		if err != nil {
			return w, err
		}
		if leaks(&w, of) {
			return w, errSecret
		}
		e = cmp.Or(e, of)
	}
	if e == nil && leaks(&w, memory.NewEvidence(memory.About{}, nil, scanner)) {
		return w, errSecret
	}
	now := *m
	now.Kind, now.Title, now.Content, now.Context, now.Resolution = w.Kind, w.Title, w.Content, w.Context, w.Resolution
	w.Flags = memory.FlagsOf(&now, e)
	return w, nil
}

// Cites are quotes of messages of a segment, by their numbers in the session: words that
// are given, or the beginning of what each says.
func (d *Desk) Cites(ctx context.Context, seg *review.Segment, numbers []int, quote string) ([]memory.Cite, error) {
	e, err := runs.EvidenceOf(ctx, d.Store, seg, d.Scanner())
	if err != nil {
		return nil, err
	}
	var cites []memory.Cite
	for _, n := range numbers {
		i := slices.IndexFunc(e.Said, func(s memory.Said) bool { return s.Message == n })
		if i < 0 {
			return nil, fmt.Errorf("message %d is not in segment %s: it has %d to %d", n, seg.Short(), seg.Start, seg.End)
		}
		c, ok := e.CiteMessage(n, 0)
		if quote != "" {
			c, ok = memory.Cite{N: e.Said[i].N, Quote: quote}, true
		}
		if !ok {
			return nil, fmt.Errorf("message %d says nothing that could be quoted: reasoning and instructions prove nothing", n)
		}
		cites = append(cites, c)
	}
	return cites, nil
}
