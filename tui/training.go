package tui

import (
	"cmp"
	"slices"

	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/training"
)

// forTraining is the program as the screens of what trains need it.
type forTraining struct{ *App }

// Look closes what is open, and goes to a segment.
func (p forTraining) Look(segment string) {
	for _, s := range slices.Clone(p.seated) {
		s.Leave()
	}
	p.also = append(p.also, p.GotoSegment(segment))
}

// Show opens the screen of a run.
func (p forTraining) Show(run int64) {
	p.sit(keys.InRun, func(a *App, s screen.Seat) screen.Layer {
		return training.New(s, forTraining{a}, a.opt.Training, a.opt.Trainer, run)
	})
}

func (a *App) openPlan(s screen.Seat) screen.Layer {
	return training.NewPlan(s, forTraining{a}, a.opt.Trainer)
}

// noPlan says why no run can be planned.
func (a *App) noPlan() string {
	return cmp.Or(a.NoChange(), keys.Reason(a.opt.Trainer == nil || a.opt.Training == nil, "winnow train begins runs"))
}

func (p forPipeline) Run(id int64) { forTraining(p).Show(id) }

func (p forPipeline) Plan() { p.Enter(keys.InPlan) }

func (p forPipeline) NoPlan() string { return p.noPlan() }
