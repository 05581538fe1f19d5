package desk

import (
	"context"

	"github.com/go-json-experiment/json"

	"winnow/tui"
)

// state keeps how a curator's screen looks in the database.
type state struct{ *Desk }

// Save implements tui.State.
func (s state) Save(ctx context.Context, looks tui.Screen) error {
	text, err := json.Marshal(looks)
	if err != nil {
		return err
	}
	return s.KeepScreen(ctx, s.Text("reviewer"), string(text))
}

// load returns how the screen looked, nil if that is not known or can't be
// read: it then looks as it does at first.
func (s state) load(ctx context.Context) *tui.Screen {
	text, err := s.Store.Screen(ctx, s.Text("reviewer"))
	if err != nil || text == "" {
		return nil
	}
	var looked tui.Screen
	if json.Unmarshal([]byte(text), &looked) != nil {
		return nil
	}
	return &looked
}
