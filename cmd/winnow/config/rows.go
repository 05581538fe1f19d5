package config

import (
	"maps"
	"slices"
	"strings"
)

// Row is a value in force, where it came from, and the variable for it.
type Row struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
	Env   string `json:"env"`
}

// NotSet stands for a value that is empty, or a key that is not there.
const NotSet = "not set"

// Rows lists all values in force. Of a key it tells only whether there
// is one.
func (c *Config) Rows() []Row {
	var rows []Row
	for i := range settings {
		s := &settings[i]
		v := c.values[s.Key]
		rows = append(rows, Row{s.Key, s.text(v.text), v.from, s.Env})
		table, key, _ := strings.Cut(s.Key, ".")
		if key != "api_key_env" {
			continue
		}
		row := Row{Key: table + ".api_key", Value: NotSet, From: "default", Env: v.text}
		if c.Key(table) != "" {
			row.Value, row.From = "set, not shown", v.text
		}
		rows = append(rows, row)
	}
	return slices.Concat(rows, c.commandRows(), c.whyRows(), c.keyRows())
}

// keyRows lists the keys that the file gives to actions.
func (c *Config) keyRows() []Row {
	var rows []Row
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		keys := slices.DeleteFunc(slices.Clone(c.Keys[name]), func(k string) bool { return k == "" })
		text := strings.Join(keys, " ")
		if len(keys) == 0 {
			text = "none"
		}
		rows = append(rows, Row{Key: keysTable + "." + name, Value: text, From: c.File})
	}
	return rows
}
