//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamplesOfTheHub runs the examples of docs/hub.md as they are written, but for the
// address, with what is installed.
func TestExamplesOfTheHub(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "hub.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	s := v.serve()
	for _, name := range []string{"s", "a", "b"} {
		text := `{"role":"user","content":"a question in ` + name + `"}` + "\n" + `{"role":"assistant","content":"an answer"}` + "\n"
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```(sh|python)\n(.*?)```").FindAllStringSubmatch(string(doc), -1) {
		kind, text := block[1], strings.ReplaceAll(block[2], "http://127.0.0.1:7717", s.url)
		cmd := exec.Command("sh", "-euc", text)
		needs := []string{"sh"}
		if kind == "python" {
			cmd, needs = exec.Command("python3", "-c", text), []string{"python3"}
		}
		for _, tool := range []string{"curl", "gzip", "zstd", "python3"} {
			if strings.Contains(text, tool+" -") {
				needs = append(needs, tool)
			}
		}
		if missing := notInstalled(needs); missing != "" {
			t.Logf("no %s here", missing)
			continue
		}
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(`{"transcript_path":"s.jsonl"}`)
		cmd.Env = append(os.Environ(), "WINNOW_TOKEN="+s.token)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(text, "ingest?") && bytes.Contains(out, []byte(`"success":false`)) {
			t.Errorf("%v: %s\n%s", err, text, out)
		}
		ran[kind]++
	}
	s.idle()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if notInstalled([]string{"curl", "gzip", "python3"}) != "" {
		return
	}
	// laptop: fix-parser, a and b; ci and the hook: s.
	if messages, _ := v.stored(); ran["sh"] < 5 || ran["python"] != 1 || messages != 10 {
		t.Errorf("%d messages; ran %v", messages, ran)
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
