package models

import (
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/memory"
	"winnow/core/memory/extract"
)

// Extractor is who looks for what was learned, and how.
type Extractor struct {
	memory.Extractor
	Asking
	// Most is how many tokens of a segment one request holds, and Always how many are
	// always in it; 0 without a model.
	Most, Always int
}

// NewExtractor returns who looks for what was learned. A model is used only where it was
// asked for: by name, or by giving [memory] a model of its own.
func NewExtractor(c *config.Config, by string, now func() time.Time) (*Extractor, error) {
	if by == "auto" && c.ModelName("memory") != "" && c.From("memory.model") != "llm.model" {
		by = "llm"
	}
	switch {
	case by != "llm":
		return &Extractor{Extractor: extract.Offline{}, Asking: nobody(c)}, nil
	case c.ModelName("memory") == "":
		return nil, config.Wrong("extracting by llm: no model is configured: set model and base_url under [memory] in %s, or WINNOW_MEMORY_MODEL and WINNOW_MEMORY_BASE_URL", c.File)
	}
	who, how, counter, err := asks(c, "memory", now)
	if err != nil {
		return nil, err
	}
	x := extract.NewModel(who.client, who.Model, counter, how.Budget())
	most, always := x.Request()
	return &Extractor{x, who, most, always}, nil
}
