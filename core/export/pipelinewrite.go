package export

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// exporter takes the samples of an export in their order and writes those that
// stay.
type exporter struct {
	emitter  *Emitter
	opts     *Options
	out      output // nil: nothing is written
	progress func(Report)
	report   Report

	types, tools, splits groups
	repairs              map[string]int

	// An export that must know all samples keeps them here.
	whole bool
	spool *spool
	rows  []row
	// called are the tools that each of them calls, where the format wants to know those
	// of all; else it is nil.
	called [][]string
	names  map[string]string

	claims *claims // of an export on policy
	book   book    // nil: each job is about one segment
}

// book keeps what becomes of segments where a job is not about exactly one of them.
type book interface {
	// wrote notes that a sample or a pair was written.
	wrote(f *facts)
	// leftOut notes that one was left out, for the first finding of many.
	leftOut(of *LeftOut)
	// settle completes the report, without what redactions took out.
	settle(r *Report, taken *takenOut)
}

func newExporter(e *Emitter, opts *Options, progress func(Report)) *exporter {
	return &exporter{
		emitter: e, opts: opts, progress: progress, repairs: map[string]int{}, types: groups{}, tools: groups{}, splits: groups{}, names: map[string]string{},
		report: Report{
			As: e.Name, Files: []File{}, Types: []Group{}, Tools: []Group{}, LeftOut: []LeftOut{}, Repairs: []RepairCount{},
		},
		whole:  opts.decides() || e.finish != nil,
		claims: &claims{},
	}
}

// take counts what became of a job and writes its records, or keeps them until all
// are known.
func (w *exporter) take(c *made) error {
	if c.silent {
		return nil
	}
	if w.book == nil && !c.further { // else they are counted before, as a pair has two
		w.report.Candidates++
	}
	if c.missed {
		w.report.compressed().Stale++
		if c.inFront {
			w.report.Compressed.InFront++
		}
	}
	for i := range c.found {
		w.report.Secrets = append(w.report.Secrets, c.found[i].secret)
	}
	for i := range c.also {
		w.leaveOut(c.also[i], c.also[i].Finding)
	}
	if w.claims.lost = append(w.claims.lost, c.lost...); len(c.findings) > 0 {
		w.claims.lose(c.claimed, c.findings[0])
	}
	switch {
	case len(c.findings) > 0:
		w.leaveOut(c.of, c.findings...)
	case w.whole:
		lines := c.lines
		if w.out == nil && w.emitter.finish == nil && !w.opts.Place {
			lines = nil // nobody will want them
		}
		if err := w.spool.add(&c.facts, lines); err != nil {
			return err
		}
		if w.emitter.finish != nil {
			w.called = append(w.called, w.known(c.counted))
		}
		if c.row.exact != nil {
			c.row.exact.claimed = c.claimed
		}
		w.rows = append(w.rows, c.row)
		w.report.Written++
		w.report.Bytes += int64(len(c.lines))
	default:
		if err := w.write(&c.facts, c.lines, ""); err != nil {
			return err
		}
	}
	giveBuffer(c.lines)
	w.tell()
	if !w.opts.decides() && w.opts.Limit > 0 && w.report.Written >= w.opts.Limit {
		return errLimit
	}
	return nil
}

// known returns names of which each is in memory once, however many samples
// call the tool, and without the text that it was found in.
func (w *exporter) known(names []string) []string {
	own := make([]string, len(names))
	for i, name := range names {
		if _, met := w.names[name]; !met {
			name = strings.Clone(name)
			w.names[name] = name
		}
		own[i] = w.names[name]
	}
	return own
}

func (w *exporter) tell() {
	if w.progress != nil {
		w.progress(w.report)
	}
}

// leaveOut lists what is left out, for the first of its findings.
func (w *exporter) leaveOut(of LeftOut, findings ...Finding) {
	of.Finding, of.More = findings[0], len(findings)-1
	of.SessionFile = w.opts.taken.of(of.SessionFile)
	w.report.LeftOut = append(w.report.LeftOut, of)
	if w.book != nil {
		w.book.leftOut(&w.report.LeftOut[len(w.report.LeftOut)-1])
	}
}

// write writes the records of a sample and counts it.
func (w *exporter) write(f *facts, lines []byte, split string) error {
	if w.out != nil {
		to := destination{split: split, part: f.Part}
		if err := w.out.add(to, &record{lines: lines, rows: f.Rows, tokens: f.Tokens, origin: f.Origin}); err != nil {
			return err
		}
	}
	r := &w.report
	if w.opts.Place {
		r.place(f, lines, split)
	}
	r.Written++
	r.Rows += f.Rows
	r.Tokens += f.Tokens
	r.Trained += f.Trained
	r.Unmarked += f.Unmarked
	if f.OfRun {
		r.OfRun++
	}
	if f.Cut {
		r.Cut++
	}
	r.Bytes += int64(f.Size)
	if f.Origin.Compression != nil {
		r.compressed().wrote(f.Origin.Segment)
	}
	if f.Origin.TaskType != "" {
		w.types.add(f.Origin.TaskType, f.Tokens)
	}
	for _, name := range f.Tools {
		w.tools.add(name, f.Tokens)
	}
	if split != "" {
		w.splits.add(split, f.Tokens)
	}
	for _, check := range f.Repairs {
		w.repairs[check]++
	}
	if w.book != nil {
		w.book.wrote(f)
	}
	return nil
}

// decide decides which of the samples that were kept are written.
func (w *exporter) decide() []verdictOfRow {
	decided := decide(w.rows, w.opts)
	for i := range decided {
		if why := decided[i].left; why.Check != "" {
			w.claims.lose(w.rows[i].onPolicy().claimed, why)
		}
	}
	return decided
}

// writeKept writes the samples that were kept and stay.
func (w *exporter) writeKept(ctx context.Context, decided []verdictOfRow) error {
	stays := func(i int) bool { return decided[i].left.Check == "" }
	finish := w.emitter.finisher(w.toolsOf(decided))
	w.report.Written, w.report.Bytes = 0, 0
	return w.spool.each(ctx, len(decided), stays, finish, func(i int, f *facts, lines []byte) error {
		if !stays(i) {
			for _, of := range append([]LeftOut{w.rows[i].of}, w.rows[i].onPolicy().also...) {
				w.leaveOut(of, decided[i].left)
			}
			return nil
		}
		err := w.write(f, lines, decided[i].split)
		w.tell()
		return err
	})
}

// toolsOf names the tools that the samples which stay call, sorted.
func (w *exporter) toolsOf(decided []verdictOfRow) []string {
	names := map[string]bool{}
	for i := range w.called {
		if decided[i].left.Check == "" {
			for _, name := range w.called[i] {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// total completes the report.
func (w *exporter) total() {
	r := &w.report
	if w.book != nil {
		w.book.settle(r, w.opts.taken)
	}
	r.Repairs = repairCounts(w.repairs)
	r.Types, r.Tools = w.types.list(), w.tools.list()
	for _, s := range w.opts.Splits {
		if g := w.splits[s.Name]; g != nil {
			r.Splits = append(r.Splits, *g)
		} else {
			r.Splits = append(r.Splits, Group{Name: s.Name})
		}
	}
}

// groups counts samples by name.
type groups map[string]*Group

func (g groups) add(name string, tokens int) {
	at := g[name]
	if at == nil {
		at = &Group{Name: strings.Clone(name)} // without the text around it
		g[at.Name] = at
	}
	at.Samples++
	at.Tokens += tokens
}

// list returns the groups, the largest first.
func (g groups) list() []Group {
	list := make([]Group, 0, len(g))
	for _, at := range g {
		list = append(list, *at)
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(b.Samples-a.Samples, cmp.Compare(a.Name, b.Name))
	})
	return list
}

// maxKept is the largest buffer that is used again, in bytes: some hundred
// times a usual sample.
const maxKept = 8 << 20

// buffers are for the records of samples on their way.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func takeBuffer() []byte { return (*buffers.Get().(*[]byte))[:0] }

// giveBuffer gives back what takeBuffer gave. One giant sample must not stay
// in memory for the rest of the export.
func giveBuffer(b []byte) {
	if cap(b) > 0 && cap(b) <= maxKept {
		buffers.Put(&b)
	}
}
