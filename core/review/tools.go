package review

import (
	"strings"

	"winnow/core/rawjson"
)

// ToolNames returns the names of the tools in a Session.Tools, in their order:
// of {"name"} or {"function":{"name"}}, or of plain texts. It is nil for
// anything that is no list.
func ToolNames(tools string) (names []string) {
	tools = strings.TrimSpace(tools)
	if !rawjson.IsList(tools) || !rawjson.Valid(tools) {
		return nil
	}
	for tool := range rawjson.Elements(tools) {
		for _, name := range [...]string{tool, rawjson.Get(tool, "name"), rawjson.Get(rawjson.Get(tool, "function"), "name")} {
			if rawjson.IsText(name) && len(name) > len(`""`) {
				names = append(names, rawjson.Unquote(name))
				break
			}
		}
	}
	return names
}
