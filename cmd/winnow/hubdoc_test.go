//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// example is a piece of docs/hub.md.
type example struct{ kind, text string }

// hubExamples are the pieces of docs/hub.md in some languages, as they are written.
func hubExamples(t *testing.T) (all []example) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "hub.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```(sh|python|json|yaml)\n(.*?)```").FindAllStringSubmatch(string(doc), -1) {
		all = append(all, example{block[1], block[2]})
	}
	return all
}

// isHook reports whether an example is the script that hooks run.
func (e *example) isHook() bool { return e.kind == "sh" && strings.Contains(e.text, "transcript_path") }

// step returns the script of a step of a CI job, "" if there is none.
func (e *example) step() string {
	_, script, _ := strings.Cut(e.text, "run: |\n")
	return regexp.MustCompile(`(?m)^    `).ReplaceAllString(script, "")
}

// hooks returns the commands of the hooks in settings of Claude Code.
func (e *example) hooks() (commands map[string]string) {
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Type, Command string }
		}
	}
	if json.Unmarshal([]byte(e.text), &settings) != nil {
		return nil
	}
	commands = map[string]string{}
	for event, list := range settings.Hooks {
		for _, of := range list {
			for _, h := range of.Hooks {
				commands[event] += h.Command
			}
		}
	}
	return commands
}

// TestExamplesOfTheHub runs the examples of docs/hub.md as they are written, but for the
// address, with what is installed.
func TestExamplesOfTheHub(t *testing.T) {
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	s := v.serve()
	for _, name := range []string{"s", "a", "b", "sessions/c", "sessions/d"} {
		text := `{"role":"user","content":"a question in ` + name + `"}` + "\n" + `{"role":"assistant","content":"an answer"}` + "\n"
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+dir, "PATH="+filepath.Dir(v.bin)+string(filepath.ListSeparator)+os.Getenv("PATH"), "WINNOW_DB="+v.db,
		"WINNOW_URL="+s.url, "WINNOW_TOKEN="+s.token, "GITHUB_RUN_ID=17",
		"WINNOW_READ_TOKEN="+strings.TrimSpace(string(v.run("serve", "--print-token", "read"))))
	ran := map[string]int{}
	for _, e := range hubExamples(t) {
		cmd := exec.Command("sh", "-euc", strings.ReplaceAll(e.text, "http://127.0.0.1:7717", s.url))
		needs := []string{"sh"}
		switch {
		case e.isHook(): // by TestHooksOfTheHub
			continue
		case e.kind == "json":
			continue
		case e.kind == "python":
			cmd, needs = exec.Command("python3", "-c", e.text), []string{"python3"}
		case e.kind == "yaml":
			cmd, needs = exec.Command("bash", "-e", "-c", e.step()), []string{"bash"}
		}
		for _, tool := range []string{"curl", "gzip", "zstd"} {
			if strings.Contains(e.text, tool+" -") {
				needs = append(needs, tool)
			}
		}
		if missing := notInstalled(needs); missing != "" {
			t.Logf("no %s here", missing)
			continue
		}
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(e.text, "ingest?") && bytes.Contains(out, []byte(`"success":false`)) || strings.Contains(e.text, "/segments") && !bytes.Contains(out, []byte("a question in")) {
			t.Errorf("%v: %s\n%s", err, e.text, out)
		}
		ran[e.kind]++
		s.idle()
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if notInstalled([]string{"curl", "gzip", "python3", "bash"}) != "" {
		return
	}
	// laptop: fix-parser, a and b; ci: s, 17-c and 17-d.
	if messages, _ := v.stored(); ran["sh"] < 5 || ran["python"] != 2 || ran["yaml"] != 1 || messages != 12 {
		t.Errorf("%d messages; ran %v", messages, ran)
	}
}

// TestHooksOfTheHub runs the hooks of docs/hub.md as Claude Code does: the transcript
// comes to the hub, and the agent goes on at once, with a hub or without.
func TestHooksOfTheHub(t *testing.T) {
	if missing := notInstalled([]string{"sh", "curl", "python3", "nohup"}); missing != "" {
		t.Skipf("no %s here", missing)
	}
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	s := v.serve()
	transcript := filepath.Join(dir, "a project", "1f0c.jsonl")
	script := filepath.Join(dir, ".claude", "hooks", "winnow.sh")
	for path, text := range map[string]string{transcript: `{"role":"user","content":"x"}` + "\n", script: ""} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and answers nobody
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	var hook string
	var commands map[string]string
	for _, e := range hubExamples(t) {
		if e.isHook() {
			hook = e.text
		} else if of := e.hooks(); len(of) > 0 {
			commands = of
		}
	}
	if hook == "" || len(commands) != 2 {
		t.Fatalf("the hook is %q, its events are %v", hook, commands)
	}
	const soon = 10 * time.Second // Claude Code waits for 1.5 s: a busy machine may need more, and an upload that is waited for minutes
	for event, command := range commands {
		for _, url := range []string{"http://127.0.0.1:1", "http://" + silent.Addr().String(), s.url} {
			for i, input := range []string{`{"session_id":"1f0c","transcript_path":"` + transcript + `","hook_event_name":"` + event + `"}`, "no JSON", `{"transcript_path":"/none"}`} {
				if i > 0 && url != s.url {
					continue
				}
				if err := os.WriteFile(script, []byte(strings.ReplaceAll(hook, "http://127.0.0.1:7717", url)), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("sh", "-c", command)
				cmd.Stdin, cmd.Env = strings.NewReader(input), append(os.Environ(), "HOME="+dir, "WINNOW_TOKEN="+s.token)
				began := time.Now()
				out, err := cmd.Output()
				if took := time.Since(began); err != nil || len(out) > 0 || took > soon {
					t.Errorf("%s to %s of %s: %v after %v: %s", event, url, input, err, took, out)
				}
			}
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(dir, "w.inbox", "claude-code", "1f0c.jsonl")); err == nil && len(text) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the transcript does not come")
		}
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// notInstalled returns the first of some tools that is not there, "" if all are.
func notInstalled(tools []string) string {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}
