// Package entries shortens Hermes trajectories by the rules of package compress. An
// entry stays one, with its turns as they were read: answers that are left out are
// gone from it, as no format of turns can say what is trained.
package entries

import (
	"context"
	"errors"
	"strings"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/hermes"
	"winnow/core/rawjson"
)

// Compressor compresses entries. It may be used by several goroutines if the
// functions of its options may.
type Compressor struct {
	// Options say how; Form, Price and NoMask are this package's own.
	Options compress.Options
	// Counter counts.
	Counter Counter
	// Metrics puts compression_metrics into entries that were shortened.
	Metrics bool
}

// Counter counts the tokens of texts.
type Counter interface {
	Name() string
	Count(text string) int
}

// Row compresses a line. One that is no entry stays as it is.
func (c *Compressor) Row(ctx context.Context, line []byte) compat.Result {
	r := compat.Result{Outcome: compat.UnderTarget, Entry: line, Metrics: compat.Unmeasured(), Summary: -1}
	text := strings.Trim(string(line), " \t\r\n")
	if !rawjson.Valid(text) {
		r.Outcome, r.Err = compat.Failed, compat.ErrNoJSON
		return r
	}
	if !rawjson.IsObject(text) || !rawjson.Has(text, "conversations") {
		r.Outcome, r.Err = compat.Failed, compat.ErrNoEntry
		return r
	}
	e := entry{text: text, turns: map[int]*turn{}}
	if err := e.read(c.Counter); err != nil {
		r.Outcome, r.Err = compat.Failed, err
		return r
	}
	o := e.options(c.Options)
	r.Metrics.OriginalTurns, r.Metrics.CompressedTurns = len(e.raw), len(e.raw)
	r.Metrics.OriginalTokens, r.Metrics.CompressedTokens = e.tokens, e.tokens
	r.Metrics.SkippedUnder, r.Metrics.StillOverLimit = e.tokens <= o.Target, e.tokens > o.Target
	if e.tokens <= o.Target {
		return r
	}
	done := compress.Compress(ctx, e.messages, o)
	r.Metrics.Calls, r.Metrics.Errors = done.Calls, done.Errors
	switch done.Outcome {
	case compress.Compressed:
		r.Outcome = compat.Compressed
		c.write(&e, &done, &r)
	case compress.Failed:
		r.Outcome, r.Err = compat.Unsummarized, errors.New(done.Reason)
	case compress.Nothing:
		r.Outcome = compat.Nothing
	default:
		r.Outcome = compat.NoSavings
	}
	return r
}

// Look tells what Row would do: tokens before, what must stay, what would go and be
// sent.
func (c *Compressor) Look(line []byte) (look compress.Outline, err error) {
	text := strings.Trim(string(line), " \t\r\n")
	if !rawjson.Valid(text) {
		return look, compat.ErrNoJSON
	}
	if !rawjson.IsObject(text) || !rawjson.Has(text, "conversations") {
		return look, compat.ErrNoEntry
	}
	e := entry{text: text, turns: map[int]*turn{}}
	if err := e.read(c.Counter); err != nil {
		return look, err
	}
	return compress.Look(e.messages, e.options(c.Options)), nil
}

// options are those for an entry: a tail is so many turns.
func (e *entry) options(o compress.Options) compress.Options {
	o.Form, o.NoMask, o.Price = compress.Fold, true, e
	tail := 0
	for i := len(e.messages) - 1; i >= 0 && e.messages[i].N > len(e.raw)-o.Tail; i-- {
		tail++
	}
	o.Tail = tail
	return o
}

// write writes an entry with what stands for its regions.
func (c *Compressor) write(e *entry, done *compress.Result, r *compat.Result) {
	list, first := []byte{'['}, true
	add := func(raw string) {
		if !first {
			list = append(list, ", "...)
		}
		first = false
		list = append(list, raw...)
	}
	m := &r.Metrics
	m.CompressedTurns, m.CompressedTokens, m.TurnsRemoved = 0, 0, 0
	put := func(raw string, tokens int) {
		add(raw)
		m.CompressedTurns++
		m.CompressedTokens += tokens
	}
	regions := done.Regions
	at := 0 // of the turns
	keep := func(to int) {
		for ; at < to; at++ {
			if cleared := e.cleared(at, &regions); cleared != nil {
				value := hermes.WithResults(e.value(at), func(i int) (string, bool) { text, ok := cleared[i]; return text, ok })
				put(string(compat.With(e.raw[at], "value", string(rawjson.AppendString(nil, value)))), e.count(value))
				m.Turns++
				continue
			}
			put(e.raw[at], e.cost[at])
		}
	}
	for i := range done.Regions {
		g := &done.Regions[i]
		from, to := e.messages[g.From].N-1, e.messages[g.To-1].N
		if m.Start < 0 {
			m.Start = from
		}
		m.End = to
		if g.Cleared {
			continue
		}
		keep(from)
		put(`{"from": "human", "value": `+string(rawjson.AppendString(nil, g.Text))+`}`, e.count(g.Text))
		m.Turns += to - from
		if r.Summary < 0 {
			r.Summary = m.CompressedTurns - 1
		}
		at = to
	}
	keep(len(e.raw))
	list = append(list, ']')
	m.TurnsRemoved = m.OriginalTurns - m.CompressedTurns
	m.TokensSaved = m.OriginalTokens - m.CompressedTokens
	m.Ratio = float64(m.CompressedTokens) / float64(max(1, m.OriginalTokens))
	m.WasCompressed, m.StillOverLimit = true, m.CompressedTokens > c.Options.Target
	r.Entry = compat.With(e.text, "conversations", string(list))
	if c.Metrics {
		r.Entry = compat.With(string(r.Entry), "compression_metrics", string(m.AppendJSON(nil)))
	}
}

// cleared returns what stands for results of a turn, nil for none, and takes it off
// the regions, which are in order.
func (e *entry) cleared(at int, regions *[]compress.Region) (texts map[int]string) {
	for len(*regions) > 0 {
		g := &(*regions)[0]
		m := &e.messages[g.From]
		switch {
		case !g.Cleared || m.N-1 < at:
		case m.N-1 > at:
			return texts
		default:
			if texts == nil {
				texts = map[int]string{}
			}
			texts[max(0, m.Part-1)] = g.Text
		}
		if !g.Cleared && m.N-1 > at {
			return texts
		}
		*regions = (*regions)[1:]
	}
	return texts
}

// roles are those of turns. Results of one turn are messages of their own: their
// parts, from 1, tell which.
var roles = map[string]chat.Role{hermes.System: chat.System, hermes.Human: chat.User, hermes.Model: chat.Assistant, hermes.Tool: chat.Tool}

// Readable reports whether a line is an entry, as far as can be said without its turns.
func Readable(line []byte) bool {
	text := strings.Trim(string(line), " \t\r\n")
	return rawjson.Valid(text) && rawjson.IsObject(text) && rawjson.IsList(rawjson.Get(text, "conversations"))
}
