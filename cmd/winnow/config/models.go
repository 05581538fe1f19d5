package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"winnow/core/token"
)

// modelTable is a table of config.toml that says which model is asked and how.
type modelTable struct {
	BaseURL     *string  `toml:"base_url"`
	Model       *string  `toml:"model"`
	KeyEnv      *string  `toml:"api_key_env"`
	MaxInput    *int64   `toml:"max_input_tokens"`
	Reserve     *int64   `toml:"reserve"`
	Timeout     *string  `toml:"timeout"`
	Retries     *int64   `toml:"retries"`
	Concurrency *int64   `toml:"concurrency"`
	Tokenizer   *string  `toml:"tokenizer"`
	PriceIn     *float64 `toml:"price_in"`
	PriceOut    *float64 `toml:"price_out"`
}

// modelTables are the tables of that kind: llm cuts segments, judge scores them,
// memory looks for what was learned.
var modelTables = []string{"llm", "judge", "memory"}

// openAI is where models are asked if no other server is named.
const openAI = "https://api.openai.com/v1"

// modelSettings are the settings of a table. Where it says nothing, those of
// the table named as count, if there is one.
func modelSettings(name, as string, table func(*tomlFile) *modelTable) []Setting {
	rows := []Setting{
		{Key: "base_url", standard: always(openAI), check: checkURL, shown: maskURL, file: func(f *tomlFile) any { return table(f).BaseURL }},
		{Key: "model", standard: always(""), file: func(f *tomlFile) any { return table(f).Model }},
		{Key: "api_key_env", standard: always("OPENAI_API_KEY"), check: checkVariable, shown: maskVariable, file: func(f *tomlFile) any { return table(f).KeyEnv }},
		{Key: "max_input_tokens", standard: always("32768"), check: checkFrom(leastTokens, mostTokens), file: func(f *tomlFile) any { return table(f).MaxInput }},
		{Key: "reserve", standard: always("4096"), check: checkFrom(1, mostTokens), file: func(f *tomlFile) any { return table(f).Reserve }},
		{Key: "timeout", standard: always("2m"), check: checkTime, file: func(f *tomlFile) any { return table(f).Timeout }},
		{Key: "retries", standard: always("4"), check: checkFrom(0, mostRetries), file: func(f *tomlFile) any { return table(f).Retries }},
		{Key: "concurrency", standard: always("4"), check: checkFrom(1, mostAtOnce), file: func(f *tomlFile) any { return table(f).Concurrency }},
		{Key: "tokenizer", standard: always(token.Names()[0]), check: checkTokenizer, file: func(f *tomlFile) any { return table(f).Tokenizer }},
		{Key: "price_in", standard: always("0"), check: checkPrice, file: func(f *tomlFile) any { return table(f).PriceIn }},
		{Key: "price_out", standard: always("0"), check: checkPrice, file: func(f *tomlFile) any { return table(f).PriceOut }},
	}
	for i := range rows {
		s := &rows[i]
		s.Env = "WINNOW_" + strings.ToUpper(name+"_"+s.Key)
		if as != "" {
			s.As = as + "." + s.Key
		} else if s.Key == "base_url" {
			s.others = "OPENAI_BASE_URL"
		}
		s.Key = name + "." + s.Key
	}
	return rows
}

const (
	leastTokens = 1024        // the instruction alone takes nearly as many
	mostTokens  = 100_000_000 // no model takes as many
	mostRetries = 100         // with growing pauses, these are hours
	mostAtOnce  = 256         // open connections to one server
)

func checkFrom(least, most int) func(*Env, string) error {
	return func(_ *Env, s string) error {
		if n, err := strconv.Atoi(s); err != nil || n < least || n > most {
			return fmt.Errorf("must be a whole number from %d to %d", least, most)
		}
		return nil
	}
}

func checkTime(_ *Env, s string) error {
	if d, err := time.ParseDuration(s); err != nil || d <= 0 {
		return errors.New(`must be a time such as "90s" or "2m"`)
	}
	return nil
}

func checkPrice(_ *Env, s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0 && x <= 1e6) {
		return errors.New("must be a price per million tokens, from 0 (free)")
	}
	return nil
}

func checkTokenizer(_ *Env, s string) error { return oneOf("tokenizer", token.Names(), s) }

func checkURL(_ *Env, s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("must be the address of a server, as in http://localhost:8080/v1")
	}
	return nil
}

// maskURL leaves out of an address what may be a secret: a password, and what
// stands after a question mark. What is no address and might hold one is not
// shown at all.
func maskURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		if strings.ContainsAny(s, "@?") {
			return "…"
		}
		return s
	}
	masked := u.Redacted()
	if before, _, has := strings.Cut(masked, "?"); has {
		masked = before + "?…"
	}
	return masked
}

// variableName is how variables are written that hold a key. Keys themselves,
// which people put here by mistake, have small letters.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

func checkVariable(_ *Env, s string) error {
	if s != "" && !variableName.MatchString(s) {
		return errors.New(`must name the environment variable that holds the key, in capitals, and not be the key itself ("" sends none)`)
	}
	return nil
}

func maskVariable(s string) string {
	if checkVariable(nil, s) != nil {
		return "…"
	}
	return s
}

// fitModel makes the settings of a table fit each other. A reserve that was
// not chosen for it leaves a small model half of what it takes.
func (c *Config) fitModel(table string) error {
	reserve, most := table+".reserve", table+".max_input_tokens"
	v := c.values[reserve]
	half := int(c.Number(most)) / 2
	own := v.from != "default" && v.from != "llm.reserve"
	if !own && c.Number(reserve) > float64(half) {
		c.values[reserve] = value{strconv.Itoa(half), v.from}
		return nil
	}
	if c.Number(reserve) >= c.Number(most) {
		return Wrong("%s: %s = %s: must be less than %s, which is %s: it is a part of them",
			v.from, reserve, v.text, most, c.Text(most))
	}
	return nil
}

// Key returns the key of a table's server, "" if there is none.
func (c *Config) Key(table string) string {
	if name := c.Text(table + ".api_key_env"); name != "" {
		return c.env.Get(name)
	}
	return ""
}

// ModelName is the model that a table of the configuration names, "" if it
// names none: then none is used.
func (c *Config) ModelName(table string) string { return c.Text(table + ".model") }
