package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/compress"
	"winnow/core/export"
	"winnow/core/llm/llmtest"
	"winnow/core/token"
	"winnow/store"
)

// TestWhatAPersonWroteStays checks that a text that a person put into a proposal is not
// made anew, whatever is asked for, but with --again.
func TestWhatAPersonWroteStays(t *testing.T) {
	b := newBench(t)
	b.vars["WINNOW_DB"] = filepath.Join(b.vars["HOME"], "w.db")
	b.ok("import", b.file("long.jsonl", crashRow(1, false)+"\n"))
	b.ok("segment", "--by", "offline")
	b.ok("compress", "--to", "300")
	db, err := store.Open(t.Context(), b.vars["WINNOW_DB"], store.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(b.ok("list", "--filter", "has:compression", "--json"), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	seg, err := db.Segment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	list, err := db.Proposals(t.Context(), []string{seg.ID})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	c, err := export.ConversationOf(t.Context(), db, &seg)
	if err != nil {
		t.Fatal(err)
	}
	counter, _ := token.Named("chars/4")
	to, err := list[0].Rewrite(c, compress.Options{Price: export.Price(counter, c.Tools)}, compress.Place{}, "By hand.")
	if err == nil {
		_, err = db.ChangeProposal(t.Context(), "ann", &list[0], &to)
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, args := range [][]string{{"--to", "300"}, {"--to", "310", "--by", "clear"}, {"--to", "90000"}, {"--to", "300", "--keep", "fold"}} {
		b.ok(append([]string{"compress"}, args...)...)
		if out := b.ok("compress", "show", id); !strings.Contains(out, "By hand.") {
			t.Errorf("%v: it is gone:\n%s", args, out)
		}
	}
	b.ok("compress", "--to", "300", "--again")
	if out := b.ok("compress", "show", id); strings.Contains(out, "By hand.") {
		t.Errorf("it was not made anew:\n%s", out)
	}
}

// TestStoppedCompression checks that a run that the user ends leaves no file, keeps
// what was answered, and says so.
func TestStoppedCompression(t *testing.T) {
	b := newBench(t)
	server := llmtest.Start(t, llmtest.Answer("The agent looked at it again and again."), llmtest.Hang())
	b.vars["WINNOW_LLM_MODEL"], b.vars["WINNOW_LLM_BASE_URL"], b.vars["WINNOW_LLM_CONCURRENCY"] = "tiny", server.URL, "1"
	in := b.file("in.jsonl", crashRow(1, true)+"\n"+crashRow(2, true)+"\n")
	out := filepath.Join(b.vars["HOME"], "out.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for server.Count() < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	args := []string{"compress", in, "-o", out, "--by", "llm", "--to", "300", "--summary", "40"}
	env := b.env
	env.args, env.stdout, env.stderr = args, &b.stdout, &b.stderr
	if code := run(ctx, env); code != exitInterrupted || !strings.Contains(b.stderr.String(), "stopped: the file that was being written is not there; answers of the model are kept") {
		t.Errorf("exit status %d, %s", code, b.stderr.String())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a file that is not whole")
	}
	server.Then(llmtest.Answer("The agent looked at it, and then once more."))
	b.ok(args...)
	if n := server.Count(); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
	checkRows(t, out, 2)
}

func checkRows(t *testing.T, name string, want int) {
	t.Helper()
	data, err := os.ReadFile(name)
	if got := fmt.Sprint(strings.Count(string(data), "\n"), strings.Count(string(data), "[CONTEXT SUMMARY]")); err != nil || got != fmt.Sprint(want, want) {
		t.Errorf("%v, %s rows and summaries", err, got)
	}
}
