package memories

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/store/sqlite"
)

const (
	// AllSQL are all memories, for EachBroken.
	AllSQL = "SELECT words, " + columns + " FROM memories ORDER BY id"
	// AllSourcesSQL are the quotes of all sources, for EachBrokenSource.
	AllSourcesSQL = "SELECT memory_id, detail, fingerprint, rest, edited, cites FROM memory_sources ORDER BY memory_id, detail"
	// AllChangesSQL are all changes that the journal keeps, for EachBrokenChange.
	AllChangesSQL = "SELECT entry, before, after FROM journal_memories ORDER BY entry, n"
	// DoneSQL and LookedSQL are the contents that were asked about, and the segments that
	// say so of theirs, for EachUnlooked.
	DoneSQL   = "SELECT detail, substr(extractor, 1, length('" + memory.RulesPrefix + "')) <> '" + memory.RulesPrefix + "' FROM extractions WHERE upto = 0"
	LookedSQL = "SELECT id, fingerprint, detail, edited, memory_asked FROM task_segments WHERE memory_extracted = 1 OR memory_asked = 1"
	// UnlookedSQL has a segment looked at again.
	UnlookedSQL = "UPDATE task_segments SET memory_extracted = 0, memory_asked = 0 WHERE id = ?"
	// AgainSQL writes what follows from a memory anew.
	AgainSQL = "UPDATE memories SET words = ?, hash = ? WHERE id = ?"
)

// EachBroken calls f with the memories of which what is derived is not what it should
// be, and with what it should be.
func EachBroken(rows *sqlite.Rows, f func(m *memory.Memory, words, hash string)) error {
	var s State
	var said, flags string
	for range rows.Into(append([]any{&said}, s.dest(&flags)...)...) {
		if hash := memory.HashOf(s.Content, s.Resolution); said != words(&s.Memory) || s.Hash != hash {
			f(&s.Memory, words(&s.Memory), hash)
		}
	}
	return rows.Err()
}

// EachBrokenSource calls f with the sources that can't be read.
func EachBrokenSource(rows *sqlite.Rows, f func(id, detail string, why error)) error {
	var id, cites string
	var o From
	for range rows.Into(&id, &o.Detail, &o.Of.Fingerprint, &o.Of.Detail, &o.Of.Edited, &cites) {
		err := ReadableCites(cites)
		if err == nil && o.Detail != memory.ContentKey(o.Of) {
			err = errors.New("it is of another content than it says")
		}
		if err != nil {
			f(id, o.Detail, err)
		}
	}
	return rows.Err()
}

// EachBrokenChange calls f with the entries of which something can't be taken back.
func EachBrokenChange(rows *sqlite.Rows, f func(entry int64, why error)) error {
	var entry int64
	var before, after string
	for range rows.Into(&entry, &before, &after) {
		if err := errors.Join(Readable(before), Readable(after)); err != nil {
			f(entry, err)
		}
	}
	return rows.Err()
}

// EachUnlooked calls f with the segments that say that somebody looked for memories in
// what they hold, or a model did, where that is not so.
func EachUnlooked(done, looked *sqlite.Rows, f func(id string)) error {
	model := map[string]bool{} // by content, whether a model was asked
	var content string
	var asked bool
	for range done.Into(&content, &asked) {
		model[content] = model[content] || asked
	}
	if err := done.Err(); err != nil {
		return err
	}
	var id string
	var of chat.Digest
	for range looked.Into(&id, &of.Fingerprint, &of.Detail, &of.Edited, &asked) {
		if byModel, known := model[memory.ContentKey(of)]; !known || asked && !byModel {
			f(id)
		}
	}
	return looked.Err()
}

// ReadableCites is the error of quotes as they are kept, nil for those that can be read.
func ReadableCites(text string) error {
	var cites []memory.Cite
	return json.Unmarshal([]byte(text), &cites, jsontext.AllowInvalidUTF8(true))
}

// Readable is the error of a memory that the journal keeps, nil for one that can be
// read, and for none.
func Readable(text string) error {
	s, err := sideOf(text)
	if err != nil || s == nil {
		return err
	}
	if _, ok := memory.ParseStatus(string(s.Status)); !ok {
		return fmt.Errorf("no status of a memory: %q", s.Status)
	}
	if _, ok := memory.ParseKind(string(s.Kind)); !ok {
		return fmt.Errorf("no kind of memory: %q", s.Kind)
	}
	return nil
}
