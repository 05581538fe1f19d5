package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// scoreGoal is how fast segments are to be scored without a model, in MB/s of
// their source.
const scoreGoal = 200

// scores scores the segments of a database and checks that there were so many at
// least.
func (b *bench) scores(db string, least int) (usage, error) {
	u, out, err := b.winnow(db, "score", "--by", "offline", "--json")
	if err != nil {
		return u, err
	}
	var r struct {
		Segments int
		Failed   []any
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &r); err != nil {
		return u, err
	}
	if r.Segments < least || len(r.Failed) > 0 {
		return u, fmt.Errorf("%d segments were scored, %d failed; %d are there at least", r.Segments, len(r.Failed), least)
	}
	return u, nil
}
