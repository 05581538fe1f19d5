package httpd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// shows starts a server with a page.
func shows(t *testing.T, l Limits, show func(ctx context.Context, a *Asked) error) *place {
	return start(t, t.TempDir(), l, false, func(o *Options) {
		o.Pages = []Page{
			{Path: "/things", Kind: ObjectLine, Takes: []string{"n", "after"}, Show: show},
			{Path: "/quick", Kind: OneObject, Show: func(_ context.Context, a *Asked) error {
				_, err := io.WriteString(a.Out, "{}\n")
				return err
			}},
		}
	})
}

// look reads a page.
func (p *place) look(path string) (status int, header http.Header, text string, err error) {
	r, err := http.NewRequest(http.MethodGet, p.url+path, nil)
	if err != nil {
		return 0, nil, "", err
	}
	r.Header.Set("Authorization", "Bearer "+readToken)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(body), err
}

// TestPagesThatFail checks what clients see of a page that fails before its first byte,
// and after it.
func TestPagesThatFail(t *testing.T) {
	p := shows(t, Limits{}, func(_ context.Context, a *Asked) error {
		a.Next("x y")
		if a.Query["n"] == "1" {
			io.WriteString(a.Out, strings.Repeat("{}\n", 5000))
		}
		if a.Query["n"] == "2" {
			return Missing("no such thing")
		}
		return errors.New("the disk is on fire")
	})
	status, header, text, err := p.look("/things")
	if status != 500 || !strings.Contains(text, `"error":"the database cannot be read: the server's log says why"`) || header.Get("Link") != "" || err != nil {
		t.Errorf("%d %v %s %v", status, header, text, err)
	}
	if status, header, text, err = p.look("/things?n=1"); err == nil || status != 200 || header.Get("Link") != `</things?after=x+y&n=1>; rel="next"` {
		t.Errorf("a part was taken for all: %d %v %d bytes, %v", status, header, len(text), err)
	}
	if status, header, _, _ = p.look("/things?n=2"); status != 404 || header.Get("Link") != "" {
		t.Errorf("%d %v", status, header)
	}
	if got := strings.Count(p.log.String(), "GET /things: the disk is on fire"); got != 2 {
		t.Errorf("the log says it %d times: %s", got, p.log)
	}
	if status, _, _, err = p.look("/quick"); status != 200 || err != nil { // no slot is lost
		t.Errorf("%d, %v", status, err)
	}
}

// TestReadersKeepNobodyWaiting checks that uploads go on while all pages that may be read
// at once are, that a client that takes nothing keeps no other from reading, and that
// work ends with its client, or when that takes nothing for long.
func TestReadersKeepNobodyWaiting(t *testing.T) {
	reading, gone := make(chan struct{}, 9), make(chan struct{}, 9)
	show := func(ctx context.Context, a *Asked) error {
		reading <- struct{}{}
		if a.Query["n"] == "" {
			<-ctx.Done()
			gone <- struct{}{}
			return ctx.Err()
		}
		var err error
		for line := []byte(strings.Repeat("x", 64<<10)); err == nil; {
			_, err = a.Out.Write(line)
		}
		gone <- struct{}{}
		return err
	}
	p := shows(t, Limits{Reads: 1}, show)
	ask := func(path string) net.Conn {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", path, readToken)
		return conn
	}
	conn := ask("/things")
	<-reading
	if status, a := p.post("agent_id=a&session=s", strings.NewReader(`{"role":"user","content":"x"}`+"\n")); status != 200 {
		t.Errorf("%d %+v", status, a)
	}
	conn.Close()
	<-gone
	conn = ask("/things?n=1")
	<-reading
	if status, _, _, err := p.look("/quick"); status != 200 || err != nil {
		t.Errorf("%d, %v", status, err)
	}
	if len(gone) > 0 {
		t.Error("the client was not waited for")
	}
	conn.Close()
	<-gone
	p = shows(t, Limits{Reads: 1, Answer: 100 * time.Millisecond}, show)
	conn = ask("/things?n=1")
	<-gone // although the client stays
	conn.Close()
}

// TestManyClients has a hundred clients at once send and read.
func TestManyClients(t *testing.T) {
	p := shows(t, Limits{Waiting: 100}, func(_ context.Context, a *Asked) error {
		_, err := io.WriteString(a.Out, "{}\n")
		return err
	})
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if i%2 == 0 {
				if status, _, text, err := p.look("/things"); status != 200 || text != "{}\n" || err != nil {
					t.Errorf("%d %s %v", status, text, err)
				}
			} else if status, a := p.post(fmt.Sprintf("agent_id=a&session=s%d&wait=0", i), strings.NewReader(`{"role":"user","content":"x"}`+"\n")); status != 202 {
				t.Errorf("%d %+v", status, a)
			}
		})
	}
	all.Wait()
	if len(p.stored()) != 50 {
		t.Errorf("%d files", len(p.stored()))
	}
}

// TestRequestsInOneConnection sends several requests without waiting for answers, with a
// body in chunks among them, and one that waits to be told to go on.
func TestRequestsInOneConnection(t *testing.T) {
	p := shows(t, Limits{}, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	head := func(method, path, token string, more ...string) string {
		return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n" + strings.Join(more, "") + "\r\n"
	}
	text := `{"role":"user","content":"x"}` + "\n"
	io.WriteString(conn, head("GET", "/quick", readToken)+
		head("POST", "/ingest?agent_id=a&session=chunks", ingestToken, "Transfer-Encoding: chunked\r\n")+
		fmt.Sprintf("5;of=no matter\r\n%s\r\n%x\r\n%s\r\n0\r\nTrailer: x\r\n\r\n", text[:5], len(text)-5, text[5:])+
		head("HEAD", "/quick", readToken)+
		head("BREW", "/quick", readToken)+
		head("GET", "/healthz", "")+
		head("POST", "/ingest?agent_id=a&session=s", ingestToken, "Expect: 100-continue\r\n", fmt.Sprintf("Content-Length: %d\r\n", len(text))))
	r := bufio.NewReader(conn)
	for _, want := range []struct {
		method string
		status int
		text   string
	}{{"GET", 200, "{}\n"}, {"POST", 200, `"outcome":"new"`}, {"HEAD", 200, ""}, {"BREW", 405, "GET only"}, {"GET", 200, `"status":"ok"`}} {
		res, err := http.ReadResponse(r, &http.Request{Method: want.method})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if res.StatusCode != want.status || !strings.Contains(string(body), want.text) || err != nil || want.text == "" && len(body) > 0 {
			t.Errorf("%s: %d %s %v", want.method, res.StatusCode, body, err)
		}
	}
	if line, err := r.ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 100 ") || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	r.ReadString('\n')
	io.WriteString(conn, text)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 200 {
		t.Errorf("%v, %v", res, err)
	}
	if got := p.stored()["a/chunks.jsonl"]; got != text {
		t.Errorf("%q", got)
	}
}
