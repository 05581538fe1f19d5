package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"winnow/core/review"
	"winnow/store/sqlite"
)

// rescueRuns is how many damaged databases are rescued; RESCUE=200 asks for more,
// and RESCUE_DAMAGE=bit for one kind of damage.
func rescueRuns(t *testing.T) int {
	if text := os.Getenv("RESCUE"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 12 / slower
}

// damage changes some bytes of a database and its log.
type damage struct {
	name string
	do   func(r *rand.Rand, db, log []byte) ([]byte, []byte)
}

var damages = []damage{
	{"bit", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		db[r.IntN(len(db))] ^= 1 << r.IntN(8)
		return db, log
	}},
	{"byte", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		db[r.IntN(len(db))] = byte(r.Uint32())
		return db, log
	}},
	{"head of a page", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		db[r.IntN(len(db)/sqlite.PageSize)*sqlite.PageSize+r.IntN(100)] ^= 1 << r.IntN(8)
		return db, log
	}},
	{"header", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		db[r.IntN(100)] ^= 1 << r.IntN(8)
		return db, log
	}},
	{"page of zeros", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		clear(db[r.IntN(len(db)/sqlite.PageSize)*sqlite.PageSize:][:sqlite.PageSize])
		return db, log
	}},
	{"first page", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		clear(db[:sqlite.PageSize])
		return db, log
	}},
	{"short", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		return db[:1+r.IntN(len(db)-1)], log
	}},
	{"sector", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		at := r.IntN(len(db)/512) * 512
		for i := range db[at:][:512] {
			db[at+i] = byte(r.Uint32())
		}
		return db, log
	}},
	{"log", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		log[r.IntN(len(log))] ^= 1 << r.IntN(8)
		return db, log
	}},
	{"short log", func(r *rand.Rand, db, log []byte) ([]byte, []byte) {
		return db, log[:r.IntN(len(log))]
	}},
}

// Whatever is damaged: rescue ends with a database that passes the doctor, and
// one flipped bit costs no verdict.
func TestRescueOfDamagedDatabases(t *testing.T) {
	path, _ := judgedLibrary(t, 30)
	// A log with the last verdicts in it, as a program that was killed leaves it.
	logged := filepath.Join(t.TempDir(), "logged.db")
	soundLog := killed(t, path, logged)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := openAt(t, path)
	want, wasJudged := marks(t, s), judged(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 8))
	runs, whole, remembered := map[string]int{}, map[string]int{}, map[string]int{}
	for run := range rescueRuns(t) {
		d := damages[run%len(damages)]
		if name := os.Getenv("RESCUE_DAMAGE"); name != "" {
			for _, other := range damages {
				if other.name == name {
					d = other
				}
			}
		}
		dir := t.TempDir()
		bad, to := filepath.Join(dir, "bad.db"), filepath.Join(dir, "out.db")
		base, log := sound, []byte(nil)
		if d.name == "log" || d.name == "short log" {
			if base, err = os.ReadFile(logged); err != nil {
				t.Fatal(err)
			}
			log = soundLog
		}
		db, log := d.do(r, bytes.Clone(base), bytes.Clone(log))
		if err := os.WriteFile(bad, db, 0o600); err != nil {
			t.Fatal(err)
		}
		if len(log) > 0 {
			if err := os.WriteFile(bad+"-wal", log, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sources := reread(t)
		if run/len(damages)%2 == 1 { // the sources are gone
			sources = nil
		}
		out, err := Rescue(t.Context(), bad, to, false, Options{Clock: newClock().Now}, sources)
		if err != nil {
			t.Errorf("run %d, %s: %v", run, d.name, err)
			continue
		}
		if after, err := os.ReadFile(bad); err != nil || !bytes.Equal(after, db) {
			t.Errorf("run %d, %s: the damaged file was changed: %v", run, d.name, err)
		}
		s := openAt(t, to)
		found, err := s.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			t.Errorf("run %d, %s: %s", run, d.name, found[i].String())
		}
		got := marks(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		lost := 0
		for id, text := range want {
			if got[id] != text {
				lost++
				if testing.Verbose() {
					t.Logf("run %d: %s: %s, was %s", run, id, got[id], text)
				}
			}
		}
		runs[d.name]++
		if lost == 0 {
			whole[d.name]++
		}
		if gone := forgotten(t, to, wasJudged); gone == 0 {
			remembered[d.name]++
		} else if oneFlip[d.name] {
			t.Errorf("run %d, %s: %d verdicts are gone", run, d.name, gone)
		}
		if testing.Verbose() {
			t.Logf("run %d, %s: %d of %d marks are lost, %d restored, %d retired, %d sources, %d sessions", run, d.name, lost, len(want), out.Restored, out.Retired, len(out.Sources), len(out.Sessions))
		}
	}
	for name := range runs {
		t.Logf("%s: in %d runs all verdicts were kept %d times, %d times all of them in force", name, runs[name], remembered[name], whole[name])
	}
}

// killed copies a database with its log to another place while verdicts are in
// the log only, and returns the log. The database at path has these verdicts.
func killed(t *testing.T, path, to string) (log []byte) {
	t.Helper()
	s := openAt(t, path)
	page, err := s.Segments(t.Context(), reviewAll(40))
	if err != nil {
		t.Fatal(err)
	}
	for i := range page.Segments {
		judge(t, s, "cay", verdictNo(i), page.Segments[i].ID)
	}
	db, err := os.ReadFile(path)
	if err == nil {
		log, err = os.ReadFile(path + "-wal")
	}
	if err == nil {
		err = os.WriteFile(to, db, 0o600)
	}
	if err != nil || len(log) < sqlite.PageSize {
		t.Fatal(len(log), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return log
}

func verdictNo(i int) review.Verdict { return review.Verdicts[i%3] }

// oneFlip are the damages that cost no verdict: what one place has lost, another
// has.
var oneFlip = map[string]bool{"bit": true, "byte": true, "header": true, "first page": true, "log": true}

// judged returns the verdict that each segment has, or had before it was stale.
func judged(t testing.TB, s *Store) map[string]review.Verdict {
	t.Helper()
	page, err := s.Segments(t.Context(), reviewAll(10000))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]review.Verdict{}
	for i := range page.Segments {
		g := &page.Segments[i]
		if g.Verdict.Judged() {
			all[g.ID] = g.Verdict
		} else if g.Was.Judged() {
			all[g.ID] = g.Was
		}
	}
	return all
}

// forgotten counts the verdicts that a database neither has nor remembers.
func forgotten(t testing.TB, path string, want map[string]review.Verdict) (n int) {
	t.Helper()
	s := openAt(t, path)
	defer s.Close()
	got := judged(t, s)
	for id, v := range want {
		if got[id] != v {
			n++
		}
	}
	return n
}
