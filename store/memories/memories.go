// Package memories keeps what was learned in sessions: a row for each memory, its
// sources, its tags, and which contents were asked about.
//
// A row is what curators left. What its sources say is not kept, but looked up
// whenever a memory is read: a source is live while a segment holds what it held, is
// fresh and approved; a memory without a live source is archived if it is proposed,
// stale if it is approved. So no verdict, cut, edit, import or undo has to know of
// memories, and whatever brings a segment back brings back what was learned in it.
package memories

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Asks runs a statement, in a transaction or by itself.
type Asks func(text string, args ...any) *sqlite.Rows

// State is a memory as it is kept, and as the journal keeps it.
type State struct {
	memory.Memory      // without what its sources say, and with its own tags alone
	Alone         bool `json:"alone,omitzero"` // approved although no source was live
	// From are its sources, where the memory is not there on the other side of a
	// change.
	From []From `json:"from,omitzero"`
}

// From is a source as it is kept.
type From struct {
	memory.Source
	Of    chat.Digest `json:"of"`
	Loose bool        `json:"loose,omitzero"` // the segment need not be approved, only not rejected
	now   string      // id of the segment that holds this now and stands for it, "" if none does
}

// Which segments s are what a source o was, and stand for it.
const (
	// Of a list as JSON, in which a " that is part of a tag has a \ before it.
	privateSQL = "instr(replace(s.tags, '[', ','), ',\"" + memory.Private + "\"') > 0"
	sameSQL    = "s.fingerprint = o.fingerprint AND s.detail = o.rest AND s.edited = o.edited"
	fitSQL     = "s.stale = 0 AND NOT (" + privateSQL + ") AND (s.verdict = 'approved' OR o.loose = 1 AND s.verdict <> 'rejected')"
	liveSQL    = "EXISTS (SELECT 1 FROM memory_sources o CROSS JOIN task_segments s ON " + sameSQL + " WHERE o.memory_id = m.id AND " + fitSQL + ")"
	// What lists go by, of a memory m.
	statusSQL = "iif(m.status = 'proposed' AND NOT " + liveSQL + ", 'archived', m.status)"
	staleSQL  = "(m.status = 'approved' AND m.alone = 0 AND NOT " + liveSQL + ")"
)

const (
	columns = "id, kind, title, content, context, resolution, status, alone, reason, note, agent_id, dir, task_type, topic, made_by, model, prompt, grade, flags, hash," +
		" supersedes, edited, curator, reviewed_at, created_at, updated_at"
	rowsSQL    = "SELECT m.* FROM json_each(?) j CROSS JOIN (SELECT " + columns + " FROM memories) m ON m.id = j.value ORDER BY j.key"
	tagsSQL    = "SELECT t.memory_id, t.tag FROM json_each(?) j CROSS JOIN memory_tags t ON t.memory_id = j.value ORDER BY t.memory_id, t.tag"
	sourcesSQL = "SELECT o.memory_id, o.detail, o.segment_id, o.fingerprint, o.rest, o.edited, o.session_file, o.start_line, o.end_line, o.cites, o.loose, o.added, coalesce(" +
		"(SELECT s.id FROM task_segments s WHERE " + sameSQL + " AND " + fitSQL + " ORDER BY s.id <> o.segment_id, s.id LIMIT 1), '')" +
		" FROM json_each(?) j CROSS JOIN memory_sources o ON o.memory_id = j.value ORDER BY o.memory_id, o.session_file, o.start_line, o.detail"
	segmentsSQL = "SELECT s.id, s.session_file, s.start_line, s.end_line, s.fingerprint, s.detail, s.edited, s.verdict, s.stale, " + privateSQL +
		" FROM json_each(?) j CROSS JOIN task_segments s ON s.id = j.value"
)

// dest is where columns go.
func (s *State) dest(flags *string) []any {
	return []any{
		&s.ID, &s.Kind, &s.Title, &s.Content, &s.Context, &s.Resolution, &s.Status, &s.Alone, &s.Reason, &s.Note, &s.Agent, &s.Dir, &s.TaskType, &s.Topic,
		&s.MadeBy, &s.Model, &s.Prompt, &s.Grade, flags, &s.Hash, &s.Supersedes, &s.Edited, &s.Curator, stamp.Time{At: &s.Reviewed}, stamp.Time{At: &s.Created}, stamp.Time{At: &s.Updated},
	}
}

// values are what columns get.
func (s *State) values() []any {
	return []any{
		s.ID, string(s.Kind), s.Title, s.Content, s.Context, s.Resolution, string(s.Status), s.Alone, s.Reason, s.Note, s.Agent, s.Dir, s.TaskType, s.Topic,
		s.MadeBy, s.Model, s.Prompt, s.Grade, flagText(s.Flags), s.Hash, s.Supersedes, s.Edited, s.Curator, stamp.OrNull(s.Reviewed),
		stamp.Of(s.Created), stamp.Of(s.Updated),
	}
}

// flagText is what the column of flags gets.
func flagText(list []memory.Flag) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = string(f)
	}
	return strings.Join(names, " ")
}

// flagsOf is the column of flags.
func flagsOf(text string) []memory.Flag {
	var list []memory.Flag
	for f := range strings.FieldsSeq(text) {
		list = append(list, memory.Flag(f))
	}
	return list
}

// words is the column that filters look in.
func words(m *memory.Memory) string {
	return filter.Fold(strings.Join([]string{m.Title, m.Content, m.Context, m.Resolution, m.Note}, "\n"))
}

// list is a JSON list of ids.
func list(ids []string) (string, error) {
	text, err := json.Marshal(ids)
	return string(text), err
}

// States returns memories as they are kept, those there are, in the order of the ids.
func States(ask Asks, ids []string) ([]State, error) {
	text, err := list(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var all []State
	var s State
	var flags string
	rows := ask(rowsSQL, text)
	for range rows.Into(s.dest(&flags)...) {
		one := s
		one.Flags = flagsOf(flags)
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	at := make(map[string]int, len(all))
	for i := range all {
		at[all[i].ID] = i
	}
	var id, tag string
	rows = ask(tagsSQL, text)
	for range rows.Into(&id, &tag) {
		if i, ok := at[id]; ok {
			all[i].Tags = append(all[i].Tags, tag)
		}
	}
	return all, rows.Err()
}

// sources returns the sources of memories, by memory.
func sources(ask Asks, ids []string) (map[string][]From, error) {
	text, err := list(ids)
	if err != nil {
		return nil, err
	}
	of := map[string][]From{}
	var id, cites string
	var f From
	rows := ask(sourcesSQL, text)
	for range rows.Into(&id, &f.Detail, &f.Segment, &f.Fingerprint, &f.Of.Detail, &f.Of.Edited, &f.File, &f.Start, &f.End, &cites, &f.Loose, stamp.Time{At: &f.Added}, &f.now) {
		one := f
		one.Of.Fingerprint, one.Live = one.Fingerprint, one.now != ""
		if err := json.Unmarshal([]byte(cites), &one.Cites, jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil, fmt.Errorf("quotes of memory %s: %w: run winnow doctor", short(id), err)
		}
		of[id] = append(of[id], one)
	}
	return of, rows.Err()
}

// holder is a segment that is, or was, a source.
type holder struct {
	file       string
	start, end int
	of         chat.Digest
	verdict    string
	stale      bool
	private    bool
}

// holders returns segments that are there, by id.
func holders(ask Asks, of map[string][]From) (map[string]holder, error) {
	var ids []string
	for _, list := range of {
		for i := range list {
			ids = append(ids, list[i].Segment, list[i].now)
		}
	}
	slices.Sort(ids)
	text, err := list(slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	all := map[string]holder{}
	var id string
	var h holder
	rows := ask(segmentsSQL, text)
	for range rows.Into(&id, &h.file, &h.start, &h.end, &h.of.Fingerprint, &h.of.Detail, &h.of.Edited, &h.verdict, &h.stale, &h.private) {
		all[id] = h
	}
	return all, rows.Err()
}

// read returns memories as they are kept, those there are, in the order of the ids, with
// their sources and the segments that those are of.
func read(ask Asks, ids []string) (states []State, of map[string][]From, all map[string]holder, err error) {
	states, err = States(ask, ids)
	if err != nil || len(states) == 0 {
		return nil, nil, nil, err
	}
	if of, err = sources(ask, ids); err != nil {
		return nil, nil, nil, err
	}
	all, err = holders(ask, of)
	return states, of, all, err
}

// List returns memories as people see them, those there are, in the order of the ids.
func List(ask Asks, ids []string) ([]memory.Memory, error) {
	states, of, all, err := read(ask, ids)
	if err != nil || len(states) == 0 {
		return nil, err
	}
	list := make([]memory.Memory, len(states))
	for i := range states {
		list[i] = states[i].seen(of[states[i].ID], all)
	}
	return list, nil
}

// seen is a memory with what its sources say of it.
func (s *State) seen(from []From, all map[string]holder) memory.Memory {
	m := s.Memory
	live := false
	var why string
	m.Sources = make([]memory.Source, len(from))
	for i := range from {
		f := &from[i]
		m.Sources[i] = f.Source
		if h, ok := all[f.now]; ok && f.now != "" {
			o := &m.Sources[i]
			o.Segment, o.File, o.Start, o.End = f.now, h.file, h.start, h.end
			live = true
			continue
		}
		if m.Sources[i].Live = false; why == "" {
			h, there := all[f.Segment]
			why = f.gone(&h, there)
		}
	}
	m.Identify()
	switch {
	case live:
	case m.Status == memory.Proposed:
		m.Status, m.Reason = memory.Archived, why
	case m.Status == memory.Approved && !s.Alone:
		m.Stale, m.Reason = true, why
	}
	m.Tags = memory.Tags(&m)
	return m
}

// gone says why a source is not live: what became of its segment.
func (f *From) gone(h *holder, there bool) string {
	added := h.end - h.start - (f.End - f.Start)
	switch {
	case !there:
		return "source left: its messages are cut otherwise, or gone"
	case h.of == f.Of && h.verdict == "rejected":
		return "source was rejected"
	case h.of == f.Of && h.private:
		return "source is private"
	case h.of == f.Of:
		return "source is not approved any more"
	case added == 1:
		return "source changed: 1 message added"
	case added > 1:
		return fmt.Sprintf("source changed: %d messages added", added)
	}
	return "source changed"
}

// short is how an id is told.
func short(id string) string { return id[:min(len(id), 8)] }
