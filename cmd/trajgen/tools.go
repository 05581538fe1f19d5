package main

import (
	"math/rand/v2"
	"strconv"
)

// tool is one of the tools that the assistants call.
type tool struct {
	name     string
	weight   int // how often, of 100
	args     func(*author) []byte
	answers  []kind
	median   int // bytes of a result
	numbered bool
}

var tools = []tool{
	{"terminal", 42, commandArgs, []kind{logs, tests, listing, traces, matches, diffs}, 2750, false},
	{"read_file", 24, readArgs, []kind{source, script, jsons}, 4500, true},
	{"edit_file", 14, editArgs, []kind{diffs}, 600, false},
	{"search", 10, searchArgs, []kind{matches}, 2200, false},
	{"write_file", 5, writeArgs, []kind{diffs}, 500, false},
	{"http_get", 5, fetchArgs, []kind{jsons, prose}, 3600, false},
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

func commandArgs(a *author) []byte {
	b := a.page.one([]byte(`{"command": "`), commands)
	return append(strconv.AppendInt(append(b, `", "timeout": `...), int64(30*(1+a.rng.IntN(10))), 10), '}')
}

func readArgs(a *author) []byte {
	b := a.page.one([]byte(`{"path": "`), paths)
	b = strconv.AppendInt(append(b, `", "offset": `...), int64(a.rng.IntN(2000)), 10)
	return append(b, `, "limit": 200}`...)
}

func searchArgs(a *author) []byte {
	b := a.page.one([]byte(`{"pattern": "func .*\\(", "path": "`), paths)
	return append(b, `", "ignore_case": false}`...)
}

func fetchArgs(a *author) []byte {
	return append(a.page.one([]byte(`{"url": "https://example.org/`), paths), `"}`...)
}

func editArgs(a *author) []byte {
	b := a.page.one([]byte(`{"path": "`), paths)
	b = a.code(append(b, `", "old_string": "`...), 1+a.rng.IntN(8))
	b = a.code(append(b, `", "new_string": "`...), 1+a.rng.IntN(14))
	return append(b, `"}`...)
}

func writeArgs(a *author) []byte {
	b := a.page.one([]byte(`{"path": "`), paths)
	b = a.code(append(b, `", "content": "`...), 10+a.rng.IntN(80))
	return append(b, `"}`...)
}

// code appends some lines of source code.
func (a *author) code(b []byte, lines int) []byte {
	k := source
	if a.rng.IntN(3) == 0 {
		k = script
	}
	for range lines {
		b = append(a.page.one(b, k), `\n`...)
	}
	return b
}
