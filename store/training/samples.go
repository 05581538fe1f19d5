package training

import (
	"winnow/core/train"
	"winnow/store/sqlite"
)

const (
	// keySQL is the content of a segment s as samples name it, see train.DetailOf.
	keySQL = "s.fingerprint || s.detail || s.edited"
	// liveSQL finds that the content of a sample o could still train.
	liveSQL = "EXISTS (SELECT 1 FROM task_segments s WHERE s.fingerprint = o.fingerprint AND " + keySQL + " = o.detail AND s.verdict = 'approved' AND s.stale = 0)"
	// trainedSQL finds that a run that succeeded trained on a content k.detail, heldSQL
	// that one held it back.
	trainedSQL = "EXISTS (SELECT 1 FROM run_samples o CROSS JOIN runs r ON r.id = o.run_id WHERE o.detail = k.detail AND o.split = 'train' AND r.status = 'succeeded')"
	heldSQL    = "EXISTS (SELECT 1 FROM run_samples o WHERE o.detail = k.detail AND o.split <> 'train')"
	// shutSQL finds that a run held back anything of the session of a segment s.
	shutSQL = "EXISTS (SELECT 1 FROM run_samples o INDEXED BY run_samples_shut WHERE o.session_id = s.session_id AND o.split <> 'train')"
)

const (
	clearSQL = "DELETE FROM run_samples WHERE run_id = ?"
	// A content that is there twice is held back if one of both is.
	putSampleSQL = "INSERT INTO run_samples (run_id, detail, segment_id, fingerprint, split, model, session_id) VALUES (?, ?, ?, ?, ?, ?, ?)" +
		" ON CONFLICT (run_id, detail) DO UPDATE SET split = excluded.split, session_id = excluded.session_id WHERE split = 'train'"
	countSQL = "SELECT coalesce(sum(k.split = 'train'), 0), coalesce(sum(k.split <> 'train'), 0), coalesce(sum(k.split = 'train' AND NOT " + trainedSQL + "), 0)" +
		" FROM run_samples k WHERE k.run_id = ?"
	samplesSQL = "SELECT detail, segment_id, fingerprint, split, model, session_id FROM run_samples WHERE run_id = ? AND detail > ? ORDER BY detail LIMIT ?"

	// sinceHeldSQL finds that another run held back the content of a sample o, or anything of
	// its session.
	sinceHeldSQL = "(EXISTS (SELECT 1 FROM run_samples h WHERE h.detail = o.detail AND h.split <> 'train' AND h.run_id <> o.run_id)" +
		" OR EXISTS (SELECT 1 FROM run_samples h INDEXED BY run_samples_shut WHERE h.session_id = o.session_id AND o.session_id <> '' AND h.split <> 'train' AND h.run_id <> o.run_id))"
	goneSQL      = " WHERE o.run_id = ? AND o.split = 'train' AND (NOT " + liveSQL + " OR " + sinceHeldSQL + ")"
	withdrawnSQL = "SELECT o.detail, o.segment_id, o.fingerprint, o.split, o.model, coalesce(s.topic, ''), coalesce(s.verdict, ''), coalesce(s.stale, 0)," +
		" coalesce(" + keySQL + " = o.detail, 0), " + sinceHeldSQL + " FROM run_samples o LEFT JOIN task_segments s ON s.id = o.segment_id" + goneSQL +
		" AND o.detail > ? ORDER BY o.detail LIMIT ?"
	withdrawnCountSQL = "SELECT count(*) FROM run_samples o" + goneSQL

	// Each content once, in the order of the index.
	toTrainSQL = "SELECT count(*), coalesce(sum(held), 0), coalesce(sum(held = 0 AND trained = 0), 0) FROM (SELECT shut OR " + heldSQL + " AS held, " + trainedSQL + " AS trained" +
		" FROM (SELECT " + keySQL + " AS detail, max(" + shutSQL + ") AS shut FROM" +
		" task_segments s INDEXED BY task_segments_train WHERE s.verdict = 'approved' AND s.stale = 0 GROUP BY s.fingerprint, s.detail, s.edited) k)"
	failingSQL = "SELECT count(*) FROM runs WHERE status IN ('failed', 'lost') AND id > coalesce((SELECT max(id) FROM runs WHERE status = 'succeeded'), 0)"

	heldBackSQL = "SELECT DISTINCT detail FROM run_samples INDEXED BY run_samples_held WHERE split <> 'train' AND detail > ? ORDER BY detail LIMIT ?"
	shutsSQL    = "SELECT DISTINCT session_id FROM run_samples INDEXED BY run_samples_shut WHERE split <> 'train' AND session_id > ? ORDER BY session_id LIMIT ?"
	trainedsSQL = "SELECT DISTINCT detail FROM run_samples k INDEXED BY run_samples_train WHERE split = 'train' AND detail > ?" +
		" AND EXISTS (SELECT 1 FROM runs r WHERE r.id = k.run_id AND r.status = 'succeeded') ORDER BY detail LIMIT ?"
)

// PutSamples gives a run its samples, in place of those that it has, and changes it. A
// content that is there twice counts once. The counts of the run are those of what is
// kept: f sees them.
func PutSamples(t *sqlite.Tx, id int64, list []train.Sample, f func(*train.Run) error) (train.Run, error) {
	u, err := Find(t.Rows, id)
	if err == nil {
		_, err = t.Exec(clearSQL, id)
	}
	if err != nil {
		return u, err
	}
	for i := range list {
		s := &list[i]
		if _, err := t.Exec(putSampleSQL, id, s.Detail, s.Segment, s.Fingerprint, string(s.Split), s.Model, s.Session); err != nil {
			return u, err
		}
	}
	var samples, held, fresh int
	if err := t.Rows(countSQL, id).One(&samples, &held, &fresh); err != nil {
		return u, err
	}
	u.Samples, u.Validation, u.New = samples, held, fresh
	err = change(t, &u, func(u *train.Run) error {
		err := f(u)
		u.Samples, u.Validation, u.New = samples, held, fresh
		return err
	})
	return u, err
}

// Samples returns samples of a run after one.
func Samples(ask Asks, id int64, after string, limit int) ([]train.Sample, error) {
	return sqlite.List(ask(samplesSQL, id, after, limit), func(s *train.Sample) []any {
		return []any{&s.Detail, &s.Segment, &s.Fingerprint, &s.Split, &s.Model, &s.Session}
	})
}

// Withdrawn returns samples of a run that would train no more, those after one, and how
// many there are in all.
func Withdrawn(ask Asks, id int64, after string, limit int) (list []train.Withdrawn, all int, err error) {
	if err = ask(withdrawnCountSQL, id).One(&all); err != nil || all == 0 || limit == 0 {
		return nil, all, err
	}
	var w train.Withdrawn
	var verdict string
	var stale, same, held bool
	rows := ask(withdrawnSQL, id, after, limit)
	for range rows.Into(&w.Detail, &w.Segment, &w.Fingerprint, &w.Split, &w.Model, &w.Title, &verdict, &stale, &same, &held) {
		w.Why = why(verdict, stale, same, held)
		list = append(list, w)
	}
	return list, all, rows.Err()
}

// why says what became of the segment of a sample.
func why(verdict string, stale, same, held bool) string {
	switch {
	case held:
		return "held back by another run"
	case verdict == "":
		return "cut otherwise, or gone"
	case verdict == "rejected":
		return "rejected"
	case stale || !same:
		return "edited, or its session changed"
	}
	return "not approved any more"
}

// ToTrain counts what there is to train on.
func ToTrain(ask Asks) (c train.Counts, err error) {
	all := 0
	if err = ask(toTrainSQL).One(&all, &c.Held, &c.New); err != nil {
		return c, err
	}
	c.Ready = all - c.Held
	if err = ask(failingSQL).One(&c.Failing); err != nil {
		return c, err
	}
	last, err := List(ask, 0, 1)
	if len(last) > 0 {
		c.Last = last[0].Created
	}
	return c, err
}

// HeldBack returns the contents that any run held back, after one.
func HeldBack(ask Asks, after string, limit int) ([]string, error) {
	return sqlite.Column[string](ask(heldBackSQL, after, limit))
}

// Trained returns the contents that runs that succeeded trained on, after one.
func Trained(ask Asks, after string, limit int) ([]string, error) {
	return sqlite.Column[string](ask(trainedsSQL, after, limit))
}

// HeldSessions returns the sessions of which any run held something back, after one.
func HeldSessions(ask Asks, after string, limit int) ([]string, error) {
	return sqlite.Column[string](ask(shutsSQL, after, limit))
}
