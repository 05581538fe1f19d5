package models

import (
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/llm"
)

// NewTuner returns the server that trains by the fine-tuning protocol, from a base model.
// Nothing is sent before it is used.
func NewTuner(c *config.Config, base string, now func() time.Time) (*llm.Client, error) {
	if base == "" {
		return nil, config.Wrong("training by openai: no base model: set base under [train] in %s, or WINNOW_TRAIN_BASE", c.File)
	}
	return llm.New(llm.Config{BaseURL: c.Text("train.base_url"), Model: base, Key: c.Key("train"), KeyEnv: c.Text("train.api_key_env"), Table: "train"}, llm.Deps{Now: now})
}
