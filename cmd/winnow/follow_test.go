package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/watch"
	"winnow/store"
)

// teller is a hub.Watcher that tells what a test wants.
type teller struct {
	batches chan watch.Batch
	idle    chan bool // gets a value whenever the follower waits
}

func (w *teller) Add(string)    {}
func (w *teller) Remove(string) {}
func (w *teller) Anchor(string) {}

func (w *teller) Next(ctx context.Context) (watch.Batch, error) {
	w.idle <- true
	select {
	case b := <-w.batches:
		return b, nil
	case <-ctx.Done():
		return watch.Batch{}, ctx.Err()
	}
}

// disk is a folder with sessions and a database of its own.
type disk struct {
	t     *testing.T
	dir   string
	db    *store.Store
	stamp int64
}

func newDisk(t *testing.T) *disk {
	return &disk{t: t, dir: t.TempDir(), db: openStore(t), stamp: 1_700_000_000}
}

// emptyDatabase is a database without any rows. Making one takes a second with
// the race detector.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "winnow-empty")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "w.db")
	db, err := store.Open(context.Background(), path, store.Options{Clock: time.Now})
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func openStore(t *testing.T) *store.Store {
	t.Helper()
	data, err := emptyDatabase()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), path, store.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (d *disk) path(name string) string { return filepath.Join(d.dir, name) }

// do carries out one step: "NAME = TEXT" writes, "NAME + TEXT" appends, "NAME
// > NAME" renames, "NAME -" removes. It returns the names.
func (d *disk) do(step string) []string {
	d.t.Helper()
	words := strings.SplitN(step, " ", 3)
	name, op := words[0], words[1]
	path := d.path(name)
	var err error
	names := []string{name}
	switch op {
	case "-":
		err = os.RemoveAll(path)
	case ">":
		names = append(names, words[2])
		err = os.Rename(path, d.path(words[2]))
	default:
		flags := os.O_CREATE | os.O_WRONLY
		if op == "=" {
			flags |= os.O_TRUNC
		} else {
			flags |= os.O_APPEND
		}
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			break
		}
		f, openErr := os.OpenFile(path, flags, 0o644)
		if openErr != nil {
			d.t.Fatal(openErr)
		}
		if len(words) == 3 {
			fmt.Fprint(f, d.text(words[2]))
		}
		f.Close()
		// The clock of a file system is coarse; a changed file must look changed.
		d.stamp++
		err = os.Chtimes(path, time.Unix(d.stamp, 0), time.Unix(d.stamp, 0))
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return names
}

// text is a talk, "TOPIC N", or what stands after a quote.
func (d *disk) text(words string) string {
	if raw, ok := strings.CutPrefix(words, "'"); ok {
		return strings.ReplaceAll(raw, `\n`, "\n")
	}
	var topic string
	var n int
	if _, err := fmt.Sscan(words, &topic, &n); err != nil {
		d.t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`{"role":"system","content":"You are a helpful assistant."}` + "\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "{\"role\":%q,\"content\":%q}\n", [...]string{"user", "assistant"}[i%2], topic+strings.Repeat(" and on", i+1))
	}
	return b.String()
}

// told returns the batch that a system would tell of names.
func (d *disk) told(names []string) watch.Batch {
	paths := map[string]bool{}
	for _, name := range names {
		for ; name != "."; name = filepath.Dir(name) {
			paths[d.path(name)] = true
		}
	}
	var b watch.Batch
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		b.Changes = append(b.Changes, watch.Change{Path: path, Replaced: true})
	}
	return b
}

// sessions returns the texts of all sessions by name, and how they were judged.
func (d *disk) sessions(db *store.Store) (held map[string]string, judged map[string]review.Verdict) {
	d.t.Helper()
	held, judged = map[string]string{}, map[string]review.Verdict{}
	list, err := db.Sessions(d.t.Context(), "", 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, s := range list {
		messages, err := db.Messages(d.t.Context(), s.Body, 1, s.Messages)
		if err != nil {
			d.t.Fatal(err)
		}
		name, _ := filepath.Rel(d.dir, s.File)
		held[name] = fmt.Sprintln(s.Messages)
		for i := range messages {
			held[name] += fmt.Sprintln(messages[i].Role, messages[i].Content)
		}
		segments, err := db.SegmentsOf(d.t.Context(), s.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		if judged[name] = segments[0].Verdict; segments[0].Stale {
			judged[name] = "stale"
		}
	}
	return held, judged
}

// TestFollowedFilesEndAsOneImport: in the real database, whatever happens to
// them. The file "log" is there before, approved; kept is where its session is
// in the end, "" if what it held is gone.
func TestFollowedFilesEndAsOneImport(t *testing.T) {
	for i, life := range []struct {
		name, steps, kept string
	}{
		{"two halves", `log + '{"role":"user","con;log + 'tent":"more"}\n`, "log"},
		{"truncated and begun anew", "log =;log = anew 2;log = anew 5", ""},
		{"begun anew and longer", "log = anew 12", ""},
		{"rotated by renaming", "log > log.1;log = anew 3;log = anew 4", "log.1"},
		{"rotated twice", "log > log.1;log = second 7;log.1 > log.2;log > log.1;log = third 4", "log.2"},
		{"copied and truncated", "log.1 = log 6;log =;log = anew 3", "log.1"},
		{"copied in pieces and truncated", "log.1 = log 4;log.1 = log 6;log =;log = anew 3", "log.1"},
		{"copied, and another then", "copy = bystander 3;bystander = anew 5", "log"},
		{"saved by an editor", ".log.tmp = log 7;.log.tmp > log", "log"},
		{"a new folder", "sub/deep/x = x 3;sub/deep/x = x 4;sub/y = y 2", "log"},
		{"a folder made again", "sub/deep/x = x 3;sub -;sub/deep/x = x 5;sub/deep/z = z 2", "log"},
		{"a folder renamed", "sub/deep/x = x 3;sub > other;other/deep/x = x 5;sub/y = y 2", "log"},
		{"moved into a folder", "sub/x = x 3;log > sub/log;sub/log = log 9", "sub/log"},
		{"gone and back", "log -;log = log 8", "log"},
	} {
		for j, way := range []string{"each", "once"} {
			if slower > 1 && i%2 != j {
				continue
			}
			t.Run(life.name+", "+way, func(t *testing.T) {
				d := newDisk(t)
				d.do("log = log 6")
				d.do("bystander = bystander 3")
				total := d.live(strings.Split(life.steps, ";"), way)
				fresh := openStore(t)
				want, err := (&hub.Importer{Store: fresh, Clock: time.Now, Agent: "default"}).Import(t.Context(), []string{d.dir}, nil)
				if err != nil || total.Sources != want.Sources || total.Messages != want.Messages || total.Lines != want.Lines {
					t.Errorf("followed %+v, want %+v, %v", total, want, err)
				}
				held, judged := d.sessions(d.db)
				wanted, _ := d.sessions(fresh)
				for name, text := range wanted {
					if held[name] != text {
						t.Errorf("%s holds %q, want %q", name, held[name], text)
					}
				}
				for name := range held {
					if _, err := os.Stat(d.path(name)); err == nil && wanted[name] == "" {
						t.Errorf("%s is no session in one import", name)
					}
				}
				if life.kept != "" && judged[life.kept] != review.Approved {
					t.Errorf("the verdict is lost: %v", judged)
				}
				if problems, err := d.db.Check(t.Context()); err != nil || len(problems) > 0 {
					t.Errorf("%v, %v", problems, err)
				}
			})
		}
	}
}

// live follows the folder while the steps are done; "log" is approved before.
func (d *disk) live(steps []string, way string) hub.Report {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	w := &teller{make(chan watch.Batch), make(chan bool)}
	ended := make(chan hub.Report, 1)
	go func() {
		im := &hub.Importer{Store: d.db, Clock: time.Now, Agent: "default", Jobs: 2}
		r, err := im.Follow(ctx, []string{d.dir}, hub.Following{Watcher: w, Round: func(hub.Report) error { return nil }})
		if err != nil {
			d.t.Error(err)
		}
		close(w.idle)
		ended <- r
	}()
	<-w.idle
	d.approve("log")
	var all []string
	for _, step := range steps {
		names := d.do(step)
		all = append(all, names...)
		if way == "each" {
			w.batches <- d.told(names)
			<-w.idle
		}
	}
	if way == "once" {
		w.batches <- d.told(all)
		<-w.idle
	}
	cancel()
	for range w.idle {
	}
	return <-ended
}

// approve approves the first segment of a session.
func (d *disk) approve(name string) {
	d.t.Helper()
	list, err := d.db.Sessions(d.t.Context(), "", 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, s := range list {
		if s.File != d.path(name) {
			continue
		}
		segments, err := d.db.SegmentsOf(d.t.Context(), s.ID)
		if err == nil {
			_, err = d.db.Judge(d.t.Context(), review.Judgement{Curator: "ann", IDs: []string{segments[0].ID}, Verdict: review.Approved})
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
}
