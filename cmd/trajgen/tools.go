package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// tool is one of the tools that the assistants call.
type tool struct {
	name       string
	about      string               // for its definition, as is parameters
	parameters string               // JSON schema
	weight     int                  // how often, of 100
	args       func(*author) string // JSON
	answers    []kind
	median     int // bytes of a result
	numbered   bool
}

var tools = []tool{
	{"terminal", "Run a command in a shell and return what it prints.",
		schema("command string", "timeout integer"), 42, commandArgs, []kind{logs, tests, listing, traces, matches, diffs}, 2750, false},
	{"read_file", "Return lines of a text file with their numbers.",
		schema("path string", "offset integer", "limit integer"), 24, readArgs, []kind{source, script, jsons}, 4500, true},
	{"edit_file", "Replace one text in a file by another.",
		schema("path string", "old_string string", "new_string string"), 14, editArgs, []kind{diffs}, 600, false},
	{"search", "Find lines that match a regular expression.",
		schema("pattern string", "path string", "ignore_case boolean"), 10, searchArgs, []kind{matches}, 2200, false},
	{"write_file", "Write a file, replacing one of that name.",
		schema("path string", "content string"), 5, writeArgs, []kind{diffs}, 500, false},
	{"http_get", "Fetch a page.",
		schema("url string"), 5, fetchArgs, []kind{jsons, prose}, 3600, false},
}

// schema returns the JSON schema of an object; each property is a name and a
// type, the first one is required.
func schema(properties ...string) string {
	var all []string
	for _, p := range properties {
		name, kind, _ := strings.Cut(p, " ")
		all = append(all, fmt.Sprintf(`"%s": {"type": "%s"}`, name, kind))
	}
	first, _, _ := strings.Cut(properties[0], " ")
	return fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": ["%s"]}`, strings.Join(all, ", "), first)
}

// weighted draws a tool by the weights.
func weighted(rng *rand.Rand) *tool {
	x := rng.IntN(100)
	for i := range tools {
		if x -= tools[i].weight; x < 0 {
			return &tools[i]
		}
	}
	return &tools[0]
}

// definitions lists the tools as prompts define them, each between two texts.
func definitions(before, after string) string {
	var all []string
	for _, t := range tools {
		all = append(all, before+`"name": "`+t.name+`", "description": "`+t.about+`", "parameters": `+t.parameters+after)
	}
	return strings.Join(all, ", ")
}

func commandArgs(a *author) string {
	return `{"command": "` + a.page.one(commands) + `", "timeout": ` + strconv.Itoa(30*(1+a.rng.IntN(10))) + `}`
}

func readArgs(a *author) string {
	return `{"path": "` + a.page.one(paths) + `", "offset": ` + strconv.Itoa(a.rng.IntN(2000)) + `, "limit": 200}`
}

func searchArgs(a *author) string {
	return `{"pattern": "func .*\\(", "path": "` + a.page.one(paths) + `", "ignore_case": false}`
}

func fetchArgs(a *author) string { return `{"url": "https://example.org/` + a.page.one(paths) + `"}` }

func editArgs(a *author) string {
	return `{"path": "` + a.page.one(paths) + `", "old_string": "` + a.code(1+a.rng.IntN(8)) + `", "new_string": "` + a.code(1+a.rng.IntN(14)) + `"}`
}

func writeArgs(a *author) string {
	return `{"path": "` + a.page.one(paths) + `", "content": "` + a.code(10+a.rng.IntN(80)) + `"}`
}

// code returns some lines of source code.
func (a *author) code(lines int) string {
	k := source
	if a.rng.IntN(3) == 0 {
		k = script
	}
	var b []byte
	for range a.shrunk(lines) {
		b = append(a.page.line(b, k), `\n`...)
	}
	return string(b)
}
