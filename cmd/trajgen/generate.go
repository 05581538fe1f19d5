package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxRounds is what --rounds may be at most: more than a long session has.
const maxRounds = 1000

// options is what the flags ask for.
type options struct {
	target    string
	format    *format
	sessions  int
	size      size
	seed      uint64
	low, high int // messages of a session
	text      int // percent of the usual size of texts
	rounds    int // see author
	giantLine size
	giantFile size
	tinyLines int
	perFolder int
}

// totals is what was made.
type totals struct {
	sessions int
	messages int
	bytes    int64
}

func (o *options) check(format string, rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q; the target is named with -o", rest[0])
	case o.target == "":
		return fmt.Errorf("no target; name a folder or file with -o")
	case o.format == nil:
		return fmt.Errorf("unknown format %q; known: %s", format, formatNames())
	case o.low < 2 || o.high < o.low:
		return fmt.Errorf("--messages-min %d and --messages-max %d: want 2 ≤ min ≤ max", o.low, o.high)
	case o.text < 1 || o.text > 100 || o.rounds < 0 || o.rounds > maxRounds:
		return fmt.Errorf("--text %d and --rounds %d: want 1 to 100 percent and 0 to %d rounds", o.text, o.rounds, maxRounds)
	case o.perFolder < 1:
		return fmt.Errorf("--files-per-dir %d: want at least 1", o.perFolder)
	case o.sessions < 0 || o.tinyLines < 0:
		return fmt.Errorf("a number of sessions or lines cannot be negative")
	}
	n := len(o.specials())
	if o.sessions == 0 && o.size == 0 && n == 0 {
		return fmt.Errorf("nothing to make; give --sessions, --size, --giant-line, --giant-file or --tiny-lines")
	}
	if o.oneFile() && (n > 1 || n == 1 && (o.sessions > 0 || o.size > 0)) || o.single() && o.sessions > 1 {
		return fmt.Errorf("%s holds one session in this format; name a folder for several", o.target)
	}
	return nil
}

// special is a file of a kind of its own.
type special struct {
	size   int    // 0: none is asked for
	number uint32 // of its session
	name   string
	write  func(*author)
}

// specials are those that are asked for. Their numbers are far from those of
// ordinary sessions.
func (o *options) specials() []special {
	return slices.DeleteFunc([]special{
		{int(o.giantLine), math.MaxInt32, "giant-line.jsonl", func(a *author) { a.left, a.giant = 12, int(o.giantLine); a.session() }},
		{int(o.giantFile), math.MaxInt32 + 1, "giant-file.jsonl", func(a *author) { a.limit = int64(o.giantFile); a.session() }},
		{o.tinyLines, math.MaxInt32 + 2, "tiny-lines.jsonl", func(a *author) { a.tiny(o.tinyLines) }},
	}, func(s special) bool { return s.size == 0 })
}

// oneFile reports whether all goes to one file.
func (o *options) oneFile() bool { return o.target == "-" || strings.HasSuffix(o.target, ".jsonl") }

// single reports whether the target takes one session only.
func (o *options) single() bool { return o.oneFile() && o.format.perFile == 1 }

// generate makes everything that is asked for.
func generate(o options, stdout io.Writer) (totals, error) {
	g := &generator{o: o, page: &page{pool: newPool(o.seed), buf: make([]byte, 0, 2*spillAt)}, stdout: stdout}
	for _, special := range o.specials() {
		if err := g.file(special.name, func() { special.write(g.author(int(special.number))) }); err != nil {
			return g.totals, err
		}
	}
	err := g.ordinary()
	g.totals.messages = g.page.messages
	return g.totals, err
}

type generator struct {
	o      options
	page   *page
	stdout io.Writer
	totals totals
}

// ordinary makes the sessions of --sessions and --size.
func (g *generator) ordinary() error {
	o := &g.o
	if o.sessions == 0 && o.size == 0 {
		return nil
	}
	limit := cmp.Or(int64(o.size), math.MaxInt64)
	sessions := cmp.Or(o.sessions, math.MaxInt)
	if o.single() {
		sessions = 1
	}
	perFile := o.format.perFile
	if o.oneFile() {
		perFile = sessions
	}
	for n, done := 0, int64(0); n < sessions && done < limit; n += min(perFile, sessions-n) {
		before := g.totals.bytes
		name := fmt.Sprintf("%04d/session-%06d.jsonl", n/perFile/o.perFolder, n)
		err := g.file(name, func() {
			for i := 0; i < min(perFile, sessions-n) && g.page.offset() < limit-done; i++ {
				g.session(n+i, limit-done)
			}
		})
		if err != nil {
			return err
		}
		done += g.totals.bytes - before
	}
	return nil
}

// session writes the n-th session to the open file, which ends at limit.
func (g *generator) session(n int, limit int64) {
	o := &g.o
	a := g.author(n)
	a.left, a.limit = a.length(o.low, o.high), limit
	if o.single() && o.size > 0 {
		a.left = math.MaxInt
	}
	a.session()
}

func (g *generator) author(n int) *author {
	g.totals.sessions++
	a := newAuthor(g.page, g.o.format, g.o.seed, n)
	a.text, a.rounds = g.o.text, g.o.rounds
	return a
}

// length draws the number of messages of a session: 25 in the middle, 40 on
// average, few long ones.
func (a *author) length(low, high int) int {
	for range 8 {
		if n := a.number(25, 0.92, 1, math.MaxInt32); n >= low && n <= high {
			return n
		}
	}
	return low + a.rng.IntN(high-low+1)
}

// file writes a file of the target folder, or the target.
func (g *generator) file(name string, write func()) error {
	if g.o.target == "-" {
		return g.fill(g.stdout, write)
	}
	path := g.o.target
	if !g.o.oneFile() {
		path = filepath.Join(path, filepath.FromSlash(name))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return cmp.Or(g.fill(f, write), f.Close())
}

// fill makes what write writes to the page the content of a file.
func (g *generator) fill(w io.Writer, write func()) error {
	p := g.page
	p.w, p.total, p.err, p.buf = w, 0, nil, p.buf[:0]
	write()
	p.spill(true)
	g.totals.bytes += p.total
	return p.err
}

// tiny writes a session of n messages of a word each.
func (a *author) tiny(n int) {
	a.plain = true
	a.recorder.begin()
	for i := range n {
		m := &message{role: "user", content: text{before: nouns[i%len(nouns)]}}
		if i%2 == 1 {
			m.role, m.content.before = "assistant", "ok"
		}
		a.write(m)
	}
	a.recorder.end()
}
