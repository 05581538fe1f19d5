package main

import (
	"context"

	"github.com/go-json-experiment/json"

	"winnow/store"
	"winnow/tui"
)

// screenState keeps how a curator's screen looks in the database.
type screenState struct {
	db      *store.Store
	curator string
}

// Save implements tui.State.
func (s screenState) Save(ctx context.Context, looks tui.Screen) error {
	text, err := json.Marshal(looks)
	if err != nil {
		return err
	}
	return s.db.KeepScreen(ctx, s.curator, string(text))
}

// load returns how the screen looked, nil if that is not known or can't be
// read: it then looks as it does at first.
func (s screenState) load(ctx context.Context) *tui.Screen {
	text, err := s.db.Screen(ctx, s.curator)
	if err != nil || text == "" {
		return nil
	}
	var looked tui.Screen
	if json.Unmarshal([]byte(text), &looked) != nil {
		return nil
	}
	return &looked
}
