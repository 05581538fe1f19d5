package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Goals of the server.
const (
	servedGoal = 1.3 // times an import of the same file
	postsGoal  = 500 // small posts a second
	pageOfRows = 50  // ms for the first page of a list
)

// hub is a running "winnow serve".
type hub struct {
	url          string
	ingest, read string
	stop         func() (usage, error)
}

// serve starts a server on a database.
func (b *bench) serve(db string) (*hub, error) {
	h := &hub{}
	for name, token := range map[string]*string{"ingest": &h.ingest, "read": &h.read} {
		_, out, err := b.winnow(db, "serve", "--print-token", name)
		if err != nil {
			return nil, err
		}
		*token = strings.TrimSpace(string(out))
	}
	cmd := exec.Command(b.program("winnow"), "--db", b.path(db), "serve", "--listen", "127.0.0.1:0", "--json")
	home := b.path("home")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var first struct{ Listening string }
	lines := json.NewDecoder(out)
	err = lines.Decode(&first)
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), out))
	}()
	h.url = first.Listening
	h.stop = func() (usage, error) {
		err := cmd.Process.Signal(os.Interrupt)
		<-read
		err = errors.Join(err, cmd.Wait())
		return usage{peak: peakMemory(cmd.ProcessState)}, err
	}
	if err != nil {
		_, _ = h.stop()
	}
	return h, err
}

// ask makes a request and reads its answer.
func (h *hub) ask(method, path, token string, body io.Reader) ([]byte, error) {
	r, err := http.NewRequest(method, h.url+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %.300s", method, path, res.Status, text)
	}
	return text, err
}

// serving measures a large session that comes over HTTP, and many small ones.
func (b *bench) serving() error {
	defer b.remove("served.jsonl", "file.db", "served.db", "served.inbox", "served.serve.token")
	size := min(b.size, 100e6)
	messages, err := b.generate("served.jsonl", "--giant-file", fmt.Sprint(size))
	if err != nil {
		return err
	}
	best, posted := time.Duration(0), time.Duration(0)
	var peak int64
	for i := range 3 { // in turns: what else the machine does concerns both
		b.remove("file.db", "served.db", "served.inbox")
		u, r, err := b.imports("file.db", "served.jsonl")
		if err == nil {
			err = r.holds(messages)
		}
		if err != nil {
			return err
		}
		took, server, err := b.post("served.db", "served.jsonl", messages)
		if err != nil {
			return err
		}
		if peak = max(peak, server.peak); i == 0 {
			best, posted = u.wall, took
		}
		best, posted = min(best, u.wall), min(posted, took)
	}
	b.atMost(fmt.Sprintf("serve, one session of %.0f MB / its import", float64(size)/1e6), servedGoal, posted.Seconds()/best.Seconds(), "×")
	b.row("  posted and imported", "–", fmt.Sprintf("%.4g MB/s", perSecond(size, posted)), "")
	b.atMost("  peak memory", peakGoal, float64(peak)/1e6, "MB")
	b.remove("served.db", "served.inbox")
	return b.posts("served.db")
}

// post sends a file to a server, and waits until it is imported.
func (b *bench) post(db, name string, messages int64) (took time.Duration, server usage, err error) {
	h, err := b.serve(db)
	if err != nil {
		return 0, server, err
	}
	f, err := os.Open(b.path(name))
	if err != nil {
		return 0, server, err
	}
	defer f.Close()
	began := time.Now()
	text, err := h.ask("POST", "/ingest?agent_id=bench&session=s&wait=300", h.ingest, f)
	took = time.Since(began)
	var a struct {
		Results []struct{ Messages struct{ New int64 } }
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err == nil && (len(a.Results) != 1 || a.Results[0].Messages.New != messages) {
		err = fmt.Errorf("%d messages were sent: %s", messages, text)
	}
	server, stopped := h.stop()
	return took, server, errors.Join(err, stopped)
}

// posts measures small sessions that clients do not wait for.
func (b *bench) posts(db string) (err error) {
	h, err := b.serve(db)
	if err != nil {
		return err
	}
	defer func() {
		_, stopped := h.stop()
		err = errors.Join(err, stopped)
	}()
	const clients, all = 8, 4000
	line := fmt.Sprintf("{\"role\":\"user\",\"content\":\"%s\"}\n", strings.Repeat("words ", 330))
	var sent atomic.Int64
	var group sync.WaitGroup
	failed := make(chan error, clients)
	began := time.Now()
	for range clients {
		group.Go(func() {
			for n := sent.Add(1); n <= all; n = sent.Add(1) {
				if _, err := h.ask("POST", fmt.Sprintf("/ingest?agent_id=bench&session=%d&wait=0", n), h.ingest, strings.NewReader(fmt.Sprintf("{\"role\":\"user\",\"content\":\"question %d\"}\n", n)+line)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	for idle := false; !idle && len(failed) == 0; time.Sleep(20 * time.Millisecond) {
		if idle, err = h.idle(); err != nil {
			return err
		}
	}
	select {
	case err := <-failed:
		return err
	default:
	}
	b.atLeast("serve, posts of 2 KB with wait=0", postsGoal, all/took.Seconds(), "a second")
	b.row("  all of them imported", "–", fmt.Sprintf("%.4g a second", all/time.Since(began).Seconds()), "")
	return b.readsMeanwhile(h)
}

// idle reports whether all that came is imported.
func (h *hub) idle() (bool, error) {
	text, err := h.ask("GET", "/healthz", "", nil)
	return bytes.Contains(text, []byte(`"queue_bytes":0`)), err
}

// readsMeanwhile measures pages that are read while a large session is imported.
func (b *bench) readsMeanwhile(h *hub) error {
	f, err := os.Open(b.path("served.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := h.ask("POST", "/ingest?agent_id=bench&session=large&wait=0", h.ingest, f); err != nil {
		return err
	}
	var took []time.Duration
	for idle := false; !idle; {
		began := time.Now()
		if _, err := h.ask("GET", "/segments?limit=50&sort=-tokens", h.read, nil); err != nil {
			return err
		}
		took = append(took, time.Since(began))
		if idle, err = h.idle(); err != nil {
			return err
		}
	}
	slices.Sort(took)
	b.atMost("serve, 50 segments while it imports", pageOfRows, milliseconds(took[len(took)/2]), "ms")
	b.row("  99 of 100", "–", fmt.Sprintf("%.4g ms", milliseconds(took[len(took)*99/100])), fmt.Sprintf("of %d", len(took)))
	return nil
}

// servedPages measures the first pages of lists over HTTP, in the large database.
func (b *bench) servedPages() (err error) {
	h, err := b.serve(b.libraryFile("db"))
	if err != nil {
		return err
	}
	defer func() {
		u, stopped := h.stop()
		b.row("  peak memory", "–", fmt.Sprintf("%.4g MB", float64(u.peak)/1e6), "")
		err = errors.Join(err, stopped)
	}()
	for _, q := range []struct{ what, path string }{
		{"50 segments", "/segments?limit=50"},
		{"500 segments", "/segments"},
		{"500 segments, best score", "/segments?sort=-score"},
		{"500 segments, status:pending -has:error", "/segments?filter=" + url.QueryEscape("status:pending -has:error")},
		{"500 sessions", "/sessions"},
	} {
		var took []time.Duration
		for range 20 {
			began := time.Now()
			text, err := h.ask("GET", q.path, h.read, nil)
			if err != nil {
				return err
			}
			if took = append(took, time.Since(began)); len(text) == 0 {
				return fmt.Errorf("%s: nothing", q.path)
			}
		}
		slices.Sort(took)
		b.atMost("serve, "+q.what, pageOfRows, milliseconds(took[len(took)/2]), "ms")
	}
	return nil
}
