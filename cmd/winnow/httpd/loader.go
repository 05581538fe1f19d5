package httpd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/core/ledger"
	"winnow/core/session"
)

// loader has the importer read what came, one wave after the other.
type loader struct {
	s    *Server
	wake chan struct{}

	mu     sync.Mutex // guards what follows
	queue  []*item    // in the order in which they came
	byPath map[string]*item
	bytes  int64             // that wait, or are being imported
	failed map[string]string // why files could not be imported when they were last tried, by path
	last   time.Time         // when a file was last imported
	once   bool              // nobody tries again in this program
}

// item is a file to be read, for all uploads that went into it.
type item struct {
	inbox.File
	tickets []*ticket
	bytes   int64
	alone   bool      // what the import does is to be told apart from others
	tries   int       // that failed
	after   time.Time // when it may be tried
	taken   bool      // out of the queue, and not done
}

// ticket is an upload whose import is waited for.
type ticket struct {
	inbox.Arrival // what became of it, once it is done
	done          chan struct{}
}

func newLoader(s *Server) *loader {
	return &loader{s: s, wake: make(chan struct{}, 1), byPath: map[string]*item{}, failed: map[string]string{}}
}

// waiting is how many bytes wait to be imported.
func (l *loader) waiting() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// add has a file read after an upload.
func (l *loader) add(p inbox.Put, a inbox.Arrival) *ticket {
	t := &ticket{a, make(chan struct{})}
	l.put(p.File, p.Added, p.Outcome == inbox.Rewritten, t)
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return t
}

func (l *loader) put(f inbox.File, bytes int64, alone bool, tickets ...*ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	it := l.byPath[f.Path]
	if it == nil {
		it = &item{}
		l.byPath[f.Path] = it
		l.queue = append(l.queue, it)
	}
	it.File = f
	it.tickets = append(it.tickets, tickets...)
	it.bytes += bytes
	it.alone = it.alone || alone
	l.bytes += bytes
}

// waveFiles is how many files are read together at most.
const waveFiles = 256

// wave takes files of one agent out of the queue that can be read together. If there are
// none yet, it says how long to wait, 0 for a new one.
func (l *loader) wave(now time.Time) (wave []*item, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rest []*item
	for _, it := range l.queue {
		if later := it.after.Sub(now); later > 0 {
			if rest = append(rest, it); wait == 0 || later < wait {
				wait = later
			}
			continue
		}
		if len(wave) == 0 || !wave[0].alone && !it.alone && len(wave) < waveFiles && it.Agent == wave[0].Agent && it.Hints == wave[0].Hints {
			wave = append(wave, it)
			it.taken = true
			delete(l.byPath, it.Path)
		} else {
			rest = append(rest, it)
		}
	}
	l.queue = rest
	return wave, wait
}

// again puts those of a wave back that are not done. They are tried one by one, so that
// one that cannot be imported does not keep others waiting.
func (l *loader) again(wave []*item, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := why.Error()
	told := slices.Contains(slices.Collect(maps.Values(l.failed)), text)
	for _, it := range wave {
		if !it.taken {
			continue
		}
		if !told {
			told = true
			l.warn(text)
		}
		l.failed[it.Path] = text
		if len(wave) == 1 {
			it.after = time.Now().Add(min(firstPause<<min(it.tries, 10), lastPause))
			it.tries++
		}
		it.alone, it.taken = true, false
		if later := l.byPath[it.Path]; later != nil { // more came meanwhile
			it.tickets = append(it.tickets, later.tickets...)
			it.bytes += later.bytes
			it.File = later.File
			*later = *it
			continue
		}
		l.byPath[it.Path] = it
		l.queue = append(l.queue, it)
	}
}

// warn tells why an import failed.
func (l *loader) warn(why string) {
	then := "tried again until it succeeds"
	if l.once {
		then = "it stays in the inbox, and the next run or server tries again"
	}
	l.s.Warn("import: %s: %s", why, then)
}

// The pauses between tries of a file that cannot be imported.
const firstPause, lastPause = time.Second, time.Minute

// run imports until ctx ends.
func (l *loader) run(ctx context.Context) {
	for ctx.Err() == nil {
		wave, wait := l.wave(time.Now())
		if len(wave) > 0 {
			l.try(ctx, wave)
			continue
		}
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-l.wake:
		case <-later:
		case <-ctx.Done():
		}
	}
}

// try imports a wave, or puts back what of it fails.
func (l *loader) try(ctx context.Context, wave []*item) {
	if err := l.load(ctx, wave); err != nil && ctx.Err() == nil {
		l.again(wave, err)
	}
}

// left queues what an earlier server took and did not import.
func (l *loader) left(ctx context.Context) error {
	files, err := l.s.Box.Files()
	if err != nil {
		return err
	}
	open, err := l.unfinished(ctx)
	if err != nil {
		return err
	}
	known := map[string]map[string]*hub.Source{}
	for _, f := range files {
		if known[f.Agent] == nil {
			if known[f.Agent], err = l.s.Store.Sources(ctx, f.Agent); err != nil {
				return err
			}
		}
		info, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		src := known[f.Agent][f.Path]
		tickets := open[f.Path]
		if src != nil && src.Size == info.Size() && src.ModTime == info.ModTime().UnixNano() && len(tickets) == 0 {
			continue
		}
		alone := slices.ContainsFunc(tickets, func(t *ticket) bool { return t.Was == inbox.Rewritten })
		bytes := info.Size()
		if src != nil {
			bytes = max(0, bytes-src.Size)
		}
		l.put(f, bytes, alone, tickets...)
		delete(open, f.Path)
	}
	for _, tickets := range open {
		if err := l.finish(ctx, &item{tickets: tickets}, &came{}); err != nil {
			return err
		}
	}
	return nil
}

// unfinished returns the uploads that an earlier server took into this inbox and did not
// import, by the paths of their files.
func (l *loader) unfinished(ctx context.Context) (map[string][]*ticket, error) {
	list, err := l.s.Store.OpenIngests(ctx)
	if err != nil {
		return nil, err
	}
	open := map[string][]*ticket{}
	for _, a := range list {
		if a.Inbox != "" && a.Inbox != l.s.Box.Dir() {
			continue // whoever has that one imports it
		}
		path := l.s.Box.Path(a.Agent, a.Session)
		open[path] = append(open[path], &ticket{a, make(chan struct{})})
	}
	return open, nil
}

// load imports a wave and says what came of each upload in it.
func (l *loader) load(ctx context.Context, wave []*item) error {
	im := l.s.Importer(wave[0].Agent, wave[0].Hints)
	paths := make([]string, len(wave))
	for i, it := range wave {
		paths[i] = it.Path
	}
	before, err := l.s.Store.FindSources(ctx, im.Agent, paths, nil)
	if err != nil {
		return err
	}
	if len(wave) > 1 {
		for _, it := range wave {
			if src := before[it.Path]; src != nil && src.Sessions > 1 {
				for _, it := range wave {
					l.try(ctx, []*item{it})
				}
				return nil
			}
		}
	}
	report, err := im.ImportNamed(ctx, paths, l.s.Box.Dir()+string(os.PathSeparator))
	if err != nil {
		return err
	}
	after, err := l.s.Store.FindSources(ctx, im.Agent, paths, nil)
	if err != nil {
		return err
	}
	refused := map[string]error{}
	for _, r := range report.Refused {
		refused[r.Path] = r.Err
	}
	for _, it := range wave {
		if err := refused[it.Path]; err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.again([]*item{it}, fmt.Errorf("%s: %w", it.Path, err))
			continue
		}
		c := came{before[it.Path], after[it.Path], nil}
		if len(wave) == 1 {
			c.report = &report
		}
		if err := l.finish(ctx, it, &c); err != nil {
			return err
		}
	}
	return nil
}

// came is what an import came to for one file.
type came struct {
	before, after *hub.Source // nil: not known
	report        *hub.Report // of an import of this file only, else nil
}

// problems is how many lines that are not read a receipt names.
const problems = 20

// finish says what came of the uploads of a file.
func (l *loader) finish(ctx context.Context, it *item, c *came) error {
	var f *inbox.Figures
	if c.after != nil {
		f = c.figures()
		page, err := l.s.Store.LedgerIssues(ctx, ledger.IssueQuery{Source: c.after.ID, Limit: problems, Bad: f.Messages.Total > 0})
		if err != nil {
			return err
		}
		for i := range page.Issues {
			f.Problems = append(f.Problems, page.Issues[i].Issue)
		}
		f.Sum()
		l.s.counts.imported(f, c.lines())
	}
	l.mu.Lock()
	l.bytes -= it.bytes
	tickets := it.tickets
	it.taken = false // should the rest of the wave fail, this one is done
	delete(l.failed, it.Path)
	if c.after != nil {
		l.last = time.Now()
	}
	l.mu.Unlock()
	for _, t := range tickets {
		t.Outcome, t.Figures, t.Status, t.Took = t.Was, f, http.StatusOK, time.Since(t.At)
		if c.after != nil {
			t.Source = c.after.ID
		}
		if f == nil {
			t.Success, t.Code, t.Error = false, "gone", "somebody removed it from the inbox before it was imported: send it again"
			t.Status = http.StatusInternalServerError
		}
		l.s.receipts.put(t.Arrival)
		close(t.done)
		if l.s.Told != nil {
			l.s.Told(t.Receipt)
		}
	}
	return nil
}

// figures counts what an import brought. What several files brought together is told
// apart by what each gave before.
func (c *came) figures() *inbox.Figures {
	f := &inbox.Figures{Lines: c.after.Counts()}
	f.Messages.Total = int(c.after.State.Messages)
	f.Problems = []session.Issue{}
	if r := c.report; r != nil {
		f.Sessions = inbox.SessionFigures{New: r.New, Updated: r.Updated, Copies: r.Copies}
		f.Messages.New = r.NewMessages
		return f
	}
	was := c.before
	if was == nil {
		was = &hub.Source{}
	}
	f.Sessions.New = max(0, c.after.Sessions-was.Sessions)
	f.Sessions.Copies = max(0, c.after.Copies-was.Copies)
	if grew := c.after.State.Messages - was.State.Messages; grew > 0 && c.after.Sessions > 0 {
		f.Messages.New = int(grew)
		f.Sessions.Updated = min(1, was.Sessions)
	}
	return f
}

// lines counts those that are new, all if the file was written anew.
func (c *came) lines() session.Counts {
	is := c.after.State.Counts
	if c.before == nil {
		return is
	}
	was := c.before.State.Counts
	more := session.Counts{Read: is.Read - was.Read, Skipped: is.Skipped - was.Skipped, Bad: is.Bad - was.Bad}
	if more.Read < 0 || more.Skipped < 0 || more.Bad < 0 {
		return is
	}
	return more
}
