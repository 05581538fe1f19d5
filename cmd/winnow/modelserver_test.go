package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/core/llm/llmtest"
)

// modelServer is the server that a script asks for models.
type modelServer struct {
	*llmtest.Server
	before int // requests before the script that runs
}

// modelKey names the modelServer among the values of a script.
type modelKey struct{}

func serverOf(ts *testscript.TestScript) *modelServer { return ts.Value(modelKey{}).(*modelServer) }

// model starts a server, or gives the one that runs another script, and
// configures it by variables: model REPLY…
//
// A reply is "segments" (which cuts where a message begins with "Task"),
// "answer:TEXT", "prose:JSON", "fenced:JSON", "status:CODE", "busy" (429, to be
// asked again at once), "key" (401, which repeats the key), "hang", "half" or
// "garbage"; the last one is repeated.
func model(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: model REPLY…")
	}
	var script []llmtest.Reply
	for _, arg := range args {
		script = append(script, reply(ts, arg))
	}
	s := serverOf(ts)
	if s.Server == nil {
		s.Server = llmtest.New(script...)
		ts.Defer(s.Close)
	}
	s.before = s.Count()
	s.Script(script...)
	ts.Setenv("WINNOW_LLM_BASE_URL", s.URL)
	ts.Setenv("WINNOW_LLM_MODEL", "tiny")
}

func reply(ts *testscript.TestScript, arg string) llmtest.Reply {
	name, text, _ := strings.Cut(arg, ":")
	switch name {
	case "segments":
		return llmtest.Segmented()
	case "answer":
		return llmtest.Answer(text)
	case "prose":
		return llmtest.Prose(text)
	case "fenced":
		return llmtest.Fenced(text)
	case "status":
		code, err := strconv.Atoi(text)
		ts.Check(err)
		return llmtest.Status(code, "something is wrong")
	case "busy":
		return llmtest.Status(http.StatusTooManyRequests, "slow down", "Retry-After-Ms", "1")
	case "key":
		return llmtest.EchoKey(http.StatusUnauthorized)
	case "hang":
		return llmtest.Hang()
	case "half":
		return llmtest.Half(text)
	case "garbage":
		return llmtest.Garbage()
	}
	ts.Fatalf("model: no reply %q", arg)
	return nil
}

// asked checks how many requests came since the last "model": asked N. With
// patterns, the text of some of them must match each: asked N PATTERN…
func asked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: asked N PATTERN…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	s := serverOf(ts)
	requests := s.Requests()[s.before:]
	if len(requests) != want {
		ts.Fatalf("%d requests, want %d", len(requests), want)
	}
	for _, pattern := range args[1:] {
		found := false
		for _, q := range requests {
			found = found || regexp.MustCompile("(?m)"+pattern).MatchString(q.User())
		}
		if !found {
			ts.Fatalf("no request matches %q", pattern)
		}
	}
}

// taskSession is a session of three tasks, as the scripted server cuts it.
func taskSession() string {
	var b strings.Builder
	for task := 1; task <= 3; task++ {
		fmt.Fprintf(&b, `{"role":"user","content":"Task %d: sort the shelf"}`+"\n", task)
		fmt.Fprintf(&b, `{"role":"assistant","content":"Shelf %d is sorted."}`+"\n", task)
		fmt.Fprintf(&b, `{"role":"user","content":"Is it?"}`+"\n"+`{"role":"assistant","content":"Yes, shelf %d is."}`+"\n", task)
	}
	return b.String()
}
