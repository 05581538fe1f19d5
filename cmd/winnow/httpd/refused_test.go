package httpd

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"winnow/core/inbox"
)

// TestRefusedIsNoted checks that what was refused before it was stored is in the list of
// uploads, with the reason, if it is known whose it was.
func TestRefusedIsNoted(t *testing.T) {
	var full atomic.Bool
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	p := start(t, t.TempDir(), Limits{Body: 64 << 10}, false, func(o *Options) {
		o.Free = func() (int64, error) { return map[bool]int64{false: 1 << 40}[full.Load()], nil }
		o.Now = func() time.Time { return now }
	})
	line := `{"role":"user","content":"a question"}` + "\n"
	cutForm, kind := form(t, "agent_id", "f", "session", "of a form", "file", line)
	for _, c := range []struct {
		name, query, body string
		header            []string
		agent, session    string // "": nothing is noted
		status            int
		code              string
		wire              int64
	}{
		{"a digest", "agent_id=a&session=d", line, []string{"Content-Digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"}, "a", "d", 400, "digest", int64(len(line))},
		{"a body too large", "agent_id=a&session=l", strings.Repeat(" ", 64<<10+1), nil, "a", "l", 413, "too_large", 0},
		{"an encoding", "agent_id=a", line, []string{"Content-Encoding", "br"}, "a", "", 415, "encoding", 0},
		{"a damaged body", "agent_id=a&session=z", line, []string{"Content-Encoding", "gzip"}, "a", "z", 400, "encoding", int64(len(line))},
		{"a form that ends early", "", cutForm.String()[:cutForm.Len()-20], []string{"Content-Type", kind}, "f", "of a form", 400, "cut_short", int64(cutForm.Len() - 20)},
		{"a parameter", "agent_id=b&wait=x", line, nil, "b", "", 400, "parameter", 0},
		{"after it was read", "agent_id=a&session=n", "no session\n", nil, "a", "n", 422, "no_session", 11},
		{"no agent", "session=s", line, nil, "", "", 400, "agent_required", 0},
		{"an agent that is none", "agent_id=" + strings.Repeat("a", 4000), line, nil, "", "", 400, "parameter", 0},
		{"no token", "agent_id=a&session=t", line, []string{"Authorization", ""}, "", "", 401, "token", 0},
		{"a full disk", "agent_id=a&session=full", line, nil, "a", "full", 507, "disk", 0},
	} {
		full.Store(c.code == "disk")
		before := p.noted()
		status, a := p.post(c.query, strings.NewReader(c.body), c.header...)
		if status != c.status || a.Code != c.code {
			t.Fatalf("%s: %d %+v", c.name, status, a)
		}
		got := p.noted()
		if got = got[:len(got)-len(before)]; c.agent == "" {
			if len(got) > 0 {
				t.Errorf("%s: noted: %+v", c.name, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Agent != c.agent || got[0].Session != c.session || got[0].Outcome != inbox.Refused || got[0].Status != c.status || got[0].Code != c.code ||
			got[0].Error != a.Error || got[0].Wire != c.wire || got[0].Success || !got[0].At.Equal(now) {
			t.Errorf("%s: noted: %+v", c.name, got)
		}
	}
}

// noted are the uploads that are kept, the newest first.
func (p *place) noted() []inbox.Arrival {
	p.t.Helper()
	if !p.s.receipts.write(p.t.Context()) {
		p.t.Fatal(p.log)
	}
	list, err := p.store.Ingests(p.t.Context(), 0, 10_000)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

// TestFloodOfRefused checks that a client that is refused again and again, whatever names
// it gives, does not fill the list.
func TestFloodOfRefused(t *testing.T) {
	var minutes atomic.Int64
	now := func() time.Time { return time.Date(2026, 5, 3, 10, int(minutes.Load()), 0, 0, time.UTC) }
	p := start(t, t.TempDir(), Limits{}, true, func(o *Options) { o.Now = now })
	refuse := func(query, code string) {
		t.Helper()
		if status, a := p.post(query, strings.NewReader("no session\n")); status < http.StatusBadRequest || a.Code != code {
			t.Fatalf("%d %+v", status, a)
		}
	}
	sessions := func() (list []string) {
		for _, a := range p.noted() {
			list = append(list, a.Session+" "+a.Code)
		}
		slices.Sort(list)
		return list
	}
	for range 3 {
		refuse("agent_id=a&session=s", "no_session")
		refuse("agent_id=a&session=s&offset=3", "offset")
		refuse("agent_id=a&session=t", "no_session")
	}
	minutes.Store(1)
	refuse("agent_id=a&session=s", "no_session")
	if got, want := sessions(), []string{"s no_session", "s no_session", "s offset", "t no_session"}; !slices.Equal(got, want) {
		t.Errorf("noted %q, want %q", got, want)
	}
	f, noted := &p.s.refusals, 0
	for i := range 24 * 60 * 20 { // a day, twenty a minute
		if f.note(refused{"a", string(rune('a' + i)), "busy"}, now().Add(time.Duration(i)*3*time.Second)) {
			noted++
		}
	}
	if noted > 25*mostRefused {
		t.Errorf("%d are noted in a day", noted)
	}
}

// TestLogOfRefused checks that the log tells of each kind of refusal of each agent, and
// not each time.
func TestLogOfRefused(t *testing.T) {
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	p := start(t, t.TempDir(), Limits{}, true, func(o *Options) { o.Now = func() time.Time { return now } })
	refuse := func() {
		for range 3 {
			p.do("POST", "/ingest?agent_id=laptop", strings.NewReader("x"), "Authorization", "Bearer x")
			p.do("POST", "/ingest?agent_id=phone", strings.NewReader("x"), "Authorization", "Bearer x")
			p.do("POST", "/ingest", strings.NewReader("x"), "Host", "evil.example")
			p.do("POST", "/ingest?agent_id=laptop&ofset=1", strings.NewReader("x"))
			p.do("POST", "/ingest?agent_id=laptop&offset=1", strings.NewReader("x"))
			p.do("POST", "/ingest?agent_id=laptop", strings.NewReader("INFO\n"))
			p.do("GET", "/nowhere", nil)
		}
	}
	want := []string{`"laptop": 401 token: no token`, `"phone": 401 token: `, "a client without a name: 403 host: ", `"laptop": 400 parameter: "ofset" is`, `"laptop": 409 offset: `, `"laptop": 422 no_session: `}
	for _, later := range []time.Duration{0, 59 * time.Minute, time.Hour} {
		now = now.Add(later)
		refuse()
	}
	log := p.log.String()
	if got := strings.Count(log, "\n"); got != 2*len(want) {
		t.Errorf("%d lines", got)
	}
	for _, text := range want {
		if strings.Count(log, text) != 2 {
			t.Errorf("%q is not told twice in\n%s", text, log)
		}
	}
}
