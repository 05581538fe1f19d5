package config

import (
	"fmt"
	"strings"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/spell"
)

const quotasTable = "quotas"

// quotaSettings are the settings of that table: a share for each type of task.
func quotaSettings() []Setting {
	var rows []Setting
	for _, kind := range metric.TaskTypes() {
		name := string(kind)
		rows = append(rows, Setting{
			Key: quotasTable + "." + name, Env: "WINNOW_QUOTAS_" + strings.ToUpper(name), standard: always(""), check: checkQuota,
			file: func(f *tomlFile) any { return entry(f.Quotas, name) },
		})
	}
	return rows
}

// entry is the field of the file that an entry of a table is; nil: it is not set.
func entry(table map[string]float64, name string) *float64 {
	if x, set := table[name]; set {
		return &x
	}
	return nil
}

func checkQuota(p *Env, s string) error {
	if s == "" {
		return nil
	}
	return checkScore(p, s)
}

// checkQuotas refuses shares of types that there are not.
func (f *tomlFile) checkQuotas() error {
	for name := range f.Quotas {
		if _, ok := metric.ParseTaskType(name); !ok {
			return fmt.Errorf("[%s]: no task type %q: %s", quotasTable, name, spell.Known(name, metric.TaskTypeNames()))
		}
	}
	return nil
}

// Quotas are the shares of types of task that are configured.
func (c *Config) Quotas() review.Quotas {
	q := review.Quotas{}
	for _, name := range metric.TaskTypeNames() {
		if key := quotasTable + "." + name; c.Text(key) != "" {
			q[name] = c.Number(key)
		}
	}
	return q
}
