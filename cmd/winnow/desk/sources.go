package desk

import (
	"context"
	"os/exec"

	"winnow/core/ledger"
	"winnow/core/origin"
)

// Sources leads from messages back to the files that they were read from.
type Sources struct{ *Desk }

// Recorded implements record.Sources.
func (v Sources) Recorded(ctx context.Context, of ledger.Message) (ledger.Recorded, error) {
	m, err := origin.Find(ctx, v.Store, of)
	if err != nil {
		return ledger.Recorded{}, err
	}
	return m.Recorded(ctx)
}

// Edit implements record.Sources.
func (v Sources) Edit(ctx context.Context, of ledger.Message) (*exec.Cmd, error) {
	words, err := editor(v.Env)
	if err != nil {
		return nil, err
	}
	m, err := origin.Find(ctx, v.Store, of)
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
