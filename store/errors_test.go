package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
)

// An error says once what failed, however many hands it went through, and no
// part of the program.
func TestErrorsSayThingsOnce(t *testing.T) {
	s := &Store{path: "/a/w.db"}
	for _, err := range []error{
		s.broken("5 of 9 segments can be read"),
		s.fail("list segments", fmt.Errorf("chunk 3: %w", chat.ErrCorruptChunk)),
		s.fail("list segments", ErrBusy),
		s.fail("list segments", errors.New("odd")),
	} {
		once := err.Error()
		again := s.fail("read a page", fmt.Errorf("page 3: %w", s.fail("list segments", err))).Error()
		if strings.Contains(again, "store:") || again != "page 3: "+once || strings.Count(again, "list segments") > 1 || strings.Contains(again, "\n") {
			t.Errorf("%q, then %q", once, again)
		}
	}
	if err := s.fail("read", chat.ErrCorruptChunk); !errors.Is(err, ErrDamaged) || !errors.Is(err, chat.ErrCorruptChunk) {
		t.Error("it is not known any more what it is:", err)
	}
}
