package runs

import (
	"errors"
	"fmt"

	"winnow/core/llm"
)

// probeAfter is how many requests in a row may fail before a model is asked for
// something that it must be able to do; and twice as many after each time that
// it is.
const probeAfter = 3

// strikes counts failures in a row.
type strikes struct{ inARow, probed int }

// fail notes a failure. It reports whether so many have failed that it is to be
// found out why.
func (s *strikes) fail() (probe bool) {
	if s.inARow++; s.inARow < max(probeAfter, 2*s.probed) {
		return false
	}
	s.probed = s.inARow
	return true
}

// clear notes a success.
func (s *strikes) clear() { *s = strikes{} }

// Unusable is why a run ends in which nothing can be done.
type Unusable struct{ error }

// Unwrap returns what the model, or its server, did.
func (u Unusable) Unwrap() error { return u.error }

// unusable says why a run ends in which nothing can be done, such as "cut".
// What was asked is made up: it is not told.
func unusable(done string, err error) error {
	var failed *llm.Error
	if errors.As(err, &failed) {
		err = failed
	}
	if llm.Unavailable(err) {
		return Unusable{fmt.Errorf("stopped: the server cannot be used: %w", err)}
	}
	return Unusable{fmt.Errorf("stopped: nothing can be %s: %w", done, err)}
}
