// Package placestest is a machine with places where sessions are, for tests.
package placestest

import (
	"context"
	"errors"

	"winnow/core/places"
)

// Finder is a machine with some places. What a place holds is told by its agent;
// one that is not among them can't be counted.
type Finder struct {
	Known []places.Place
	Sizes map[string]places.Size
	Err   error
}

// Find implements places.Finder.
func (f *Finder) Find(context.Context) ([]places.Place, error) { return f.Known, f.Err }

// Measure implements places.Finder.
func (f *Finder) Measure(_ context.Context, p places.Place) (places.Size, error) {
	s, ok := f.Sizes[p.Agent]
	if !ok {
		return s, errors.New("permission denied\x1b[2J")
	}
	return s, nil
}

// Sample is a machine with a place of every kind.
func Sample() *Finder {
	return &Finder{
		Known: []places.Place{
			{Agent: "Claude Code", Name: "~/.claude/projects", Paths: []string{"/h/.claude/projects"}},
			{Agent: "Codex", Name: "~/.codex/sessions", Paths: []string{"/h/.codex/sessions"}},
			{Agent: "Pi", Name: "~/.pi/agent/sessions", Paths: []string{"/h/.pi/agent/sessions"}},
			{Agent: "Gemini", Name: "~/.gemini/tmp/*/chats", Paths: []string{"/h/.gemini/tmp/a/chats", "/h/.gemini/tmp/b/chats"}},
			{Agent: "this folder", Name: "~/训练数据/\x1b]0;owned\x07\u202e", Paths: []string{"/h/x"}, Doubtful: true},
		},
		Sizes: map[string]places.Size{
			"Claude Code": {Files: 1204, Bytes: 310e6}, "Codex": {Files: 100_000, Bytes: 12e9, More: true}, "Pi": {},
			"this folder": {Files: 1, Bytes: 999},
		},
	}
}
