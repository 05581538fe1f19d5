package show

import (
	"context"
	"errors"
	"fmt"

	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/store"
)

// shortestID is the shortest beginning of an id that the database looks up.
const shortestID = 4

// Find looks an id up among segments, then among sessions. command returns a command
// line that works on the same database, for a hint.
func Find(ctx context.Context, s *store.Store, id string, command func(string) string) (*Subject, error) {
	it, err := OfSegment(ctx, s, id)
	if err == nil || !errors.Is(err, review.ErrNotFound) {
		return it, AboutID(id, err, command)
	}
	it, err = OfSession(ctx, s, id)
	if errors.Is(err, review.ErrNotFound) && len(id) >= shortestID {
		if e, err := s.LastEntry(ctx, id); err == nil {
			return nil, fmt.Errorf("%s: this segment no longer exists: its last entry is %d of %s: %s", id, e.ID, command("log"), clean.Line(tell.EntryText(&e)))
		}
	}
	return it, AboutID(id, err, command)
}

// OfSegment is the subject of a segment, by its id or the beginning of it.
func OfSegment(ctx context.Context, s *store.Store, id string) (*Subject, error) {
	seg, err := s.Segment(ctx, id)
	if err != nil {
		return nil, err
	}
	ses, err := s.Session(ctx, seg.SessionID)
	if err != nil {
		return nil, fmt.Errorf("the session of segment %s: %v", seg.Short(), err) // it is not the id that is not found
	}
	return &Subject{Segment: &seg, Session: ses, Body: seg.Body, From: seg.Start, To: seg.End}, nil
}

// OfSession is the subject of a session, by its id or the beginning of it.
func OfSession(ctx context.Context, s *store.Store, id string) (*Subject, error) {
	ses, err := s.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Subject{Session: ses, Body: ses.Body, From: 1, To: ses.Messages}, nil
}

// AboutID turns the errors of a lookup by id into ones that say what to do.
func AboutID(id string, err error, command func(string) string) error {
	switch {
	case errors.Is(err, review.ErrNotFound):
		if id == "" {
			return fmt.Errorf("an id is empty: %s shows them", command("list"))
		}
		if len(id) < shortestID {
			return fmt.Errorf("%s: too short for an id: type %d characters of it at least", id, shortestID)
		}
		return fmt.Errorf("%s: no segment or session has this id: %s shows them", id, command("list"))
	case errors.Is(err, review.ErrAmbiguous):
		return fmt.Errorf("%s: several ids begin like this: type more of it", id)
	}
	return err
}
