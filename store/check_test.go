package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/store/sqlite"
)

// ingested is an upload that was imported, but for its lines that were read and its
// problems.
const ingested = `INSERT INTO ingests (seq, id, at, agent_id, name, wire, bytes, size, sha256, outcome, was, status, read, problems)
	VALUES (1, '1a', '2026-01-02T00:00:00.000000Z', 'a', 's', 1, 1, 1, 'x', 'new', 'new', 200, `

// Every rule that Check knows is broken once behind the program's back: the
// doctor sees it, and puts right what is derived.
func TestTheDoctorSeesAndRepairs(t *testing.T) {
	sound, named := manyTables(t)
	for name, c := range map[string]struct {
		damage   string
		rule     string
		where    string
		repaired bool
	}{
		"gap in the cover":    {"UPDATE task_segments SET start_line = 6 WHERE start_line = 5", "cover", "/four", false},
		"a segment is gone":   {"DELETE FROM task_segments WHERE start_line = 13", "cover", "/four", false},
		"overlap":             {"UPDATE task_segments SET end_line = 5 WHERE start_line = 1", "cover", "/four", false},
		"order":               {"UPDATE task_segments SET segment_index = 7 - segment_index", "order", "/four", true},
		"place":               {"UPDATE task_segments SET body = 77 WHERE start_line = 5", "place", "/four", true},
		"place in the order":  {"UPDATE task_segments SET place = '' WHERE start_line = 5", "place", "/four", true},
		"fingerprint":         {"UPDATE task_segments SET fingerprint = 'x' WHERE start_line = 5", "fingerprint", "/four", true},
		"second hash":         {"UPDATE task_segments SET detail = 'x' WHERE start_line = 5", "fingerprint", "/four", true},
		"hash state":          {"UPDATE task_segments SET hash_state = hash_state || x'00' WHERE start_line = 13", "state", "/four", true},
		"no hash state":       {"UPDATE task_segments SET hash_state = NULL", "state", "/four", true},
		"the state of others": {"UPDATE task_segments SET hash_state = (SELECT hash_state FROM task_segments WHERE start_line = 5) WHERE start_line = 13", "state", "/four", true},
		"of the last segment": {"UPDATE task_segments SET fingerprint = 'x', hash_state = NULL WHERE start_line = 13", "fingerprint", "/four", true},
		"counts of a segment": {"UPDATE task_segments SET tool_fails = 9 WHERE start_line = 5", "counts", "/four", true},
		"a chunk is gone":     {"DELETE FROM chunks WHERE id = (SELECT max(id) FROM chunks)", "text", "/four", false},
		"a chunk is damaged":  {"UPDATE chunks SET data = x'00ff'", "text", "/four", false},
		"index rows are gone": {"DELETE FROM messages WHERE id % 2 = 0", "index", "/four", true},
		"an index row lies":   {"UPDATE messages SET content_len = 7 WHERE id % 4294967296 = 5", "index", "/four", true},
		"kept counts":         {"UPDATE segment_counts SET segments = 3 WHERE verdict = 'approved'", "counts", "segments", true},
		"lost kept counts":    {"DELETE FROM segment_counts", "counts", "segments", true},
		"scored, by nobody":   {"UPDATE task_segments SET quality_metrics = '' WHERE start_line = 9", "scores", "/four", true},
		"not scored, yet is":  {"UPDATE task_segments SET labeled = 0 WHERE start_line = 9", "scores", "/four", true},
		"another score":       {"UPDATE task_segments SET score = 0.123 WHERE start_line = 9", "scores", "/four", true},
		"flags of others":     {"UPDATE task_segments SET flags = 'x' WHERE start_line = 9", "scores", "/four", true},
		"no measures":         {"UPDATE task_segments SET measures = NULL WHERE start_line = 9", "scores", "/four", true},
		"recorded some day":   {"UPDATE task_segments SET recorded = '2020-01-01T00:00:00.000000Z' WHERE start_line = 9", "scores", "/four", true},
		"a broken analysis":   {"UPDATE task_segments SET quality_metrics = '{' WHERE start_line = 9", "scores", "/four", true},
		"undone":              {"UPDATE journal SET undone = 1 WHERE id = 1", "journal", "entry 1", true},
		"judged, then gone":   {"UPDATE journal_changes SET segment_id = '12345678-0'", "journal", "12345678", false},
		"lines":               {`UPDATE sources SET state = '{"lines":4}'`, "ledger", "/four", false},
		"a part of a line":    {`UPDATE sources SET state = '{"lines":4,"counts":{"read":2,"skipped":1,"bad":0,"pending":0},"open_line":true,"line":{"start":1,"begun":true}}'`, "ledger", "/four", false},
		"orphans":             {"INSERT INTO chunks VALUES (99 << 32 | 1, 1, 1, x'00')", "orphans", "body 99", true},
		"indexed too much":    {"UPDATE bodies SET indexed = stored, part = 0", "search", "body 1", true},
		"stored too little":   {"UPDATE bodies SET stored = 3", "search", "body 1", true},
		"a passage is lost":   {"UPDATE bodies SET indexed = 2; INSERT INTO passages (rowid, words) VALUES ((1 << 35) | (2 << 9), 'x')", "search", "body 1", true},
		"a passage too many":  {"INSERT INTO passages (rowid, words) VALUES ((1 << 35) | (1 << 9), 'x')", "search", "body 1", true},
		"lost passages":       {"INSERT INTO passages (rowid, words) VALUES ((99 << 35) | (1 << 9), 'x')", "orphans", "body 99", true},
		"no cluster":          {"UPDATE signatures SET cluster = 77 WHERE id = 2", "alike", "content {2}", true},
		"half a signature":    {"UPDATE signatures SET signature = x'00ff' WHERE id = 3", "alike", "content {3}", true},
		"a signature of none": {"INSERT INTO signatures (fingerprint, signature, cluster, fresh) VALUES ('x', x'', 0, 0)", "alike", "content x", true},
		"likely what is not":  {"INSERT INTO likely VALUES ('x', 0.5)", "likely", "segment x", true},
		"too likely":          {"INSERT INTO likely SELECT id, 1.5 FROM task_segments LIMIT 1", "likely", "database", true},
		"an upload lies":      {ingested + "NULL, '')", "upload", "upload 1a", true},
		"bad lines of none":   {ingested + "3, '[')", "upload", "upload 1a", true},
		"seen what is not":    {"INSERT INTO seen VALUES (99, 'ann', 1, 2)", "seen", "body 99", true},
		"seen too much":       {"INSERT INTO seen VALUES (1, 'ann', 2, 99)", "seen", "body 1", true},
		"seen twice":          {"INSERT INTO seen VALUES (1, 'ann', 1, 2), (1, 'ann', 3, 3)", "seen", "body 1", true},
		"never compared":      {"DELETE FROM unsigned; DELETE FROM signatures WHERE id = 1", "alike", "/four", true},
		"compared in vain":    {"INSERT INTO unsigned VALUES (99)", "alike", "database", true},
		"a compaction lies":   {"INSERT INTO contexts VALUES (1, 3, '1-1')", "contexts", "/four", true},
		"edits of no kind":    {"UPDATE task_segments SET edits = 8 WHERE start_line = 5", "edits", "/four", true},
		"compressed by none":  {"UPDATE task_segments SET compression = 2 WHERE start_line = 5", "compression", "[5]", true},
		"compressed, yet not": {"UPDATE task_segments SET compression = 0 WHERE start_line = 1", "compression", "[1]", true},
		"a damaged proposal":  {"UPDATE proposal_texts SET data = x'00ff'", "compression", "[1]", true},
		"a proposal is gone":  {"DELETE FROM proposal_texts; DELETE FROM journal_proposals; UPDATE journal SET action = 'note' WHERE id = 2", "compression", "[1]", true},
		"of other messages":   {"UPDATE proposals SET sum = 'x'", "compression", "[1]", true},
		"of another content":  {"UPDATE proposals SET detail = 'x'", "compression", "[1]", true},
		"text of nothing":     {"INSERT INTO proposal_texts (id, data) VALUES (99, x'00')", "compression", "database", true},
		"accepted by none":    {"DELETE FROM journal_proposals", "compression", "entry 2", false},
		"accepted somehow":    {`UPDATE journal_proposals SET after = '{"text":1,"status":"fine"}'`, "compression", "entry 2", false},
		"no word of it":       {`UPDATE journal_proposals SET before = '{"text":7,"status":"proposed"}'`, "compression", "entry 2", false},
		"a run can't be read": {"UPDATE runs SET metrics = '[1]'", "run", "run 1", true},
		"samples of no run":   {"INSERT INTO run_samples VALUES (9, 'x', 'x', 'x', 'train', '', '')", "run", "database", true},
		"points of no run":    {"INSERT INTO run_points VALUES (9, 1, 'x', 1.5)", "run", "database", true},
		"evaluated no run":    {"INSERT INTO run_evals VALUES (9, 'base', 'x', 1.5, 1)", "run", "database", true},
		"named after no run":  {"UPDATE model_names SET run_id = 9", "run", "database", true},
		"samples of a run":    {"UPDATE runs SET samples = 7", "run", "run 1", true},
		"no samples of a run": {"DELETE FROM run_samples", "run", "run 1", true},
		"no parent":           {"UPDATE runs SET parent = 9", "run", "run 1", true},
		"no export":           {"UPDATE runs SET export_id = 9", "run", "run 1", true},
		"references":          {"UPDATE trajectory_records SET source_id = 99", "reference", "trajectory_records row 1", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.db")
			if err := os.WriteFile(path, sound, 0o600); err != nil {
				t.Fatal(err)
			}
			s := openAt(t, path)
			c.where = named.Replace(c.where)
			change(t, path, c.damage)
			found, err := s.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var seen *Problem
			for i := range found {
				if found[i].Rule == c.rule && found[i].Where == c.where {
					seen = &found[i]
				}
			}
			if seen == nil || seen.Repairable != c.repaired || strings.Contains(seen.String(), "\n") {
				t.Fatalf("found %+v", found)
			}
			fixed, err := s.Repair(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if c.repaired {
				if len(fixed) == 0 {
					t.Error("nothing was repaired")
				}
				clean(t, s)
			}
		})
	}
}

// manyTables returns a database with something in most tables, and puts its ids
// where the places of problems name segments, [5], and signatures, {2}.
func manyTables(t *testing.T) ([]byte, *strings.Replacer) {
	t.Helper()
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0])
	propose(t, s, proposalOf(t, s, ids[0], "a"))
	if _, err := judgeProposals(s, t.Context(), "ann", proposal.Accepted, ids[0]); err != nil {
		t.Fatal(err)
	}
	trainOn(t, s, train.Succeeded, ids[0], ids[1], ids[2])
	score(t, s)
	findAlike(t, s)
	named := []string{"[1]", review.Short(ids[0]), "[5]", review.Short(ids[1])}
	for id := 1; id <= 3; id++ {
		var detail string
		if err := s.db.Rows(t.Context(), "SELECT fingerprint FROM signatures WHERE id = ?", id).One(&detail); err != nil {
			t.Fatal(err)
		}
		named = append(named, fmt.Sprintf("{%d}", id), detail)
	}
	if clean(t, s); t.Failed() {
		t.FailNow()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	return data, strings.NewReplacer(named...)
}

// What a newer program scores while the doctor works is not given up.
func TestTheDoctorLeavesNewerAnalysesAlone(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[2]
	score(t, s)
	const newer = `{"version":99,"scorer":"llm"}`
	change(t, s.Path(), "UPDATE task_segments SET quality_metrics = ? WHERE id = ?", newer, id)
	err := s.write(t.Context(), sqlite.Machine, "repair", func(tx *tx) error { return tx.rederive(id) })
	if got := segment(t, s, id); !errors.Is(err, errMoved) || got.Analysis != newer || !got.Labeled {
		t.Errorf("%q is left, %v", got.Analysis, err)
	}
}
