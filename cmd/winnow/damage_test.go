package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/store"
)

// damagedRuns is how many damaged databases are tried; DAMAGE=60 asks for more.
func damagedRuns(t *testing.T) int {
	if text := os.Getenv("DAMAGE"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 2
}

// damageBench runs commands on copies of a database that are damaged.
type damageBench struct {
	*bench
	t        *testing.T
	dir      string
	sessions string // the folder with what was imported
	sound    []byte // the database as it was
	tried    int    // databases that were damaged
	failed   int    // commands that could not do their work
}

// newDamageBench makes a database of some sessions with so many tasks each.
func newDamageBench(t *testing.T, sessions, tasks int) *damageBench {
	b := &damageBench{bench: newBench(t), t: t, dir: t.TempDir()}
	b.env.rand = rand.NewChaCha8([32]byte{'i', 'd'}) // the same ids each time
	b.sessions = filepath.Join(b.dir, "s")
	var turns strings.Builder
	for i := range tasks {
		fmt.Fprintf(&turns, `{"role":"user","content":"task %d: %s"}`+"\n", i, strings.Repeat(strconv.Itoa(i*7919)+" ", 40))
		fmt.Fprintf(&turns, `{"role":"assistant","content":"done with %d"}`+"\n", i)
	}
	if err := os.Mkdir(b.sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range sessions {
		if err := os.WriteFile(filepath.Join(b.sessions, fmt.Sprint(i, ".jsonl")), []byte(fmt.Sprintf(`{"role":"system","content":"session %d"}`+"\n", i)+turns.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.Join(b.dir, "whole.db")
	for _, args := range [][]string{
		{"import", b.sessions}, {"segment"}, {"score"}, {"approve", "--filter", "status:pending", "--yes", "--note", "good"},
		{"redact", "--find", "task 1:", "--with", "it:", "--yes"},
	} {
		b.ok(append(args, "--db", whole)...)
	}
	var err error
	if b.sound, err = os.ReadFile(whole); err != nil {
		t.Fatal(err)
	}
	return b
}

// try runs commands, or a part of them, on a damaged database: each works, or ends in one line that says
// what is damaged and what to do. A rescue of it is sound.
func (b *damageBench) try(what string, data []byte) {
	b.t.Helper()
	bad := filepath.Join(b.dir, "bad.db")
	out := filepath.Join(b.dir, "out.db")
	put := func() {
		for _, path := range []string{bad + "-wal", bad + "-shm", out} {
			if err := os.RemoveAll(path); err != nil {
				b.t.Fatal(err)
			}
		}
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	b.tried++
	for i, args := range [][]string{
		{"list"}, {"sessions"}, {"stats"}, {"log"}, {"ledger"}, {"doctor"}, {"export", "-o", "-"}, {"list", "--filter", "\"task\""},
		{"undo"}, {"approve", "--filter", "status:approved", "--yes"}, {"import", b.sessions}, {"redact", "--find", "task", "--with", "job", "--yes"}, {"doctor", "--repair"},
	} {
		if (i+b.tried)%min(slower, 3) > 0 {
			continue
		}
		put()
		code := b.run(append(args, "--db", bad)...)
		text := b.stderr.String()
		name := fmt.Sprintf("%s, %v", what, args)
		if strings.Contains(text, "panic") || strings.Contains(text, "goroutine ") {
			b.t.Errorf("%s: %s", name, text)
		}
		if code != exitFailed || args[0] == "doctor" && text == "" {
			continue
		}
		b.failed++
		// A flipped bit in the journal may leave nothing that can be undone.
		helps := func(command string) bool { return strings.Contains(text, command) }
		if strings.Count(text, "\n") != 1 || !helps("winnow rescue") && !helps("doctor --repair") && (args[0] != "undo" || !helps("winnow log")) {
			b.t.Errorf("%s: %q", name, text)
		}
	}
	put()
	if code := b.run("rescue", out, "--db", bad); code != exitDone && code != exitPartly {
		b.t.Errorf("%s: rescue: %d %s", what, code, b.stderr.String())
		return
	}
	if code := b.run("doctor", "--db", out); code != exitDone {
		b.t.Errorf("%s: after the rescue: %s%s", what, b.stdout.String(), b.stderr.String())
	}
}

// Whatever byte of a database is flipped: a command works, or ends in one line
// that says what is damaged and what to do.
func TestCommandsOnADamagedDatabase(t *testing.T) {
	b := newDamageBench(t, 6, 60)
	r := rand.New(rand.NewPCG(11, 12))
	for run := range damagedRuns(t) {
		data := bytes.Clone(b.sound)
		what := "a flipped bit"
		switch run % 4 {
		case 0, 3:
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		case 1:
			what = "a page of zeros"
			clear(data[(1+r.IntN(len(data)/(16<<10)-1))*(16<<10):][:16<<10])
		case 2:
			what = "a short file"
			data = data[:len(data)/4+r.IntN(len(data)*3/4)]
		}
		b.try(fmt.Sprintf("run %d, %s", run, what), data)
	}
	t.Logf("%d commands failed", b.failed)
}

// Wherever a bit of a segment's id is flipped in the database, in its row, an index or
// the journal: commands work, or say what to do.
func TestCommandsOnADamagedID(t *testing.T) {
	b := newDamageBench(t, 1, 3)
	var row struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(b.ok("list", "--limit", "1", "--json", "--db", filepath.Join(b.dir, "whole.db"))), &row); err != nil {
		t.Fatal(err)
	}
	places := 0
	for at, next := 0, 0; ; at++ {
		if next = bytes.Index(b.sound[at:], []byte(row.ID)); next < 0 {
			break
		}
		at += next
		for _, bit := range flippedBits() {
			data := bytes.Clone(b.sound)
			data[at+bit/8] ^= 1 << (bit % 8)
			b.try(fmt.Sprintf("bit %d of the id at %d", bit, at), data)
		}
		places++
	}
	if places < 5 {
		t.Errorf("the id %s is at %d places", row.ID, places)
	}
	t.Logf("%d commands failed, of those on databases with another bit at %d places", b.failed, places)
}

// flippedBits are the bits of an id that are tried: one that leaves it an id, and one
// that does not; if DAMAGE is set, all.
func flippedBits() (bits []int) {
	if os.Getenv("DAMAGE") == "" {
		return []int{14 * 8, 8 * 8}[:idBits] // 4 becomes 5, - a comma
	}
	for bit := range 36 * 8 {
		bits = append(bits, bit)
	}
	return bits
}

// However the beginning of a database is lost: commands say that it is damaged
// and what to do, and rescue has everything.
func TestADatabaseWithoutItsBeginning(t *testing.T) {
	b := newBench(t)
	const turn = `{"role":"user","content":"task"}` + "\n" + `{"role":"assistant","content":"done"}` + "\n"
	b.file("a.jsonl", turn)
	b.ok("import", filepath.Join(b.vars["HOME"], "a.jsonl"), "--db", "whole.db")
	b.ok("approve", "--filter", "status:pending", "--yes", "--db", "whole.db")
	path := filepath.Join(b.vars["HOME"], "bad.db")
	sound, err := os.ReadFile(filepath.Join(b.vars["HOME"], "whole.db"))
	if err != nil {
		t.Fatal(err)
	}
	const page = 16 << 10
	for _, lost := range []struct {
		bytes int
		fill  byte
	}{{512, 0}, {page, 0}, {2 * page, 0}, {100, 0xff}} {
		data := append(bytes.Repeat([]byte{lost.fill}, lost.bytes), sound[lost.bytes:]...)
		for _, args := range [][]string{{"list"}, {"import", "a.jsonl"}, {"doctor"}} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			code := b.run(append(args, "--db", path)...)
			said := b.stdout.String() + b.stderr.String()
			if code != exitFailed || !strings.Contains(said, "is damaged") || !strings.Contains(said, "winnow rescue OUT.db") || strings.Contains(said, "not a winnow") {
				t.Errorf("%v, %v: %d %q", lost, args, code, said)
			}
			if args[0] != "doctor" && strings.Count(said, "\n") != 1 {
				t.Errorf("%v, %v: not one line: %q", lost, args, said)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, data) {
				t.Errorf("%v, %v: the file was changed: %v", lost, args, err)
			}
		}
		out := fmt.Sprintf("out%d.db", lost.bytes)
		if code := b.run("rescue", out, "--db", path); code == exitFailed || !strings.Contains(b.stdout.String(), "1 verdict,") {
			t.Errorf("%v: %d %s%s", lost, code, b.stdout.String(), b.stderr.String())
		}
	}
}

// A file that is none of ours is not said to be damaged.
func TestAForeignFileIsNotDamaged(t *testing.T) {
	b := newBench(t)
	for name, data := range map[string][]byte{
		"text":  []byte(strings.Repeat("not a database\n", 5000)),
		"zeros": make([]byte, 100<<10),
		"leafs": bytes.Repeat([]byte{0x0d}, 100<<10),
	} {
		path := b.file(name, string(data))
		for _, command := range []string{"list", "doctor"} {
			if code := b.run(command, "--db", path); code != exitFailed || !strings.Contains(b.stderr.String(), "is not a winnow database") {
				t.Errorf("%s of %s: %d %q", command, name, code, b.stderr.String())
			}
		}
	}
}

// A file of no bytes is no database without problems, and what a log beside it
// holds is not deleted.
func TestAnEmptyFileIsNoDatabase(t *testing.T) {
	b := newBench(t)
	path := b.file("empty.db", "")
	b.file("a.jsonl", `{"role":"user","content":"task"}`+"\n"+`{"role":"assistant","content":"done"}`+"\n")
	for _, args := range [][]string{{"doctor"}, {"doctor", "--repair"}, {"list"}, {"approve", "abcd"}} {
		if code := b.run(append(args, "--db", path)...); code != exitFailed || !strings.Contains(b.stderr.String(), "the file is empty, no database is in it: put a copy back") {
			t.Errorf("%v: %d %s%s", args, code, b.stdout.String(), b.stderr.String())
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 0 {
			t.Errorf("%v: it is not empty any more", args)
		}
	}
	log := b.file("empty.db-wal", strings.Repeat("pages of verdicts", 1000))
	missing := b.file("missing.db-wal", "pages of verdicts")
	for path, log := range map[string]string{path: log, strings.TrimSuffix(missing, "-wal"): missing} {
		if code := b.run("import", "a.jsonl", "--db", path); code != exitFailed || !strings.Contains(b.stderr.String(), "its log "+log+" holds work") {
			t.Errorf("%d %s", code, b.stderr.String())
		}
		if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), "verdicts") {
			t.Errorf("the log is gone: %v", err)
		}
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	b.ok("import", filepath.Join(b.vars["HOME"], "a.jsonl"), "--db", path)
}

// doctor says of a log that is damaged in its middle what is wrong and changes
// nothing; with --repair it goes on without what follows, and keeps the log.
func TestDoctorOfADamagedLog(t *testing.T) {
	b := newBench(t)
	for i := range 4 {
		b.file(fmt.Sprint("s/", i, ".jsonl"), fmt.Sprintf(`{"role":"user","content":"task %d"}`+"\n"+`{"role":"assistant","content":"done"}`+"\n", i))
	}
	whole, path := filepath.Join(b.vars["HOME"], "whole.db"), filepath.Join(b.vars["HOME"], "w.db")
	b.ok("import", filepath.Join(b.vars["HOME"], "s"), "--db", whole)
	s, err := store.Open(t.Context(), whole, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ids, err := s.IDs(t.Context(), review.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved}); err != nil {
			t.Fatal(err)
		}
	}
	var log []byte
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(whole + end)
		if err != nil {
			t.Fatal(err)
		}
		if end != "" {
			data[32+24+1000] ^= 4 // in the first page
			log = data
		}
		if err := os.WriteFile(path+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := path + "-wal.damaged"
	for _, args := range [][]string{{"doctor"}, {"list"}} {
		code := b.run(append(args, "--db", path)...)
		if said := b.stdout.String() + b.stderr.String(); code != exitFailed || !strings.Contains(said, "1 page of its log (the file that ends with -wal) is damaged") || !strings.Contains(said, "winnow rescue OUT.db") {
			t.Errorf("%v: %d %s", args, code, said)
		}
		if data, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(data, log) {
			t.Errorf("%v: the log was changed: %v", args, err)
		}
		if _, err := os.Stat(kept); err == nil {
			t.Errorf("%v: the log was copied", args)
		}
	}
	if said := b.ok("rescue", "out.db", "--db", path); !strings.Contains(said, "4 verdicts") {
		t.Errorf("rescue: %s", said)
	}
	if said := b.ok("doctor", "--repair", "--db", path); !strings.Contains(said, "no problems") || !strings.Contains(b.stderr.String(), "the log is kept as "+kept) {
		t.Errorf("doctor --repair: %s%s", said, b.stderr.String())
	}
	if data, err := os.ReadFile(kept); err != nil || !bytes.Equal(data, log) {
		t.Errorf("the log is not kept: %v", err)
	}
	if said := b.ok("doctor", "--db", path); !strings.Contains(said, "no problems") {
		t.Errorf("doctor afterwards: %s", said)
	}
}
