package main

import (
	"strings"
	"testing"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/review"
)

// TestAVerdictIsForWhatWasShown: a segment that rules cut anew, or that got more
// messages, between being shown and being judged is put back, and undo lets it
// be cut again. Where somebody decided meanwhile, the verdict is refused.
func TestAVerdictIsForWhatWasShown(t *testing.T) {
	for name, change := range map[string]func(b *bench, path string){
		"cut":   func(b *bench, _ string) { b.ok("segment") },
		"grown": func(b *bench, path string) { b.file(path, cleared+cleared); b.ok("import", b.vars["HOME"]+"/"+path) },
		"both": func(b *bench, path string) {
			b.file(path, cleared+cleared)
			b.ok("import", b.vars["HOME"]+"/"+path)
			b.ok("segment")
		},
	} {
		b := newBench(t)
		b.ok("import", b.file("one.jsonl", cleared))
		var shown review.Segment
		b.screenOf(func(l desk.Library) {
			p, err := l.Segments(t.Context(), review.Query{Limit: 10})
			if err != nil || len(p.Segments) != 1 {
				t.Fatal(err, len(p.Segments))
			}
			shown = p.Segments[0]
		})
		give := func() (e review.Entry, err error) {
			b.screenOf(func(l desk.Library) {
				e, err = l.Judge(t.Context(), review.Judgement{
					Curator: "ann", IDs: []string{shown.ID}, Verdict: review.Approved, Seen: map[string]chat.Digest{shown.ID: shown.Digest}, Shown: &shown,
				})
			})
			return e, err
		}
		change(b, "one.jsonl")
		before := len(b.listed(""))
		e, err := give()
		if err != nil || len(e.Changes) != 1 || e.Changes[0].Content != shown.Digest {
			t.Fatalf("%s: %v, %+v", name, err, e)
		}
		rows := b.listed("status:approved")
		if len(rows) != 1 || rows[0].StartLine != shown.Start || rows[0].EndLine != shown.End || rows[0].Fingerprint != shown.Fingerprint {
			t.Errorf("%s: approved is %+v, not %d to %d", name, rows, shown.Start, shown.End)
		}
		b.ok("doctor")
		b.ok("undo")
		b.ok("segment")
		if n := len(b.listed("")); n < 2 || n != before && name != "grown" {
			t.Errorf("%s: after undo %d segments, %d before", name, n, before)
		}
		b.ok("doctor")

		one := b.listed("")[0]
		b.ok("unsure", one.ID)
		if _, err := give(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: a verdict on what somebody judged meanwhile: %v", name, err)
		}
		if len(b.listed("status:unsure")) != 1 || len(b.listed("status:approved")) != 0 {
			t.Errorf("%s: somebody's verdict is gone", name)
		}
		b.ok("doctor")
	}
}

// cleared is a session of two tasks.
const cleared = `{"role":"user","content":"Fix the parser test that fails"}
{"role":"assistant","content":"It shared a map. Fixed."}
{"role":"user","content":"/clear"}
{"role":"user","content":"Write a poem about rivers"}
{"role":"assistant","content":"The river runs."}
`

// screenOf calls f with the database as the screen asks for it.
func (b *bench) screenOf(f func(desk.Library)) {
	b.t.Helper()
	p := &cli{env: b.env, out: print.New(b.env.stdout, b.env.stdoutTTY, b.env.width)}
	err := p.withDatabase(b.t.Context(), false, func(s *database) error {
		f(desk.Library{Store: s.Store})
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}
