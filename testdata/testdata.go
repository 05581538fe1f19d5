// Package testdata holds the sample sessions that come with winnow: recorded
// work of agents in the formats openai and anthropic, written for the demo,
// the screenshots and the tests.
//
// Patterns such as ./... leave out a folder of this name, so the checks of the
// samples run by go test ./testdata.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed sessions/*.jsonl
var sessions embed.FS

// Sessions returns the sample sessions, one *.jsonl file each, at the root of
// the file system.
func Sessions() fs.FS {
	sub, err := fs.Sub(sessions, "sessions")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}
