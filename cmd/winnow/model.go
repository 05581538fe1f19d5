package main

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/llm"
	"winnow/core/segment"
	"winnow/core/token"
)

// model returns how a table's model is asked. The values are checked when they
// are read.
func (p *cli) model(c *config.Config, table string) llm.Config {
	text := func(key string) string { return c.Text(table + "." + key) }
	number := func(key string) float64 { return c.Number(table + "." + key) }
	timeout, _ := time.ParseDuration(text("timeout"))
	m := llm.Config{
		BaseURL: text("base_url"), Model: text("model"), Key: c.Key(table), KeyEnv: text("api_key_env"), Table: table,
		MaxInputTokens: int(number("max_input_tokens")), Reserve: int(number("reserve")),
		Timeout: timeout, Retries: int(number("retries")), Concurrency: int(number("concurrency")),
		PriceIn: number("price_in"), PriceOut: number("price_out"),
	}
	if m.Retries == 0 {
		m.Retries = -1 // 0 is the usual number
	}
	return m
}

// asking is a model that is asked, and how. Without a client none is.
type asking struct {
	client *llm.Client
	model  string
	jobs   int    // what is worked on at once, 0: one per processor
	waits  *waits // nil: there is nobody to wait for
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

// nobody asks no model.
func nobody(c *config.Config) asking { return asking{jobs: int(c.Number("jobs"))} }

// asks returns the model of a table. Nothing is sent until it is asked.
func (p *cli) asks(c *config.Config, table string) (who asking, how llm.Config, counter token.Counter, err error) {
	how = p.model(c, table)
	who = asking{model: how.Model, jobs: how.Concurrency, waits: &waits{}}
	if who.client, err = llm.New(how, llm.Deps{Now: p.env.now, Notice: who.waits.tell}); err == nil {
		counter, err = token.Named(c.Text(table + ".tokenizer"))
	}
	if err != nil {
		err = &failure{exitUsage, fmt.Errorf("[%s]: %w", table, err)}
	}
	return who, how, counter, err
}

// host is where the model is, "" without one.
func (a *asking) host() string {
	if a.client == nil {
		return ""
	}
	return a.client.Host()
}

// usage is what was used of the model so far.
func (a *asking) usage() llm.Usage {
	if a.client == nil {
		return llm.Usage{}
	}
	return a.client.Usage()
}

// text names the model for people, or what is done without one.
func (a *asking) text(without string) string {
	if a.client == nil {
		return without
	}
	return "by " + a.model + " at " + a.client.Host()
}

// cutting is who cuts sessions, and how.
type cutting struct {
	segment.Cutter
	asking
}

// byRules cuts without a model.
func byRules(c *config.Config) *cutting { return &cutting{segment.NewOffline(), nobody(c)} }

// byModel cuts with the configured model.
func (p *cli) byModel(c *config.Config) (*cutting, error) {
	who, how, counter, err := p.asks(c, "llm")
	if err != nil {
		return nil, err
	}
	return &cutting{segment.NewModel(who.client, counter, how.Budget()), who}, nil
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
