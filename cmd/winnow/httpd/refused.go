package httpd

import (
	"context"
	"sync"
	"time"

	"winnow/core/inbox"
	"winnow/tui/draw"
)

// refusals bounds what is noted of uploads that are refused: a client that goes on and on
// does not soon push what was stored out of the list of uploads.
type refusals struct {
	mu   sync.Mutex
	hour time.Time // when the one began that is counted
	left int       // that may be noted in it
	last map[refused]time.Time
}

// refused is what is noted once a minute.
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
	if last, ok := f.last[r]; f.left == 0 || ok && now.Sub(last) < time.Minute {
		return false
	}
	f.last[r] = now
	f.left--
	return true
}

// noteRefused notes an upload that was refused, if it is known whose it was.
func (s *Server) noteRefused(ctx context.Context, a inbox.Arrival, no *refusal) {
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
