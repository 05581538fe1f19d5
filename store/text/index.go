// Package text is the text index: which segments have a word somewhere in their
// messages. It keeps its own tables, passages and the columns of bodies that say
// how far those are indexed, and fills them in the background. Messages come from
// whoever has them. It imports core and store/sqlite.
package text

import (
	"context"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/store/sqlite"
)

// Index is the text index of a database.
type Index struct {
	DB *sqlite.DB
	// Chunk opens the messages that are stored together with message n of a body,
	// or the last ones if n comes after them; sql.ErrNoRows if there are none.
	Chunk func(ctx context.Context, body int64, n int) (chat.Chunk, error)
	// Over returns what lies over messages from..to of a body, nil for nothing.
	// What is found is what stands there now.
	Over func(ctx context.Context, body int64, from, to int) (*edit.Overlay, error)
	// Role returns whose message n of a body is; sql.ErrNoRows if there is none.
	Role func(ctx context.Context, body int64, n int) (chat.Role, error)
	// Write runs f in one transaction, for which people do not wait.
	Write func(ctx context.Context, f func(*sqlite.Tx) error) error
	Sizes Sizes
}

// Sizes are how much text, in bytes, is taken at a time.
type Sizes struct {
	// Least and Most are what a transaction holds: between them as much as could
	// be written in fillTook. Each becomes a piece of the index that is merged
	// with others later; what is larger than a processor's cache is slower.
	Least, Most int
	// Passage is what a passage holds at most: looking at a stored text costs
	// about as much whatever part of a chunk it is.
	Passage int
	// Overlap is what two parts of a message share, so that a phrase is whole in
	// one of them.
	Overlap int
}

// UsualSizes are those of all programs.
var UsualSizes = Sizes{Least: 16 << 10, Most: 1 << 20, Passage: chat.ChunkSize, Overlap: 4 << 10}

// state is how far a body is indexed, and with what.
type state struct {
	indexed, part, stored int
	changed               int64
}

// openEnd stands as the part of a body whose last passage ended because there
// were no more messages: those that come belong to it.
const openEnd = -1

const stateColumns = "indexed, part, stored, changed"

func (s *state) dest() []any { return []any{&s.indexed, &s.part, &s.stored, &s.changed} }

// beforeSQL finds the passage in front of an id.
const beforeSQL = "SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"

// Note notes that the messages of a body after keep are others by now, and that it
// ends with message last, as import transaction number writes them. What is in the
// index of those that were there is not true any more; filling it removes that.
func Note(t *sqlite.Tx, body int64, keep, last int, number int64) error {
	indexed := keep
	if keep > 0 {
		var was int
		if err := t.Rows("SELECT indexed FROM bodies WHERE id = ?", body).One(&was); err != nil {
			return err
		}
		if was > keep {
			var id int64
			found, err := t.Rows(beforeSQL, passagesFrom(body, 0), passagesFrom(body, keep+1)-1).Maybe(&id)
			if err != nil {
				return err
			}
			if p := passageOf(id); found && p.last > keep {
				indexed = p.first - 1 // a passage is true as a whole, or not
			}
		}
	}
	const text = `UPDATE bodies SET stored = ?2, changed = ?4,
		outdated = iif(indexed > ?3 OR part > 0 AND indexed = ?3, 1, outdated),
		part = iif(indexed < ?3 OR part < 0 AND indexed = ?3, part, 0), indexed = min(indexed, ?3) WHERE id = ?1`
	_, err := t.Exec(text, body, last, indexed, number)
	return err
}

// Share returns how many of all stored messages can be found by their text by now:
// all, in a database that is read only and in every snapshot, where messages that the
// index lacks are read.
func (x *Index) Share(ctx context.Context) (done, all int64, err error) {
	err = x.DB.Rows(ctx, "SELECT coalesce(sum(indexed), 0), coalesce(sum(stored), 0) FROM bodies WHERE dropped = 0").One(&done, &all)
	if x.DB.Writable() != nil {
		done = all
	}
	return done, all, err
}

const (
	// removeRows is how many passages one transaction removes: some milliseconds
	// of work.
	removeRows = 128

	removeSQL = "DELETE FROM passages WHERE rowid IN (SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)"
)

// Remove removes passages of a body, as many as one transaction should, and
// reports whether that were all.
func Remove(t *sqlite.Tx, body int64) (all bool, err error) {
	return remove(t, body, 0, removeRows)
}

// remove removes passages of a body that begin with message from or one after it,
// limit of them at most (-1: all), and reports whether that were all.
func remove(t *sqlite.Tx, body int64, from, limit int) (all bool, err error) {
	res, err := t.Exec(removeSQL, passagesFrom(body, from), lastPassage(body), limit)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return int(n) < limit || limit < 0, err
}
