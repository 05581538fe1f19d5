package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/llm/llmtest"
)

// text is a body of a file.
func text(name, s string) Body {
	return Body{Name: name, Size: int64(len(s)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

const key = "sk-very-secret"

// TestTuning goes the whole way: a file, a job, its events, its end.
func TestTuning(t *testing.T) {
	server := llmtest.Start(t)
	server.Tuning().Job(
		llmtest.Stage{Status: "validating_files", Events: []llmtest.Event{{Message: "Created"}}},
		llmtest.Stage{Status: "running", Events: []llmtest.Event{{Message: "Step 1", Data: map[string]any{"step": 1, "train_loss": 0.5, "total_steps": 2, "note": "x"}}}},
		llmtest.Stage{Status: "succeeded", Model: "ft:small:org::1", Tokens: 1234},
	)
	c, _ := client(t, server, func(config *Config) { config.BaseURL += "?api-version=2" })
	ctx := context.Background()
	file, err := c.Upload(ctx, text("winnow-0123.jsonl", "{}\n{}\n"))
	if err != nil || file.ID != "file-1" || file.Name != "winnow-0123.jsonl" || file.Size != 6 {
		t.Fatalf("%+v, %v", file, err)
	}
	if got := server.Tuning().Files()[0]; got.Rows != 2 || got.Purpose != "fine-tune" {
		t.Errorf("stored %+v", got)
	}
	again, err := c.FindFile(ctx, "winnow-0123.jsonl", 6)
	if err != nil || again.ID != file.ID {
		t.Errorf("found %+v, %v", again, err)
	}
	if other, err := c.FindFile(ctx, "winnow-0123.jsonl", 7); err != nil || other.ID != "" {
		t.Errorf("of another size: %+v, %v", other, err)
	}
	job, err := c.CreateJob(ctx, NewJob{Base: "small", Train: file.ID, Params: map[string]string{"n_epochs": "3", "lora": "true", "learning_rate": "1e-5", "batch_size": "auto", "suffix": "7", "seed": "42"}})
	if err != nil || job.ID != "ftjob-1" || job.Status != JobValidating || job.Train != file.ID || job.Base != "small" {
		t.Fatalf("%+v, %v", job, err)
	}
	want := map[string]string{"n_epochs": "3", "lora": "", "learning_rate": "1e-5", "batch_size": "auto"}
	for name, v := range want {
		if got, ok := job.Params[name]; !ok || got != v && name != "lora" && name != "learning_rate" {
			t.Errorf("%s is %q", name, got)
		}
	}
	last := server.Tuning().Calls()[len(server.Tuning().Calls())-1]
	const body = `{"hyperparameters":{"batch_size":"auto","learning_rate":1e-5,"lora":true,"n_epochs":3},"model":"small","seed":42,"suffix":"7","training_file":"file-1"}`
	if string(last.Body) != body {
		t.Errorf("sent %s", last.Body)
	}
	if job, err = c.Job(ctx, job.ID); err != nil || job.Status != JobRunning {
		t.Fatalf("%+v, %v", job, err)
	}
	events, more, err := c.Events(ctx, job.ID, "")
	if err != nil || more || len(events) != 2 || events[0].Message != "Created" || events[1].Step != 1 || !reflect.DeepEqual(events[1].Values, map[string]float64{"train_loss": 0.5}) {
		t.Errorf("%+v, %v", events, err)
	}
	if job, err = c.Job(ctx, job.ID); err != nil || job.Status != JobSucceeded || job.Model != "ft:small:org::1" || job.Tokens != 1234 || job.Ended.IsZero() {
		t.Errorf("%+v, %v", job, err)
	}
	for _, call := range server.Tuning().Calls() {
		if call.Key() != key || !strings.Contains(call.Path, "api-version=2") {
			t.Errorf("%s to %s with key %q", call.Route, call.Path, call.Key())
		}
	}
}

// TestTunedJobsAreFound: of the jobs of others none is handed over.
func TestTunedJobsAreFound(t *testing.T) {
	server := llmtest.Start(t)
	server.Tuning().Pages(2)
	server.Tuning().Job(llmtest.Stage{Status: "queued"})
	c, _ := client(t, server)
	ctx := context.Background()
	for i := range 7 {
		f, err := c.Upload(ctx, text(fmt.Sprintf("f%d.jsonl", i), strings.Repeat("x", i)))
		if err != nil {
			t.Fatal(err)
		}
		for range i % 3 {
			if _, err := c.CreateJob(ctx, NewJob{Base: "small", Train: f.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []string
	if err := c.Jobs(ctx, "file-4", func(j Job) bool { got = append(got, j.ID); return false }); err != nil || got != nil {
		t.Errorf("of a file without jobs: %v, %v", got, err)
	}
	if err := c.Jobs(ctx, "file-6", func(j Job) bool { got = append(got, j.ID); return false }); err != nil || fmt.Sprint(got) != "[ftjob-6 ftjob-5]" {
		t.Errorf("%v, %v", got, err)
	}
	if f, err := c.FindFile(ctx, "f0.jsonl", 0); err != nil || f.ID != "file-1" {
		t.Errorf("on the last page: %+v, %v", f, err)
	}
}

// TestTunedEvents: all events come once, the oldest first, however they are paged, and
// also from servers that tell the oldest first.
func TestTunedEvents(t *testing.T) {
	const n = 23
	for _, rising := range []bool{false, true} {
		for page := 1; page <= n+1; page += 3 {
			server := llmtest.Start(t)
			tuning := server.Tuning()
			var all []llmtest.Event
			for i := range n {
				all = append(all, llmtest.Event{Message: fmt.Sprint(i)})
			}
			if rising {
				page = n + 1 // a server that does so gives everything
			}
			tuning.Pages(page)
			tuning.Rising(rising)
			tuning.Job(llmtest.Stage{Status: "running", Events: all[:9]}, llmtest.Stage{Status: "running", Events: all[9:]})
			c, _ := client(t, server)
			ctx := context.Background()
			f, _ := c.Upload(ctx, text("f", "x"))
			j, err := c.CreateJob(ctx, NewJob{Base: "small", Train: f.ID})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			after := ""
			for range 3 {
				list, more, err := c.Events(ctx, j.ID, after)
				if err != nil || more {
					t.Fatal(more, err)
				}
				for _, e := range list {
					got, after = append(got, e.Message), e.ID
				}
				if _, err := c.Job(ctx, j.ID); err != nil {
					t.Fatal(err)
				}
			}
			if len(got) != n || got[0] != "0" || got[n-1] != fmt.Sprint(n-1) {
				t.Errorf("rising %v, pages of %d: %v", rising, page, got)
			}
		}
	}
}

// TestEndlessListsEnd: a server that gives the same page for ever, and one that always
// has another.
func TestEndlessListsEnd(t *testing.T) {
	same := llmtest.Raw("application/json", `{"data":[{"id":"e1","created_at":5},{"id":"e2","created_at":4}],"has_more":true}`)
	server := llmtest.Start(t)
	server.Tuning().Fail(llmtest.Events, llmtest.Repeat(200, same)...)
	c, _ := client(t, server)
	if list, _, err := c.Events(context.Background(), "j", ""); err != nil || len(list) > 4 || server.Tuning().Count(llmtest.Events) > 2 {
		t.Errorf("%d events of %d requests, %v", len(list), server.Tuning().Count(llmtest.Events), err)
	}
	n := 0
	server = llmtest.Start(t)
	server.Tuning().Fail(llmtest.Events, llmtest.Repeat(200, llmtest.Func(func(llmtest.Request) llmtest.Reply {
		n++
		return llmtest.Raw("application/json", fmt.Sprintf(`{"data":[{"id":"e%d","created_at":%d}],"has_more":true}`, n, 1000-n))
	}))...)
	c, _ = client(t, server)
	if list, more, err := c.Events(context.Background(), "j", ""); err != nil || !more || len(list) != maxPages {
		t.Errorf("%d events, more %v, %v", len(list), more, err)
	}
}

// TestBadIDs: what is no id is neither kept nor put into a path.
func TestBadIDs(t *testing.T) {
	ctx := context.Background()
	for _, id := range []string{"", "..", ".", "a/b", "../files/x", "a?b", "a b", "a\nb", "ä", "\x1b[31m", strings.Repeat("a", 201), "https://evil.example/x", "%2e%2e"} {
		server := llmtest.Start(t)
		server.Tuning().Job(llmtest.Stage{Status: "queued", Events: []llmtest.Event{{Message: "m"}}})
		c, _ := client(t, server)
		good, err := c.Upload(ctx, text("good", "x"))
		if err != nil {
			t.Fatal(err)
		}
		server.Tuning().IDs(func(string, int) string { return id })
		if f, err := c.Upload(ctx, text("bad", "x")); err == nil {
			t.Errorf("%q: a file %+v", id, f)
		}
		if f, err := c.FindFile(ctx, "bad", 1); err == nil {
			t.Errorf("%q: found %+v", id, f)
		}
		_, err = c.CreateJob(ctx, NewJob{Base: "small", Train: good.ID})
		if err == nil || strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 500 {
			t.Errorf("%q: %v", id, err)
		}
		before := len(server.Tuning().Calls())
		for name, f := range map[string]func() error{
			"job":    func() error { _, err := c.Job(ctx, id); return err },
			"cancel": func() error { _, err := c.CancelJob(ctx, id); return err },
			"events": func() error { _, _, err := c.Events(ctx, id, ""); return err },
		} {
			if f() == nil || len(server.Tuning().Calls()) != before {
				t.Errorf("%q was asked about: %s", id, name)
			}
		}
	}
}

// TestTuningRefusals: what a server says to it is explained, bounded and safe, and tells
// what cannot be helped from what passes.
func TestTuningRefusals(t *testing.T) {
	ctx := context.Background()
	upload := func(c *Client) error { _, err := c.Upload(ctx, text("f", "x")); return err }
	create := func(c *Client) error { _, err := c.CreateJob(ctx, NewJob{Base: "small", Train: "f"}); return err }
	job := func(c *Client) error { _, err := c.Job(ctx, "j"); return err }
	for _, q := range []struct {
		name, route string
		ask         func(*Client) error
		script      []llmtest.Reply
		want        string // "": it works in the end
		refused     bool
		unavailable bool
	}{
		{"closed", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Closed()},
			`403 from URL: it takes no new fine-tuning jobs: another base_url, or backend = "command"; it says: Fine-tuning is no longer available to your organization.`, true, false},
		{"no right", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Status(403, "no")}, `403 from URL: check that OPENAI_API_KEY may use model "small"; it says: no`, false, true},
		{"no key", llmtest.CreateJob, create, []llmtest.Reply{llmtest.EchoKey(401)}, "401 from URL: check OPENAI_API_KEY; it says: Incorrect API key provided: ***. Sent as Bearer ***", false, true},
		{"bad parameter", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Status(400, "n_epochs\x1b[31m is\nwrong")}, "400 from URL: it refuses the request; it says: n_epochs␛[31m is wrong", true, false},
		{"bad model", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Status(404, "The model small does not exist")}, `404 from URL: it has no model "small" to tune: check base in [llm]; it says: The model small does not exist`, true, false},
		{"elsewhere", llmtest.Upload, upload, []llmtest.Reply{llmtest.Status(307, "", "Location", "https://evil.example/files")}, "307 from URL: it sends elsewhere, and nothing was sent there: if you trust it, set base_url to https://evil.example/files", false, true},
		{"too large", llmtest.Upload, upload, []llmtest.Reply{llmtest.Status(413, "")}, "413 from URL: the file is larger than it takes: train on fewer or shorter samples", true, false},
		{"busy, then success", llmtest.Upload, upload, []llmtest.Reply{llmtest.Status(429, "slow"), llmtest.Status(429, "slow", "Retry-After", "3")}, "", false, false},
		{"broken, once", llmtest.Upload, upload, []llmtest.Reply{llmtest.Status(500, "oops")}, "500 from URL: the server is busy or broken: look at its log, or try again later; it says: oops", false, false},
		{"broken, create", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Status(500, "oops")}, "500 from URL: the server is busy or broken: look at its log, or try again later; it says: oops", false, false},
		{"cut, create", llmtest.CreateJob, create, []llmtest.Reply{llmtest.Cut()}, "the connection to URL broke off: EOF", false, false},
		{"not there", llmtest.GetJob, job, []llmtest.Reply{llmtest.Status(404, "gone")}, "404 from URL: it does not know this job, or speaks no fine-tuning protocol: check base_url; it says: gone", true, false},
		{"a page", llmtest.GetJob, job, []llmtest.Reply{llmtest.Garbage()}, "what URL answers is not in OpenAI's form (text/html): check base_url, most servers want it to end in /v1", false, true},
		{"an error with a good status", llmtest.GetJob, job, []llmtest.Reply{llmtest.Raw("application/json", `{"error":{"message":"oops"}}`)}, "200 from URL: it refuses the request; it says: oops", false, false},
		{"another job", llmtest.GetJob, job, []llmtest.Reply{llmtest.Raw("application/json", `{"id":"k","status":"running"}`)}, "URL was asked about job j and tells of k", true, false},
		{"a model with a mark", llmtest.GetJob, job, []llmtest.Reply{llmtest.Raw("application/json", `{"id":"j","status":"succeeded","fine_tuned_model":"a\u001b[31m"}`)}, `URL calls the model of job j "a␛[31m", which is no name: it is not used`, true, false},
		{"odd types", llmtest.GetJob, job, []llmtest.Reply{llmtest.Raw("application/json", `{"id":"j","status":7,"hyperparameters":"auto","error":[],"created_at":"soon","trained_tokens":-1,"organization_id":5}`)}, "", false, false},
	} {
		t.Run(q.name, func(t *testing.T) {
			server := llmtest.Start(t)
			server.Tuning().Fail(q.route, q.script...)
			c, _ := client(t, server)
			err := q.ask(c)
			mustSay(t, err, q.want, server.URL)
			if Refused(err) != q.refused || Unavailable(err) != q.unavailable {
				t.Errorf("refused %v, unavailable %v", Refused(err), Unavailable(err))
			}
			if q.want != "" && server.Tuning().Count(q.route) != 1 {
				t.Errorf("asked %d times", server.Tuning().Count(q.route))
			}
		})
	}
}

// TestReadingIsAskedAgain: to look is free.
func TestReadingIsAskedAgain(t *testing.T) {
	server := llmtest.Start(t)
	server.Tuning().Fail(llmtest.ListFiles, llmtest.Status(500, ""), llmtest.Status(503, ""), llmtest.Status(429, "", "Retry-After", "9"))
	c, k := client(t, server)
	if _, err := c.FindFile(context.Background(), "f", 1); err != nil || fmt.Sprint(k.waits) != "[250ms 500ms 9s]" {
		t.Errorf("%v, waited %v", err, k.waits)
	}
}

// TestClosedOrganization: what OpenAI says, at its own address.
func TestClosedOrganization(t *testing.T) {
	server := llmtest.Start(t)
	c, _ := client(t, server)
	var d net.Dialer
	address := c.base.Host
	deps := newClock().deps()
	deps.HTTP = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return d.DialContext(ctx, network, address)
	}}}
	c, err := New(Config{BaseURL: "http://api.openai.com/v1", Model: "small", Key: key, Timeout: timeout}, deps)
	if err != nil {
		t.Fatal(err)
	}
	const want = `OpenAI takes no new fine-tuning jobs from this organization (ends for all on 2027-01-06): another base_url, or backend = "command"`
	for says, closed := range map[string]bool{"": true, "You are not allowed to do that": true, "Missing scopes: api.fine_tuning": false, "Country, region, or territory not supported": false, "Project p does not have access to model small": false} {
		server.Tuning().Fail(llmtest.CreateJob, llmtest.Status(403, says))
		_, err = c.CreateJob(context.Background(), NewJob{Base: "small", Train: "f"})
		if err == nil || strings.HasPrefix(err.Error(), want) != closed || Refused(err) != closed {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// TestBrokenFiles: what is wrong with the file is not blamed on the network.
func TestBrokenFiles(t *testing.T) {
	server := llmtest.Start(t)
	c, _ := client(t, server)
	broken := errors.New("the disk is gone")
	for name, open := range map[string]func() (io.ReadCloser, error){
		"the disk is gone": func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("ab"), failing{broken})), nil
		},
		"unexpected EOF": func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("ab")), nil },
		"no such":        func() (io.ReadCloser, error) { return nil, errors.New("no such file") },
	} {
		_, err := c.Upload(context.Background(), Body{Name: "f", Size: 9, Open: open})
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "http") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files := server.Tuning().Files(); len(files) != 0 {
		t.Errorf("stored %v", files)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestUploadsTimeOutOnlyWhenNothingMoves: a long upload takes as long as it takes.
func TestUploadsTimeOutOnlyWhenNothingMoves(t *testing.T) {
	server := llmtest.Start(t)
	fire, asked := make(chan time.Time), make(chan struct{}, 100)
	deps := Deps{After: func(time.Duration) <-chan time.Time { asked <- struct{}{}; return fire }}
	c, err := New(Config{BaseURL: server.URL, Model: "small", Key: key, Retries: -1}, deps)
	if err != nil {
		t.Fatal(err)
	}
	step := make(chan struct{})
	body := stepped{step: step, ctx: t.Context()}
	ended := make(chan error, 1)
	go func() {
		_, err := c.Upload(context.Background(), Body{Name: "f", Size: 9, Open: func() (io.ReadCloser, error) { return io.NopCloser(body), nil }})
		ended <- err
	}()
	<-asked
	for range 4 { // something moves each time
		step <- struct{}{}
		step <- struct{}{} // the one before was read
		fire <- time.Time{}
		<-asked
	}
	step <- struct{}{}
	if err := <-ended; err != nil {
		t.Fatalf("although it moved: %v", err)
	}
	server.Tuning().Fail(llmtest.Upload, llmtest.Hang())
	go func() {
		_, err := c.Upload(context.Background(), text("f", "123456789"))
		ended <- err
	}()
	for range 2 { // it may have moved once
		select {
		case <-asked:
		case err := <-ended:
			ended <- err
		}
		select {
		case fire <- time.Time{}:
		case err := <-ended:
			ended <- err
		}
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "no answer from") {
		t.Errorf("although nothing moved: %v", err)
	}
}

// stepped gives a byte for each step.
type stepped struct {
	step chan struct{}
	ctx  context.Context
}

func (s stepped) Read(p []byte) (int, error) {
	select {
	case <-s.step:
		return copy(p, bytes.Repeat([]byte("x"), 1)), nil
	case <-s.ctx.Done():
		return 0, io.EOF
	}
}
