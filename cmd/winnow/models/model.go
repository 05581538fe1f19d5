// Package models is who cuts sessions and who scores segments: rules, or a model
// that the configuration names. A model is made when it is asked for, and nothing is
// sent before it is used.
//
// It imports the configuration and core, and no command. Its tests are here.
package models

import (
	"strconv"
	"sync"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/llm"
	"winnow/core/token"
)

// configured returns how a table's model is asked. The values are checked when they
// are read.
func configured(c *config.Config, table string) llm.Config {
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

// Asking is a model that is asked, and how. Without a client none is.
type Asking struct {
	client *llm.Client
	Model  string
	Jobs   int    // what is worked on at once, 0: one per processor
	waits  *waits // nil: there is nobody to wait for
	// Unpriced is the table of a model of which nobody said what it costs, "" if
	// somebody did, or if none is asked. A price of 0 that was set says that it is free.
	Unpriced string
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
func nobody(c *config.Config) Asking { return Asking{Jobs: int(c.Number("jobs"))} }

// asks returns the model of a table. Nothing is sent until it is asked.
func asks(c *config.Config, table string, now func() time.Time) (who Asking, how llm.Config, counter token.Counter, err error) {
	how = configured(c, table)
	who, counter, err = asking(c, table, how, now)
	return who, how, counter, err
}

// asking returns a model that is asked as how says, with the counter of a table.
func asking(c *config.Config, table string, how llm.Config, now func() time.Time) (who Asking, counter token.Counter, err error) {
	who = Asking{Model: how.Model, Jobs: how.Concurrency, waits: &waits{}}
	if !said(c, table+".price_in") && !said(c, table+".price_out") {
		who.Unpriced = table
	}
	if who.client, err = llm.New(how, llm.Deps{Now: now, Notice: who.waits.tell}); err == nil {
		counter, err = token.Named(c.Text(table + ".tokenizer"))
	}
	if err != nil {
		err = config.Wrong("[%s]: %w", table, err)
	}
	return who, counter, err
}

// said reports whether somebody set a value, or the one that stands for it.
func said(c *config.Config, key string) bool {
	from := c.From(key)
	if other := c.From(from); other != "" {
		from = other
	}
	return from != "default"
}

// Silent says that no model is asked.
func (a *Asking) Silent() bool { return a.client == nil }

// Waiting has what a client says while it waits for a server shown; nil: no more.
func (a *Asking) Waiting(show func(string)) { a.waits.to(show) }

// Host is where the model is, "" without one.
func (a *Asking) Host() string {
	if a.client == nil {
		return ""
	}
	return a.client.Host()
}

// Usage is what was used of the model so far.
func (a *Asking) Usage() llm.Usage {
	if a.client == nil {
		return llm.Usage{}
	}
	return a.client.Usage()
}

// Text names the model for people, or what is done without one.
func (a *Asking) Text(without string) string {
	if a.client == nil {
		return without
	}
	return "by " + a.Model + " at " + a.client.Host()
}

// CostText writes what was spent, "" if there are no prices.
func CostText(cost float64) string {
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
