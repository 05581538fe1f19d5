package memories

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

const (
	putSQL = "INSERT INTO memories (words, " + columns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" +
		" ON CONFLICT (id) DO UPDATE SET words = excluded.words, kind = excluded.kind, title = excluded.title, content = excluded.content, context = excluded.context," +
		" resolution = excluded.resolution, status = excluded.status, alone = excluded.alone, reason = excluded.reason, note = excluded.note, flags = excluded.flags," +
		" hash = excluded.hash, supersedes = excluded.supersedes, edited = excluded.edited, curator = excluded.curator, reviewed_at = excluded.reviewed_at, updated_at = excluded.updated_at"
	putTagSQL    = "INSERT OR IGNORE INTO memory_tags (tag, memory_id) VALUES (?, ?)"
	untagSQL     = "DELETE FROM memory_tags WHERE memory_id = ?"
	putSourceSQL = "INSERT OR IGNORE INTO memory_sources (memory_id, detail, segment_id, fingerprint, rest, edited, session_file, start_line, end_line, cites, loose, added)" +
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	extractedSQL = "UPDATE task_segments SET memory_extracted = 1, memory_asked = memory_asked OR ? WHERE id = ? AND (fingerprint, detail, edited) = (?, ?, ?)"
	// partlySQL looks for what extractedSQL does, and leaves it open.
	partlySQL  = "UPDATE task_segments SET memory_asked = memory_asked AND ? WHERE id = ? AND (fingerprint, detail, edited) = (?, ?, ?)"
	digestSQL  = "SELECT fingerprint, detail, edited, verdict, session_file, start_line, end_line, " + privateSQL + " FROM task_segments s WHERE id = ?"
	putDoneSQL = "INSERT INTO extractions (detail, extractor, segment_id, at, status, kept, again, dropped, tokens_in, tokens_out, upto) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" +
		" ON CONFLICT (detail, extractor) DO UPDATE SET segment_id = excluded.segment_id, at = excluded.at, status = excluded.status, dropped = excluded.dropped, upto = excluded.upto," +
		" kept = (upto > 0) * kept + excluded.kept, again = (upto > 0) * again + excluded.again," +
		" tokens_in = (upto > 0) * tokens_in + excluded.tokens_in, tokens_out = (upto > 0) * tokens_out + excluded.tokens_out"
	doneSQL  = "SELECT 1 FROM extractions WHERE detail = ? AND extractor = ? AND upto = 0"
	partSQL  = "SELECT upto, kept FROM extractions WHERE detail = ? AND extractor = ? AND upto > 0"
	gradeSQL = "UPDATE memories SET grade = ?1, flags = ?2, updated_at = ?3 WHERE id = ?4 AND (grade, flags) <> (?1, ?2)"
	hashSQL  = "SELECT id FROM memories WHERE agent_id = ? AND dir = ? AND kind = ? AND hash = ? AND status <> 'archived'"
)

// put writes a memory as it is, with its own tags.
func put(t *sqlite.Tx, s *State) error {
	_, err := t.Exec(putSQL, append([]any{words(&s.Memory)}, s.values()...)...)
	if err == nil {
		_, err = t.Exec(untagSQL, s.ID)
	}
	for _, tag := range s.Tags {
		if err == nil && !memory.Derived(tag) {
			_, err = t.Exec(putTagSQL, tag, s.ID)
		}
	}
	return err
}

func putSource(t *sqlite.Tx, id string, f *From) error {
	cites, err := json.Marshal(f.Cites, jsontext.AllowInvalidUTF8(true))
	if err == nil {
		_, err = t.Exec(putSourceSQL, id, f.Detail, f.Segment, f.Of.Fingerprint, f.Of.Detail, f.Of.Edited, f.File, f.Start, f.End, string(cites), f.Loose, stamp.OrNull(f.Added))
	}
	return err
}

// Holding is what a segment is at the moment.
type Holding struct {
	Of      chat.Digest
	Verdict string
	Private bool          // nothing is to be learned from it
	Source  memory.Source // without cites
}

// Hold looks at a segment; found is false if it is not there.
func Hold(t *sqlite.Tx, segment string) (h Holding, found bool, err error) {
	o := &h.Source
	found, err = t.Rows(digestSQL, segment).Maybe(&h.Of.Fingerprint, &h.Of.Detail, &h.Of.Edited, &h.Verdict, &o.File, &o.Start, &o.End, &h.Private)
	o.Segment, o.Fingerprint, o.Detail = segment, h.Of.Fingerprint, memory.ContentKey(h.Of)
	return h, found, err
}

// byModel tells an extractor that asks a model.
func byModel(extractor string) bool { return !strings.HasPrefix(extractor, memory.RulesPrefix) }

// Put keeps what was found in a segment, and that it was asked about. kept is false
// where the segment left or holds something else by now: nothing is kept then. next
// draws ids.
func Put(t *sqlite.Tx, x *memory.Extraction, at time.Time, next func() (string, error)) (kept bool, err error) {
	text := extractedSQL
	if x.Upto > 0 {
		text = partlySQL
	}
	done, err := t.Exec(text, byModel(x.Extractor), x.Segment, x.Content.Fingerprint, x.Content.Detail, x.Content.Edited)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	again := slices.Clone(x.Sifted.Again)
	var made []memory.Again
	for i := range x.Sifted.Kept {
		m := x.Sifted.Kept[i]
		if len(m.Sources) == 0 {
			return false, errors.New("a memory without a source")
		}
		var known string
		found, err := t.Rows(hashSQL, m.Agent, m.Dir, string(m.Kind), m.Hash).Maybe(&known)
		if err != nil {
			return false, err
		}
		if found { // it was kept while this one was looked for
			again = append(again, memory.Again{ID: known, Source: m.Sources[0]})
			continue
		}
		if m.ID, err = next(); err != nil {
			return false, err
		}
		m.Status, m.Created, m.Updated = memory.Proposed, at, at
		if err = put(t, &State{Memory: m}); err != nil {
			return false, err
		}
		made = append(made, memory.Again{ID: m.ID, Source: m.Sources[0]})
	}
	if again, err = there(t, again); err != nil {
		return false, err
	}
	for i, a := range slices.Concat(made, again) {
		f := From{Source: a.Source, Of: x.Content, Loose: x.Loose}
		f.Segment, f.Detail, f.Added = x.Segment, memory.ContentKey(x.Content), at
		if err := putSource(t, a.ID, &f); err != nil {
			return false, err
		}
		if i < len(made) {
			continue
		}
		if err := regrade(t, a.ID, at); err != nil {
			return false, err
		}
	}
	x.Made, x.Found = len(made), len(again)
	return true, note(t, x, at)
}

// there leaves those of known memories that are there still: one that a curator made may
// have been taken back while the segment was asked about.
func there(t *sqlite.Tx, list []memory.Again) ([]memory.Again, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	states, err := States(t.Rows, ids)
	return slices.DeleteFunc(list, func(a memory.Again) bool {
		return !slices.ContainsFunc(states, func(s State) bool { return s.ID == a.ID })
	}), err
}

// regrade writes anew how much there is for a memory, and its flags, as it has another
// source.
func regrade(t *sqlite.Tx, id string, at time.Time) error {
	list, err := List(t.Rows, []string{id})
	if err == nil && len(list) == 1 {
		m := &list[0]
		m.Flags = memory.FlagsAgain(m)
		_, err = t.Exec(gradeSQL, memory.GradeOf(m), flagText(m.Flags), stamp.Of(at), id)
	}
	return err
}

// note keeps that a content was asked about.
func note(t *sqlite.Tx, x *memory.Extraction, at time.Time) error {
	dropped, err := json.Marshal(x.Sifted.Dropped, json.Deterministic(true))
	if err != nil {
		return err
	}
	status := "found"
	if x.Made+x.Found == 0 {
		status = "nothing"
	}
	if x.Upto > 0 {
		status = "part"
	}
	_, err = t.Exec(putDoneSQL, memory.ContentKey(x.Content), x.Extractor, x.Segment, stamp.Of(at), status, x.Made, x.Found, string(dropped), x.TokensIn, x.TokensOut, x.Upto)
	return err
}

// Done reports whether a content was asked about by an extractor.
func Done(ask Asks, detail, extractor string) (is bool, err error) {
	var one int
	return ask(doneSQL, detail, extractor).Maybe(&one)
}

// PartOf is what an extractor was asked about a content of which the rest is open.
func PartOf(ask Asks, detail, extractor string) (p memory.Part, err error) {
	_, err = ask(partSQL, detail, extractor).Maybe(&p.Upto, &p.Kept)
	return p, err
}

// Mark says that a segment needs not be asked about by an extractor, as its content was,
// if it holds that still.
func Mark(t *sqlite.Tx, segment string, of chat.Digest, extractor string) error {
	_, err := t.Exec(extractedSQL, byModel(extractor), segment, of.Fingerprint, of.Detail, of.Edited)
	return err
}

// Add is the change that adds a memory, which a curator made of a segment.
func Add(m memory.Memory, h *Holding) Change {
	s := State{Memory: m}
	s.Sources, s.Stale, s.Tags = nil, false, own(m.Tags)
	f := From{Source: h.Source, Of: h.Of, Loose: h.Verdict != "approved"}
	if len(m.Sources) > 0 {
		f.Cites = m.Sources[0].Cites
	}
	f.Added = m.Created
	s.From = []From{f}
	return Change{ID: m.ID, After: &s}
}

// own are the tags of a list that do not follow from anything, in their order.
func own(tags []string) []string {
	var list []string
	for _, tag := range tags {
		if tag = strings.TrimSpace(tag); tag != "" && !memory.Derived(tag) && !slices.Contains(list, tag) {
			list = append(list, tag)
		}
	}
	slices.Sort(list)
	return list
}

// Duplicate is the error of a change that would make two memories say the same.
type Duplicate struct {
	ID    string        // "" of one that is new
	Other memory.Memory // that says it already
}

func (d *Duplicate) Error() string {
	text := "memory " + d.Other.Short() + " says the same"
	if d.ID != "" {
		text = "memory " + short(d.ID) + " would say the same as " + d.Other.Short()
	}
	return text + " and " + d.Other.Standing()
}

// twice is the error of a change after which two memories would say the same.
func twice(t *sqlite.Tx, c *Change, err error) error {
	var other string
	found, wrong := t.Rows(hashSQL, c.After.Agent, c.After.Dir, string(c.After.Kind), c.After.Hash).Maybe(&other)
	if wrong != nil || !found || other == c.ID {
		return errors.Join(wrong, err)
	}
	list, wrong := List(t.Rows, []string{other})
	if wrong != nil || len(list) == 0 {
		return errors.Join(wrong, err)
	}
	d := &Duplicate{Other: list[0]}
	if c.Before != nil {
		d.ID = c.ID
	}
	return d
}
