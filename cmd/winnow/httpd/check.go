package httpd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"winnow/core/chat"
	"winnow/core/inbox"
	"winnow/core/session"
)

func (r *refusal) Error() string { return r.text }

// check refuses what holds no session, and a piece whose lines are none of its format. It
// reads no further than to the first sign of one.
func (s *Server) check(ctx context.Context, text io.Reader, h inbox.Hints, u *upload) error {
	plain, _, err := session.Decode(text)
	if err != nil {
		return err
	}
	im := s.Importer(u.agent, h)
	res, err := session.Read(ctx, plain, session.Options{Format: h.Format, MaxValue: im.MaxValue}, session.State{}, first{})
	strange := h.Format != "" && res.State.Counts.Bad > 0 // lines of another format
	switch {
	case errors.Is(err, errFound):
		return nil
	case u.offset != inbox.Whole && err == nil && !strange:
		return nil // others may come
	case asksForPaths(u.spool):
		return &refusal{status: http.StatusUnprocessableEntity, code: "paths", text: "winnow opens no paths for clients: send the lines themselves"}
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && res.Pending > 0 && !strange && beginsJSON(u.spool):
		return nil // an unfinished value may become one
	}
	seen := res.Seen
	if err != nil {
		seen = err.Error()
	}
	what := "session"
	if h.Format != "" {
		what = h.Format + " session"
	}
	return &refusal{status: http.StatusUnprocessableEntity, code: "no_session", text: "no " + what + " in it: " + seen}
}

// mostPaths is how long a request with paths may be to be known as one.
const mostPaths = 1 << 20

// asksForPaths reports whether what came is a request to open files of this machine, as
// other servers take it.
func asksForPaths(spool *inbox.Spool) bool {
	if spool.Size() > mostPaths {
		return false
	}
	var asked struct {
		Paths []string `json:"paths"`
	}
	text, err := io.ReadAll(spool.Reader())
	return err == nil && json.Unmarshal(text, &asked) == nil && asked.Paths != nil
}

// beginsJSON reports whether what came begins like a JSON object or list.
func beginsJSON(spool *inbox.Spool) bool {
	var head [64]byte
	n, _ := io.ReadFull(spool.Reader(), head[:]) // it may be shorter
	text := bytes.TrimSpace(bytes.TrimPrefix(head[:n], []byte("\ufeff")))
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// first is a sink that ends the reading with what tells of a session.
type first struct{}

var errFound = errors.New("there is a session")

func (first) Meta(string, session.Meta) error        { return errFound }
func (first) Message(string, *chat.Message) error    { return errFound }
func (first) Amend(string, int, *chat.Message) error { return errFound }
func (first) Move(string, int, string) error         { return errFound }
func (first) Issue(session.Issue) error              { return nil }
func (first) LineDone(*session.State) error          { return nil }
