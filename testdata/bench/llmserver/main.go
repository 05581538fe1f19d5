// Llmserver is an OpenAI-compatible server that cuts segments without a model,
// for trying by hand what winnow does with one, also with one that misbehaves:
//
//	go run ./testdata/bench/llmserver -addr 127.0.0.1:8099
//	WINNOW_LLM_BASE_URL=http://127.0.0.1:8099/v1 WINNOW_LLM_MODEL=any winnow segment --by llm
//
// It begins a task at a message that holds "NEW TASK" and at a user's message
// that begins with "Task". Every request is told on stderr.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"winnow/core/llm/llmtest"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "llmserver:", err)
		os.Exit(1)
	}
}

// manners are how a server behaves.
type manners struct {
	fail   int           // every so many requests one fails, 0 none
	status int           // of those that fail
	retry  int           // seconds that those that fail ask to wait, 0 none
	late   time.Duration // before each answer
	key    string        // that requests must have, "" any
	kind   string        // of the answers
}

func run(args []string) error {
	var m manners
	flags := flag.NewFlagSet("llmserver", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8099", "address and port to listen on")
	flags.IntVar(&m.fail, "fail", 0, "fail every `n`-th request; all of them if only -status is given")
	flags.IntVar(&m.status, "status", 0, "`status` of requests that fail (default 500)")
	flags.IntVar(&m.retry, "retry-after", 0, "`seconds` that requests that fail ask to wait")
	flags.DurationVar(&m.late, "late", 0, "answer after this time")
	flags.StringVar(&m.key, "key", "", "refuse requests without this key")
	flags.StringVar(&m.kind, "answer", "plain", "how to answer: plain, prose, fenced, think, wrong, half or hang")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if m.fail == 0 && m.status != 0 {
		m.fail = 1
	}
	if m.status == 0 {
		m.status = http.StatusInternalServerError
	}
	reply, err := m.reply()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "llmserver: base_url is http://%s/v1\n", listener.Addr())
	return (&http.Server{Handler: llmtest.NewHandler(reply), ReadHeaderTimeout: 10 * time.Second}).Serve(listener)
}

// replies are the ways of answering, by name.
var replies = map[string]func(segments string) llmtest.Reply{
	"plain":  llmtest.Answer,
	"prose":  llmtest.Prose,
	"fenced": llmtest.Fenced,
	"think":  func(s string) llmtest.Reply { return llmtest.Thought(`[{"start":1,"end":1}]`, s) },
	"wrong":  func(string) llmtest.Reply { return llmtest.Answer(`[{"start":1,"end":0.5,"topic":""}]`) },
	"half":   llmtest.Half,
	"hang":   func(string) llmtest.Reply { return llmtest.Hang() },
}

// reply returns how every request is answered.
func (m manners) reply() (llmtest.Reply, error) {
	answer, ok := replies[m.kind]
	if !ok {
		return nil, fmt.Errorf("-answer %s: want plain, prose, fenced, think, wrong, half or hang", m.kind)
	}
	if m.status < 300 || m.status > 599 {
		return nil, fmt.Errorf("-status %d: want a status from 300 to 599", m.status)
	}
	var count atomic.Int64
	return llmtest.Func(func(q llmtest.Request) llmtest.Reply {
		n := int(count.Add(1))
		r, what := m.answer(n, q, answer)
		fmt.Fprintf(os.Stderr, "request %d: model %q, %d messages, %d bytes: %s\n", n, q.Model, len(q.Messages), len(q.Body), what)
		if m.late == 0 {
			return r
		}
		release := make(chan struct{})
		time.AfterFunc(m.late, func() { close(release) })
		return llmtest.Late(release, r)
	}), nil
}

// answer returns the reply to request n and what it is.
func (m manners) answer(n int, q llmtest.Request, answer func(string) llmtest.Reply) (llmtest.Reply, string) {
	switch {
	case m.key != "" && q.Key() != m.key:
		return llmtest.EchoKey(http.StatusUnauthorized), "401"
	case m.fail > 0 && n%m.fail == 0 && m.retry > 0:
		return llmtest.Status(m.status, "as asked for", "Retry-After", fmt.Sprint(m.retry)), fmt.Sprint(m.status)
	case m.fail > 0 && n%m.fail == 0:
		return llmtest.Status(m.status, "as asked for"), fmt.Sprint(m.status)
	}
	segments := llmtest.Segments(q.User())
	return answer(segments), m.kind + " " + segments
}
