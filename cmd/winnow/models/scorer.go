package models

import (
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/metric"
	"winnow/core/runs"
)

// Scorer is who scores segments, and how.
type Scorer struct {
	runs.Judge // nil: they are only measured
	Asking
	Request runs.RequestSize
}

// NewScorer returns who scores. A model is used only where it was asked for: by
// name, in [score], or by giving [judge] a model of its own.
func NewScorer(c *config.Config, by string, now func() time.Time) (*Scorer, error) {
	if by == "auto" {
		by = c.Text("score.by")
	}
	if by == "auto" && c.ModelName("judge") != "" && c.From("judge.model") != "llm.model" {
		by = "llm"
	}
	switch {
	case by != "llm":
		return Measuring(c), nil
	case c.ModelName("judge") == "":
		return nil, config.Wrong("scoring by llm: no model is configured: set model and base_url under [judge] in %s, or WINNOW_JUDGE_MODEL and WINNOW_JUDGE_BASE_URL", c.File)
	}
	return byJudge(c, now)
}

// Measuring measures without a model.
func Measuring(c *config.Config) *Scorer { return &Scorer{Asking: nobody(c)} }

// byJudge scores with the configured judge.
func byJudge(c *config.Config, now func() time.Time) (*Scorer, error) {
	who, how, counter, err := asks(c, "judge", now)
	if err != nil {
		return nil, err
	}
	judge := metric.NewJudge(who.client, who.Model, counter, how.Budget(), c.Scoring())
	most, always := judge.Request()
	return &Scorer{judge, who, runs.RequestSize{Most: most, Plus: always}}, nil
}
