package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"winnow/tui"
	"winnow/tui/keys"
)

// keysTable is the table of config.toml with other keys for actions.
const keysTable = "keys"

// checkKeys reads the table of keys and checks it. Errors name the line.
func (f *tomlFile) checkKeys(data []byte) error {
	f.keys = map[string][]string{}
	at := keyLines(data, keysTable)
	if err := flattenKeys(f.Keys, "", f.keys); err != nil {
		return err.at(at)
	}
	err := tui.CheckKeys(f.keys, f.whys)
	var wrong *keys.Error
	if errors.As(err, &wrong) {
		return (&keyFailure{wrong.Name, wrong.Text}).at(at)
	}
	return err
}

// keyFailure is what is wrong with the keys of an action.
type keyFailure struct{ name, text string }

// at tells it with its line.
func (e *keyFailure) at(lines map[string]int) error {
	return fmt.Errorf(":%d: %s.%s: %s", lines[e.name], keysTable, e.name, e.text)
}

// flattenKeys collects keys by the name of their action: with a place before
// it, that is a table in a table.
func flattenKeys(table map[string]any, prefix string, into map[string][]string) *keyFailure {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		name := prefix + key
		switch v := table[key].(type) {
		case string:
			into[name] = []string{v}
		case []any:
			list := []string{}
			for _, one := range v {
				text, ok := one.(string)
				if !ok {
					return &keyFailure{name, `must be keys in quotes, as in ["y", "ctrl+a"]`}
				}
				list = append(list, text)
			}
			into[name] = list
		case map[string]any:
			if prefix != "" {
				return &keyFailure{name, "an action has one place before it at most, as in reader.fold"}
			}
			if err := flattenKeys(v, name+".", into); err != nil {
				return err
			}
		default:
			return &keyFailure{name, `must be a key in quotes, as in "y", or several, as in ["y", "ctrl+a"]; "" is none`}
		}
	}
	return nil
}

// keyLines tells in which line of a file each entry of a table stands.
func keyLines(data []byte, of string) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.KeyValue {
			table = nil
			continue
		}
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
			line = p.Shape(it.Node().Raw).Start.Line
		}
		if e.Kind == unstable.Table {
			table = parts
			continue
		}
		name := slices.Concat(table, parts)
		if value := e.Value(); len(name) > 0 && name[0] == of {
			inline(&p, value, strings.Join(name[1:], "."), line, lines)
		}
	}
	return lines
}

// inline notes the line of a value, or of those in a table written in braces.
func inline(p *unstable.Parser, v *unstable.Node, name string, line int, lines map[string]int) {
	lines[name] = line
	if v.Kind != unstable.InlineTable {
		return
	}
	for it := v.Children(); it.Next(); {
		of := it.Node()
		parts := []string{}
		if name != "" {
			parts = append(parts, name)
		}
		for k := of.Key(); k.Next(); {
			parts = append(parts, string(k.Node().Data))
		}
		inline(p, of.Value(), strings.Join(parts, "."), line, lines)
	}
}
