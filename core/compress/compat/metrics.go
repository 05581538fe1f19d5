package compat

import (
	"strconv"
	"time"
)

// Metrics are those of one trajectory, by the published names.
type Metrics struct {
	OriginalTokens, CompressedTokens, TokensSaved int
	Ratio                                         float64 // after to before, not rounded
	OriginalTurns, CompressedTurns, TurnsRemoved  int
	Start, End, Turns                             int // of the region, -1, -1, 0 without one
	WasCompressed, StillOverLimit, SkippedUnder   bool
	Calls, Errors                                 int // requests for summaries
}

// Unmeasured returns the metrics of an entry that nothing was measured of.
func Unmeasured() Metrics { return Metrics{Ratio: 1, Start: -1, End: -1} }

// AppendJSON appends the metrics as the published program writes them.
func (m *Metrics) AppendJSON(dst []byte) []byte {
	w := object{dst: dst}
	w.open("")
	w.int("original_tokens", m.OriginalTokens)
	w.int("compressed_tokens", m.CompressedTokens)
	w.int("tokens_saved", m.TokensSaved)
	w.float("compression_ratio", m.Ratio, 4)
	w.int("original_turns", m.OriginalTurns)
	w.int("compressed_turns", m.CompressedTurns)
	w.int("turns_removed", m.TurnsRemoved)
	w.open("compression_region")
	w.int("start_idx", m.Start)
	w.int("end_idx", m.End)
	w.int("turns_count", m.Turns)
	w.shut()
	w.bool("was_compressed", m.WasCompressed)
	w.bool("still_over_limit", m.StillOverLimit)
	w.bool("skipped_under_target", m.SkippedUnder)
	w.int("summarization_api_calls", m.Calls)
	w.int("summarization_errors", m.Errors)
	w.shut()
	return w.dst
}

// Aggregate sums up the metrics of a run. The zero Aggregate has nothing in it.
type Aggregate struct {
	Total, Compressed, Skipped, Over, Failed int
	TokensBefore, TokensAfter, TokensSaved   int
	TurnsBefore, TurnsAfter, TurnsRemoved    int
	Calls, Errors                            int

	Started, Ended time.Time

	ratios         float64 // of the compressed ones
	saved, removed int     // by them
}

// Add takes what became of an entry.
func (a *Aggregate) Add(r *Result) {
	if r.Outcome == Failed || r.Outcome == Dropped {
		a.Failed++
		return
	}
	m := &r.Metrics
	a.Total++
	a.TokensBefore += m.OriginalTokens
	a.TokensAfter += m.CompressedTokens
	a.TokensSaved += m.TokensSaved
	a.TurnsBefore += m.OriginalTurns
	a.TurnsAfter += m.CompressedTurns
	a.TurnsRemoved += m.TurnsRemoved
	a.Calls += m.Calls
	a.Errors += m.Errors
	if m.WasCompressed {
		a.Compressed++
		a.ratios += m.Ratio
		a.saved += m.TokensSaved
		a.removed += m.TurnsRemoved
	}
	if m.SkippedUnder {
		a.Skipped++
	}
	if m.StillOverLimit {
		a.Over++
	}
}

// AppendJSON appends the aggregate as the published file has it, without its
// spacing. Times are those of Started and Ended.
func (a *Aggregate) AppendJSON(dst []byte) []byte {
	w := object{dst: dst}
	w.open("")
	w.open("summary")
	w.int("total_trajectories", a.Total)
	w.int("trajectories_compressed", a.Compressed)
	w.int("trajectories_skipped_under_target", a.Skipped)
	w.int("trajectories_still_over_limit", a.Over)
	w.int("trajectories_failed", a.Failed)
	w.float("compression_rate", share(a.Compressed, a.Total), 4)
	w.shut()
	w.open("tokens")
	w.int("total_before", a.TokensBefore)
	w.int("total_after", a.TokensAfter)
	w.int("total_saved", a.TokensSaved)
	w.float("overall_compression_ratio", share(a.TokensAfter, a.TokensBefore), 4)
	w.shut()
	w.open("turns")
	w.int("total_before", a.TurnsBefore)
	w.int("total_after", a.TurnsAfter)
	w.int("total_removed", a.TurnsRemoved)
	w.shut()
	ratio := 1.0
	if a.Compressed > 0 {
		ratio = a.ratios / float64(a.Compressed)
	}
	w.open("averages")
	w.float("avg_compression_ratio", ratio, 4)
	w.float("avg_tokens_saved_per_compressed", share(a.saved, a.Compressed), 1)
	w.float("avg_turns_removed_per_compressed", share(a.removed, a.Compressed), 2)
	w.shut()
	w.open("summarization")
	w.int("total_api_calls", a.Calls)
	w.int("total_errors", a.Errors)
	w.float("success_rate", 1-share(a.Errors, a.Calls), 4)
	w.shut()
	const isoformat = "2006-01-02T15:04:05.000000"
	w.open("processing")
	w.text("start_time", a.Started.Format(isoformat))
	w.text("end_time", a.Ended.Format(isoformat))
	w.float("duration_seconds", a.Ended.Sub(a.Started).Seconds(), 2)
	w.shut()
	w.shut()
	return w.dst
}

// share divides by 1 at least.
func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// object writes JSON with the spacing of Python.
type object struct {
	dst   []byte
	inner bool // a member stands in front
}

func (o *object) name(name string) {
	if o.inner {
		o.dst = append(o.dst, ", "...)
	}
	o.inner = true
	if name != "" {
		o.dst = append(append(append(o.dst, '"'), name...), `": `...)
	}
}

func (o *object) open(name string) {
	o.name(name)
	o.dst, o.inner = append(o.dst, '{'), false
}

func (o *object) shut() { o.dst, o.inner = append(o.dst, '}'), true }

func (o *object) int(name string, n int) {
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, int64(n), 10)
}

func (o *object) bool(name string, b bool) {
	o.name(name)
	o.dst = strconv.AppendBool(o.dst, b)
}

func (o *object) text(name, s string) {
	o.name(name)
	o.dst = append(append(append(o.dst, '"'), s...), '"')
}

// float writes a number rounded to so many digits, with one digit after the
// point at least.
func (o *object) float(name string, f float64, digits int) {
	o.name(name)
	o.dst = append(o.dst, rounded(f, digits)...)
}

// rounded rounds as Python's round does: correctly, from the exact value.
func rounded(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', digits, 64)
	for s[len(s)-1] == '0' && s[len(s)-2] != '.' {
		s = s[:len(s)-1]
	}
	return s
}
