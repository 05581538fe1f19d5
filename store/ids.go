package store

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"
)

// idSource draws UUIDv4s from one stream of random bytes.
type idSource struct {
	mu sync.Mutex
	r  *bufio.Reader
}

// idBuffer is how many random bytes are read ahead: 64 ids. One read of the
// system's randomness per id would cost more than the row it names.
const idBuffer = 1 << 10

func newIDSource(r io.Reader) *idSource { return &idSource{r: bufio.NewReaderSize(r, idBuffer)} }

func (s *idSource) next() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := uuid.NewRandomFromReader(s.r)
	if err != nil {
		return "", fmt.Errorf("draw an id: %w", err)
	}
	return id.String(), nil
}
