//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// get reads a page with the token that may look.
func (s *server) get(method, path, token string) (status int, header http.Header, text string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Error(err)
	}
	return res.StatusCode, res.Header, string(body)
}

var nextPage = regexp.MustCompile(`^<(.*)>; rel="next"$`)

// pages reads a list page by page.
func (s *server) pages(path, token string) (text string, pages int) {
	s.t.Helper()
	for path != "" {
		status, header, page := s.get("GET", path, token)
		if status != http.StatusOK {
			s.t.Fatalf("%s: %d %s", path, status, page)
		}
		text, path, pages = text+page, "", pages+1
		if next := nextPage.FindStringSubmatch(header.Get("Link")); next != nil {
			path = next[1]
		}
	}
	return text, pages
}

// TestPagesAreWhatCommandsPrint compares each page with what the command prints as JSON,
// byte for byte, at once and page by page.
func TestPagesAreWhatCommandsPrint(t *testing.T) {
	v := &victim{t, build(t), filepath.Join(t.TempDir(), "w.db"), filepath.Join("..", "..", "testdata", "sessions")}
	v.load()
	v.run("segment", "--by", "offline")
	v.run("score", "--by", "offline")
	v.run("approve", "--filter", "score>=0.7", "--yes")
	id := v.run("list", "--json", "--filter", "status:approved")[7:15]
	for i := range 5 {
		v.run("memories", "add", "--kind", []string{"rule", "fact"}[i%2], "--segment", string(id), "--cite", "1", fmt.Sprintf("What was learned number %d stands in notes/%d.md.", i, i*i))
	}
	v.run("memories", "archive", "--filter", "notes/9.md", "--yes")
	s, token := v.serve(), strings.TrimSpace(string(v.run("serve", "--print-token", "read")))
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ page, command string }{
		{"/stats", "stats"}, {"/stats?filter=status:approved", "stats --filter status:approved"},
		{"/stats?by=model", "stats --by model"}, {"/stats?by=model&filter=status:approved", "stats --by model --filter status:approved"},
		{"/sessions", "sessions"}, {"/sessions?filter=has:error", "sessions --filter has:error"},
		{"/segments", "list"}, {"/segments?filter=config", "list --filter config"},
		{"/segments?sort=-score&filter=status:approved", "list --sort -score --filter status:approved"},
		{"/segments?sort=date", "list --sort date"}, {"/segments?sort=-tokens", "list --sort -tokens"},
		{"/segments?sort=uncertain", "list --sort uncertain"}, {"/segments?sort=balance", "list --sort balance"},
		{"/segments?sort=random&seed=7", "list --sort random --seed 7"},
		{"/segments?filter=status:unsure", "list --filter status:unsure"}, // none
		{"/memories", "memories --filter status:approved"}, {"/memories?filter=kind:rule&sort=grade", "memories --filter kind:rule --sort grade"},
	} {
		status, header, got := s.get("GET", c.page, token) // first: what is searched for is made searchable
		want := string(v.run(append(strings.Fields(c.command), "--json")...))
		kind, stats := "application/x-ndjson", strings.HasPrefix(c.page, "/stats")
		if stats && !strings.Contains(c.page, "by=") {
			kind = "application/json"
		}
		if status != http.StatusOK || got != want || header.Get("Content-Type") != kind || header.Get("Link") != "" {
			t.Errorf("%s: %d %v\n%s\nwant\n%s", c.page, status, header, got, want)
		}
		if stats {
			continue
		}
		limit := 1 + rnd.IntN(4)
		u, _ := url.Parse(c.page)
		q := u.Query()
		q.Set("limit", fmt.Sprint(limit))
		got, pages := s.pages(u.Path+"?"+q.Encode(), token)
		if n := strings.Count(want, "\n"); got != want || pages < n/limit {
			t.Errorf("%s: %d pages of %d\n%s\nwant\n%s", c.page, pages, limit, got, want)
		}
	}
	for page, command := range map[string]string{"/segments": "list", "/sessions": "sessions"} {
		for line := range bytes.Lines(v.run(command, "--json")) {
			var row struct{ ID string }
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			id := row.ID[:8+rnd.IntN(len(row.ID)-8)]
			if status, _, got := s.get("GET", page+"/"+id, token); status != http.StatusOK || got != string(v.run("show", "--json", id)) {
				t.Errorf("%s/%s: %d %.300s", page, id, status, got)
			}
			if rnd.IntN(4) == 0 { // some are enough
				break
			}
		}
	}
	refusedPages(t, s, token)
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// refusedPages checks what is said of pages that cannot be shown.
func refusedPages(t *testing.T, s *server, read string) {
	_, _, text := s.get("GET", "/segments?limit=1", read)
	var first struct{ ID string }
	if err := json.Unmarshal([]byte(text), &first); err != nil {
		t.Fatal(err)
	}
	_, header, _ := s.get("GET", "/segments?limit=1&sort=date", read)
	byDate := nextPage.FindStringSubmatch(header.Get("Link"))[1]
	for _, c := range []struct {
		method, path, token string
		status              int
		code, text          string
	}{
		{"GET", "/segments", s.token, 403, "scope", "this token may only send"},
		{"GET", "/stats", "", 401, "token", "winnow serve --print-token read prints it"},
		{"POST", "/segments", read, 405, "method", "this page takes GET only"},
		{"GET", "/segments/", read, 404, "route", "GET also /healthz, /metrics, /stats, /sessions, /sessions/{id}, /segments, /segments/{id}, /memories"},
		{"GET", "/segments/x/y", read, 404, "route", "no such page"},
		{"GET", "/segments/0000ffff", read, 404, "id", "0000ffff: no segment has this id, or begins with at least 4 characters of it: GET /segments shows them"},
		{"GET", "/sessions/" + first.ID, read, 404, "id", ": no session has this id"},
		{"GET", "/segments?filter=scor%3E1", read, 400, "parameter", `filter: column 1: unknown field \"scor\": did you mean score?`},
		{"GET", "/sessions?filter=(", read, 400, "parameter", "filter: column 1: "},
		{"GET", "/stats?filter=@mine", read, 400, "parameter", "filter: @mine: no filter is saved under this name"},
		{"GET", "/stats?by=agent", read, 400, "parameter", `by \"agent\": must be model`},
		{"GET", "/segments?sort=tokns", read, 400, "parameter", `sort \"tokns\": unknown order: did you mean tokens?`},
		{"GET", "/segments?limit=0", read, 400, "parameter", `limit \"0\": must be a number of rows, 2000 at most`},
		{"GET", "/sessions?limit=2001", read, 400, "parameter", "must be a number of rows, 2000 at most"},
		{"GET", "/segments?seed=1", read, 400, "parameter", "seed is only for sort=random"},
		{"GET", "/segments?after=bm8", read, 400, "parameter", `after \"bm8\": it is what the Link of the page before has`},
		{"GET", "/sessions?after=x", read, 400, "parameter", "it is what the Link of the page before has"},
		{"GET", strings.Replace(byDate, "sort=date", "sort=tokens", 1), read, 400, "parameter", "it is of another order"},
		{"GET", "/segments?sort=balance&after=" + base64.RawURLEncoding.EncodeToString([]byte(`{"i":"a","c":1}`)), read, 400, "parameter", "it is what the Link of the page before has"},
		{"GET", "/memories?filter=colour:red", read, 400, "parameter", "no field"},
		{"GET", "/memories?after=x", read, 400, "parameter", "it is what the Link of the page before has"},
		{"GET", "/memories?sort=title", read, 400, "parameter", "unknown order: new or grade"},
		{"GET", "/segments?limt=1", read, 400, "parameter", `\"limt\" is no parameter: did you mean limit?`},
		{"GET", "/segments/" + first.ID + "?limit=1", read, 400, "parameter", "this page takes none"},
		{"GET", "/segments?limit=1&limit=2", read, 400, "parameter", "limit is given twice"},
	} {
		status, header, text := s.get(c.method, c.path, c.token)
		if status != c.status || !strings.Contains(text, `"code":"`+c.code+`"`) || !strings.Contains(text, c.text) || header.Get("Link") != "" {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, status, header, text)
		}
		if c.status == 405 && header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%v", header)
		}
	}
	status, header, text := s.get("HEAD", "/segments?limit=1", read)
	if status != 200 || text != "" || header.Get("Link") == "" || header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("HEAD: %d %v %q", status, header, text)
	}
}
