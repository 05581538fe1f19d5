package compat

import (
	"context"
	"fmt"
	"strings"
	"time"

	"winnow/core/rawjson"
)

// Reply is what a summarizer answers.
type Reply struct {
	Content string // "" for null
	Cut     bool   // it stopped at the limit of its length
}

// Request is what a summarizer is asked: one message of the user.
type Request struct {
	Prompt    string
	MaxTokens int
}

// Compressor compresses entries. It may be used by several goroutines if its
// functions may.
type Compressor struct {
	Config Config
	Flaws  Flaws
	// Count counts the tokens of a text that is not empty. If it fails, there is
	// one for four characters.
	Count func(text string) (int, error)
	// Ask asks for a summary.
	Ask func(ctx context.Context, r Request) (Reply, error)
	// Timeout is how long an entry may take, waits included; 0: 300 seconds.
	Timeout time.Duration
	// Wait waits between attempts, nil: by the clock. Spread returns what part
	// of a half of that is waited in addition, from 0 to 1; nil: none.
	Wait   func(ctx context.Context, d time.Duration) error
	Spread func() float64
}

// Result is what became of an entry.
type Result struct {
	Outcome Outcome
	Plan    Plan
	Metrics Metrics
	Entry   []byte // as it is to be written; nil if Dropped
	Summary int    // the place of the summary in the output, -1 without one
	Err     error  // why it Failed, was Dropped, or why its summary failed
}

const (
	prefix = "[CONTEXT SUMMARY]:"
	filler = prefix + " [Summary generation failed - previous turns contained tool calls and responses that have been compressed to save context space.]"

	// timeout is fixed in the published program, whatever its file says.
	timeout = 300 * time.Second
)

// Entry compresses the JSON of one entry, which must be valid.
func (c *Compressor) Entry(ctx context.Context, entry []byte) Result {
	limit := c.Timeout
	if limit <= 0 {
		limit = timeout
	}
	within, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("took longer than %v", limit))
	defer cancel()
	r := Result{Metrics: Unmeasured(), Entry: entry, Summary: -1, Outcome: UnderTarget}
	text := strings.Trim(string(entry), " \t\r\n")
	if !rawjson.IsObject(text) || !rawjson.Has(text, "conversations") {
		r.Err = ErrNoEntry // the published program says nothing of it
		return r
	}
	done, err := c.compress(within, text, r)
	switch {
	case err == nil:
		return done
	case within.Err() != nil && ctx.Err() == nil && c.Flaws.Has(Drop):
		return Result{Metrics: Unmeasured(), Outcome: Dropped, Summary: -1, Err: context.Cause(within)}
	case within.Err() != nil && ctx.Err() == nil:
		err = context.Cause(within)
	}
	r.Outcome, r.Err, r.Plan = Failed, err, done.Plan
	return r
}

// compress plans, asks and puts together. An error leaves the entry as it was.
func (c *Compressor) compress(ctx context.Context, entry string, r Result) (Result, error) {
	turns, err := turnsOf(rawjson.Get(entry, "conversations"))
	if err != nil {
		return r, err
	}
	m := &r.Metrics
	r.Plan, err = c.plan(turns)
	r.Outcome = r.Plan.Outcome
	m.OriginalTokens, m.CompressedTokens = r.Plan.Total, r.Plan.Total
	m.OriginalTurns, m.CompressedTurns = len(turns), len(turns)
	m.SkippedUnder, m.StillOverLimit = r.Outcome == UnderTarget, r.Outcome != UnderTarget
	if err != nil || r.Outcome != Compressed {
		return r, err
	}
	shown, err := show(turns, r.Plan.Start, r.Plan.End)
	if err != nil {
		return r, err
	}
	summary, err := c.summarize(ctx, shown, m)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r.Err = err
		if !c.Flaws.Has(Filler) {
			r.Outcome = Unsummarized
			return r, nil
		}
		if summary != nil && *summary == filler {
			r.Outcome = Fallback
		}
	}
	m.Start, m.End, m.Turns = r.Plan.Start, r.Plan.End, r.Plan.End-r.Plan.Start
	return r, c.assemble(entry, turns, summary, &r)
}

// assemble writes the entry with the summary in the place of its region.
func (c *Compressor) assemble(entry string, turns []turn, summary *string, r *Result) error {
	p, m := &r.Plan, &r.Metrics
	tokens, list := 0, []byte{'['}
	for i := range turns[:p.Start] {
		t := &turns[i]
		if i > 0 {
			list = append(list, ", "...)
		}
		if t.from != system || !c.Config.AddSummaryNotice {
			list, tokens = append(list, t.raw...), tokens+p.Tokens[i]
			continue
		}
		if t.kind != text {
			return fmt.Errorf("turn %d: %w", i, errNoValue)
		}
		noticed := t.value + c.Config.SummaryNoticeText
		list = append(list, With(t.raw, "value", string(rawjson.AppendString(nil, noticed)))...)
		tokens += c.count(noticed)
	}
	if p.Start > 0 {
		list = append(list, ", "...)
	}
	r.Summary = p.Start
	list = append(list, `{"from": "human", "value": `...)
	if summary == nil {
		list = append(list, "null"...)
	} else {
		list = rawjson.AppendString(list, *summary)
		tokens += c.count(*summary)
	}
	list = append(list, '}')
	for i := p.End; i < len(turns); i++ {
		list = append(append(list, ", "...), turns[i].raw...)
		tokens += p.Tokens[i]
	}
	list = append(list, ']')
	m.CompressedTurns = p.Start + 1 + len(turns) - p.End
	m.CompressedTokens = tokens
	m.TurnsRemoved = m.OriginalTurns - m.CompressedTurns
	m.TokensSaved = m.OriginalTokens - m.CompressedTokens
	m.Ratio = share(m.CompressedTokens, m.OriginalTokens)
	m.WasCompressed, m.StillOverLimit = true, tokens > c.Config.TargetMaxTokens
	r.Entry = With(entry, "conversations", string(list))
	if c.Config.PerTrajectory {
		r.Entry = With(string(r.Entry), "compression_metrics", string(m.AppendJSON(nil)))
	}
	return nil
}

// Region returns the region that a summary stands for, nil without one, and the
// turns that are kept, all by their indices in the input.
func (r *Result) Region() (region, kept []int) {
	p := &r.Plan
	if r.Metrics.WasCompressed {
		region = []int{p.Start, p.End}
	}
	for i := range p.Tokens {
		if region == nil || i < p.Start || i >= p.End {
			kept = append(kept, i)
		}
	}
	return region, kept
}
