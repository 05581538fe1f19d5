package runs

import "errors"

// Guide says what a run is not to do, and is told what becomes of the rest. Its functions
// may be nil, and are called from any goroutine.
type Guide[Ref any] struct {
	// Skip reports whether one is passed over. It may be asked more than once.
	Skip func(*Ref) bool
	// Enough is asked before one is begun, and ends the run: what is under way is
	// finished. It goes on saying so.
	Enough func() bool
	// Ended is called with each that is done, or why it failed.
	Ended func(*Ref, error)
}

// errEnough ends a run that was to do no more.
var errEnough = errors.New("enough")

// unlessEnough takes the error from a run that ended as it had done enough.
func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (g *Guide[Ref]) enough() error {
	if g.Enough != nil && g.Enough() {
		return errEnough
	}
	return nil
}

// unlessOver has work begun only as long as it is not enough: what was given to a worker
// had to wait for the one before.
func unlessOver[Ref, T any](g *Guide[Ref], work func(T)) func(T) {
	return func(one T) {
		if g.enough() == nil {
			work(one)
		}
	}
}

func (g *Guide[Ref]) ended(ref *Ref, err error) {
	if g.Ended != nil {
		g.Ended(ref, err)
	}
}

// without returns a list without what is passed over.
func (g *Guide[Ref]) without(refs []Ref) []Ref {
	if g.Skip == nil {
		return refs
	}
	kept := refs[:0:0]
	for i := range refs {
		if !g.Skip(&refs[i]) {
			kept = append(kept, refs[i])
		}
	}
	return kept
}
