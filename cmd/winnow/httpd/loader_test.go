package httpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/core/ledger"
)

// forgetful is a database that fails when lines are listed, so that an import is done
// and its receipts are not.
type forgetful struct {
	Store
	fails bool
}

func (f *forgetful) LedgerIssues(ctx context.Context, q ledger.IssueQuery) (ledger.IssuePage, error) {
	if f.fails {
		return ledger.IssuePage{}, errors.New("no list")
	}
	return f.Store.LedgerIssues(ctx, q)
}

// TestTwoFailuresInAWave has one file refused, and another fail after its import: each
// waits once, with its own uploads.
func TestTwoFailuresInAWave(t *testing.T) {
	db := &forgetful{fails: true}
	p := start(t, t.TempDir(), Limits{}, true, func(o *Options) { db.Store, o.Store = o.Store, db })
	text := sample(t)
	for i := range 2 {
		if status, a := p.post(fmt.Sprintf("agent_id=a&session=%d&wait=0", i), bytes.NewReader(text[:2000+i])); status != 202 {
			t.Fatalf("%d %+v", status, a)
		}
	}
	l := p.s.loader
	waiting := l.waiting()
	wave, _ := l.wave(time.Now())
	if len(wave) != 2 {
		t.Fatalf("%d files", len(wave))
	}
	first := wave[0].Path
	hidden := unreadable(t, first)
	l.try(t.Context(), wave)
	if len(l.queue) != 2 || len(l.byPath) != 2 || l.waiting() != waiting {
		t.Errorf("%d files wait, %d by path, %d bytes, want %d", len(l.queue), len(l.byPath), l.waiting(), waiting)
	}
	for _, it := range l.queue {
		if len(it.tickets) != 1 {
			t.Errorf("%s: %d uploads", it.Path, len(it.tickets))
		}
	}
	hidden()
	db.fails = false
	for range 4 {
		if wave, _ := l.wave(time.Now().Add(lastPause)); len(wave) > 0 {
			l.try(t.Context(), wave)
		}
	}
	if len(l.queue) != 0 || l.waiting() != 0 {
		t.Errorf("%d files wait, %d bytes", len(l.queue), l.waiting())
	}
}

// unreadable puts a link to itself in the place of a file until the function is called that it
// returns.
func unreadable(t *testing.T, path string) (back func()) {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+".away"), os.Symlink(path, path)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(os.Remove(path), os.Rename(path+".away", path)); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatFailsIsTold has one file that stays unreadable while others are imported: that
// is told once, shows as long as it is so, and is told by a single run in other words.
func TestWhatFailsIsTold(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, true, nil)
	l, text := p.s.loader, sample(t)
	upload := func(session string) {
		t.Helper()
		if status, a := p.post("agent_id=a&wait=0&session="+session, bytes.NewReader(text)); status != 202 {
			t.Fatalf("%d %+v", status, a)
		}
	}
	next := func(pause time.Duration) (files int) {
		wave, _ := l.wave(time.Now().Add(pause))
		l.try(t.Context(), wave)
		return len(wave)
	}
	health := func() int {
		status, _, _ := p.do("GET", "/healthz", nil)
		return status
	}
	upload("bad")
	path := p.s.Box.Path("a", "bad")
	back := unreadable(t, path)
	for n := range 3 {
		if next(lastPause) != 1 {
			t.Error("it is not tried")
		}
		if upload(fmt.Sprint(n)); next(0) != 1 || health() != 503 {
			t.Errorf("try %d: health %d", n, health())
		}
	}
	if n := strings.Count(p.log.String(), path); n != 1 {
		t.Errorf("told %d times: %s", n, p.log)
	}
	p.log.Reset()
	once := New(p.s.Options)
	if done, failed, err := once.CatchUp(t.Context()); failed != 0 || err != nil { // a link is no upload
		t.Errorf("%d, %d, %v", done, failed, err)
	}
	if back(); next(lastPause) != 1 || health() != 200 {
		t.Errorf("health: %d", health())
	}
	once.Importer = func(agent string, h inbox.Hints) *hub.Importer {
		im := p.s.Importer(agent, h)
		im.Store = stubborn{im.Store}
		return im
	}
	upload("more")
	if _, failed, err := once.CatchUp(t.Context()); failed != 1 || err != nil || !strings.HasSuffix(p.log.String(), ": it stays in the inbox, and the next run or server tries again\n") {
		t.Errorf("%d files failed, %v: %s", failed, err, p.log)
	}
}

// TestFreshReceipts checks which are given up when too many wait to be written.
func TestFreshReceipts(t *testing.T) {
	r := newReceipts(&Server{})
	put := func(id string, o inbox.Outcome) bool {
		r.put(inbox.Arrival{Receipt: inbox.Receipt{ID: id, Outcome: o}})
		return r.fresh[id] != nil
	}
	for n := range mostFresh - 1 {
		put(fmt.Sprint(n), inbox.Stored)
	}
	for _, c := range []struct {
		id   string
		o    inbox.Outcome
		kept bool
	}{{"a", inbox.Refused, true}, {"b", inbox.Refused, false}, {"c", inbox.Stored, false}, {"d", inbox.Grown, true}, {"0", inbox.New, true}} {
		if put(c.id, c.o) != c.kept || len(r.fresh) != mostFresh {
			t.Errorf("%s %s: %d are kept", c.id, c.o, len(r.fresh))
		}
	}
}

// TestOtherInboxes has an upload wait in another inbox of the same database, which has a
// session of the same name or none: it stays open for who has that inbox.
func TestOtherInboxes(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, true, nil)
	text := sample(t)
	var ids []string
	for _, session := range []string{"s", "both"} {
		_, a := p.post("agent_id=a&wait=0&session="+session, bytes.NewReader(text))
		ids = append(ids, a.Results[0].ID)
	}
	p.s.receipts.write(t.Context())
	box, err := inbox.Open(filepath.Join(p.dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	path := box.Path("a", "both")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	catchUp := func(b *inbox.Box, want int, outcome inbox.Outcome) {
		t.Helper()
		o := p.s.Options
		o.Box = b
		if done, failed, err := New(o).CatchUp(t.Context()); done != want || failed != 0 || err != nil {
			t.Errorf("%d files, %d failed, %v", done, failed, err)
		}
		for _, id := range ids {
			if a, ok, err := p.store.Ingest(t.Context(), id); !ok || err != nil || a.Outcome != outcome || a.Code != "" {
				t.Errorf("%+v, %v, %v", a, ok, err)
			}
		}
	}
	catchUp(box, 1, inbox.Stored)
	catchUp(p.s.Box, 2, inbox.New)
}
