package httpd

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"winnow/core/inbox"
	"winnow/tui/draw"
)

// refusals bounds what is noted of uploads that are refused: a client that goes on and on
// does not soon push what was stored out of the list of uploads.
type refusals struct {
	every time.Duration // the same is noted again after that, 0: a minute
	mu    sync.Mutex
	hour  time.Time // when the one began that is counted
	left  int       // that may be noted in it
	last  map[refused]time.Time
}

// refused is what is noted once in a while.
type refused struct{ agent, session, code string }

// mostRefused are noted in an hour.
const mostRefused = 200

// note reports whether something is to be noted.
func (f *refusals) note(r refused, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil || now.Sub(f.hour) >= time.Hour {
		f.hour, f.left, f.last = now, mostRefused, map[refused]time.Time{}
	}
	if last, ok := f.last[r]; f.left == 0 || ok && now.Sub(last) < cmp.Or(f.every, time.Minute) {
		return false
	}
	f.last[r] = now
	f.left--
	return true
}

// noteRefused notes an upload that was refused, if it is known whose it was.
func (s *Server) noteRefused(ctx context.Context, a inbox.Arrival, no *refusal) {
	s.logRefused(a.Agent, no)
	if inbox.CheckAgent(a.Agent) != nil {
		return
	}
	if inbox.CheckSession(a.Session) != nil {
		a.Session = ""
	}
	if !s.refusals.note(refused{a.Agent, a.Session, no.code}, a.At) {
		return
	}
	a.Outcome, a.Status, a.Code, a.Error = inbox.Refused, no.status, no.code, draw.Head(no.text)
	a.ID = s.newID(context.WithoutCancel(ctx)) // the client may be gone
	s.receipts.put(a)
}

// logRefused tells the server's log of a refusal, once in an hour for each agent and kind.
func (s *Server) logRefused(agent string, no *refusal) {
	if inbox.CheckAgent(agent) != nil {
		agent = ""
	}
	if !s.logged.note(refused{agent: agent, code: no.code}, s.Now()) {
		return
	}
	who := "a client without a name"
	if agent != "" {
		who = fmt.Sprintf("agent %q", agent)
	}
	s.Warn("refused: %s: %d %s: %s; the same is not told again for an hour", who, no.status, no.code, draw.Head(no.text))
}

// logBarred tells the log of a request that nothing was read of: of one that sends, or
// shows no token or a wrong one, or comes from elsewhere.
func (s *Server) logBarred(r *http.Request, no *refusal) {
	if r.URL.Path != "/ingest" && no.status != http.StatusUnauthorized && no.status != http.StatusForbidden {
		return
	}
	s.logRefused(r.URL.Query().Get("agent_id"), no)
}
