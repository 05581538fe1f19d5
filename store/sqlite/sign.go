package sqlite

import (
	"os"
	"time"
)

// sign is how a person who waits to write says so to the machines of other processes:
// an empty file beside the database, there as long as somebody waits. A machine that
// sees it ends its transaction (Tx.Enough). Without it, where the folder takes no
// file, the person waits for the rest of the machine's turn.
type sign struct {
	path   string
	now    func() time.Time
	looked time.Time // when a machine looked last
	seen   bool      // and what it saw
}

const (
	// signEnding is added to the name of the database.
	signEnding = "-waits"
	// signEvery is how often a machine looks.
	signEvery = time.Millisecond
	// signFresh is how long a sign counts: longer than any person waits. An older one
	// was left by a process that was killed.
	signFresh = 10 * time.Second
)

// raise puts the sign up.
func (s *sign) raise() {
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		f.Close()
	}
}

// lower takes it down. Others who wait put it up again when they try again.
func (s *sign) lower() { os.Remove(s.path) }

// up reports whether anybody waits. Only one goroutine at a time may ask.
func (s *sign) up() bool {
	now := s.now()
	if past := now.Sub(s.looked); past >= 0 && past < signEvery {
		return s.seen
	}
	info, err := os.Stat(s.path)
	s.looked, s.seen = now, err == nil && now.Sub(info.ModTime()) < signFresh
	return s.seen
}
