package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"winnow/cmd/winnow/models"
	"winnow/core/export"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/core/train/remote"
	"winnow/core/train/work"
)

// RunAsk is what somebody asks of a run.
type RunAsk struct {
	Data   string            // "full" or "new", "" as it is configured
	Base   string            // "" as it is configured
	Params map[string]string // for the trainer
	Again  bool              // also with the data of the last run that succeeded
	Cause  string            // train.Asked or train.Due
}

// Limits are when a run is due, as it is configured.
func (d *Desk) Limits() train.Limits {
	return train.Limits{When: int(d.Number("train.when")), MinTotal: int(d.Number("train.min_total")), MaxFailures: int(d.Number("train.max_failures")), Cooldown: d.Time("train.cooldown")}
}

// data is what a run is made of, while it is planned or exported.
type data struct {
	ask           RunAsk
	plan          train.Plan
	opts          export.Options
	last          train.Run       // that succeeded, without an ID if none did
	held, trained map[string]bool // details of contents
	shut          map[string]bool // sessions of which something was held back

	export.Source
	mu   sync.Mutex
	seen map[string]train.Sample // of the approved segments that the export looks at, by id
}

// gather finds out what a run that is asked for is made of.
func (d *Desk) gather(ctx context.Context, ask RunAsk) (*data, error) {
	m := &data{ask: ask, seen: map[string]train.Sample{}}
	m.plan = train.Plan{
		Backend: train.Backend(d.Text("train.backend")), Data: ask.Data, Base: ask.Base, Format: d.Text("train.format"), Command: d.Commands.Train,
	}
	if m.plan.Data == "" {
		m.plan.Data = d.Text("train.data")
	}
	if m.plan.Base == "" {
		m.plan.Base = d.Text("train.base")
	}
	if err := d.trainerOf(&m.plan); err != nil {
		return nil, err
	}
	folder := d.Trainer().Folder
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, noFolder(folder, errors.New("it is a file"))
	}
	if err := d.free(ctx); err != nil {
		return nil, err
	}
	n, err := filter.Parse(d.Text("train.filter"), filter.Options{Now: d.Now()})
	if err != nil {
		return nil, fmt.Errorf("train.filter: %w", err)
	}
	splits, err := trainedSplits(d.Text("train.split"))
	if err != nil {
		return nil, fmt.Errorf("train.split: %w", err)
	}
	m.opts = export.Options{Selection: export.Selection{Filter: n}, As: m.plan.Format, MaxTokens: int(d.Number("train.max_tokens")), Splits: splits, Place: true, Held: m.heldBack}
	if d.Truth("train.redact") {
		m.opts.Redact = &export.Redaction{}
	}
	d.here(&m.opts)
	if m.held, err = details(ctx, d.HeldBack); err != nil {
		return nil, err
	}
	if m.shut, err = details(ctx, d.HeldSessions); err != nil {
		return nil, err
	}
	m.opts.Splits = heldApart(m.opts.Splits, len(m.held)+len(m.shut) > 0)
	if m.trained, err = details(ctx, d.Trained); err != nil {
		return nil, err
	}
	if m.last, err = d.lastRun(ctx); err != nil {
		return nil, err
	}
	if m.plan.Data == "new" {
		if m.last.ID == 0 {
			return nil, errors.New("no run has succeeded yet: there is no model to go on from with what is new")
		}
		m.plan.Parent = m.last.ID
	}
	return m, nil
}

// leastTrained is the smallest share of sessions that a run trains: what it holds back is
// lost to all others, and a slip of the keys would be for ever.
const leastTrained = 0.5

// trainedSplits reads the parts of which the first is trained.
func trainedSplits(text string) ([]export.Split, error) {
	splits, err := export.ParseSplits(text)
	if err != nil || len(splits) == 0 {
		return nil, err
	}
	first := splits[0]
	for _, s := range splits[1:] {
		if s.Name == string(train.Train) {
			return nil, fmt.Errorf("the first part is trained, and that is %s: put %s in front", first.Name, train.Train)
		}
	}
	if first.Share < leastTrained {
		return nil, fmt.Errorf("only %g of the sessions would be trained, and what a run holds back no other trains: make %s %g at least", first.Share, first.Name, leastTrained)
	}
	return splits, nil
}

// heldApart are the parts of a run, with one for what was held back before and for what is
// nearly the same, where there is none that it could go to.
func heldApart(parts []export.Split, held bool) []export.Split {
	if !held || len(parts) > 1 {
		return parts
	}
	if len(parts) == 0 {
		parts = []export.Split{{Name: string(train.Train), Share: 1}}
	}
	name := string(train.Validation)
	if parts[0].Name == name {
		name = "held"
	}
	return append(slices.Clone(parts), export.Split{Name: name})
}

// trainerOf finds out who would train, before anything is exported.
func (d *Desk) trainerOf(p *train.Plan) error {
	if err := d.unconfigured(p.Backend); err != nil {
		return err
	}
	if p.Backend == train.ByCommand {
		return d.checkCommands("command", "resume", "evaluate")
	}
	const format = "openai"
	switch {
	case d.From("train.format") == "default":
		p.Format = format
	case p.Format != format:
		return fmt.Errorf(`the fine-tuning protocol takes the format %s: set format = "%s" under [train]`, format, format)
	case p.Data == "new":
		return errors.New(`a server trains from a base model: set data = "full" under [train]`)
	}
	if err := d.checkCommands("evaluate"); err != nil {
		return err
	}
	p.Command = nil
	server, err := models.NewTuner(d.Config, p.Base, d.Now)
	if err == nil {
		p.Host = server.Host()
	}
	return err
}

// unconfigured is the error of a backend that needs a command and has none.
func (d *Desk) unconfigured(b train.Backend) error {
	if b == train.ByCommand && len(d.Commands.Train) == 0 {
		return errors.New("no trainer is configured: set command under [train], as docs/training-runs.md shows")
	}
	return nil
}

// checkCommands refuses those of some commands with words in braces that mean nothing, before anything is
// exported.
func (d *Desk) checkCommands(names ...string) error {
	values := map[string]string{}
	for _, name := range train.Placeholders {
		values[name] = name
	}
	for _, c := range []struct {
		name string
		argv []string
	}{{"command", d.Commands.Train}, {"resume", d.Commands.Resume}, {"evaluate", d.Commands.Evaluate}} {
		if c.name == "evaluate" {
			values["model"] = "model"
		} else {
			delete(values, "model")
		}
		if !slices.Contains(names, c.name) {
			continue
		}
		if _, err := train.Expand(c.argv, values); err != nil {
			return fmt.Errorf("[train] %s: %w", c.name, err)
		}
		if err := d.thereIs(c.argv); err != nil {
			return fmt.Errorf("[train] %s: %w", c.name, err)
		}
	}
	return nil
}

// thereIs checks that the program of a command is there, as the worker would look for it:
// by $PATH, or from the folder of the configuration. A name that holds words in braces is
// known when the run begins.
func (d *Desk) thereIs(argv []string) error {
	if len(argv) == 0 || strings.Contains(argv[0], "{") {
		return nil
	}
	name := argv[0]
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(d.File), name)
	}
	_, err := exec.LookPath(name)
	return err
}

// detailsAtOnce is how many contents are asked for at a time.
const detailsAtOnce = 5000

// details reads a set of contents.
func details(ctx context.Context, page func(ctx context.Context, after string, limit int) ([]string, error)) (map[string]bool, error) {
	all := map[string]bool{}
	for after := ""; ; {
		list, err := page(ctx, after, detailsAtOnce)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			all[one], after = true, one
		}
		if len(list) < detailsAtOnce {
			return all, nil
		}
	}
}

// runsAtOnce is how many runs are asked for at a time.
const runsAtOnce = 100

// lastRun returns the last run that succeeded, one without an ID if none did.
func (d *Desk) lastRun(ctx context.Context) (train.Run, error) {
	return d.newest(ctx, func(r *train.Run) bool { return r.Status == train.Succeeded })
}

// newest returns the newest run that is wanted, one without an ID if none is.
func (d *Desk) newest(ctx context.Context, wanted func(*train.Run) bool) (train.Run, error) {
	for before := int64(0); ; {
		list, err := d.Runs(ctx, before, runsAtOnce)
		if err != nil {
			return train.Run{}, err
		}
		for i := range list {
			if before = list[i].ID; wanted(&list[i]) {
				return list[i], nil
			}
		}
		if len(list) < runsAtOnce {
			return train.Run{}, nil
		}
	}
}

// heldBack reports whether a segment, or anything of its session, was held back by any run.
func (m *data) heldBack(seg *review.Segment) bool {
	return m.held[train.DetailOf(seg.Digest)] || m.shut[seg.SessionID]
}

// Segments implements export.Source: without what must not be trained, and with a note of
// what the export looks at.
func (m *data) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	page, err := m.Source.Segments(ctx, q)
	if err != nil {
		return page, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	page.Segments = slices.DeleteFunc(page.Segments, func(seg review.Segment) bool {
		return m.plan.Data == "new" && !m.heldBack(&seg) && m.trained[train.DetailOf(seg.Digest)]
	})
	for i := range page.Segments {
		if seg := &page.Segments[i]; seg.Verdict == review.Approved && !seg.Stale {
			one := train.SampleOf(seg.Digest, seg.ID, train.Train, seg.Model)
			one.Session = seg.SessionID
			m.seen[seg.ID] = one
		}
	}
	return page, nil
}

// samples are what an export wrote, and what the plan says of it.
func (m *data) samples(r *export.Report) []train.Sample {
	found := map[string]train.Sample{}
	m.plan.Tokens, m.plan.LeftOut, m.plan.Same = 0, len(r.LeftOut), 0
	var reasons []string
	for _, g := range r.LeftOutBy() {
		reasons = append(reasons, fmt.Sprintf("%d %s", g.Samples, g.Name))
	}
	m.plan.Reasons = strings.Join(reasons, ", ")
	for _, p := range r.Placed {
		split := work.SplitOf(m.opts.Splits, p.Split)
		if split == train.Train {
			m.plan.Tokens += int64(p.Tokens)
		}
		one := m.seen[p.Segment]
		before, twice := found[one.Detail]
		if twice {
			m.plan.Same++
		}
		if !twice || before.Split == train.Train {
			one.Split = split
			found[one.Detail] = one
		}
	}
	m.plan.Samples, m.plan.New, m.plan.Validation = 0, 0, 0
	for detail := range found {
		switch {
		case found[detail].Split == train.Validation:
			m.plan.Validation++
		case m.trained[detail]:
			m.plan.Samples++
		default:
			m.plan.Samples, m.plan.New = m.plan.Samples+1, m.plan.New+1
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b train.Sample) int { return strings.Compare(a.Detail, b.Detail) })
}

// export exports what a run is made of.
func (m *data) export(ctx context.Context, d *Desk, progress func(export.Report)) (export.Report, error) {
	one, err := d.Snapshot(ctx)
	if err != nil {
		return export.Report{}, err
	}
	defer one.Close()
	m.Source = one
	return export.Run(ctx, m, m.opts, progress)
}

// PlanRun says what a run would be, and writes nothing.
func (d *Desk) PlanRun(ctx context.Context, ask RunAsk, progress func(export.Report)) (train.Plan, error) {
	m, err := d.gather(ctx, ask)
	if err != nil {
		return train.Plan{}, err
	}
	m.opts.Check = true
	r, err := m.export(ctx, d, progress)
	m.samples(&r)
	return m.plan, err
}

// Due says whether a run is due by what it would be made of. What there is to train on is
// counted first, which costs little; what filter and checks leave out is known only by a
// plan, which is made for one that seems due.
func (d *Desk) Due(ctx context.Context) (train.Verdict, error) {
	counts, err := d.ToTrain(ctx)
	if err != nil {
		return train.Verdict{}, err
	}
	v := d.Limits().Verdict(counts, d.Now())
	if counts.New == 0 || !v.Due && !v.Waits {
		return v, nil
	}
	plan, err := d.PlanRun(ctx, RunAsk{}, nil)
	if err != nil {
		return v, err
	}
	return d.DueBy(&plan, counts), nil
}

// DueBy says whether a run is due that is planned.
func (d *Desk) DueBy(plan *train.Plan, counts train.Counts) train.Verdict {
	approved := counts.Ready > 0
	counts.New = plan.New
	if plan.Data == "full" {
		counts.Ready = plan.Samples
	}
	v := d.Limits().Verdict(counts, d.Now())
	switch short := remote.Enough(plan.Samples); {
	case approved && counts.Ready == 0:
		v.Text = strings.Replace(v.Text, train.NoneApproved, "nothing to train on: no approved segment passes [train] filter and the checks of the export", 1)
	case plan.Backend == train.ByOpenAI && short != nil && v.Due:
		v.Due, v.May, v.Text = false, false, short.Error()
	}
	return v
}
