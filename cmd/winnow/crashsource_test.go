//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/cmd/winnow/tell"
)

// crashSources makes a folder of everything that is stored in its own way:
// sessions of a file, many in one file, trees with branches and sub-agents,
// and what is linked when all is read: earlier states of the same trees, and
// conversations that stand there twice.
func crashSources(t *testing.T, dir string) {
	t.Helper()
	trajgen := install(t, "trajgen", trajgenProgram)
	for _, args := range [][]string{
		{"-o", filepath.Join(dir, "files"), "--size", crashSize(), "--seed", "7"},
		{"-o", filepath.Join(dir, "lines"), "--format", "messages", "--size", crashLines, "--seed", "8"},
	} {
		if out, err := exec.Command(trajgen, args...).CombinedOutput(); err != nil {
			t.Fatalf("trajgen: %v\n%s", err, out)
		}
	}
	files := map[string]string{"twice.jsonl": strings.Join(conversations(400), "") + strings.Join(conversations(400), "")}
	for i := range 12 {
		entries, agents := forkedTree(i)
		files[fmt.Sprintf("trees/a%d.jsonl", i)] = strings.Join(entries, "")
		files[fmt.Sprintf("trees/b%d.jsonl", i)] = strings.Join(entries[:len(entries)/2], "")
		files[fmt.Sprintf("trees/agents-%d.jsonl", i)] = strings.Join(agents, "")
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func conversations(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"messages":[{"role":"user","content":"question %d"},{"role":"assistant","content":"answer %d"}]}`+"\n", i, i))
	}
	return lines
}

// forkedTree returns the lines of a tree in which every tenth prompt follows an
// earlier one, and of a sub-agent that every seventh starts.
func forkedTree(tree int) (entries, agents []string) {
	session := fmt.Sprintf("tree-%d", tree)
	padding := strings.Repeat("some words to read ", 40)
	last := ""
	entry := func(kind, id, more, message string) {
		parent := "null"
		if last != "" {
			parent = `"` + last + `"`
		}
		entries = append(entries, fmt.Sprintf(`{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"%s",%s"message":%s}`+"\n", kind, id, parent, session, more, message))
		last = id
	}
	for i := range 150 {
		if i%10 == 9 {
			last = fmt.Sprintf("r%d-%d", tree, i-3)
		}
		entry("user", fmt.Sprintf("u%d-%d", tree, i), "", fmt.Sprintf(`{"role":"user","content":"prompt %d %s"}`, i, padding))
		entry("assistant", fmt.Sprintf("a%d-%d", tree, i), "", fmt.Sprintf(`{"id":"m%d-%d","role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"Task","input":{"prompt":"look %d"}}]}`, tree, i, i, i))
		started := ""
		if i%7 == 0 {
			started = fmt.Sprintf(`"toolUseResult":{"agentId":"k%d"},`, i)
			agents = append(agents, fmt.Sprintf(`{"type":"user","uuid":"s%d-%d","parentUuid":null,"isSidechain":true,"agentId":"k%d","sessionId":"%s","message":{"role":"user","content":"look %d"}}`+"\n", tree, i, i, session, i))
		}
		entry("user", fmt.Sprintf("r%d-%d", tree, i), started, fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"seen %s"}]}`, i, padding))
	}
	return entries, agents
}

// kin tells of all sessions where they are, what they hold and where they
// belong, but not which of several alike that is.
func (v *victim) kin() string {
	v.t.Helper()
	rows := map[string]tell.Session{}
	var list []string
	for line := range strings.Lines(string(v.run("sessions", "--json"))) {
		var s tell.Session
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			v.t.Fatal(err)
		}
		rows[s.ID] = s
	}
	for _, s := range rows {
		parent := rows[s.Parent]
		list = append(list, fmt.Sprintf("%s %d messages, %s of %s %d at %d", s.NativeID, s.Messages, s.ParentKind, parent.NativeID, parent.Messages, s.ParentAt))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}
