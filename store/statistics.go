package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/filtersql"
	"winnow/store/memories"
	"winnow/store/sqlite"
)

// statisticsColumns are what statistics are made of: all of them are in
// task_segments_facets, so that no row itself is looked at.
const statisticsColumns = "verdict, stale, score, body, messages, tokens, task_type, agent_id, flags, tools, measures, tags, compression"

// Statistics describes the segments that a filter lets through, nil for all, as
// they qualify at these thresholds; days are told in zone. It looks at every
// segment once, in the index of what filters ask for.
func (s *Store) Statistics(ctx context.Context, n filter.Node, at metric.Thresholds, zone *time.Location) (review.Statistics, error) {
	st, err := s.statistics(ctx, n, at)
	if err == nil {
		var decisions []review.Decision
		decisions, err = s.decisions(ctx)
		st.Days = review.DaysOf(decisions, zone)
	}
	return st, s.fail("describe the segments", err)
}

func (s *Store) statistics(ctx context.Context, n filter.Node, at metric.Thresholds) (review.Statistics, error) {
	where, err := s.where(ctx, n)
	if err != nil {
		return review.Statistics{}, err
	}
	t := newStatTally(at)
	var st review.Statistics
	err = s.db.Read(ctx, func(v *sqlite.View) error {
		if err := t.readSessions(v); err != nil {
			return err
		}
		var row statRow
		rows := v.Once("SELECT "+statisticsColumns+" FROM task_segments INDEXED BY task_segments_facets"+where.After("WHERE"), where.Args...)
		for range rows.Into(row.dest()...) {
			t.add(&row)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		st = t.statistics()
		if n == nil { // also those without a segment
			st.Sessions, st.Uncut = len(t.sessions), len(t.uncut)
		}
		// These are not in the index: the ones that count are few, or have one of
		// their own.
		unlabeled := 0
		text := "SELECT count(*) FROM task_segments INDEXED BY task_segments_unscored WHERE labeled = 0" + where.After("AND")
		if err := v.Once(text, where.Args...).One(&unlabeled); err != nil {
			return err
		}
		st.Labeled = st.Segments - unlabeled
		if st.MemoryExtracted, err = extracted(v, where); err == nil {
			st.Memories, err = memories.Counts(v.Rows)
		}
		return err
	})
	return st, err
}

// extracted counts the segments that became memories. Where there is none in
// the whole database, nothing is looked at.
func extracted(v *sqlite.View, where filtersql.Condition) (n int, err error) {
	err = v.Rows("SELECT coalesce(sum(memory), 0) FROM segment_counts").One(&n)
	if err != nil || n == 0 || where.All() {
		return n, err
	}
	text := "SELECT count(*) FROM task_segments WHERE memory_extracted = 1" + where.After("AND")
	err = v.Once(text, where.Args...).One(&n)
	return n, err
}

// readSessions reads what is counted of sessions.
func (t *statTally) readSessions(v *sqlite.View) error {
	one := map[string]int64{} // a body of each model
	var body int64
	var format, model string
	rows := v.Rows("SELECT body, format, lower(model) FROM trajectory_records INDEXED BY trajectory_records_facets")
	for range rows.Into(&body, &format, &model) {
		t.sessions[body] = statSession{format: t.formats.row(format), model: t.models.row(model)}
		one[model] = body
	}
	err := rows.Err()
	for model, body := range one { // the index has them in small letters
		if err != nil {
			break
		}
		at := t.models.row(model)
		err = v.Rows("SELECT model FROM trajectory_records WHERE body = ? LIMIT 1", body).One(&t.models.groups[at].Name)
	}
	if err != nil {
		return err
	}
	rows = v.Rows(uncutBodiesSQL)
	for range rows.Into(&body) {
		t.uncut[body] = true
	}
	return rows.Err()
}

// uncutBodiesSQL is answered from the index alone.
const uncutBodiesSQL = "SELECT body FROM trajectory_records INDEXED BY trajectory_records_uncut WHERE segmented = 0"

// decisions are the verdicts that curators gave, in the order of time.
func (s *Store) decisions(ctx context.Context) ([]review.Decision, error) {
	const text = `SELECT at, curator, (SELECT count(*) FROM journal_changes WHERE entry = journal.id)
		FROM journal WHERE action = ? ORDER BY id`
	list, err := sqlite.List(s.db.Rows(ctx, text, string(review.ActJudge)), func(d *review.Decision) []any {
		return []any{timeIn(&d.At), &d.Curator, &d.Segments}
	})
	slices.SortStableFunc(list, func(a, b review.Decision) int { return a.At.Compare(b.At) })
	return list, err
}

// statRow is one segment as statistics see it.
type statRow struct {
	verdict          review.Verdict
	stale            bool
	score            *float64
	body             int64
	messages, tokens int
	taskType, agent  string
	flags, tools     string
	tags             string
	measures         []byte
	compression      review.Compression
}

func (r *statRow) dest() []any {
	return []any{
		&r.verdict, &r.stale, &r.score, &r.body, &r.messages, &r.tokens, &r.taskType, &r.agent, &r.flags, &r.tools, &r.measures, &r.tags, compressionIn{&r.compression},
	}
}

// eligible is what the derived columns of an analysis qualify for.
func (r *statRow) eligible(at metric.Thresholds) (memory, training bool) {
	return at.Eligible(r.score, r.format() >= metric.ScoreUnit, func(f metric.Flag) bool {
		return strings.Contains(r.flags, "\n"+string(f)+"\n")
	})
}

// format is the score of that metric in ten-thousandths, more than any if it
// does not apply.
func (r *statRow) format() uint16 {
	i := 2 * slices.Index(metric.Names(), metric.Format)
	if len(r.measures) < i+2 {
		return metric.Unmeasured
	}
	return binary.BigEndian.Uint16(r.measures[i:])
}

// groupTally counts segments by a name.
type groupTally struct {
	at     map[string]int
	groups []review.Group
}

func newGroupTally() *groupTally { return &groupTally{at: map[string]int{}} }

// row returns the place of a name in groups.
func (g *groupTally) row(name string) int {
	i, ok := g.at[name]
	if !ok {
		i = len(g.groups)
		g.at[name], g.groups = i, append(g.groups, review.Group{Name: name})
	}
	return i
}

func (g *groupTally) add(i int, v review.Verdict) {
	g.groups[i].Segments++
	g.groups[i].Add(v, 1)
}

// list returns the groups that have segments, the largest first.
func (g *groupTally) list() []review.Group {
	list := slices.DeleteFunc(g.groups, func(r review.Group) bool { return r.Segments == 0 })
	slices.SortFunc(list, func(a, b review.Group) int {
		return cmp.Or(b.Segments-a.Segments, strings.Compare(a.Name, b.Name))
	})
	return list
}

type statSession struct{ format, model int } // rows of the tallies

// statTally adds up segments.
type statTally struct {
	at                             metric.Thresholds
	st                             review.Statistics
	sessions                       map[int64]statSession // by body
	seen, uncut                    map[int64]bool        // bodies
	types, models, formats, agents *groupTally
	reasons                        *groupTally
	tools                          map[string]*review.ToolUse
	tokens                         []int
	sum                            int64 // of scores, in ten-thousandths
	approved, rejected             []float64
}

func newStatTally(at metric.Thresholds) *statTally {
	t := &statTally{
		at: at, sessions: map[int64]statSession{}, seen: map[int64]bool{}, uncut: map[int64]bool{}, tools: map[string]*review.ToolUse{},
		types: newGroupTally(), models: newGroupTally(), formats: newGroupTally(), agents: newGroupTally(), reasons: newGroupTally(),
	}
	t.st.ByVerdict, t.st.Compressions = map[review.Verdict]int{}, map[review.Compression]int{}
	return t
}

func (t *statTally) add(r *statRow) {
	st := &t.st
	st.Segments++
	st.ByVerdict[r.verdict]++
	st.Messages += r.messages
	if r.stale {
		st.Stale++
	}
	if r.compression != review.Uncompressed {
		st.Compressions[r.compression]++
	}
	t.seen[r.body] = true
	t.tokens = append(t.tokens, r.tokens)
	if s, ok := t.sessions[r.body]; ok {
		t.formats.add(s.format, r.verdict)
		t.models.add(s.model, r.verdict)
	}
	t.agents.add(t.agents.row(r.agent), r.verdict)
	t.types.add(t.types.row(r.taskType), r.verdict)
	t.addTools(r.tools)
	t.addReasons(r)
	if r.score == nil {
		return
	}
	band := review.Band(*r.score)
	st.Scored++
	st.Histogram[band]++
	st.Bands[band].Add(r.verdict, 1)
	t.sum += int64(math.Round(*r.score * metric.ScoreUnit))
	switch r.verdict {
	case review.Approved:
		t.approved = append(t.approved, *r.score)
	case review.Rejected:
		t.rejected = append(t.rejected, *r.score)
	}
	memory, sft := r.eligible(t.at)
	if memory {
		st.MemoryEligible++
	}
	if sft {
		st.SFTEligible++
	}
}

// addReasons counts what was given as reasons. Tags that cannot be read have none:
// the doctor tells of them.
func (t *statTally) addReasons(r *statRow) {
	if !strings.Contains(r.tags, filter.WhyPrefix) {
		return
	}
	tags, _ := review.ParseTags(r.tags)
	for _, why := range review.WhysOf(tags) {
		t.reasons.add(t.reasons.row(why), r.verdict)
	}
}

// addTools counts a list as toolsText writes it.
func (t *statTally) addTools(list string) {
	for name, n := range eachTool(list) {
		use := t.tools[name]
		if use == nil {
			name = strings.Clone(name) // lets go of the row
			use = &review.ToolUse{Name: filter.ItemName(name)}
			t.tools[name] = use
		}
		use.Segments, use.Calls, use.Failures, use.Errors, use.Exits = use.Segments+1, use.Calls+n.calls, use.Failures+n.failures, use.Errors+n.errors, use.Exits+n.exits
	}
}

func (t *statTally) statistics() review.Statistics {
	st := t.st
	st.Sessions = len(t.seen)
	for body := range t.seen {
		if t.uncut[body] {
			st.Uncut++
		}
	}
	st.ScoreSum = float64(t.sum) / metric.ScoreUnit
	st.Types, st.Models, st.Formats, st.Agents = t.types.list(), t.models.list(), t.formats.list(), t.agents.list()
	st.Reasons = t.reasons.list()
	for _, use := range t.tools {
		st.Tools = append(st.Tools, *use)
	}
	slices.SortFunc(st.Tools, func(a, b review.ToolUse) int {
		return cmp.Or(b.Calls-a.Calls, b.Segments-a.Segments, strings.Compare(a.Name, b.Name))
	})
	st.Tokens = review.DistributionOf(t.tokens)
	st.Suggested = review.Suggest(t.approved, t.rejected)
	return st
}
