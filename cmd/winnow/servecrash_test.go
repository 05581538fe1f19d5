//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is a running "winnow serve".
type server struct {
	t     *testing.T
	cmd   *exec.Cmd
	url   string
	token string
	ended chan error
}

// serve starts a server and waits until it listens.
func (v *victim) serve(args ...string) *server {
	v.t.Helper()
	token := strings.TrimSpace(string(v.run("serve", "--print-token", "ingest")))
	cmd := v.command(append([]string{"serve", "--listen", "127.0.0.1:0", "--min-free", "1", "--json"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	s := &server{t: v.t, cmd: cmd, token: token, ended: make(chan error, 1)}
	v.t.Cleanup(func() { _ = cmd.Process.Kill() })
	var first struct {
		Listening string `json:"listening"`
	}
	lines := json.NewDecoder(out)
	if err := lines.Decode(&first); err != nil {
		v.t.Fatal(err)
	}
	s.url = first.Listening
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), out))
		s.ended <- cmd.Wait()
	}()
	return s
}

// ask makes a request; the status is 0 if nobody answers.
func (s *server) ask(method, path string, body []byte) (status int, answer string) {
	r, err := http.NewRequest(method, s.url+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, string(text)
}

// kill ends the server at once.
func (s *server) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	<-s.ended
}

// end asks the server to end, and returns how it did.
func (s *server) end() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	return <-s.ended
}

// idle waits until all that came is imported.
func (s *server) idle() {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if status, answer := s.ask("GET", "/healthz", nil); status == http.StatusOK && strings.Contains(answer, `"queue_bytes":0`) {
			return
		}
	}
	s.t.Fatal("the imports do not end")
}

// sending is a session that a client sends, and how far that was acknowledged.
type sending struct {
	name  string
	text  []byte
	whole bool // at once, else piece by piece
	acked int
}

// next sends the next part and reports whether the server is there.
func (c *sending) next(s *server, rnd *rand.Rand) bool {
	to, query := len(c.text), ""
	if !c.whole {
		to = min(len(c.text), c.acked+1+rnd.IntN(len(c.text)/3))
		query = fmt.Sprintf("&offset=%d", c.acked)
	}
	from := c.acked
	if c.whole {
		from = 0
	}
	status, answer := s.ask("POST", "/ingest?agent_id=a&wait=0&session="+c.name+query, c.text[from:to])
	switch status {
	case 0:
		return false
	case http.StatusOK, http.StatusAccepted:
		c.acked = to
	default:
		s.t.Errorf("%s: %d %s", c.name, status, answer)
		return false
	}
	return true
}

// TestKilledServerLosesNothing kills servers with SIGKILL while clients send: what was
// acknowledged is there, what was not is not, but for a beginning of a piece. In the
// end the database holds every message once.
func TestKilledServerLosesNothing(t *testing.T) {
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	rnd := rand.New(rand.NewPCG(5, uint64(serveKills)))
	var all []*sending
	const lines = 40
	within := 0
	for kill := range serveKills {
		s := v.serve()
		stop := time.AfterFunc(time.Duration(5+rnd.IntN(120))*time.Millisecond, func() { _ = s.cmd.Process.Signal(syscall.SIGKILL) })
		for there := true; there; {
			if len(all) == 0 || all[len(all)-1].acked == len(all[len(all)-1].text) {
				c := &sending{name: fmt.Sprintf("s%d", len(all)), whole: rnd.IntN(2) == 0}
				for i := range lines {
					c.text = fmt.Appendf(c.text, "{\"role\":%q,\"content\":\"%s, message %d of kill %d %s\"}\n", []string{"user", "assistant"}[i%2], c.name, i, kill, strings.Repeat("x", rnd.IntN(400)))
				}
				all = append(all, c)
			}
			there = all[len(all)-1].next(s, rnd)
		}
		stop.Stop()
		s.kill()
		for _, c := range all {
			text, err := os.ReadFile(filepath.Join(dir, "w.inbox", "a", c.name+".jsonl"))
			if err != nil && c.acked > 0 || !bytes.HasPrefix(c.text, text) || len(text) < c.acked || c.whole && len(text) != 0 && len(text) != len(c.text) {
				t.Fatalf("kill %d: %s: %d bytes are there, %d were acknowledged, %v", kill, c.name, len(text), c.acked, err)
			}
		}
		if last := all[len(all)-1]; last.acked < len(last.text) {
			within++
		}
	}
	s := v.serve()
	for _, c := range all {
		for c.acked < len(c.text) {
			if !c.next(s, rnd) {
				t.Fatalf("%s cannot be completed", c.name)
			}
		}
	}
	s.idle()
	if err := s.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	v.run("doctor")
	if messages, sessions := v.stored(); messages != lines*len(all) || sessions != len(all) {
		t.Errorf("%d messages in %d sessions, %d and %d were sent", messages, sessions, lines*len(all), len(all))
	}
	if within < serveKills/2 || len(all) < serveKills {
		t.Errorf("%d sessions; of %d kills, %d left one unfinished", len(all), serveKills, within)
	}
}
