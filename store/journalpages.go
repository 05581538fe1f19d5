package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/store/memories"
	"winnow/store/proposals"
	"winnow/store/sqlite"
)

const entryColumns = "id, at, curator, action, target, undone, note"

// ofSegmentSQL are the entries that changed a segment or the boundaries around
// it, and those that took such entries back or gave them again. Boundaries that
// kept a segment's id are told only by what was kept of the session then.
const ofSegmentSQL = `WITH own (entry) AS (
	SELECT entry FROM journal_changes WHERE segment_id = ?1
	UNION SELECT entry FROM journal_proposals WHERE segment_id = ?1
	UNION SELECT entry FROM journal_recuts WHERE session_id = (SELECT session_id FROM task_segments WHERE id = ?1) AND (instr(before, ?1) > 0 OR instr(after, ?1) > 0))
SELECT entry FROM own UNION SELECT id FROM journal WHERE target IN (SELECT entry FROM own) AND target > 0`

// entriesSQL returns the statement for a page of entries and its arguments.
func entriesSQL(q *review.JournalQuery) (text string, args []any) {
	var where []string
	if q.Segment != "" { // first: its parameter is the first one
		where, args = append(where, "id IN ("+ofSegmentSQL+")"), append(args, q.Segment)
	}
	if q.Curator != "" {
		where, args = append(where, "curator = ?"), append(args, q.Curator)
	}
	// The newest first: forwards is downwards.
	if q.After > 0 {
		where, args = append(where, "id "+beyond(!q.Back)+" ?"), append(args, q.After)
	}
	text = "SELECT " + entryColumns + " FROM journal"
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	return text + " ORDER BY id " + direction(!q.Back) + " LIMIT ?", append(args, q.Limit)
}

// entries returns entries without what they changed, the newest first.
func (s *Store) entries(ctx context.Context, q review.JournalQuery) ([]review.Entry, error) {
	text, args := entriesSQL(&q)
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), entryFields)
	if q.Back {
		slices.Reverse(list)
	}
	return list, err
}

const changeCountsSQL = "SELECT value, coalesce((SELECT n + 1 FROM journal_changes WHERE entry = value ORDER BY n DESC LIMIT 1)," +
	" (SELECT k + 1 FROM journal_proposals WHERE entry = value ORDER BY k DESC LIMIT 1)," +
	" (SELECT n + 1 FROM journal_memories WHERE entry = value ORDER BY n DESC LIMIT 1)," +
	" (SELECT n + 1 FROM journal_promotions WHERE entry = value ORDER BY n DESC LIMIT 1)) FROM json_each(?)"

// JournalPage returns a page of the journal: with nine statements, however much
// its entries changed.
func (s *Store) JournalPage(ctx context.Context, q review.JournalQuery) (review.JournalPage, error) {
	p, err := s.journalPage(ctx, q)
	return p, s.fail("read the journal", err)
}

func (s *Store) journalPage(ctx context.Context, q review.JournalQuery) (p review.JournalPage, err error) {
	limit := q.Limit
	q.Limit++
	list, err := s.entries(ctx, q)
	if err != nil {
		return p, err
	}
	if p.More = len(list) > limit; p.More && q.Back {
		list = list[1:]
	} else if p.More {
		list = list[:limit]
	}
	if err := s.complete(ctx, list, review.LoggedChanges); err != nil {
		return p, err
	}
	ids, at := make([]int64, len(list)), map[int64]int{}
	var segments []string
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, i
		p.Entries = append(p.Entries, review.Logged{Entry: list[i]})
		for _, c := range list[i].Changes {
			segments = append(segments, c.Segment)
		}
		for _, c := range list[i].Proposals {
			segments = append(segments, c.Segment)
		}
		if r := list[i].Recut; r != nil {
			r.Before, r.After = slim(r.Before), slim(r.After)
			if len(r.After) > 0 {
				segments = append(segments, r.After[0].ID)
			}
		}
	}
	var id int64
	var n int
	rows := s.db.Rows(ctx, changeCountsSQL, idList(ids))
	for range rows.Into(&id, orNull[int]{&n}) {
		p.Entries[at[id]].Count = n
	}
	if err = rows.Err(); err == nil {
		p.Topics, err = s.topicsOf(ctx, segments)
	}
	return p, err
}

// slim returns segments without what a list of entries does not show: the
// analyses of a session's segments are larger than all the rest.
func slim(rows []review.Segment) []review.Segment {
	for i := range rows {
		rows[i].Analysis = ""
	}
	return rows
}

const topicsOfSQL = "SELECT id, topic, session_file FROM task_segments WHERE id IN (SELECT value FROM json_each(?))"

// topicsOf names the segments that are there, by topic, else by file.
func (s *Store) topicsOf(ctx context.Context, ids []string) (map[string]string, error) {
	of := map[string]string{}
	if len(ids) == 0 {
		return of, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var id, topic, file string
	rows := s.db.Rows(ctx, topicsOfSQL, string(list))
	for range rows.Into(&id, &topic, &file) {
		of[id] = cmp.Or(topic, review.FileTitle(file))
	}
	return of, rows.Err()
}

// The pages of an entry's changes, forwards and backwards.
const (
	changesAfterSQL  = "SELECT n + 1, " + changeColumns + " FROM journal_changes WHERE entry = ? AND n >= ? ORDER BY n LIMIT ?"
	changesBeforeSQL = "SELECT n + 1, " + changeColumns + " FROM journal_changes WHERE entry = ? AND n < ? ORDER BY n DESC LIMIT ?"
)

// Changes returns a page of what an entry changed.
func (s *Store) Changes(ctx context.Context, q review.ChangeQuery) (review.ChangePage, error) {
	p, err := s.changePage(ctx, q)
	return p, s.fail("read the journal", err)
}

func (s *Store) changePage(ctx context.Context, q review.ChangeQuery) (p review.ChangePage, err error) {
	text, at := changesAfterSQL, q.After
	if q.Back {
		text = changesBeforeSQL
		if at--; q.After == 0 {
			at = 1<<31 - 1
		}
	}
	var n int
	var ids []string
	err = eachChange(s.db.Rows(ctx, text, q.Entry, at, q.Limit+1), []any{&n}, func(c review.Change) {
		p.Changes, ids = append(p.Changes, review.NumberedChange{N: n, Change: c}), append(ids, c.Segment)
	})
	if err == nil && len(ids) == 0 {
		err = proposals.ChangePage(s.asks(ctx), q.Entry, at, q.Limit+1, q.Back, func(n int, c review.ProposalChange) {
			p.Changes, ids = append(p.Changes, review.NumberedChange{N: n, Change: review.Change{Segment: c.Segment}, Proposal: &c}), append(ids, c.Segment)
		})
	}
	if err == nil && len(p.Changes) == 0 {
		err = memories.ChangePage(s.asks(ctx), q.Entry, at, q.Limit+1, q.Back, func(n int, c memory.Change) {
			p.Changes = append(p.Changes, review.NumberedChange{N: n, Memory: &c, Topic: c.Any().Title})
		})
	}
	if err == nil && len(p.Changes) == 0 {
		p.Changes, err = s.promotionPage(ctx, q.Entry, at, q.Back)
	}
	if err != nil {
		return p, err
	}
	p.Changes, p.More = trimPage(p.Changes, q.Limit, q.Back)
	topics, err := s.topicsOf(ctx, ids)
	for i := range p.Changes {
		if p.Changes[i].Memory != nil || p.Changes[i].Promotion != nil {
			continue
		}
		p.Changes[i].Topic = topics[p.Changes[i].Segment]
	}
	return p, err
}

// promotionPage is what an entry did to runs, as far as changePage wants it.
func (s *Store) promotionPage(ctx context.Context, entry int64, at int, back bool) (page []review.NumberedChange, err error) {
	of, err := promotionsOf(s.asks(ctx), idList([]int64{entry}))
	for n := range of[entry] {
		p := &of[entry][n]
		if back == (n < at) {
			page = append(page, review.NumberedChange{N: n + 1, Promotion: p, Topic: fmt.Sprint("run ", p.Run)})
		}
	}
	if back {
		slices.Reverse(page)
	}
	return page, err
}
