package main

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"winnow/core/llm"
	"winnow/core/segment"
	"winnow/core/token"
)

// modelName is the model that a table of the configuration names, "" if it
// names none: then none is used.
func (c *config) modelName(table string) string { return c.text(table + ".model") }

// model returns how a table's model is asked. The values are checked when they
// are read.
func (p *cli) model(c *config, table string) llm.Config {
	text := func(key string) string { return c.text(table + "." + key) }
	number := func(key string) float64 { return c.number(table + "." + key) }
	timeout, _ := time.ParseDuration(text("timeout"))
	m := llm.Config{
		BaseURL: text("base_url"), Model: text("model"), Key: p.keyOf(c, table), KeyEnv: text("api_key_env"),
		MaxInputTokens: int(number("max_input_tokens")), Reserve: int(number("reserve")),
		Timeout: timeout, Retries: int(number("retries")), Concurrency: int(number("concurrency")),
		PriceIn: number("price_in"), PriceOut: number("price_out"),
	}
	if m.Retries == 0 {
		m.Retries = -1 // 0 is the usual number
	}
	return m
}

// cutting is who cuts sessions, and how.
type cutting struct {
	segment.Cutter
	client *llm.Client // nil: rules cut
	model  string
	jobs   int    // sessions at once, 0: one per processor
	waits  *waits // nil: rules wait for nobody
}

// waits hands on what a client says while it waits for a server.
type waits struct {
	mu   sync.Mutex
	show func(string)
}

// to has what is said shown.
func (w *waits) to(show func(string)) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.show = show
}

func (w *waits) tell(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.show != nil {
		w.show(text)
	}
}

// byRules cuts without a model.
func byRules(c *config) *cutting {
	return &cutting{Cutter: segment.NewOffline(), jobs: int(c.number("jobs"))}
}

// byModel cuts with the configured model. Nothing is sent until it is asked.
func (p *cli) byModel(c *config) (*cutting, error) {
	how := p.model(c, "llm")
	waits := &waits{}
	client, err := llm.New(how, llm.Deps{Now: p.env.now, Notice: waits.tell})
	if err != nil {
		return nil, &failure{exitUsage, fmt.Errorf("[llm]: %w", err)}
	}
	counter, err := token.Named(c.text("llm.tokenizer"))
	if err != nil {
		return nil, &failure{exitUsage, fmt.Errorf("[llm]: %w", err)}
	}
	return &cutting{segment.NewModel(client, counter, how.Budget()), client, how.Model, how.Concurrency, waits}, nil
}

// usage is what was used of a model so far.
func (c *cutting) usage() llm.Usage {
	if c.client == nil {
		return llm.Usage{}
	}
	return c.client.Usage()
}

// text names who cuts for people.
func (c *cutting) text() string {
	if c.client == nil {
		return "by rules"
	}
	return "by " + c.model + " at " + c.client.Host()
}

// costText writes what was spent, "" if there are no prices.
func costText(cost float64) string {
	switch {
	case cost <= 0:
		return ""
	case cost < 0.0001:
		return "less than $0.0001"
	case cost < 0.01:
		return "$" + strconv.FormatFloat(cost, 'f', 4, 64)
	}
	return "$" + strconv.FormatFloat(cost, 'f', 2, 64)
}
