//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSenderOfTheHub has the sender of docs/hub.md meet what a busy hub, a proxy and a
// network may answer: it goes on where it can, and ends where it cannot.
func TestSenderOfTheHub(t *testing.T) {
	if missing := notInstalled([]string{"python3"}); missing != "" {
		t.Skipf("no %s here", missing)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s&x=1.jsonl"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := ""
	for _, e := range hubExamples(t) {
		if e.kind == "python" && strings.Contains(e.text, "def send") {
			script = strings.NewReplacer("time.sleep(wait)", "time.sleep(0)", `"s.jsonl", "ci"`, `"s&x=1.jsonl", "a b#c"`).Replace(e.text)
		}
	}
	type answer struct {
		status int // 0 hangs up
		text   string
	}
	const html, done = "<html>Bad Gateway</html>", `{"success":true,"results":[{"size":10}]}`
	for _, c := range []struct {
		name    string
		answers []answer // the last one again and again
		ok      bool
		says    string
		offsets string
	}{
		{"once", []answer{{200, done}}, true, "10\n", "0"},
		{"troubles", []answer{{0, ""}, {502, html}, {503, `{"code":"busy"}`}, {409, `{"success":false,"code":"offset","size":4}`}, {200, done}}, true, "10\n", "0 0 0 0 4"},
		{"refused", []answer{{409, `{"code":"differs","error":"other bytes"}`}}, false, "other bytes", "0"},
		{"a proxy's page", []answer{{403, "<html>no</html>"}}, false, "403 <html>no", "0"},
		{"nobody answers", []answer{{0, ""}}, false, "given up after 10 tries", strings.Repeat("0 ", 9) + "0"},
		{"a proxy only", []answer{{502, html}}, false, "given up after 10 tries", strings.Repeat("0 ", 9) + "0"},
	} {
		var offsets []string
		hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			if len(q) != 3 || q.Get("agent_id") != "a b#c" || q.Get("session") != "s&x=1" {
				t.Errorf("%s: %s", c.name, r.URL)
			}
			a := c.answers[min(len(offsets), len(c.answers)-1)]
			offsets = append(offsets, q.Get("offset"))
			if a.status == 0 {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(a.status)
			fmt.Fprint(w, a.text)
		}))
		cmd := exec.Command("python3", "-c", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "WINNOW_URL="+hub.URL, "WINNOW_TOKEN=x")
		out, err := cmd.CombinedOutput()
		hub.Close()
		if got := strings.Join(offsets, " "); (err == nil) != c.ok || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "Traceback") || got != c.offsets {
			t.Errorf("%s: %v, offsets %s: %s", c.name, err, got, out)
		}
	}
}
