package main

import (
	"context"
	"os/exec"

	"winnow/core/origin"
	"winnow/tui"
)

// screenSources leads from messages back to the files that they were read from.
type screenSources struct {
	cli *cli
	db  *database
}

// Recorded implements tui.Sources.
func (v screenSources) Recorded(ctx context.Context, of tui.MessagePlace) (tui.Recorded, error) {
	m, err := origin.Find(ctx, v.db, origin.Place(of))
	if err != nil {
		return tui.Recorded{}, err
	}
	r, err := m.Recorded(ctx)
	return tui.Recorded(r), err
}

// Edit implements tui.Sources.
func (v screenSources) Edit(ctx context.Context, of tui.MessagePlace) (*exec.Cmd, error) {
	words, err := v.cli.editor()
	if err != nil {
		return nil, err
	}
	m, err := origin.Find(ctx, v.db, origin.Place(of))
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
