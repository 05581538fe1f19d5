package store

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"winnow/core/hub"
	"winnow/core/session"
)

// TestKnownSourcesAreSmall: what decoders remember is not read with all sources, but
// with the one that reading goes on in.
func TestKnownSourcesAreSmall(t *testing.T) {
	s := openTemp(t)
	const sources, memory = 500, 20_000
	decoder := bytes.Repeat([]byte{3}, memory)
	var writes []hub.ImportWrite
	for i := range sources {
		writes = append(writes, hub.ImportWrite{Source: hub.Source{
			AgentID: "a", Path: fmt.Sprintf("/s/%d.jsonl", i), State: session.State{Offset: 7, Decoder: decoder},
		}})
	}
	if _, err := s.WriteImport(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	known, err := s.Sources(t.Context(), "a")
	if err != nil || len(known) != sources {
		t.Fatal(len(known), err)
	}
	if n := held() - before; n > sources*memory/5 {
		t.Errorf("%d KB are held of %d sources", n>>10, len(known))
	}
	one := known["/s/7.jsonl"]
	if found, err := s.FindSources(t.Context(), "a", []string{one.Path}, nil); err != nil || found[one.Path].State.Decoder != nil {
		t.Errorf("found %+v, %v", found, err)
	}
	if whole, err := s.Source(t.Context(), one.ID); err != nil || !bytes.Equal(whole.State.Decoder, decoder) || whole.State.Offset != 7 {
		t.Errorf("the whole source: %d bytes of memory, %v", len(whole.State.Decoder), err)
	}
	runtime.KeepAlive(known)
}
