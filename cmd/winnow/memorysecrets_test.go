package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
	"winnow/core/secret/secrettest"
)

// TestSecretsAreNoMemories plants secrets in sessions, and has a model that knows them
// answer with them, and a curator write them: none is in what it was sent, in the tables of
// memories, in what commands print of them, or in what is exported.
func TestSecretsAreNoMemories(t *testing.T) {
	var planted []secrettest.Planted
	for _, p := range secrettest.All() {
		if len(p.Value) >= 8 { // the others are secrets where they stand alone
			planted = append(planted, p)
		}
	}
	if len(planted) < 40 {
		t.Fatalf("%d secrets", len(planted))
	}
	b := newBench(t)
	files := []string{"import"}
	for i, p := range planted {
		files = append(files, b.file(fmt.Sprintf("s%d.jsonl", i), fmt.Sprintf(`{"messages":[{"role":"user","content":%s},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":%s}}]},`+
			`{"role":"tool","tool_call_id":"c1","content":%s},{"role":"assistant","content":"Done."}]}`+"\n",
			asJSON(fmt.Sprintf("Always read case%d.conf first. It has %s", i, p.Text)), asJSON("{\"command\":"+asJSON("echo "+p.Text)+"}"), asJSON("it printed\n"+p.Text))))
	}
	b.ok(files...)
	b.ok("segment", "--by", "offline")
	b.ok("approve", "--filter", "messages>0", "--yes")
	server := llmtest.Start(t, llmtest.Func(func(q llmtest.Request) llmtest.Reply {
		_, after, _ := strings.Cut(q.User(), "Always read case")
		var n int
		if _, err := fmt.Sscanf(after, "%d.conf", &n); err != nil {
			return llmtest.Answer("[]")
		}
		rule := func(content, quote string) string {
			return fmt.Sprintf(`{"kind":"rule","title":"on case%d.conf","content":%s,"context":"","resolution":"","tags":["conf"],"cites":[{"n":1,"quote":%s}]}`, n, asJSON(content), asJSON(quote))
		}
		user := fmt.Sprintf("Always read case%d.conf first.", n)
		return llmtest.Answer("[" + strings.Join([]string{
			rule(fmt.Sprintf("Read case%d.conf first.", n), user),
			rule(fmt.Sprintf("Log in to case%d.conf with %s", n, planted[n].Value), user),
			rule(fmt.Sprintf("What case%d.conf has counts.", n), user+" It has "+planted[n].Text),
		}, ",") + "]")
	}))
	b.vars["WINNOW_MEMORY_BASE_URL"], b.vars["WINNOW_MEMORY_MODEL"] = server.URL, "tiny"
	b.ok("extract")
	b.ok("extract", "--by", "offline", "--again")
	b.ok("memories", "approve", "--filter", "status:proposed", "--yes")
	for line := range strings.Lines(b.ok("memories", "--json", "--filter", "status:approved")) {
		var m struct{ ID, Content string }
		var n int
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(m.Content, "Read case%d.conf first.", &n); err != nil || n%min(slower, 3) > 0 {
			continue
		}
		if code := b.run("memories", "edit", m.ID, "--content", fmt.Sprintf("Log in to case%d.conf with %s", n, planted[n].Value)); code != exitFailed {
			t.Errorf("%d %s may be written by hand: %d %s", n, planted[n].Rule, code, b.stderr.String())
		}
	}
	folder := t.TempDir()
	said := map[string]string{"the list": b.ok("memories", "--json", "--filter", "status:proposed,approved,stale,rejected,archived"), "the tables": memoryTables(t, filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db"))}
	if n := strings.Count(said["the list"], `"status":"approved"`); n < len(planted)*9/10 {
		t.Errorf("%d approved of %d", n, len(planted))
	}
	for as, name := range map[string]string{"agents": "AGENTS.md", "jsonl": "all.jsonl", "mem0": "mem0.jsonl"} {
		path := filepath.Join(folder, name)
		b.ok("memories", "export", "-o", path, "--as", as, "--max-tokens", "100000")
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), "case") < len(planted)*9/10 {
			t.Errorf("%s: %v\n%s", as, err, text)
		}
		said[as] = string(text)
	}
	for _, q := range server.Requests() {
		said["requests"] += string(q.Body)
	}
	for what, text := range said {
		for i, p := range planted {
			if strings.Contains(text, p.Value) || strings.Contains(text, strings.Trim(asJSON(p.Value), `"`)) {
				t.Errorf("%s: %d %s", what, i, p.Rule)
			}
		}
	}
	b.ok("doctor")
}

func asJSON(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// memoryTables is all that is in the tables of memories.
func memoryTables(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all strings.Builder
	for _, table := range []string{"memories", "memory_sources", "memory_tags", "extractions", "journal_memories"} {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range into {
			into[i] = &values[i]
		}
		n := 0
		for ; rows.Next(); n++ {
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				fmt.Fprintf(&all, "%s\n", v)
			}
		}
		if err := rows.Err(); err != nil || n == 0 {
			t.Fatalf("%s: %d rows, %v", table, n, err)
		}
		rows.Close()
	}
	return all.String()
}
