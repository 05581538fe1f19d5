package httpd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/store"
)

const ingestToken, readToken = "an-ingest-token-of-length", "a-read-token-of-length"

// place is a server under test.
type place struct {
	t     testing.TB
	dir   string
	store *store.Store
	s     *Server
	url   string
	log   *bytes.Buffer
	stop  func()
}

// start starts a server in a folder; idle says that it imports nothing.
func start(t testing.TB, dir string, l Limits, idle bool, change func(*Options)) *place {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(dir, "w.db"), store.Options{Curator: "ann", Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	box, err := inbox.Open(filepath.Join(dir, "inbox"))
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: dir, store: st, log: &bytes.Buffer{}}
	var mu sync.Mutex
	o := Options{
		Box: box, Store: st, Tokens: Tokens{ingestToken, readToken}, Limits: l, Version: "test",
		Importer: func(agent string, h inbox.Hints) *hub.Importer {
			return &hub.Importer{Store: st, Clock: time.Now, Agent: agent, Format: h.Format, Model: h.Model, Jobs: 2}
		},
		Warn: func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(p.log, format+"\n", args...)
		},
	}
	o.Free = func() (int64, error) { return 1 << 40, nil }
	if change != nil {
		change(&o)
	}
	p.s = New(o)
	if !idle {
		if err := p.s.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.url = "http://" + at.Addr().String()
	web := p.s.HTTP()
	go web.Serve(at)
	ctx, cancel := context.WithCancel(context.Background())
	var ran sync.WaitGroup
	if idle {
		ran.Go(func() { p.s.receipts.run(ctx) })
	} else {
		ran.Go(func() { p.s.Run(ctx) })
	}
	p.stop = sync.OnceFunc(func() {
		web.Close()
		cancel()
		ran.Wait()
		box.Close()
		st.Close()
	})
	t.Cleanup(p.stop)
	return p
}

// post sends a body and returns the answer.
func (p *place) post(query string, body io.Reader, header ...string) (int, answered) {
	p.t.Helper()
	status, _, a := p.do(http.MethodPost, "/ingest?"+query, body, header...)
	return status, a
}

// do makes a request with the token that may send, unless header has another one.
func (p *place) do(method, path string, body io.Reader, header ...string) (int, http.Header, answered) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+ingestToken)
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Error(err)
		return 0, nil, answered{}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	var a answered
	if err == nil && strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") && method != http.MethodHead {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		p.t.Errorf("%s %s: %v: %s", method, path, err, text)
	}
	return res.StatusCode, res.Header, a
}

// stored are the files of the inbox with their texts.
func (p *place) stored() map[string]string {
	p.t.Helper()
	files, err := p.s.Box.Files()
	if err != nil {
		p.t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f.Path)
		if err != nil {
			p.t.Fatal(err)
		}
		all[f.Agent+"/"+filepath.Base(f.Path)] = string(text)
	}
	return all
}

// holds is all that the database has of an agent, but where it came from.
func (p *place) holds(agent string) string {
	p.t.Helper()
	ctx := p.t.Context()
	sources, err := p.store.Sources(ctx, agent)
	if err != nil {
		p.t.Fatal(err)
	}
	var b strings.Builder
	for path, src := range sources {
		fmt.Fprintf(&b, "%s %d bytes %+v %d messages\n", src.Format, src.Size, src.Counts(), src.State.Messages)
		issues, err := p.store.Issues(ctx, src.ID, 0, 1000)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, i := range issues {
			fmt.Fprintf(&b, "%+v\n", i.Issue)
		}
		known, err := p.store.SourceSessions(ctx, src.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, k := range known {
			s, err := p.store.LoadSession(ctx, agent, k.File)
			if err != nil {
				p.t.Fatal(err)
			}
			msgs, err := p.store.RecordedMessages(ctx, s.Body, 1, s.Tally.Messages)
			if err != nil {
				p.t.Fatal(err)
			}
			text, _ := json.Marshal(msgs)
			s.Session.File = strings.TrimPrefix(s.Session.File, path)
			row := s.Session
			row.ID, row.Body, row.CreatedAt, row.AgentID, row.Place, row.SourceID = "", 0, time.Time{}, "", "", 0
			fmt.Fprintf(&b, "%+v\n%x\n", row, sha256.Sum256(text))
			for _, g := range s.Segments {
				fmt.Fprintf(&b, "%d-%d %v %x %s\n", g.Start, g.End, g.CutBy, g.Digest, g.Topic)
			}
		}
	}
	return b.String()
}

// sound checks the database as doctor does.
func (p *place) sound() {
	p.t.Helper()
	if found, err := p.store.Check(p.t.Context()); err != nil || len(found) > 0 {
		p.t.Errorf("%v, %v", found, err)
	}
}
