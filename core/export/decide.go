package export

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"winnow/core/export/pairs"
	"winnow/core/review"
	"winnow/core/similar"
)

// row is what is kept of a sample until all are known.
type row struct {
	of       LeftOut  // what it is named by where it is left out
	sample   string   // id
	session  string   // id of its session
	path     []string // ids of the sessions that it branches off, and what else stays with it in splits
	score    float64  // NaN without one
	taskType string
	exact    *exactPart // of an export on policy, else nil

	prompt   pairs.Sum          // of a pair, zero for a sample
	messages imprint            // for Options.Dedupe and Splits
	text     *similar.Signature // what users and assistants say, for near duplicates and Splits
	// For Options.Splits: where its session falls, and when the sample and
	// the session came into the data set, in microseconds.
	lot             lot
	joined, created int64
	held            bool // see Options.Held
}

// exactPart is what a row on policy has besides.
type exactPart struct {
	also    []LeftOut // others that are left out with it
	claimed []claim
}

// onPolicy returns what the row has as one on policy; nothing if it is none.
func (r *row) onPolicy() exactPart {
	if r.exact == nil {
		return exactPart{}
	}
	return *r.exact
}

// rowOf returns the row of a sample that is ready to be written.
func rowOf(w *sampling, opts *Options) row {
	return rowFrom(w.of, &w.segment, w.session, w.before.sessions, w.sample, opts)
}

// rowFrom returns the row of what says s, and was made of a segment.
func rowFrom(of LeftOut, seg *review.Segment, sess *review.Session, path []string, s *Sample, opts *Options) row {
	r := row{of: of, sample: s.ID, session: sess.ID, path: path, score: math.NaN(), taskType: seg.TaskType}
	if seg.Score != nil {
		r.score = *seg.Score
	}
	if opts.Dedupe != DedupeNone || len(opts.Splits) > 0 {
		r.messages = printOf(s)
	}
	if opts.Dedupe == DedupeNear || len(opts.Splits) > 0 {
		sig := signatureOf(s)
		r.text = &sig
	}
	if len(opts.Splits) > 0 {
		r.lot = lotOf(sess, opts.Seed)
		r.held = opts.Held != nil && opts.Held(seg)
		r.created = micros(sess.CreatedAt)
		r.joined = r.created
		at := seg.ReviewedAt
		if seg.Stale && seg.Was != "" {
			at = seg.WasAt
		}
		// Where verdicts decide what is exported, so does their time.
		if !opts.AnyVerdict && !at.IsZero() {
			r.joined = micros(at)
		}
	}
	return r
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// verdictOfRow says what becomes of a sample.
type verdictOfRow struct {
	left  Finding // why it is left out; without a Check it stays
	split string  // the part it goes to, "" without a split
}

// decides reports whether all samples must be known before one can be written.
func (o *Options) decides() bool {
	return o.Dedupe != DedupeNone || o.Balance.Even || o.Balance.Most > 0 || o.Balance.Shares != nil || len(o.Splits) > 0
}

// decide says what becomes of each sample. Of those that are the same one
// stays; of these, as many of each type as Balance wants; of these, the first
// ones up to the limit. The part that a sample goes to is decided by all
// samples, also those that are left out: so it does not change with the options
// that leave out.
func decide(rows []row, opts *Options) []verdictOfRow {
	d := decision{rows: rows, verdicts: make([]verdictOfRow, len(rows))}
	if opts.Dedupe != DedupeNone {
		d.dedupe(d.equal(), OutDuplicate, "the same messages as sample %s", func(int, int) bool { return false })
	}
	if opts.Dedupe == DedupeNear {
		d.dedupe(d.alike(nearDuplicate), OutNearDuplicate, "nearly the same text as sample %s", d.spares)
	}
	d.balance(&opts.Balance)
	if opts.Limit > 0 {
		d.limit(opts.Limit)
	}
	if len(opts.Splits) > 0 {
		d.split(opts.Splits)
	}
	return d.verdicts
}

// decision is a decision under way.
type decision struct {
	rows     []row
	verdicts []verdictOfRow
}

func (d *decision) stays(i int) bool { return d.verdicts[i].left.Check == "" }

func (d *decision) leaveOut(i int, check, format string, args ...any) {
	d.verdicts[i].left = Finding{Check: check, Detail: fmt.Sprintf(format, args...)}
}

// byScore orders samples by score, the best first; one without a score comes
// last.
func (d *decision) byScore(i, j int) int {
	return cmp.Compare(d.rows[j].score, d.rows[i].score) // NaN is less than all others
}

// nearDuplicate is the similarity from which on two samples are near
// duplicates.
const nearDuplicate = similar.Duplicate

// equal returns the groups of samples that have the same messages.
func (d *decision) equal() [][]int {
	sets := similar.NewSets(len(d.rows))
	first := make(map[imprint]int, len(d.rows))
	for i := range d.rows {
		if j, met := first[d.rows[i].messages]; met {
			sets.Join(j, i)
		} else {
			first[d.rows[i].messages] = i
		}
	}
	return sets.List()
}

// alike returns the groups of samples whose texts are similar.
func (d *decision) alike(threshold float64) [][]int {
	texts := make([]*similar.Signature, len(d.rows))
	for i := range d.rows {
		texts[i] = d.rows[i].text
	}
	return similar.Clusters(texts, threshold)
}

// spares reports whether two rows that say nearly the same both stay: samples that a
// compression makes of one segment begin alike and train different answers.
func (d *decision) spares(i, j int) bool {
	a, b := &d.rows[i].of, &d.rows[j].of
	return a.Sample != "" && b.Sample != "" && a.Segment == b.Segment || d.onePrompt(i, j)
}

// onePrompt reports whether two rows are pairs of one prompt: they differ in what
// is compared, however much of the text they share.
func (d *decision) onePrompt(i, j int) bool {
	return d.rows[i].prompt != pairs.Sum{} && d.rows[i].prompt == d.rows[j].prompt
}

// dedupe leaves one sample of each group: the one with the best score, of
// several the first; and those that it spares.
func (d *decision) dedupe(groups [][]int, check, format string, spares func(i, best int) bool) {
	for _, group := range groups {
		best := -1
		for _, i := range group {
			if d.stays(i) && (best < 0 || d.byScore(i, best) < 0) {
				best = i
			}
		}
		for _, i := range group {
			if i != best && d.stays(i) && !spares(i, best) {
				d.leaveOut(i, check, format, d.rows[best].sample)
			}
		}
	}
}

// limit keeps the first ones.
func (d *decision) limit(most int) {
	n := 0
	for i := range d.rows {
		if !d.stays(i) {
			continue
		}
		if n++; n > most {
			d.leaveOut(i, OutLimit, "more than the %d samples wanted", most)
		}
	}
}
