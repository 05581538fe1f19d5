package httpd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"winnow/core/hub"
	"winnow/core/inbox"
)

// sample is a session with lines of all kinds.
func sample(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "sessions", "port-config-toml.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return append(text, "\n{\"role\": \"user\", \"con\n{\"role\":\"user\",\"content\":\"one more\"}\n{\"role\":\"assis"...)
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// form is a form with fields, and with files under the name "file".
func form(t *testing.T, parts ...string) (body *bytes.Buffer, kind string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for i := 0; i < len(parts); i += 2 {
		if parts[i] != "file" {
			w.WriteField(parts[i], parts[i+1])
			continue
		}
		f, err := w.CreateFormFile("file", "name.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, parts[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body, w.FormDataContentType()
}

// TestEveryWayInIsAnImport sends a session in all ways: the database holds what an
// import of the file brings.
func TestEveryWayInIsAnImport(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	text := sample(t)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	im := &hub.Importer{Store: p.store, Clock: time.Now, Agent: "imported"}
	if _, err := im.Import(t.Context(), []string{file}, nil); err != nil {
		t.Fatal(err)
	}
	want := p.holds("imported")
	if !strings.Contains(want, "Messages:32") {
		t.Fatalf("imported: %s", want)
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for way, send := range map[string]func(agent string) (int, answered){
		"raw": func(agent string) (int, answered) { return p.post("session=s&agent_id="+agent, bytes.NewReader(text)) },
		"gzip": func(agent string) (int, answered) {
			return p.post("session=s&agent_id="+agent, bytes.NewReader(zipped(t, text)), "Content-Encoding", "gzip")
		},
		"zstd": func(agent string) (int, answered) {
			return p.post("session=s&agent_id="+agent, bytes.NewReader(z.EncodeAll(text, nil)), "Content-Encoding", "zstd")
		},
		"gzip of two parts": func(agent string) (int, answered) {
			return p.post("session=s&agent_id="+agent, bytes.NewReader(append(zipped(t, text[:5000]), zipped(t, text[5000:])...)), "Content-Encoding", "GZIP")
		},
		"form": func(agent string) (int, answered) {
			body, kind := form(t, "agent_id", agent, "session", "s", "file", string(text))
			return p.post("", body, "Content-Type", kind)
		},
		"form as gzip": func(agent string) (int, answered) {
			body, kind := form(t, "agent_id", agent, "file", string(text))
			return p.post("", bytes.NewReader(zipped(t, body.Bytes())), "Content-Type", kind, "Content-Encoding", "gzip")
		},
		"pieces": func(agent string) (status int, a answered) { return p.pieces(agent, text, 50) },
	} {
		agent := strings.ReplaceAll(way, " ", "-")
		status, a := send(agent)
		if status != http.StatusOK || !a.Success || a.Results[0].Figures == nil {
			t.Errorf("%s: %d %+v", way, status, a)
			continue
		}
		if l := a.Results[0].Lines; l.Lines() != int64(bytes.Count(text, []byte("\n"))+1) || l.Bad != 1 || l.Pending != 1 || len(a.Results[0].Problems) != 1 {
			t.Errorf("%s: %+v", way, a.Results[0].Figures)
		}
		if got := p.holds(agent); got != want {
			t.Errorf("%s: the database holds\n%s\nwant\n%s", way, got, want)
		}
	}
	p.sound()
}

// pieces sends a text in so many random pieces, every fifth of them twice, and returns
// the last answer.
func (p *place) pieces(agent string, text []byte, n int) (status int, a answered) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for sent := 0; sent < len(text); n-- {
		to := min(len(text), sent+1+rnd.IntN(2*max(1, (len(text)-sent)/max(1, n))))
		if n <= 1 {
			to = len(text)
		}
		for range 1 + rnd.IntN(5)/4 {
			if status, a = p.post(fmt.Sprintf("agent_id=%s&session=s&offset=%d", agent, sent), bytes.NewReader(text[sent:to])); status != http.StatusOK {
				return status, a
			}
		}
		sent = int(a.Results[0].Size)
	}
	return status, a
}

// TestTwentyClientsOneSession has clients send the same growing session at once: it is
// one source, and its lines add up.
func TestTwentyClientsOneSession(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	text := sample(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			body := text
			if i%2 == 1 {
				body = text[:len(text)*i/20]
			}
			if status, a := p.post("agent_id=a&session=s", bytes.NewReader(body)); status != http.StatusOK && a.Code != "shorter" {
				t.Errorf("%d %+v", status, a)
			}
		})
	}
	all.Wait()
	sources, err := p.store.Sources(t.Context(), "a")
	if err != nil || len(sources) != 1 {
		t.Fatalf("%d sources, %v", len(sources), err)
	}
	for _, src := range sources {
		if c := src.Counts(); c.Lines() != int64(bytes.Count(text, []byte("\n"))+1) {
			t.Errorf("%+v", c)
		}
	}
	p.sound()
}

// TestManyFilesInAForm checks that each file has its outcome, and what is said of one.
func TestManyFilesInAForm(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	line := func(text string) string { return `{"role":"user","content":"` + text + `"}` + "\n" }
	body, kind := form(t, "agent_id", "a", "session", "one", "file", line("1"), "file", "no session\n", "agent_id", "b", "model", "m-1", "file", line("2"))
	body.Truncate(body.Len() - len("\r\n")) // some clients end without it
	status, a := p.post("wait=10", body, "Content-Type", kind)
	if status != http.StatusOK || a.Files != 3 || a.Successful != 2 || len(a.Results) != 3 {
		t.Fatalf("%d %+v", status, a)
	}
	r := a.Results
	if r[0].Session != "one" || r[1].Code != "no_session" || r[1].Success || r[2].Agent != "b" || len(r[2].Session) != 16 || r[2].Outcome != inbox.New {
		t.Errorf("%+v", r)
	}
	if got := p.holds("b"); !strings.Contains(got, "Model:m-1") {
		t.Errorf("the model is not kept: %s", got)
	}
	body, kind = form(t, "agent_id", "a", "file", "no\n", "file", "none\n")
	if status, a = p.post("", body, "Content-Type", kind); status != http.StatusUnprocessableEntity || a.Success || a.Successful != 0 {
		t.Errorf("%d %+v", status, a)
	}
}

// TestAnswersThatDoNotWait checks what is said of an upload that is not imported yet,
// and that a server that is started again finishes it.
func TestAnswersThatDoNotWait(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, Limits{}, true, nil)
	status, a := p.post("agent_id=a&session=s&wait=0", bytes.NewReader(sample(t)))
	if status != http.StatusAccepted || !a.Success || a.Results[0].Outcome != inbox.Stored || a.Results[0].Figures != nil {
		t.Fatalf("%d %+v", status, a)
	}
	id := a.Results[0].ID
	if status, _, a = p.do(http.MethodGet, "/ingest/"+id, nil); status != http.StatusAccepted || a.Results[0].ID != id {
		t.Errorf("%d %+v", status, a)
	}
	waits := make(chan int)
	go func() {
		status, _ := p.post("agent_id=a&session=s2&wait=300", bytes.NewReader(sample(t)))
		waits <- status
	}()
	for len(p.stored()) < 2 {
		time.Sleep(time.Millisecond)
	}
	p.s.End()
	if status := <-waits; status != http.StatusAccepted {
		t.Errorf("one that waited at the end: %d", status)
	}
	p.stop()
	p = start(t, dir, Limits{}, false, nil)
	for status = http.StatusAccepted; status == http.StatusAccepted; time.Sleep(5 * time.Millisecond) {
		status, _, a = p.do(http.MethodGet, "/ingest/"+id, nil)
	}
	if status != http.StatusOK || a.Results[0].Outcome != inbox.New || a.Results[0].Figures == nil || a.Results[0].Messages.Total == 0 {
		t.Errorf("%d %+v", status, a)
	}
	if status, _, a = p.do(http.MethodGet, "/ingest/00000000", nil); status != http.StatusNotFound || a.Code != "upload" {
		t.Errorf("%d %+v", status, a)
	}
}

// TestFigures checks what is said of each kind of upload, whether files are imported
// alone or together.
func TestFigures(t *testing.T) {
	line := func(n int) string {
		return fmt.Sprintf("{\"role\":\"user\",\"content\":\"question %d\"}\n{\"role\":\"assistant\",\"content\":\"answer %d\"}\n", n, n)
	}
	for _, together := range []bool{false, true} {
		p := start(t, t.TempDir(), Limits{}, together, nil)
		for _, c := range []struct {
			session, text string
			outcome       inbox.Outcome
			sessions      inbox.SessionFigures
			messages      inbox.MessageFigures
		}{
			{"s", line(1), inbox.New, inbox.SessionFigures{New: 1}, inbox.MessageFigures{New: 2, Total: 2}},
			{"s", line(1), inbox.Unchanged, inbox.SessionFigures{}, inbox.MessageFigures{Total: 2}},
			{"s", line(1) + line(2), inbox.Grown, inbox.SessionFigures{Updated: 1}, inbox.MessageFigures{New: 2, Total: 4}},
			{"s", line(3) + line(4) + line(5), inbox.Rewritten, inbox.SessionFigures{Updated: 1}, inbox.MessageFigures{New: 2, Total: 6}},
			{"copy", line(3) + line(4) + line(5), inbox.New, inbox.SessionFigures{Copies: 1}, inbox.MessageFigures{Total: 6}},
		} {
			status, a := p.post(fmt.Sprintf("agent_id=a&session=%s&wait=%d", c.session, map[bool]int{false: 10}[together]), strings.NewReader(c.text))
			if together {
				if status, a := p.post("agent_id=a&wait=0", strings.NewReader(line(100+len(p.stored())))); status != http.StatusAccepted {
					t.Fatalf("%d %+v", status, a)
				}
				for wave, _ := p.s.loader.wave(time.Now()); len(wave) > 0; wave, _ = p.s.loader.wave(time.Now()) {
					if len(wave) == 1 && c.outcome != inbox.Rewritten {
						t.Errorf("%s: imported alone", c.outcome)
					}
					if err := p.s.loader.load(t.Context(), wave); err != nil {
						t.Fatal(err)
					}
				}
				status, _, a = p.do(http.MethodGet, "/ingest/"+a.Results[0].ID, nil)
			}
			if status != http.StatusOK || a.Results[0].Figures == nil {
				t.Fatalf("%s: %d %+v", c.outcome, status, a)
			}
			if r := a.Results[0]; r.Outcome != c.outcome || r.Sessions != c.sessions || r.Messages != c.messages || r.Size != int64(len(c.text)) {
				t.Errorf("together %v: %s %+v %+v, want %s %+v %+v", together, r.Outcome, r.Sessions, r.Messages, c.outcome, c.sessions, c.messages)
			}
		}
		res, err := http.NewRequest(http.MethodGet, p.url+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Header.Set("Authorization", "Bearer "+readToken)
		got, err := http.DefaultClient.Do(res)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(got.Body)
		got.Body.Close()
		for _, want := range []string{"winnow_uploads_total{outcome=\"grown\"} 1\n", "winnow_queue_files 0\n", "winnow_segments{verdict=\"approved\"} 0\n", "winnow_lines_total{kind=\"read\"} "} {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
		p.sound()
	}
}
