package store

import (
	"context"
	"fmt"
	"math"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/sqlite"
)

// WriteSome applies writes in one transaction, or none of them: the first one, and
// those after it until others should have the turn. It returns how many that were
// and what they did to sessions, and fills in the ids of the segments it inserted.
//
// A write that goes on from another place or other verdicts than are stored
// (ImportWrite.Base, SessionWrite.Verdicts) is a review.ErrConflict. Without
// them an import still never changes what curators wrote: a judged segment
// whose content it changes becomes pending and stale, and remembers its verdict.
func (s *Store) WriteSome(ctx context.Context, writes []hub.ImportWrite) (n int, done []hub.Change, err error) {
	return s.writeUntil(ctx, writes, (*sqlite.Tx).Enough)
}

// writeUntil is WriteSome for whoever says himself when the transaction should end.
func (s *Store) writeUntil(ctx context.Context, writes []hub.ImportWrite, enough func(*sqlite.Tx) bool) (n int, done []hub.Change, err error) {
	var fill []assigned
	done, err = s.importWrite(ctx, "import", func(im *importing) error {
		if err := im.next(); err != nil {
			return err
		}
		for n < len(writes) && (n == 0 || !enough(im.Tx)) {
			if err := im.write(&writes[n]); err != nil {
				return fmt.Errorf("%s: %w", writes[n].Source.Path, err)
			}
			n++
		}
		fill = im.assigned
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	for _, a := range fill {
		a.to.ID = a.id
	}
	return n, done, nil
}

// importing is one import transaction.
type importing struct {
	*tx
	ids      *idSource
	now      string
	number   int64  // of the transaction
	path     string // of the source being written
	heads    headRows
	assigned []assigned
	// was is how the sessions were that changed; nil if nobody asks.
	was map[string]hub.Extent
	// formers are bodies with edits that are about to change, written those that
	// sessions have now. See settleEdits.
	formers []*former
	written []int64
	// leftBodies, if not nil, gets the bodies that are to be dropped in the
	// end, when all is known that refers to them.
	leftBodies *[]leftBody
}

// next gives the transaction its number.
func (im *importing) next() error {
	return im.Rows(nextWriteSQL).One(&im.number)
}

const nextWriteSQL = "UPDATE progress SET value = value + 1 WHERE name = 'write' RETURNING value"

// assigned is a new segment's id, told to the caller once it is stored.
type assigned struct {
	to *review.SegmentWrite
	id string
}

func (im *importing) write(w *hub.ImportWrite) error {
	im.path = w.Source.Path
	if err := im.base(w); err != nil {
		return err
	}
	source, err := im.source(&w.Source)
	if err != nil {
		return err
	}
	if w.Fresh {
		err = im.run([]any{source}, "DELETE FROM import_issues WHERE source_id = ?", "DELETE FROM copies WHERE source_id = ?",
			"UPDATE sources SET copies = 0 WHERE id = ? AND copies > 0")
	} else if w.Resolved {
		from := int64(math.MaxInt64)
		if w.Base != nil {
			from = w.Base.Offset
		}
		err = im.do("DELETE FROM import_issues WHERE source_id = ? AND (severity = 'pending' OR line > 0 AND offset >= ?)", source, from)
	}
	if err == nil {
		err = im.issues(source, w.Issues)
	}
	if err != nil {
		return err
	}
	for i := range w.Sessions {
		if err := im.makeRoom(&w.Sessions[i]); err != nil {
			return fmt.Errorf("session %s: %w", w.Sessions[i].Session.File, err)
		}
	}
	placed := make([]target, len(w.Sessions))
	for i := range w.Sessions {
		if placed[i], err = im.session(source, &w.Sessions[i]); err != nil {
			return fmt.Errorf("session %s: %w", w.Sessions[i].Session.File, err)
		}
	}
	// Segments go from one session to another, and parents may come after
	// their children.
	for i := range w.Sessions {
		s := &w.Sessions[i]
		err := im.covered(placed[i], s.Session.Messages)
		if err == nil && s.ParentFile != "" {
			err = im.parent(placed[i], s.ParentFile)
		}
		if err != nil {
			return fmt.Errorf("session %s: %w", s.Session.File, err)
		}
	}
	for _, id := range w.Leave {
		if err := im.leave(id); err != nil {
			return fmt.Errorf("session %s: %w", id, err)
		}
	}
	if err := im.settleEdits(); err != nil {
		return err
	}
	if w.Base != nil && w.Base.Stored && len(w.Sessions) == 0 && *w.Base != hub.BaseOf(&w.Source.State) {
		// What came holds no message, but may be what other files go on from.
		return im.do("UPDATE trajectory_records SET touched = ? WHERE source_id = ? AND native_id <> ''", im.number, source)
	}
	return nil
}

// issues appends to the ledger.
func (im *importing) issues(source int64, issues []session.Issue) error {
	var rows waiting
	for i := range issues {
		is := &issues[i]
		if err := rows.add(im.tx, insertIssues, source, is.Line, is.Offset, is.Length, string(is.Severity), is.Reason); err != nil {
			return err
		}
	}
	return rows.flush(im.tx, insertIssues)
}

var insertIssues = insertInto("import_issues", "source_id, line, offset, length, severity, reason")

// session brings one session to its new state.
func (im *importing) session(source int64, w *hub.SessionWrite) (p target, err error) {
	p = target{session: w.Session.ID, agent: w.Session.AgentID, file: w.Session.File}
	var old int64
	if w.From != "" {
		old, p.body, err = im.vacate(w)
	} else {
		old, err = im.findSession(&p, w.New)
		if err == nil {
			err = im.bodyFor(&p, old, w)
		}
	}
	if err != nil {
		return p, err
	}
	if err := im.note(p.session, old == 0); err != nil {
		return p, err
	}
	if old != 0 && old != p.body {
		if err := im.formerly(old, 0, p.body); err != nil {
			return p, err
		}
	}
	im.written = append(im.written, p.body)
	row, trail := w.Session, w.Trail
	if old != 0 && len(w.Segments)+len(w.Retire) == 0 {
		if err := im.asCut(p.session, &row, &trail); err != nil {
			return p, err
		}
	}
	row.SourceID, row.Body = source, p.body
	args := append(sessionSetFields(&row), trailFields(&trail)...)
	if old == 0 {
		err = im.do(insertSessionSQL, append(args, im.number, im.number, im.now, p.session)...)
	} else {
		err = im.do(updateSessionSQL, append(args, im.number, p.session)...)
	}
	if err != nil {
		return p, err
	}
	if err := im.chunks(p.body, w.KeepTo, w.Chunks); err != nil {
		return p, err
	}
	if err := im.keepSeen(p.body, p.seen, w.Chunks); err != nil {
		return p, err
	}
	if err := im.placeFirst(p, w); err != nil {
		return p, err
	}
	if err := im.segments(p, w); err != nil {
		return p, err
	}
	if old == 0 || old == p.body {
		return p, nil
	}
	if err := im.moveSegments(p, old); err != nil {
		return p, err
	}
	if im.leftBodies != nil {
		*im.leftBodies = append(*im.leftBodies, leftBody{old, p.session})
		return p, nil
	}
	return p, im.dropBody(old, p.session)
}

// leftBody is one that a session has left.
type leftBody struct {
	body    int64
	session string
}

// asCut gives a session whose segments stay as they are what belongs to them:
// they may have been cut since the import read them.
func (im *importing) asCut(id string, row *review.Session, trail *review.Trail) error {
	var held int
	var settled chat.Trace
	const text = "SELECT segmented, held, settled FROM trajectory_records WHERE id = ?"
	err := im.Rows(text, id).One(&row.Segmented, &held, traceIn{&settled})
	if err == nil && held != trail.Held {
		trail.Held, trail.Settled = held, settled
	}
	return err
}

// bodyFor finds or makes the body of a session, whose row, if there is one, has
// the body old.
func (im *importing) bodyFor(p *target, old int64, w *hub.SessionWrite) (err error) {
	p.body = old
	if old == 0 && p.session == "" {
		if p.session, err = im.ids.next(); err != nil {
			return err
		}
	}
	if old != 0 && !w.NewBody {
		p.seen, err = im.truncate(old, w.KeepTo)
		return err
	}
	if w.KeepTo != 0 {
		return fmt.Errorf("%w: a new body holds no messages to keep", review.ErrConflict)
	}
	if old != 0 && w.Trail.Trace != (chat.Trace{}) {
		if err := im.recheckCopies(p.session, w); err != nil {
			return err
		}
	}
	p.body, err = im.newBody(p.session)
	return err
}

// findSession looks for the stored row that a session is. It returns the
// row's body, 0 without a row, and makes its segments lie where the session
// lies now.
func (im *importing) findSession(p *target, isNew bool) (body int64, err error) {
	if isNew {
		return 0, im.free(*p)
	}
	if p.session == "" {
		const text = "SELECT id, body FROM trajectory_records WHERE source_agent_id = ? AND session_file = ?"
		_, err = im.Rows(text, p.agent, p.file).Maybe(&p.session, &body)
		return body, err
	}
	var file string
	found, err := im.Rows("SELECT session_file, body FROM trajectory_records WHERE id = ?", p.session).Maybe(&file, &body)
	if err == nil && !found {
		err = fmt.Errorf("%w: %s no longer exists", review.ErrConflict, p.session)
	}
	if err != nil || file == p.file {
		return body, err
	}
	return body, im.rename(*p)
}

func (im *importing) newBody(session string) (int64, error) {
	return im.insert("INSERT INTO bodies (session_id) VALUES (?)", session)
}
