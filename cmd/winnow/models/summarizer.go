package models

import (
	"context"
	"errors"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/compress"
	"winnow/core/llm"
	"winnow/core/token"
)

// Summarizer is a model that sums up messages.
type Summarizer struct {
	Asking
	Counter token.Counter
	// Window is how many tokens of messages one request may hold.
	Window int
}

// Say asks for a text. The error for one that ended at the limit of its length is
// compress.ErrLength.
func (s *Summarizer) Say(ctx context.Context, prompt string) (string, error) {
	text, err := s.client.Say(ctx, llm.Request{User: prompt})
	if llm.CutOff(err) {
		err = compress.ErrLength
	}
	return text, err
}

// ErrNoModel says that no model is configured.
var ErrNoModel = errors.New("no model is configured")

// NewSummarizer returns the configured model, which is asked once for each request
// where whoever asks it counts the attempts.
func NewSummarizer(c *config.Config, once bool, now func() time.Time) (*Summarizer, error) {
	if c.ModelName("llm") == "" {
		return nil, config.Wrong("--by llm: %w: set model and base_url under [llm] in %s, or WINNOW_LLM_MODEL and WINNOW_LLM_BASE_URL", ErrNoModel, c.File)
	}
	how := configured(c, "llm")
	if once {
		how.Retries = -1
	}
	return summarizer(c, how, now)
}

// SummarizerAt returns a model that is named elsewhere, with the limits that are
// configured. The key is in a variable.
func SummarizerAt(c *config.Config, model, base, keyEnv, key string, atOnce int, now func() time.Time) (*Summarizer, error) {
	how := configured(c, "llm")
	how.Model, how.BaseURL, how.Key, how.KeyEnv, how.Retries, how.Concurrency = model, base, key, keyEnv, -1, atOnce
	return summarizer(c, how, now)
}

func summarizer(c *config.Config, how llm.Config, now func() time.Time) (*Summarizer, error) {
	who, counter, err := asking(c, "llm", how, now)
	if err != nil {
		return nil, err
	}
	return &Summarizer{Asking: who, Counter: counter, Window: how.Budget()}, nil
}
