package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/hub"
	"winnow/core/similar"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Problem is something in the database that is not as it should be.
type Problem struct {
	Rule  string `json:"rule"`  // what is violated, in a word
	Where string `json:"where"` // a session_file, a path, an id
	Text  string `json:"text"`  // what is wrong
	// Repairable says that Repair can put it right: that holds for what is
	// derived from something else in the database.
	Repairable bool `json:"repairable"`
	fix        func(*tx) error
}

func (p *Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Rule, p.Where, p.Text) }

// check is a rule of the database, and how it is looked after.
type check struct {
	// look finds what breaks the rule, where SQL alone can't.
	look func(*checking) error

	// Else ask is a question for what breaks it: each row has the place, what is
	// wrong there, and a key. mend are statements that put it right, each with the
	// key, if there is one.
	rule, ask string
	mend      []string
}

// checks are all of them, in the order in which problems are told. Each is one
// look at the database; a new one is one more row.
var checks = slices.Concat(coreChecks, editsChecks, proposalChecks, memoryChecks, trainingChecks)

// coreChecks are those of what is recorded, judged and derived from both.
var coreChecks = []check{
	{look: (*checking).file},
	{rule: "reference", ask: `SELECT "table" || ' row ' || coalesce(rowid, 0), 'refers to a row of ' || parent || ' that is not there', NULL
		FROM pragma_foreign_key_check LIMIT 20`},
	{look: (*checking).sources},
	{look: (*checking).sessions},
	{
		rule: "parent", ask: `SELECT session_file, 'belongs to a session that is not there', id FROM trajectory_records r WHERE parent <> ''
			AND (parent = id OR NOT EXISTS (SELECT 1 FROM trajectory_records p WHERE p.id = r.parent))`,
		mend: []string{"UPDATE trajectory_records SET parent = '' WHERE id = ?"},
	},
	{look: (*checking).places},
	{
		rule: "counts", ask: `SELECT path, format('counts %d copies, holds %d', copies, n), id FROM (SELECT id, path, copies,
			(SELECT count(*) FROM copies c WHERE c.source_id = s.id) AS n FROM sources s) WHERE copies <> n`,
		mend: []string{"UPDATE sources SET copies = (SELECT count(*) FROM copies WHERE source_id = sources.id) WHERE id = ?"},
	},
	// All messages of a source are in a session: in its own, or in those that hold
	// what it has. Of a source that is to be read again this is not known.
	{
		rule: "kept", ask: `SELECT path, format('%d messages were read, %d are in sessions: import it again', given, own + placed + copied), id
			FROM (SELECT id, path, coalesce(state ->> '$.messages', 0) AS given,
			(SELECT coalesce(sum(r.messages), 0) FROM trajectory_records r WHERE r.source_id = s.id AND NOT r.gathered) AS own,
			(SELECT coalesce(sum(p.messages), 0) FROM pieces p WHERE p.source_id = s.id) AS placed,
			(SELECT coalesce(sum(c.messages), 0) FROM copies c WHERE c.source_id = s.id
				AND NOT EXISTS (SELECT 1 FROM raws w WHERE w.source_id = c.source_id AND w.key = c.key)) AS copied
			FROM sources s WHERE mtime <> 0) WHERE given > own + placed + copied ORDER BY path, id`,
		mend: []string{againSQL + "id = ?"},
	},
	orphans("chunks"), orphans("messages"),
	// Entries name segments that are there or left with an entry that says so.
	{rule: "journal", ask: `SELECT DISTINCT substr(segment_id, 1, 8), 'a verdict was given on a segment that is not there, and no entry tells why it left', NULL
		FROM journal_changes c WHERE NOT EXISTS (SELECT 1 FROM task_segments s WHERE s.id = c.segment_id)
		AND (SELECT iif(json_valid(after), coalesce(json_extract(after, '$.verdict'), '?'), '?') FROM journal_changes l
			WHERE l.segment_id = c.segment_id ORDER BY entry DESC LIMIT 1) <> ''`},
	{look: (*checking).undone},
	{rule: "recut", ask: `SELECT 'entry ' || id, 'is a ' || action || ' without the segments that it left', NULL FROM journal j
		WHERE target = 0 AND action IN ` + recutList + ` AND NOT EXISTS (SELECT 1 FROM journal_recuts r WHERE r.entry = j.id)`},
	{look: (*checking).recuts},
	// The messages are there that an old verdict was given on.
	{
		rule: "was", ask: `SELECT substr(id, 1, 8), CASE WHEN NOT stale THEN 'is not stale, but remembers messages of an older verdict'
				WHEN NOT there THEN format('was judged on messages of body %d, which is not there', was_body)
				ELSE format('was judged on messages %d to %d', was_start, was_end) END, id
			FROM (SELECT *, EXISTS (SELECT 1 FROM bodies b WHERE b.id = was_body AND dropped = 0) AS there FROM task_segments
				WHERE was_body <> 0 OR was_start <> 0 OR was_end <> 0)
			WHERE NOT stale OR NOT there OR was_start < 1 OR was_end < was_start`,
		mend: []string{`UPDATE task_segments SET was_body = 0, was_start = 0, was_end = 0 WHERE id = ? AND (NOT stale OR was_start < 1 OR was_end < was_start
			OR NOT EXISTS (SELECT 1 FROM bodies b WHERE b.id = was_body AND dropped = 0))`},
	},
	{look: (*checking).masks},
	{look: (*checking).tags},
	{look: (*checking).scores},
	// The counts are those that triggers should keep.
	{
		rule: "counts", ask: `SELECT 'segments', 'the kept counts of segments differ from the segments', NULL
			WHERE EXISTS (SELECT * FROM (` + countsSQL + `) EXCEPT SELECT * FROM segment_counts)
			OR EXISTS (SELECT * FROM segment_counts WHERE segments <> 0 EXCEPT SELECT * FROM (` + countsSQL + "))",
		mend: []string{"DELETE FROM segment_counts", "INSERT INTO segment_counts " + countsSQL},
	},
	{look: (*checking).search},
	{rule: "alike", ask: checkUnsignedSQL, mend: []string{"INSERT OR IGNORE INTO unsigned SELECT rowid FROM task_segments WHERE rowid = ?"}},
	{
		rule: "alike", ask: `SELECT 'database', format('row %d waits to be compared, and is no segment', segment), segment FROM unsigned
			WHERE NOT EXISTS (SELECT 1 FROM task_segments WHERE rowid = segment)`,
		mend: []string{"DELETE FROM unsigned WHERE segment = ?"},
	},
	{
		rule: "likely", ask: `SELECT 'segment ' || substr(segment, 1, 8), 'is no segment, but it is told how likely it is approved', segment FROM likely l
			WHERE NOT EXISTS (SELECT 1 FROM task_segments s WHERE s.id = l.segment)
			UNION ALL SELECT 'database', format('segment %s is approved with a chance of %s', substr(segment, 1, 8), value), segment FROM likely
			WHERE typeof(value) <> 'real' OR value NOT BETWEEN 0.01 AND 0.99`,
		mend: []string{"DELETE FROM likely WHERE segment = ?", "UPDATE learned SET told = 0"},
	},
	{rule: "upload", ask: checkIngestsSQL, mend: []string{"DELETE FROM ingests WHERE id = ?"}},
	{rule: "seen", ask: checkSeenSQL, mend: []string{"DELETE FROM seen WHERE (body, curator, first) = (?1 ->> 0, ?1 ->> 1, ?1 ->> 2)"}},
	// A signature that is given up: its content is to be signed again, and what is
	// in its cluster to be compared again.
	{
		rule: "alike", ask: checkAlikeSQL,
		mend: []string{
			"INSERT OR IGNORE INTO unsigned SELECT s.rowid FROM signatures g JOIN task_segments s ON s.fingerprint = g.fingerprint WHERE g.id = ?",
			"UPDATE signatures SET cluster = id, fresh = 1 WHERE length(signature) > 0 AND cluster > 0 AND cluster = (SELECT cluster FROM signatures WHERE id = ?)",
			"DELETE FROM signatures WHERE id = ?",
		},
	},
}

const (
	// countsSQL is what segment_counts should hold.
	countsSQL = "SELECT verdict, " + bucketSQL + " AS bucket, stale, count(*) AS segments," +
		" sum(labeled), sum(memory_extracted), sum(messages), sum(" + scoreSQL + ") FROM task_segments GROUP BY 1, 2, 3"

	// checkIngestsSQL finds uploads that say what cannot be: nobody needs them.
	checkIngestsSQL = `SELECT 'upload ' || id, CASE WHEN problems <> '' AND NOT json_valid(problems) THEN 'its bad lines cannot be read'
			WHEN read IS NULL THEN 'was imported, and tells no lines' ELSE 'is not imported, and tells lines' END, id
		FROM ingests WHERE problems <> '' AND NOT json_valid(problems)
		OR (outcome IN ('stored', 'refused') OR code <> '') <> (read IS NULL)`

	checkUnsignedSQL = `SELECT session_file, format('segment %s is compared with no other', substr(id, 1, 8)), rowid FROM task_segments s
		WHERE NOT EXISTS (SELECT 1 FROM signatures g WHERE g.fingerprint = s.fingerprint)
		AND NOT EXISTS (SELECT 1 FROM unsigned u WHERE u.segment = s.rowid)`
)

// A cluster has the number of its first signature, which is looked at by its
// id: to look for the least of a cluster in each of its rows is quadratic.
var checkAlikeSQL = fmt.Sprintf(`SELECT 'content ' || fingerprint, 'its signature ' || wrong, id FROM (SELECT id, fingerprint, CASE
		WHEN length(signature) NOT IN (0, %d) THEN 'can''t be read'
		WHEN (length(signature) = 0) <> (cluster = 0) OR cluster > 0 AND
			NOT (cluster <= id AND EXISTS (SELECT 1 FROM signatures o WHERE o.id = g.cluster AND o.cluster = g.cluster)) THEN 'is in a cluster that there is not'
		WHEN NOT (parted OR EXISTS (SELECT 1 FROM task_segments s WHERE s.fingerprint = g.fingerprint)) THEN 'is of a content that no segment has'
		WHEN length(signature) = 0 AND fresh THEN 'waits to be compared, and has nothing to be compared' END AS wrong
	FROM signatures g) WHERE wrong IS NOT NULL`, len(similar.Signature{}))

// orphans is the rule that rows of a table belong to a body that is there, or is
// being deleted. It looks at one row of each body.
func orphans(table string) check {
	ask := fmt.Sprintf(`WITH RECURSIVE body (id) AS (SELECT min(id) >> %[2]d FROM %[1]s
			UNION ALL SELECT (SELECT min(t.id) >> %[2]d FROM %[1]s t WHERE t.id >= body.id + 1 << %[2]d) FROM body WHERE body.id IS NOT NULL)
		SELECT 'body ' || id, '%[1]s of a session that is not there', id FROM body
		WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bodies b WHERE b.id = body.id AND b.dropped < 2)`, table, bodyShift)
	return check{
		rule: "orphans", ask: ask,
		mend: []string{fmt.Sprintf("DELETE FROM %s WHERE id BETWEEN ?1 << %[2]d AND (?1 + 1 << %[2]d) - 1", table, bodyShift)},
	}
}

// checking is one run of the checks.
type checking struct {
	ctx   context.Context
	db    *sqlite.DB
	now   string // when what is put right is
	found []Problem
}

// run does one check.
func (c *checking) run(k *check) error {
	if k.look != nil {
		return k.look(c)
	}
	var where, wrong string
	var key any
	rows := c.rows(k.ask)
	for range rows.Into(&where, &wrong, &key) {
		var args []any
		if key != nil {
			args = []any{key}
		}
		var fix func(*tx) error
		if len(k.mend) > 0 {
			fix = func(t *tx) error { return t.run(args, k.mend...) }
		}
		c.report(k.rule, where, fix, "%s", wrong)
	}
	return rows.Err()
}

func (c *checking) report(rule, where string, fix func(*tx) error, format string, args ...any) {
	c.found = append(c.found, Problem{Rule: rule, Where: where, Text: fmt.Sprintf(format, args...), Repairable: fix != nil, fix: fix})
}

// mend puts something right with one statement.
func mend(text string, args ...any) func(*tx) error {
	return func(t *tx) error { return t.do(text, args...) }
}

func (c *checking) rows(text string, args ...any) *sqlite.Rows {
	return c.db.Once(c.ctx, text, args...)
}

// Check looks for everything that is not as it should be. It reads the whole
// database and may run beside imports and curators.
func (s *Store) Check(ctx context.Context) ([]Problem, error) {
	c := &checking{ctx: ctx, db: s.db, now: stamp.Of(s.now())}
	for i := range checks {
		if err := c.run(&checks[i]); err != nil {
			return c.found, s.fail("check", err)
		}
	}
	return c.found, nil
}

// Repair puts right what can be derived from the rest of the database: counts,
// index entries, fingerprints, numbering. It also deletes what is left of
// dropped bodies. It returns what it put right; a Check afterwards tells what is
// left.
func (s *Store) Repair(ctx context.Context) ([]Problem, error) {
	found, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	var fixed []Problem
	for _, p := range found {
		if p.fix == nil {
			continue
		}
		err := s.write(ctx, sqlite.Machine, "repair", p.fix)
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil {
			return fixed, err
		}
		fixed = append(fixed, p)
	}
	for more := true; more; {
		if more, err = s.sweep(ctx); err != nil {
			return fixed, err
		}
	}
	return fixed, nil
}

// errMoved: somebody changed what was to be repaired.
var errMoved = errors.New("changed while it was checked")

// sources checks that the lines of each source add up. A line that was read in
// part is begun, but not yet accounted for, unless it was complete without a
// line end.
func (c *checking) sources() error {
	return eachSource(c.rows("SELECT "+sourceColumns+" FROM sources ORDER BY id"), func(src *hub.Source) {
		if n, want := src.State.Counts.Lines(), linesDone(src); n != want {
			c.report("ledger", src.Path, nil, "%d lines are done, %d are accounted for", want, n)
		}
	})
}

// linesDone is how many lines of a source should be accounted for.
func linesDone(src *hub.Source) int64 {
	if src.State.Line.Begun && !src.State.OpenLine {
		return src.State.Lines - 1
	}
	return src.State.Lines
}
