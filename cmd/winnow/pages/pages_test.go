package pages

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/httpd"
	"winnow/cmd/winnow/show"
	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store"
)

// TestRewrittenWhileItIsShown has an import put the messages of a session elsewhere after
// it was found: it is found anew.
func TestRewrittenWhileItIsShown(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	st, err := store.Open(t.Context(), filepath.Join(dir, "w.db"), store.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	load := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := (&hub.Importer{Store: st, Clock: time.Now, Agent: "a"}).Import(t.Context(), []string{path}, nil); err != nil {
			t.Fatal(err)
		}
	}
	line := func(text string) string { return `{"role":"user","content":"` + text + `"}` + "\n" }
	load(line("before"))
	list, err := st.Sessions(t.Context(), "", 1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	ask := func(rewrites int) (int, string) {
		s := &Source{Desk: &desk.Desk{Store: st, Config: &config.Config{}, Now: time.Now}}
		find := func(ctx context.Context, st *store.Store, id string) (*show.Subject, error) {
			it, err := show.OfSession(ctx, st, id)
			if rewrites > 0 {
				rewrites--
				load(line("after " + strings.Repeat("x", rewrites)))
				for st.EachMessage(ctx, it.Body, 1, 1, func(*chat.Message) error { return nil }) == nil { // until it is cleared away
					time.Sleep(time.Millisecond)
				}
			}
			return it, err
		}
		h := httpd.New(httpd.Options{
			Store: st, Tokens: httpd.Tokens{Read: "a-token"}, Free: func() (int64, error) { return 1 << 40, nil }, Warn: t.Logf,
			Pages: []httpd.Page{{Path: "/sessions/{id}", Kind: httpd.OneObject, Show: s.one("session", find)}},
		})
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost/sessions/"+review.Short(list[0].ID), nil)
		r.Header.Set("Authorization", "Bearer a-token")
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	if status, text := ask(2); status != http.StatusOK || strings.Contains(text, "before") || !strings.Contains(text, `"content":"after "`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask(9); status != http.StatusInternalServerError {
		t.Errorf("%d %s", status, text)
	}
}
