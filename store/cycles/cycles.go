package cycles

import (
	"database/sql"
	"slices"
	"time"

	"winnow/core/cycle"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// kept is how many cycles are kept.
const kept = 10_000

// afterCycles is after the names of the leases of cycles.
const afterCycles = "cycle;"

const (
	// Of cycles that did not end, those are over whose lease is.
	overSQL = "SELECT id FROM cycles WHERE ended IS NULL AND NOT EXISTS (SELECT 1 FROM leases WHERE name = '" + cycle.LeaseName + "' || cycles.id AND until > ?)"
	lostSQL = "UPDATE cycle_steps SET status = 'failed', ended = ?, note = '" + cycle.LostNote + "' WHERE cycle_id = ? AND status = 'running'"
	goneSQL = "DELETE FROM leases WHERE name >= '" + cycle.LeaseName + "' AND name < '" + afterCycles + "' AND until <= ?"
	endSQL  = "UPDATE cycles SET ended = ? WHERE id = ?"
	newSQL  = "INSERT INTO cycles (began, holder) VALUES (?, ?)"
	// What is no longer kept.
	dropStepsSQL  = "DELETE FROM cycle_steps WHERE cycle_id <= ?"
	dropCyclesSQL = "DELETE FROM cycles WHERE id <= ?"

	putStepSQL = "INSERT OR REPLACE INTO cycle_steps (cycle_id, step, status, began, ended, todo, done, failed, tokens_in, tokens_out, cost, note)" +
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	cyclesSQL = "SELECT id, began || '', coalesce(ended || '', ''), holder FROM cycles ORDER BY id DESC LIMIT ?"
	stepsSQL  = "SELECT cycle_id, step, status, began || '', coalesce(ended || '', ''), todo, done, failed, tokens_in, tokens_out, cost, note" +
		" FROM cycle_steps WHERE cycle_id BETWEEN ? AND ? ORDER BY cycle_id"
	costSQL = "SELECT coalesce(sum(cost), 0.0) FROM cycle_steps WHERE began >= ?"
	usedSQL = "SELECT step, tokens_in, tokens_out FROM cycle_steps WHERE began >= ?"
	lastSQL = "SELECT max(ended) || '' FROM cycle_steps WHERE step = ? AND status = 'done'"

	attemptsSQL = "SELECT kind, key, input, tries, next, error FROM attempts ORDER BY kind, key"
	// What failed first in this order, with what it is called, '' if it is gone.
	waitingSQL = "SELECT kind, key, input, tries, next, error, coalesce((SELECT topic FROM task_segments WHERE id = key)," +
		" (SELECT title FROM trajectory_records WHERE id = key), '') FROM attempts ORDER BY kind, key LIMIT ?"
	ofKindSQL   = "SELECT kind, key, input, tries, next, error FROM attempts WHERE kind = ? ORDER BY key"
	triedSQL    = "INSERT OR REPLACE INTO attempts (kind, key, input, tries, next, error) VALUES (?, ?, ?, ?, ?, ?)"
	retrySQL    = "DELETE FROM attempts WHERE kind = ? AND key = ?"
	retryAllSQL = "DELETE FROM attempts WHERE kind = ?"
)

// timeOf is the other way round; "" is no time.
func timeOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(stamp.Layout, text)
}

// Begin keeps a new cycle. Those that ended without a word are ended, and their leases
// are gone.
func Begin(t *sqlite.Tx, c *cycle.Cycle) error {
	over, err := sqlite.Column[int64](t.Rows(overSQL, c.Began.UnixMilli()))
	if err != nil {
		return err
	}
	for _, id := range over {
		if _, err := t.Exec(lostSQL, stamp.Of(c.Began), id); err != nil {
			return err
		}
		if err := End(t, id, c.Began); err != nil {
			return err
		}
	}
	if _, err := t.Exec(goneSQL, c.Began.UnixMilli()); err != nil {
		return err
	}
	done, err := t.Exec(newSQL, stamp.Of(c.Began), c.Holder)
	if err == nil {
		c.ID, err = done.LastInsertId()
	}
	if err == nil && c.ID > kept {
		if _, err = t.Exec(dropStepsSQL, c.ID-kept); err == nil {
			_, err = t.Exec(dropCyclesSQL, c.ID-kept)
		}
	}
	return err
}

// End notes the end of a cycle.
func End(t *sqlite.Tx, id int64, ended time.Time) error {
	_, err := t.Exec(endSQL, stamp.Of(ended), id)
	return err
}

// PutStep keeps a step as it is now.
func PutStep(t *sqlite.Tx, id int64, s *cycle.Step) error {
	_, err := t.Exec(putStepSQL, id, s.Name, string(s.Status), stamp.Of(s.Began), stamp.OrNull(s.Ended), s.Todo, s.Done, s.Failed, s.TokensIn, s.TokensOut, s.Cost, s.Note)
	return err
}

// List returns the newest cycles with their steps in the order in which they began.
func List(ask Asks, limit int) (list []cycle.Cycle, err error) {
	var c cycle.Cycle
	var began, ended string
	at := map[int64]int{}
	rows := ask(cyclesSQL, limit)
	for range rows.Into(&c.ID, &began, &ended, &c.Holder) {
		if c.Began, err = timeOf(began); err == nil {
			c.Ended, err = timeOf(ended)
		}
		if err != nil {
			return nil, err
		}
		at[c.ID] = len(list)
		list = append(list, c)
	}
	if len(list) == 0 || rows.Err() != nil {
		return nil, rows.Err()
	}
	var s cycle.Step
	var id int64
	rows = ask(stepsSQL, list[len(list)-1].ID, list[0].ID)
	for range rows.Into(&id, &s.Name, (*string)(&s.Status), &began, &ended, &s.Todo, &s.Done, &s.Failed, &s.TokensIn, &s.TokensOut, &s.Cost, &s.Note) {
		if s.Began, err = timeOf(began); err == nil {
			s.Ended, err = timeOf(ended)
		}
		if err != nil {
			return nil, err
		}
		if i, there := at[id]; there {
			list[i].Steps = append(list[i].Steps, s)
		}
	}
	for i := range list {
		slices.SortStableFunc(list[i].Steps, func(a, b cycle.Step) int { return a.Began.Compare(b.Began) })
	}
	return list, rows.Err()
}

// Cost is what steps cost since a time.
func Cost(ask Asks, since time.Time) (cost float64, err error) {
	err = ask(costSQL, stamp.Of(since)).One(&cost)
	return cost, err
}

// Tokens are what steps used that began since a time, by their names.
func Tokens(ask Asks, since time.Time) (map[string]cycle.Usage, error) {
	used := map[string]cycle.Usage{}
	var step string
	var in, out int
	rows := ask(usedSQL, stamp.Of(since))
	for range rows.Into(&step, &in, &out) {
		u := used[step]
		used[step] = cycle.Usage{In: u.In + in, Out: u.Out + out}
	}
	return used, rows.Err()
}

// LastDone is when a step last ended well, zero if it never did.
func LastDone(ask Asks, step string) (time.Time, error) {
	var text sql.NullString
	if err := ask(lastSQL, step).One(&text); err != nil {
		return time.Time{}, err
	}
	return timeOf(text.String)
}

// Attempts returns what failed of a kind, "" for all.
func Attempts(ask Asks, kind string) (list []cycle.Attempt, err error) {
	text, args := attemptsSQL, []any(nil)
	if kind != "" {
		text, args = ofKindSQL, []any{kind}
	}
	return attempts(ask(text, args...), func(cycle.Attempt) {})
}

// Waiting returns up to limit of what failed, and what it is called.
func Waiting(ask Asks, limit int) (list []cycle.Attempt, names map[string]string, err error) {
	names = map[string]string{}
	name := ""
	list, err = attempts(ask(waitingSQL, limit), func(a cycle.Attempt) {
		if name != "" {
			names[a.Key] = name
		}
	}, &name)
	return list, names, err
}

// attempts reads what failed, and calls a function with each that more was read for.
func attempts(rows *sqlite.Rows, each func(cycle.Attempt), more ...any) (list []cycle.Attempt, err error) {
	var a cycle.Attempt
	var next int64
	for range rows.Into(append([]any{&a.Kind, &a.Key, &a.Input, &a.Tries, &next, &a.Error}, more...)...) {
		if a.Next = (time.Time{}); next > 0 {
			a.Next = time.UnixMilli(next).UTC()
		}
		list = append(list, a)
		each(a)
	}
	return list, rows.Err()
}

// Tried forgets what was done of a kind, and keeps what failed.
func Tried(t *sqlite.Tx, kind string, done []string, failed []cycle.Attempt) error {
	for _, key := range done {
		if _, err := t.Exec(retrySQL, kind, key); err != nil {
			return err
		}
	}
	for i := range failed {
		a, next := &failed[i], int64(0)
		if !a.Next.IsZero() {
			next = a.Next.UnixMilli()
		}
		if _, err := t.Exec(triedSQL, kind, a.Key, a.Input, a.Tries, next, a.Error); err != nil {
			return err
		}
	}
	return nil
}

// Retry forgets what failed of a kind, all of it if key is "".
func Retry(t *sqlite.Tx, kind, key string) (int, error) {
	text, args := retryAllSQL, []any{kind}
	if key != "" {
		text, args = retrySQL, []any{kind, key}
	}
	done, err := t.Exec(text, args...)
	if err != nil {
		return 0, err
	}
	n, err := done.RowsAffected()
	return int(n), err
}
