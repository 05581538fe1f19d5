package desk

import (
	"context"

	"winnow/core/places"
	"winnow/tui"
)

// Finder is the machine as the screen looks for sessions on it.
type Finder struct {
	*places.Machine
	Job func(paths []string) tui.Job // imports paths
}

// Places implements tui.Finder.
func (f Finder) Places(ctx context.Context) ([]tui.Place, error) {
	found, err := f.Find(ctx)
	all := make([]tui.Place, len(found))
	for i, p := range found {
		all[i] = tui.Place(p)
	}
	return all, err
}

// Measure implements tui.Finder.
func (f Finder) Measure(ctx context.Context, p tui.Place) (tui.PlaceSize, error) {
	size, err := places.Measure(ctx, p.Paths)
	return tui.PlaceSize(size), err
}

// Import implements tui.Finder.
func (f Finder) Import(paths []string) tui.Job { return f.Job(paths) }
