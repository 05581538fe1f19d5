package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestTrainingDoc: the loop of docs/training-runs.md goes round as it stands there, also
// where some samples have tools and others have none.
func TestTrainingDoc(t *testing.T) {
	if missing := notInstalled([]string{"python3"}); missing != "" {
		t.Skip(missing)
	}
	text, err := os.ReadFile("../../docs/training-runs.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		return regexp.MustCompile("(?s)```" + kind + "\n(.*?)```").FindStringSubmatch(string(text))[1]
	}
	s := newSchool(t, time.Minute)
	const plain = `{"messages":[{"role":"user","content":"What is a heron?"},{"role":"assistant","content":"A bird that wades, with long legs and a long bill."}]}`
	const called = `{"messages":[{"role":"user","content":"Read the list of quays"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"north, south"},{"role":"assistant","content":"There are two: north and south."}],"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{}}}}]}`
	s.file("mixed.jsonl", plain+"\n"+called+"\n")
	s.ok("import", s.vars["HOME"]+"/mixed.jsonl")
	s.ok("approve", "--filter", "status:pending", "--yes")
	s.file(".config/winnow/count.py", block("python"))
	s.file(".config/winnow/config.toml", block("toml")+"split = \"train=1\"\n")
	if out := s.does("train", "--wait"); !strings.Contains(out, "run 1: succeeded") {
		t.Fatal(out)
	}
	for _, name := range []string{"train-00000-of-00001.jsonl", "train.notools-00000-of-00001.jsonl"} {
		if _, err := os.Stat(s.place(1).Data() + "/data/" + name); err != nil {
			t.Error(err)
		}
	}
	if model, err := os.ReadFile(s.place(1).Out() + "/model.json"); err != nil || string(model) != `{"read": 3}` {
		t.Errorf("%v, %s", err, model)
	}
}
