//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestSmokeFollow: what an agent writes while the screen is open appears, and
// the screen still leaves at once.
func TestSmokeFollow(t *testing.T) {
	b := newBench(t)
	path := b.file("agent/talk.jsonl", `{"role":"user","content":"Name a colour."}`+"\n"+`{"role":"assistant","content":"Blue."}`+"\n")
	p, ok := startPane(t, b.vars["HOME"], build(t)+" "+filepath.Dir(path))
	if !ok {
		return
	}
	p.wait("import done", "Name a colour", "2    0")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"role":"user","content":"Another."}`)
	f.Close()
	p.wait("Name a colour", "3    0")
	p.keys("j")
	b.file("agent/new/talk.jsonl", `{"role":"user","content":"Name a town."}`+"\n")
	p.wait("Name a town", "+2 messages")
	p.keys("q")
	p.wait("left with 0")
}
