package desk

import (
	"context"
	"os/exec"

	"winnow/core/origin"
	"winnow/tui/screens/record"
)

// Sources leads from messages back to the files that they were read from.
type Sources struct{ *Desk }

// Recorded implements record.Sources.
func (v Sources) Recorded(ctx context.Context, of record.Message) (record.Recorded, error) {
	m, err := origin.Find(ctx, v.Store, origin.Place(of))
	if err != nil {
		return record.Recorded{}, err
	}
	r, err := m.Recorded(ctx)
	return record.Recorded(r), err
}

// Edit implements record.Sources.
func (v Sources) Edit(ctx context.Context, of record.Message) (*exec.Cmd, error) {
	words, err := editor(v.Env)
	if err != nil {
		return nil, err
	}
	m, err := origin.Find(ctx, v.Store, origin.Place(of))
	if err != nil {
		return nil, err
	}
	path, line, err := m.Standing()
	if err != nil {
		return nil, err
	}
	args := editorArgs(words, path, line)
	return exec.Command(args[0], args[1:]...), nil
}
