package tui

import "winnow/tui/keys"

// toggleHelp shows all keys, or what is behind them again.
func (a *App) toggleHelp() {
	if s := a.in(keys.InHelp); s != nil {
		s.Leave()
		return
	}
	a.Enter(keys.InHelp)
	if s := a.in(keys.InThemes); s != nil { // it stands over everything
		s.Back()
	}
}

// forHelp is the program as the screen of keys needs it.
type forHelp struct{ app *App }

func (p forHelp) Keys() *keys.Table { return p.app.keys }

func (p forHelp) Behind() keys.Place {
	if s := p.app.topmost(func(s *seated) bool { return s.in != keys.InHelp }); s != nil && s.over {
		return s.in
	}
	return p.app.page()
}
