package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// notOne takes any value but [1].
func notOne(v []byte) error {
	if string(v) == "[1]" {
		return errors.New("a list of one, where two are wanted")
	}
	return nil
}

// TestRepair: the model is shown its answer and its mistake.
func TestRepair(t *testing.T) {
	server := llmtest.Start(t, llmtest.Prose("[1]"), llmtest.Fenced("[1,2]"))
	c, _ := client(t, server)
	var got string
	err := c.Ask(context.Background(), question, func(v []byte) error {
		got = string(v)
		return notOne(v)
	})
	if err != nil || got != "[1,2]" {
		t.Fatalf("%v, %s", err, got)
	}
	m := server.Requests()[1].Messages
	if len(m) != 4 || m[0].Content != question.System || m[1].Content != question.User || m[2].Role != "assistant" || m[3].Role != "user" {
		t.Fatalf("%+v", m)
	}
	if !strings.Contains(m[2].Content, "[1]") {
		t.Errorf("its answer is not shown: %s", m[2].Content)
	}
	if want := "That answer cannot be used: a list of one, where two are wanted.\n"; !strings.HasPrefix(m[3].Content, want) {
		t.Errorf("told %q", m[3].Content)
	}
	if u := c.Usage(); u.Requests != 2 || u.Repairs != 1 || u.Retries != 0 {
		t.Errorf("%+v", u)
	}
}

// TestRepairOnce: a model that goes on being wrong is not asked a third time.
func TestRepairOnce(t *testing.T) {
	for reply, want := range map[string]string{
		"[1]":          "a list of one, where two are wanted: try a larger model",
		"I cannot.":    "it holds no JSON array or object: try a larger model",
		`[{"start":1,`: "its JSON is not complete: it ends too early: try a larger model",
		`[{'start':1}]`: `its JSON is broken near "[{'start':1}]": invalid character '\'' at start of string ` +
			`(expecting '"'): try a larger model`,
		"":                     "it is empty: does max_input_tokens fit the server's context?",
		"<think>[1,2]</think>": "it holds no JSON array or object: try a larger model",
	} {
		server := llmtest.Start(t, llmtest.Answer(reply))
		c, k := client(t, server)
		err := c.Ask(context.Background(), question, notOne)
		mustSay(t, err, `model "small" gave no usable answer, also when shown its mistake: `+want, server.URL)
		if server.Count() != 2 || len(k.waits) != 0 {
			t.Errorf("%q: %d requests, waited %v", reply, server.Count(), k.waits)
		}
		if m := server.Requests()[1].Messages[2]; reply == "" && m.Content != noText {
			t.Errorf("shown %q", m.Content)
		}
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Unwrap() == nil || Unavailable(err) {
			t.Errorf("%#v", err)
		}
	}
}

// TestRepairIsShort: however long an answer and its mistake are.
func TestRepairIsShort(t *testing.T) {
	long := "start " + strings.Repeat("語", 100_000) + " [1] end"
	server := llmtest.Start(t, llmtest.Answer(long), llmtest.Answer("[2]"))
	c, _ := client(t, server)
	err := c.Ask(context.Background(), question, func(v []byte) error {
		if string(v) == "[1]" {
			return errors.New(strings.Repeat("wrong ", 10_000))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m := server.Requests()[1].Messages
	shown, told := m[2].Content, m[3].Content
	if len(shown) > maxRepaired+10 || !strings.HasPrefix(shown, "start ") || !strings.HasSuffix(shown, "[1] end") || strings.ContainsRune(shown, '\uFFFD') {
		t.Errorf("shown %d bytes: %.20q…", len(shown), shown)
	}
	if len(told) > maxMistake+200 {
		t.Errorf("told %d bytes", len(told))
	}
}

// TestRepairIsRetried: the second question has the same rights as the first.
func TestRepairIsRetried(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer("[1]"), llmtest.Status(429, "", "Retry-After", "3"), llmtest.Answer("[2]"))
	c, k := client(t, server)
	if err := c.Ask(context.Background(), question, notOne); err != nil {
		t.Fatal(err)
	}
	if u := c.Usage(); fmt.Sprint(k.waits) != "[3s]" || u.Requests != 3 || u.Repairs != 1 || u.Retries != 1 {
		t.Errorf("waited %v, used %+v", k.waits, u)
	}
}

func TestNoSystem(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer("[]"))
	c, _ := client(t, server)
	if err := c.Ask(context.Background(), Request{User: "x"}, anything); err != nil {
		t.Fatal(err)
	}
	if m := server.Requests()[0].Messages; len(m) != 1 || m[0].Role != "user" {
		t.Errorf("%+v", m)
	}
}
