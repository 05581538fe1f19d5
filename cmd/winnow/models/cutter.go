package models

import (
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/segment"
	"winnow/core/segment/offline"
)

// Cutter is who cuts sessions, and how.
type Cutter struct {
	segment.Cutter
	Asking
}

// ByRules cuts without a model.
func ByRules(c *config.Config) *Cutter { return &Cutter{offline.New(), nobody(c)} }

// byModel cuts with the configured model.
func byModel(c *config.Config, now func() time.Time) (*Cutter, error) {
	who, how, counter, err := asks(c, "llm", now)
	if err != nil {
		return nil, err
	}
	return &Cutter{segment.NewModel(who.client, counter, how.Budget()), who}, nil
}

// Cutters are who may cut; auto is a model if one is configured.
var Cutters = []string{"auto", "llm", "offline"}

// NewCutter returns who cuts. A model is used only where it was asked for.
func NewCutter(c *config.Config, by string, now func() time.Time) (*Cutter, error) {
	named := c.ModelName("llm") != ""
	switch {
	case by == "llm" && !named:
		return nil, config.Wrong("--by llm: no model is configured: set model and base_url under [llm] in %s, or WINNOW_LLM_MODEL and WINNOW_LLM_BASE_URL", c.File)
	case by == "llm" || by == "auto" && named:
		return byModel(c, now)
	}
	return ByRules(c), nil
}
