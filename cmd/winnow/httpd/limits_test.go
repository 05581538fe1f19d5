package httpd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/inbox"
)

// TestBusy checks what is said when there is too much to do, or no room.
func TestBusy(t *testing.T) {
	free := int64(1 << 40)
	p := start(t, t.TempDir(), Limits{Uploads: 1, Waiting: 1, Queue: 100, Disk: 1000}, true, func(o *Options) { o.Free = func() (int64, error) { return free, nil } })
	text := `{"role":"user","content":"` + strings.Repeat("x", 100) + `"}` + "\n"
	p.s.open <- struct{}{}
	p.s.open <- struct{}{}
	status, header, a := p.do("POST", "/ingest?agent_id=a", strings.NewReader(text))
	if status != 503 || a.Code != "busy" || header.Get("Retry-After") != "1" {
		t.Errorf("%d %+v %v", status, a, header)
	}
	<-p.s.open
	<-p.s.open
	free = 999
	if status, _, a = p.do("POST", "/ingest?agent_id=a", strings.NewReader(text)); status != 507 || a.Error != "no room: nothing was stored" {
		t.Errorf("%d %+v", status, a)
	}
	if status, _, _ := p.do("GET", "/healthz", nil); status != 503 {
		t.Errorf("health without room: %d", status)
	}
	free = 1 << 40
	if status, a := p.post("agent_id=a&wait=0", strings.NewReader(text)); status != 202 {
		t.Fatalf("%d %+v", status, a)
	}
	status, header, a = p.do("POST", "/ingest?agent_id=a", strings.NewReader(text))
	if status != 503 || a.Error != "100 bytes wait to be imported: try again later" || header.Get("Retry-After") != "5" {
		t.Errorf("%d %+v %v", status, a, header)
	}
	if len(p.stored()) != 1 {
		t.Errorf("%d files", len(p.stored()))
	}
}

// dial opens a connection and writes the head of a request with a body of so many bytes.
func (p *place) dial(query string, length int, header ...string) (net.Conn, *bufio.Reader) {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "POST /ingest?%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n", query, ingestToken, length, strings.Join(header, ""))
	return conn, bufio.NewReader(conn)
}

// TestSlowClients checks that bodies of which nothing comes end, and that others are not
// kept waiting by them meanwhile.
func TestSlowClients(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Uploads: 1, Waiting: 8, Idle: 700 * time.Millisecond}, false, nil)
	text := string(sample(t))
	var slow []*bufio.Reader
	for range 4 {
		conn, r := p.dial("agent_id=slow", 1000)
		io.WriteString(conn, "{")
		slow = append(slow, r)
	}
	began := time.Now()
	if status, a := p.post("agent_id=a&wait=0", strings.NewReader(text)); status != 202 {
		t.Errorf("%d %+v", status, a)
	}
	if took := time.Since(began); took > 600*time.Millisecond {
		t.Errorf("another client waited %v", took)
	}
	for _, r := range slow {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if res.StatusCode != 408 || !strings.Contains(string(body), `"code":"idle","error":"nothing came for 0.7 s: nothing was stored"`) || err != nil {
			t.Errorf("%d %s %v", res.StatusCode, body, err)
		}
	}
	for name := range p.stored() {
		if strings.HasPrefix(name, "slow/") {
			t.Errorf("stored %s", name)
		}
	}
}

// TestRefusedBodiesAreNotWaitedFor checks that a connection ends on which nothing comes
// of a body that was refused.
func TestRefusedBodiesAreNotWaitedFor(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Answer: 2 * time.Second}, false, nil)
	began := time.Now()
	conn, r := p.dial("", 1000)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 400 {
		t.Fatalf("%v, %v", res, err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("the answer took %v", took)
	}
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.Copy(io.Discard, r); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays")
	}
}

// TestCutShort checks a body that ends before all of it came.
func TestCutShort(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	conn, r := p.dial("agent_id=a", 48211)
	io.WriteString(conn, `{"role":"user","content":"x"}`+"\n")
	conn.(*net.TCPConn).CloseWrite()
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != 400 || !strings.Contains(string(body), "the body ended early (30 of 48,211 bytes): nothing was stored, send it again") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if len(p.stored()) > 0 {
		t.Error("something was stored")
	}
}

// TestExpect checks that who asks first is told whether to send: no byte of a body that
// is refused has to be sent.
func TestExpect(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Body: 1000}, false, nil)
	const ask = "Expect: 100-continue\r\n"
	for query, want := range map[string]int{"": 400, "agent_id=a&x=1": 400, "agent_id=a": 413} {
		_, r := p.dial(query, 5000, ask)
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != want {
			t.Errorf("%q: %v, %v", query, res, err)
		}
	}
	text := `{"role":"user","content":"x"}` + "\n"
	conn, r := p.dial("agent_id=a", len(text), ask)
	line, err := r.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatalf("%q, %v", line, err)
	}
	r.ReadString('\n')
	io.WriteString(conn, text)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 200 {
		t.Errorf("%v, %v", res, err)
	}
}

// TestConformance checks bodies in chunks, HEAD, heads that are too large, and
// connections that are used again.
func TestConformance(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	text := sample(t)
	if status, a := p.post("agent_id=a&session=s", io.MultiReader(bytes.NewReader(text[:100]), bytes.NewReader(text[100:]))); status != 200 || p.stored()["a/s.jsonl"] != string(text) {
		t.Errorf("in chunks: %d %+v", status, a)
	}
	for _, path := range []string{"/healthz", "/metrics"} {
		if status, h, _ := p.do("HEAD", path, nil, "Authorization", "Bearer "+readToken); status != 200 || h.Get("Content-Length") == "" {
			t.Errorf("HEAD %s: %d %v", path, status, h)
		}
	}
	if status, _, _ := p.do("GET", "/healthz", nil, "Authorization", ""); status != 200 {
		t.Errorf("health without a token: %d", status)
	}
	if status, h, _ := p.do("GET", "/metrics", nil, "Authorization", "bearer "+readToken); status != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		t.Errorf("metrics: %d %v", status, h)
	}
	if status, _, _ := p.do("GET", "/healthz", nil, "X-Long", strings.Repeat("x", 70<<10)); status != 431 {
		t.Errorf("a large head: %d", status)
	}
	conn, r := p.dial("agent_id=a&session=s", len(text))
	for range 3 {
		conn.Write(text)
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("%v, %v", res, err)
		}
		io.Copy(io.Discard, res.Body)
		fmt.Fprintf(conn, "POST /ingest?agent_id=a&session=s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", ingestToken, len(text))
	}
}

// TestHundredClients has many send at once: whoever is told to come back later is taken
// then, and nothing is lost.
func TestHundredClients(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			text := fmt.Sprintf("{\"role\":\"user\",\"content\":\"question %d\"}\n", i)
			for {
				status, h, a := p.do("POST", fmt.Sprintf("/ingest?agent_id=a&session=%d&wait=60", i), strings.NewReader(text))
				if status == 503 && h.Get("Retry-After") != "" {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				if status != 200 || a.Results[0].Messages.Total != 1 || a.Results[0].Sessions.New != 1 {
					t.Errorf("%d: %d %+v", i, status, a)
				}
				return
			}
		})
	}
	all.Wait()
	if sources, err := p.store.Sources(t.Context(), "a"); err != nil || len(sources) != 100 {
		t.Errorf("%d sources, %v", len(sources), err)
	}
	if n := p.s.loader.waiting(); n != 0 {
		t.Errorf("%d bytes wait", n)
	}
	p.sound()
}

// TestBomb sends 4 GiB in 4 MB: it is refused, and the disk is as it was.
func TestBomb(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Body: bombLimit}, false, nil)
	member := zipped(t, make([]byte, 64<<20))
	var bomb []io.Reader
	for range 64 {
		bomb = append(bomb, bytes.NewReader(member))
	}
	status, a := p.post("agent_id=a", io.MultiReader(bomb...), "Content-Encoding", "gzip")
	if status != 413 || a.Code != "too_large" || len(p.stored()) > 0 {
		t.Errorf("%d %+v", status, a)
	}
}

// TestFailedImportsAreTriedAgain checks that what is stored is imported although the
// database could not be written, and that this shows meanwhile.
func TestFailedImportsAreTriedAgain(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, true, nil)
	status, a := p.post("agent_id=a&session=s&wait=0", bytes.NewReader(sample(t)))
	if status != 202 {
		t.Fatalf("%d %+v", status, a)
	}
	l := p.s.loader
	wave, _ := l.wave(time.Now())
	l.again(wave, errors.New("disk full"))
	l.again(nil, errors.New("disk full"))
	if n := strings.Count(p.log.String(), "disk full"); n != 1 {
		t.Errorf("told %d times", n)
	}
	if wave, wait := l.wave(time.Now()); len(wave) > 0 || wait <= 0 || wait > firstPause {
		t.Errorf("%d files at once, else in %v", len(wave), wait)
	}
	if status, _, _ := p.do("GET", "/healthz", nil); status != 503 {
		t.Errorf("health: %d", status)
	}
	if status, a = p.post("agent_id=a&session=s&wait=0", bytes.NewReader(sample(t))); status != 202 || len(l.queue) != 1 || len(l.queue[0].tickets) != 2 {
		t.Fatalf("%d %+v, %d files wait", status, a, len(l.queue))
	}
	wave, _ = l.wave(time.Now().Add(firstPause))
	if err := l.load(t.Context(), wave); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := p.do("GET", "/healthz", nil); status != 200 || l.waiting() != 0 {
		t.Errorf("health: %d, %d bytes wait", status, l.waiting())
	}
	if status, _, a = p.do("GET", "/ingest/"+a.Results[0].ID, nil); status != 200 || a.Results[0].Outcome != "unchanged" {
		t.Errorf("%d %+v", status, a)
	}
}

// stubborn is a database that does not take what one agent sends.
type stubborn struct{ hub.ImportStore }

func (stubborn) WriteSome(context.Context, []hub.ImportWrite) (int, []hub.Change, error) {
	return 0, nil, errors.New("it does not fit")
}

// TestOneThatFailsKeepsNobodyWaiting has one of many files fail whenever it is imported.
func TestOneThatFailsKeepsNobodyWaiting(t *testing.T) {
	var mu sync.Mutex
	bad := true
	p := start(t, t.TempDir(), Limits{}, false, func(o *Options) {
		importer := o.Importer
		o.Importer = func(agent string, h inbox.Hints) *hub.Importer {
			mu.Lock()
			defer mu.Unlock()
			im := importer(agent, h)
			if bad && agent == "bad" {
				im.Store = stubborn{im.Store}
			}
			return im
		}
	})
	text := sample(t)
	_, first := p.post("agent_id=bad&session=s&wait=0", bytes.NewReader(text))
	for i := range 5 {
		if status, a := p.post(fmt.Sprintf("agent_id=a&session=%d", i), bytes.NewReader(text[:2000+i])); status != 200 {
			t.Errorf("%d %+v", status, a)
		}
	}
	mu.Lock()
	bad = false
	mu.Unlock()
	status, a := 0, answered{}
	for end := time.Now().Add(20 * time.Second); status != 200 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		status, _, a = p.do("GET", "/ingest/"+first.Results[0].ID, nil)
	}
	if status != 200 || !a.Success || a.Results[0].Messages.Total != 32 {
		t.Errorf("%d %+v", status, a)
	}
	p.stop()
	if log := p.log.String(); strings.Count(log, "it does not fit") == 0 {
		t.Errorf("the log: %s", log)
	}
}

// TestRemovedFromTheInbox checks what is said of a file that somebody removed.
func TestRemovedFromTheInbox(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, true, nil)
	_, a := p.post("agent_id=a&session=s&wait=0", bytes.NewReader(sample(t)))
	wave, _ := p.s.loader.wave(time.Now())
	if len(wave) != 1 || os.Remove(wave[0].Path) != nil {
		t.Fatalf("%d files", len(wave))
	}
	if err := p.s.loader.load(t.Context(), wave); err != nil {
		t.Fatal(err)
	}
	status, _, a := p.do("GET", "/ingest/"+a.Results[0].ID, nil)
	if status != 200 || a.Success || a.Code != "gone" || p.s.loader.waiting() != 0 {
		t.Errorf("%d %+v, %d bytes wait", status, a, p.s.loader.waiting())
	}
	if status, _, _ := p.do("GET", "/healthz", nil); status != 200 {
		t.Errorf("health: %d", status)
	}
}

// TestAnswersReachWhoStillSends checks that a client that sends all of a body before it
// looks at the answer sees why it was refused.
func TestAnswersReachWhoStillSends(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Body: 1 << 20}, false, nil)
	for range 5 {
		conn, r := p.dial("agent_id=a", 16<<20, "Content-Encoding: gzip\r\n")
		if _, err := conn.Write(make([]byte, 16<<20)); err != nil {
			t.Fatal(err)
		}
		if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 400 {
			t.Errorf("%v, %v", res, err)
		}
	}
}
