package main

import (
	"winnow/cmd/winnow/config"
	"winnow/core/hub"
	"winnow/core/metric"
)

// judging is who scores segments, and how.
type judging struct {
	hub.Judge // nil: they are only measured
	asking
	request hub.RequestSize
}

// scorer returns who scores. A model is used only where it was asked for: by
// name, in [score], or by giving [judge] a model of its own.
func (p *cli) scorer(c *config.Config, by string) (*judging, error) {
	if by == "auto" {
		by = c.Text("score.by")
	}
	if by == "auto" && c.ModelName("judge") != "" && c.From("judge.model") != "llm.model" {
		by = "llm"
	}
	switch {
	case by != "llm":
		return offline(c), nil
	case c.ModelName("judge") == "":
		return nil, wrongUsage("scoring by llm: no model is configured: set model and base_url under [judge] in %s, or WINNOW_JUDGE_MODEL and WINNOW_JUDGE_BASE_URL", c.File)
	}
	return p.byJudge(c)
}

// offline measures without a model.
func offline(c *config.Config) *judging { return &judging{asking: nobody(c)} }

// byJudge scores with the configured judge.
func (p *cli) byJudge(c *config.Config) (*judging, error) {
	who, how, counter, err := p.asks(c, "judge")
	if err != nil {
		return nil, err
	}
	judge := metric.NewJudge(who.client, who.model, counter, how.Budget(), c.Scoring())
	most, always := judge.Request()
	return &judging{judge, who, hub.RequestSize{Most: most, Plus: always}}, nil
}
