package main

import (
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/tui/draw"
)

// printCut says what a run did; all is how many sessions there were to cut.
func (p *cli) printCut(r *hub.CutReport, who *models.Cutter, all int, again bool) {
	switch {
	case all == 0 && again:
		p.out.Printf("nothing to cut: there are no sessions\n")
	case all == 0:
		p.out.Printf("nothing to cut: all selected sessions are cut; --again cuts them again\n")
	case r.Sessions == 0 && len(r.Failed) > 0:
		p.out.Printf("0 sessions cut\n")
	case r.Sessions > 0:
		p.out.Printf("%s cut into %s %s", draw.Plural(r.Sessions, "session"), draw.Plural(r.Segments, "segment"), who.Text("by rules"))
		if same := r.Sessions - r.Changed; same > 0 {
			p.out.Printf("; %s as before", draw.Grouped(same))
		}
		p.out.Printf("\n")
	}
	tell.PrintUsage(p.out, who.Usage())
}

// explainCut says on stderr what was not cut and why, and what to know of the
// rest.
func (p *cli) explainCut(r *hub.CutReport) {
	for i, f := range r.Failed {
		if i == explained {
			p.warn("%s more could not be cut: --json lists them", draw.Plural(len(r.Failed)-i, "session"))
			break
		}
		p.warn("%s: not cut: %s", f.File, f.Err.Error())
	}
	if r.Busy > 0 {
		p.warn("%s kept changing: run %s when their agents are done", draw.Plural(r.Busy, "session"), p.command("segment"))
	}
	if r.GoOn > 0 {
		verb := print.Plural(r.GoOn, "judged segment goes", "judged segments go")
		p.warn("%s on in new messages and must be judged again: %s lists them", verb, p.command("list --stale"))
	}
}
