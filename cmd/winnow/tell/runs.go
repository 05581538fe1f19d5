package tell

import (
	"math"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/llm"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/tui/draw"
)

// Score is what "score --json" prints.
type Score struct {
	By       string              `json:"by"`
	Model    string              `json:"model,omitzero"`
	Host     string              `json:"host,omitzero"`
	Segments int                 `json:"segments"` // that were scored
	Changed  int                 `json:"changed"`  // of them, whose analysis is another one now
	Messages int                 `json:"messages"` // that they have
	Mean     *float64            `json:"avg_quality_score"`
	Busy     int                 `json:"busy"` // that changed all the time
	Failed   []runs.ScoreFailure `json:"failed"`
	Usage    llm.Usage           `json:"usage"`
}

// ScoreOf returns the row of a run that scored.
func ScoreOf(r *runs.ScoreReport, who *models.Scorer) Score {
	row := Score{
		By: metric.Offline, Model: who.Model, Host: who.Host(), Segments: r.Segments, Changed: r.Changed, Messages: r.Messages,
		Busy: r.Busy, Failed: r.Failed, Usage: who.Usage(),
	}
	if who.Judge != nil {
		row.By = metric.Judged
	}
	if r.Scored > 0 {
		mean := math.Round(r.Mean()*1e4) / 1e4
		row.Mean = &mean
	}
	return row
}

// CutRow is what "segment --json" prints.
type CutRow struct {
	By       review.CutBy      `json:"by"`
	Model    string            `json:"model,omitzero"`
	Host     string            `json:"host,omitzero"`
	Sessions int               `json:"sessions"` // that are cut now
	Changed  int               `json:"changed"`  // of them, whose segments are others now
	Segments int               `json:"segments"` // that they have
	Messages int               `json:"messages"` // that they have
	GoOn     int               `json:"go_on"`    // judged segments that go on in what was added: stale
	Busy     int               `json:"busy"`     // sessions that changed all the time
	Scored   int               `json:"scored"`   // segments that were measured afterwards
	Failed   []runs.CutFailure `json:"failed"`
	Usage    llm.Usage         `json:"usage"`
}

// CutRowOf returns the row of a run that cut, and scored what it cut.
func CutRowOf(r *runs.CutReport, scored *runs.ScoreReport, who *models.Cutter) CutRow {
	return CutRow{
		By: who.By(), Model: who.Model, Host: who.Host(), Sessions: r.Sessions, Changed: r.Changed, Segments: r.Segments, Messages: r.Messages,
		GoOn: r.GoOn, Busy: r.Busy, Scored: scored.Segments, Failed: r.Failed, Usage: who.Usage(),
	}
}

// PrintUsage says what was used of a model, if anything was.
func PrintUsage(o *print.Output, u llm.Usage) {
	if u.In+u.Out == 0 {
		return
	}
	o.Printf("%s", draw.Plural(u.Requests, "request"))
	if u.Retries > 0 {
		o.Printf(" (%s again after a failure)", draw.Grouped(u.Retries))
	}
	about := ""
	if u.Estimated > 0 {
		about = "about "
	}
	o.Printf(", %s in, %s out", about+draw.Plural(u.In, "token"), draw.Grouped(u.Out))
	if cost := models.CostText(u.Cost); cost != "" {
		o.Printf(", %s", cost)
	}
	o.Printf("\n")
}

// Recheck is what "review --recheck-report --json" prints.
type Recheck struct {
	Answered int              `json:"answered"`
	Agreed   int              `json:"agreed"`
	Kappa    *float64         `json:"kappa"` // null: there is none
	Apart    []review.Recheck `json:"apart"` // where the answer was not the verdict
}

// RecheckOf returns the row of answers.
func RecheckOf(list []review.Recheck) Recheck {
	a := review.AgreementOf(list)
	row := Recheck{}
	row.Answered, row.Agreed = a.Counts()
	if k, ok := a.Kappa(); ok {
		row.Kappa = &k
	}
	for i := range list {
		if r := &list[i]; !r.Agreed() {
			row.Apart = append(row.Apart, *r)
		}
	}
	return row
}

// PrintRecheck prints how the answers of a row came out.
func PrintRecheck(o *print.Output, list []review.Recheck, row *Recheck) {
	a := review.AgreementOf(list)
	o.Printf("recheck: %s\n", a.String())
	for _, line := range a.Lines() {
		o.Printf("  %s\n", line)
	}
	for _, r := range row.Apart {
		o.Printf("  %s  %s by %s, now %s\n", review.Short(r.Segment), r.Was, r.WasBy, r.Answer)
	}
}
