//go:build unix

package main

import "testing"

// TestSmokeOffer: the first run offers what is on the machine, and imports it
// when the curator agrees; the ledger tells about it.
func TestSmokeOffer(t *testing.T) {
	b := newBench(t)
	b.file(".claude/projects/p/s.jsonl", twoLines+"nonsense ␛ \x1b[2J here\n")
	p, ok := startPane(t, b.vars["HOME"], build(t))
	if !ok {
		return
	}
	p.wait("Nothing here yet", "[x] Claude Code", "~/.claude/projects", "1 file, ")
	p.keys("Enter")
	p.wait("import done", "1 bad line")
	p.keys("L")
	p.wait("1 with a problem", "~/.claude/projects/p/s.jsonl")
	p.keys("Enter")
	p.wait("at byte")
	p.keys("Enter")
	p.wait("s.jsonl:3", "nonsense ␛ ␛[2J here")
	p.keys("L", "q")
	p.wait("left with 0", "winnow: import: 1 bad line: winnow ledger shows them")
}

// TestSmokeSamples: who would rather look around first gets the sample
// sessions, in a database of their own.
func TestSmokeSamples(t *testing.T) {
	b := newBench(t)
	p, ok := startPane(t, b.vars["HOME"], build(t))
	if !ok {
		return
	}
	p.wait("Nothing here yet", "[x] samples")
	p.keys("Enter")
	p.wait("sample sessions", " segments")
	p.keys("q", "q")
	p.wait("left with 0")
	b.ok("stats") // the database was made, and holds nothing
}
