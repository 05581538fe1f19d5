package main

import (
	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/tui/draw"
)

// explained is how many files without a session are named at the end of an
// import: a screenful. The ledger and the JSON form have all.
const explained = 20

// explain says on stderr what was not loaded and why.
func (p *cli) explain(r *hub.Report) {
	missed := tell.Missing(r)
	for i, n := range missed {
		if i == explained {
			p.warn("%s more gave no session: %s lists them", draw.Plural(len(missed)-i, "file"), p.command("ledger"))
			break
		}
		p.warn("%s: no session: %s", n.Path, n.Reason)
	}
	for _, f := range r.Refused {
		p.warn("%s: not read: %s", f.Path, f.Err)
	}
	for _, path := range r.Empty {
		p.warn("%s: no files in it", path)
	}
	if r.Lines.Bad > 0 {
		p.warn("%s: %s shows them", draw.Plural(int(r.Lines.Bad), "bad line"), p.command("ledger --lines"))
	}
}
