package main

import "winnow/cmd/winnow/desk"

// desk is what the screen, and a command, works on of a database.
func (p *cli) desk(s *database) *desk.Desk {
	return &desk.Desk{
		Store: s.Store, Config: s.Config, Path: s.path, Env: &p.env.Env, Now: p.env.now, Rand: p.env.rand,
		Program: "winnow " + p.version().Version, Command: p.command,
	}
}
