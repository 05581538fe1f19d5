package httpd

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestRefusals goes through all that is not taken: status, code, text, and that nothing
// of it is stored.
func TestRefusals(t *testing.T) {
	p := start(t, t.TempDir(), Limits{Body: 64 << 10}, false, func(o *Options) { o.Hosts = []string{"hub.example:7717"} })
	line := `{"role":"user","content":"a question"}` + "\n"
	text := line + `{"role":"assistant","content":"an answer"}` + "\n"
	if status, a := p.post("agent_id=a&session=s", strings.NewReader(text)); status != http.StatusOK {
		t.Fatalf("%d %+v", status, a)
	}
	sum := sha256.Sum256([]byte("something else"))
	noFile, noFileKind := form(t, "agent_id", "a")
	noAgentForm, noAgentKind := form(t, "file", text)
	strange, strangeKind := form(t, "agent_id", "a", "data", "x", "file", text)
	twoFiles, twoFilesKind := form(t, "agent_id", "a", "file", text, "file", text)
	long, longKind := form(t, "agent_id", "a", "model", strings.Repeat("m", mostField+1), "file", text)
	wide, err := zstd.NewWriter(nil, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	var wideBody bytes.Buffer
	wide.Reset(&wideBody)
	wide.Write([]byte(text))
	wide.Flush()
	wide.Write([]byte(text))
	wide.Close()
	const evil = "http://evil.example"
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		code, text               string
	}{
		{"no agent", "POST", "/ingest", text, nil, 400, "agent_required", "agent_id is missing: add ?agent_id=NAME, or a form field in front of the file"},
		{"an empty agent", "POST", "/ingest?agent_id=", text, nil, 400, "agent_required", noAgent.text},
		{"no agent in a form", "POST", "/ingest", noAgentForm.String(), []string{"Content-Type", noAgentKind}, 400, "agent_required", noAgent.text},
		{"control characters", "POST", "/ingest?agent_id=a%0Ab", text, nil, 400, "parameter", "agent_id has control characters"},
		{"an agent that nobody sees", "POST", "/ingest?agent_id=%20", text, nil, 400, "parameter", "agent_id is white space only"},
		{"a session that nobody sees", "POST", "/ingest?agent_id=a&session=%20%C2%A0", text, nil, 400, "parameter", "session is white space only"},
		{"a mistyped parameter", "POST", "/ingest?agent_id=a&ofset=3", text, nil, 400, "parameter", `"ofset" is no parameter: did you mean offset?`},
		{"an offset that is none", "POST", "/ingest?agent_id=a&offset=-1", text, nil, 400, "parameter", `offset "-1": must be a number of bytes`},
		{"a wait that is none", "POST", "/ingest?agent_id=a&wait=NaN", text, nil, 400, "parameter", `wait "NaN": must be a number of seconds, 300 at most`},
		{"an unknown format", "POST", "/ingest?agent_id=a&format=codx", text, nil, 400, "parameter", `format "codx": unknown: did you mean codex?`},
		{"twice", "POST", "/ingest?agent_id=a&agent_id=b", text, nil, 400, "parameter", "agent_id is given twice"},
		{"a form without a file", "POST", "/ingest", noFile.String(), []string{"Content-Type", noFileKind}, 400, "parameter", `no file in the form: send it as the field "file"`},
		{"a form with a strange field", "POST", "/ingest", strange.String(), []string{"Content-Type", strangeKind}, 400, "parameter", `"data" is no parameter`},
		{"a form with a long field", "POST", "/ingest", long.String(), []string{"Content-Type", longKind}, 400, "parameter", `form field "model": longer than 4 KiB`},
		{"a form that ends early", "POST", "/ingest", noAgentForm.String()[:90], []string{"Content-Type", noAgentKind}, 400, "cut_short", "the body ended early (90 bytes came): nothing was stored, send it again"},
		{"a form that ends in a file", "POST", "/ingest", twoFiles.String()[:twoFiles.Len()-60], []string{"Content-Type", twoFilesKind}, 400, "cut_short", "the body ended early"},
		{"a form that ends in the head of a file", "POST", "/ingest", twoFiles.String()[:strings.LastIndex(twoFiles.String(), "name.jsonl")], []string{"Content-Type", twoFilesKind}, 400, "cut_short", "the body ended early"},
		{"another digest", "POST", "/ingest?agent_id=a", text, []string{"Content-Digest", "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"}, 400, "digest", "what came is not what Content-Digest says: nothing was stored"},
		{"a broken digest", "POST", "/ingest?agent_id=a", text, []string{"Content-Digest", "sha-256=:x:"}, 400, "parameter", "Content-Digest: must be sha-256=:BASE64:"},
		{"half a gzip", "POST", "/ingest?agent_id=a", string(zipped(t, []byte(text))[:40]), []string{"Content-Encoding", "gzip"}, 400, "cut_short", "the body ended early (40 bytes came): nothing was stored, send it again"},
		{"no gzip", "POST", "/ingest?agent_id=a", text, []string{"Content-Encoding", "gzip"}, 400, "encoding", "the body is not gzip, or is damaged: nothing was stored"},
		{"no zstd", "POST", "/ingest?agent_id=a", text, []string{"Content-Encoding", "zstd"}, 400, "encoding", "the body is not zstd, or is damaged: nothing was stored"},
		{"no token", "POST", "/ingest?agent_id=a", text, []string{"Authorization", ""}, 401, "token", `no token, or a wrong one: send "Authorization: Bearer …"; winnow serve --print-token ingest prints it`},
		{"a wrong token", "POST", "/ingest?agent_id=a", text, []string{"Authorization", "Bearer x"}, 401, "token", "no token, or a wrong one"},
		{"another scheme", "POST", "/ingest?agent_id=a", text, []string{"Authorization", "Basic " + ingestToken}, 401, "token", "no token, or a wrong one"},
		{"no token to look", "GET", "/metrics", "", []string{"Authorization", ""}, 401, "token", `--print-token read prints it`},
		{"another host", "POST", "/ingest?agent_id=a", text, []string{"Host", "evil.example"}, 403, "host", `this server answers to 127.0.0.1, localhost, [::1] and hub.example, not "evil.example": --host adds a name`},
		{"another host, no token", "POST", "/ingest?agent_id=a", text, []string{"Host", "evil.example:7717", "Authorization", ""}, 403, "host", `this server answers to`},
		{"another host for what all may see", "GET", "/healthz", "", []string{"Host", "evil.example"}, 403, "host", `this server answers to`},
		{"a page of another site", "POST", "/ingest?agent_id=a", text, []string{"Origin", evil}, 403, "origin", "requests made by web pages are not taken"},
		{"a page, by what the browser says", "POST", "/ingest?agent_id=a", text, []string{"Sec-Fetch-Site", "cross-site"}, 403, "origin", "requests made by web pages are not taken"},
		{"a page of another site that looks", "GET", "/metrics", "", []string{"Origin", evil, "Authorization", "Bearer " + readToken}, 403, "origin", "requests made by web pages are not taken"},
		{"a page that looks, by what the browser says", "GET", "/healthz", "", []string{"Sec-Fetch-Site", "cross-site"}, 403, "origin", "requests made by web pages are not taken"},
		{"a token to look", "POST", "/ingest?agent_id=a", text, []string{"Authorization", "Bearer " + readToken}, 403, "scope", "this token may only look"},
		{"a token to send", "GET", "/metrics", "", nil, 403, "scope", "this token may only send"},
		{"no such page", "GET", "/segments", "", nil, 404, "route", "no such page: POST /ingest takes sessions"},
		{"another method", "GET", "/ingest?agent_id=a", "", nil, 405, "method", "this page takes POST only"},
		{"a method that nobody knows", "BREW", "/ingest?agent_id=a", "", nil, 405, "method", "this page takes POST only"},
		{"a preflight", "OPTIONS", "/ingest?agent_id=a", "", nil, 405, "method", "this page takes POST only"},
		{"an offset too far", "POST", "/ingest?agent_id=a&session=s&offset=90000", "x", nil, 409, "offset", fmt.Sprintf("this session holds %d bytes: go on from there", len(text))},
		{"an overlap that differs", "POST", "/ingest?agent_id=a&session=s&offset=3", "xyz", nil, 409, "differs", fmt.Sprintf("this session holds %d bytes, and others than these here: send all of it, without offset", len(text))},
		{"shorter", "POST", "/ingest?agent_id=a&session=s", line, nil, 409, "shorter", fmt.Sprintf("the stored session goes on after this (%d bytes): ?replace=1 replaces it", len(text))},
		{"too large", "POST", "/ingest?agent_id=a", strings.Repeat(" ", 64<<10+1), nil, 413, "too_large", "more than 64 KiB after decompression: --max-body allows more"},
		{"too large when it is decompressed", "POST", "/ingest?agent_id=a", string(zipped(t, make([]byte, 64<<10+1))), []string{"Content-Encoding", "gzip"}, 413, "too_large", "more than 64 KiB after decompression: --max-body allows more"},
		{"another encoding", "POST", "/ingest?agent_id=a", text, []string{"Content-Encoding", "br"}, 415, "encoding", `Content-Encoding "br" is not known: gzip, zstd or none`},
		{"two encodings", "POST", "/ingest?agent_id=a", text, []string{"Content-Encoding", "gzip, zstd"}, 415, "encoding", `Content-Encoding "gzip, zstd" is not known`},
		{"a wide window", "POST", "/ingest?agent_id=a", wideBody.String(), []string{"Content-Encoding", "zstd"}, 415, "encoding", "the zstd frame needs a window of more than 8 MiB: compress without --long and --ultra"},
		{"no session", "POST", "/ingest?agent_id=a", strings.Repeat("INFO all is well\n", 36), nil, 422, "no_session", "no session in it: 36 lines"},
		{"no session in the place of one", "POST", "/ingest?agent_id=a&session=s", "INFO\n", nil, 422, "no_session", "no session in it: 1 line"},
		{"nothing", "POST", "/ingest?agent_id=a", "", nil, 422, "no_session", "no session in it: "},
		{"paths", "POST", "/ingest?agent_id=a", `{"paths":["/etc/passwd"],"agent_id":"a"}`, []string{"Content-Type", "application/json"}, 422, "paths", "winnow opens no paths for clients: send the lines themselves"},
	} {
		before := p.stored()
		status, header, a := p.do(c.method, c.path, strings.NewReader(c.body), c.header...)
		if status != c.status || a.Code != c.code || !strings.Contains(a.Error, c.text) || a.Success {
			t.Errorf("%s: %d %s %q, want %d %s %q", c.name, status, a.Code, a.Error, c.status, c.code, c.text)
		}
		if after := p.stored(); !maps.Equal(before, after) {
			t.Errorf("%s: stored %v", c.name, after)
		}
		if c.status == 409 && (a.Size == nil || *a.Size != int64(len(text))) {
			t.Errorf("%s: size %v", c.name, a.Size)
		}
		if c.status == 405 && header.Get("Allow") != "POST" || c.status == 401 && header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: %v", c.name, header)
		}
		if strings.Contains(a.Error, ingestToken) || strings.Contains(a.Error, readToken) {
			t.Errorf("%s: the answer has a token: %s", c.name, a.Error)
		}
		if header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: pages of others may read answers", c.name)
		}
	}
	for _, agent := range []string{"a", "b"} {
		if sources, err := p.store.Sources(t.Context(), agent); err != nil || len(sources) != map[string]int{"a": 1}[agent] {
			t.Errorf("%d sources of %s, %v", len(sources), agent, err)
		}
	}
	left, err := os.ReadDir(filepath.Join(p.dir, "inbox", ".tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left in the spool: %v, %v", left, err)
	}
	p.nowhere(ingestToken, readToken)
}

// TestAnswersAreAsCommandsPrint checks that a text in an answer stays as it is.
func TestAnswersAreAsCommandsPrint(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, true, nil)
	w := httptest.NewRecorder()
	p.s.refuse(w, wrongParameter("score>=%q", "<&"))
	if got := w.Body.String(); !strings.Contains(got, `"error":"score>=\"<&\""`) {
		t.Error(got)
	}
}

// nowhere checks that a text is in no log and in no file of the server.
func (p *place) nowhere(secrets ...string) {
	p.t.Helper()
	p.stop()
	for _, secret := range secrets {
		if strings.Contains(p.log.String(), secret) {
			p.t.Errorf("the log has a token: %s", p.log)
		}
		err := filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte(secret)) {
				p.t.Errorf("%s has a token", path)
			}
			return err
		})
		if err != nil {
			p.t.Error(err)
		}
	}
}

// TestNamesOfThisMachine checks the names that the server always answers to.
func TestNamesOfThisMachine(t *testing.T) {
	g := newGuard([]string{"Hub.Example.", "[fe80::1]:7717"}, Tokens{})
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:7717": true, "localhost": true, "LOCALHOST:80": true, "localhost.:80": true, "[::1]": true, "[::1]:7717": true,
		"hub.example": true, "HUB.example:99": true, "[fe80::1]": true,
		"": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "127.0.0.2": false, "[::2]:1": false, "0.0.0.0": false,
	} {
		if got := g.place(&http.Request{Method: "GET", Host: host}, false) == nil; got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// TestPagesOfThisServer checks that a browser that was sent here by hand, or by a page of
// the server itself, may ask.
func TestPagesOfThisServer(t *testing.T) {
	g := newGuard(nil, Tokens{})
	for _, method := range []string{"GET", "HEAD", "POST"} {
		for _, header := range [][2]string{{}, {"Origin", "http://localhost:7717"}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}} {
			if no := g.place(&http.Request{Method: method, Host: "localhost:7717", Header: http.Header{header[0]: header[1:]}}, false); no != nil {
				t.Errorf("%s with %q: %+v", method, header, no)
			}
		}
	}
}
