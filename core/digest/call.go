package digest

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// call is one call of a tool with what it gave.
type call struct {
	n        int // the message of its result, of the call itself without one
	tool     string
	arg      string // what matters of its arguments
	kind     kind
	files    []change // what is changed
	does     does     // what a success must share to make a failure good
	want     []part   // of a failure: what no later success did yet
	plain    bool     // it was written as text
	answered bool
	judged   outcome.Call
	outcome  outcome.Outcome
	open     bool   // a failure that no later success made good
	evidence string // how it failed
	gave     string // what it gave, "" for nothing worth a word
	chars    int
}

// matters are the arguments that tell what a call does, best first.
var matters = [...]string{"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "absolute_path", "url", "query", "pattern", "regex", "thought", "description", "prompt", "task", "question", "subject", "expression", "skill"}

// argMost is in how many bytes of arguments something is looked for.
const argMost = 256 << 10

// callOf tells what a call does.
func callOf(tc *chat.ToolCall) *call {
	c := &call{tool: word(tc.Name), judged: outcome.CallOf(tc.Name, tc.Arguments)}
	args := strings.TrimSpace(tc.Arguments)
	if rawjson.IsText(args) && len(args) <= argMost && rawjson.Valid(args) {
		args = rawjson.Unquote(args)
	}
	name := bare(tc.Name)
	if len(args) > argMost || !chat.IsObject(args) {
		c.arg, c.kind = word(args), kindOf(tc.Name, args)
		c.does = one(name, args)
		if strings.Contains(phrases.Clip(args, wordsKept), "*** Begin Patch") {
			c.patch(args)
		}
		return c
	}
	main, value := mainOf(args)
	c.kind = kindOf(tc.Name, value)
	switch {
	case shells[name]:
		value = withoutFolder(value)
		c.arg = word(shortCommand(value))
		c.does = doesCommand(value)
		if strings.Contains(phrases.Clip(value, wordsKept), "*** Begin Patch") {
			c.patch(value)
		}
	case c.kind == changes && edits[name]:
		c.edit(args, value)
	case isPath(main):
		c.does = one(name, value)
		c.arg = shortPath(value)
	case main == "pattern" || main == "regex":
		c.does = one(name, args)
		c.arg = word(value)
		if at := text(rawjson.Get(args, "path")); at != "" {
			c.arg += " in " + shortPath(at)
		}
	case main != "":
		c.does = one(name, value)
		c.arg = word(value)
	default:
		c.does = doesArguments(name, args, c.kind)
		c.arg = scalars(args, wordsKept)
	}
	return c
}

func isPath(name string) bool {
	return name == "file_path" || name == "path" || name == "filename" || name == "notebook_path" || name == "absolute_path"
}

// mainOf returns the argument that tells most, "" without one. A call to an
// interface has none: all its arguments tell.
func mainOf(args string) (name, value string) {
	for _, name := range matters {
		switch v := rawjson.Get(args, name); {
		case rawjson.IsText(v):
			return name, rawjson.Unquote(v)
		case rawjson.IsList(v) && (name == "command" || name == "cmd"):
			var words []string
			for one := range rawjson.Elements(v) {
				words = append(words, text(one))
			}
			if len(words) > 2 && (words[1] == "-lc" || words[1] == "-c") {
				words = words[2:]
			}
			return name, strings.Join(words, " ")
		}
	}
	return "", ""
}

// text returns a value without its quotes.
func text(v string) string {
	if rawjson.IsText(v) {
		return rawjson.Unquote(v)
	}
	return v
}

// shortPath returns the end of a path.
func shortPath(path string) string {
	parts := strings.Split(strings.TrimRight(path, "/"), "/")
	return word(strings.Join(parts[max(0, len(parts)-2):], "/"))
}
