package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/metric"
)

// scoreTable is the table of config.toml that says how segments are scored.
type scoreTable struct {
	By      *string            `toml:"by"`
	Weights map[string]float64 `toml:"weights"`
}

const weightsTable = "score.weights"

// scoreSettings are the settings of that table: who scores, and a weight for
// each metric.
func scoreSettings() []Setting {
	rows := []Setting{
		{Key: "score.by", Env: "WINNOW_SCORE_BY", standard: always("auto"), check: checkScorer, file: func(f *tomlFile) any { return f.Score.By }},
	}
	for _, about := range metric.List() {
		name := about.Name
		rows = append(rows, Setting{
			Key: weightsTable + "." + name, Env: "WINNOW_SCORE_WEIGHTS_" + strings.ToUpper(name),
			standard: always(strconv.FormatFloat(about.Weight, 'f', -1, 64)),
			check:    func(_ *Env, s string) error { return checkWeight(name, s) },
			file:     func(f *tomlFile) any { return entry(f.Score.Weights, name) },
		})
	}
	return rows
}

// Scorers are who may score; auto is who the configuration says.
var Scorers = []string{"auto", "llm", "offline"}

func checkScorer(_ *Env, s string) error {
	return oneOf("scorer", Scorers, s)
}

func checkWeight(name, s string) error {
	w, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return errors.New("must be a number, 0 switches the metric off")
	}
	return metric.Config{Weights: map[string]float64{name: w}}.Check()
}

// checkWeights refuses weights of metrics that there are not.
func (f *tomlFile) checkWeights() error {
	names := metric.Names()
	for name := range f.Score.Weights {
		if !slices.Contains(names, name) {
			return fmt.Errorf("[%s]: %w", weightsTable, metric.Config{Weights: map[string]float64{name: 1}}.Check())
		}
	}
	return nil
}

// Scoring is how metrics count, as is configured.
func (c *Config) Scoring() metric.Config {
	weights := map[string]float64{}
	for _, name := range metric.Names() {
		if key := weightsTable + "." + name; c.values[key].from != "default" {
			weights[name] = c.Number(key)
		}
	}
	return metric.Config{Weights: weights}
}

// Thresholds are from where a score is good for memory, and for training.
func (c *Config) Thresholds() metric.Thresholds {
	return metric.Thresholds{Memory: c.Number("memory_score_threshold"), SFT: c.Number("sft_score_threshold")}
}
