//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// countingServer is a server that counts its requests, by what they ask.
func countingServer(t *testing.T) (s *llmtest.Server, requests func() map[string]int) {
	s = llmtest.Start(t, llmtest.Answer("The agent looked at the part again and again."))
	return s, func() map[string]int {
		n := map[string]int{}
		for _, q := range s.Requests() {
			n[q.Last()]++
		}
		return n
	}
}

// TestKilledCompressionAsksNothingTwice kills runs in the middle of a batch and has
// them go on. What was answered and had arrived is never asked for again: no more
// requests are repeated than were under way when the program was killed.
func TestKilledCompressionAsksNothingTwice(t *testing.T) {
	const atOnce = 3
	bin := build(t)
	for _, turns := range []bool{false, true} {
		t.Run(map[bool]string{false: "segments", true: "files"}[turns], func(t *testing.T) {
			dir := t.TempDir()
			source := filepath.Join(dir, "runs.jsonl")
			var rows strings.Builder
			for k := range crashBatch {
				rows.WriteString(crashRow(k, turns) + "\n")
			}
			if err := os.WriteFile(source, []byte(rows.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			v := &victim{t, bin, filepath.Join(dir, "w.db"), source}
			server, requests := countingServer(t)
			run := func() *exec.Cmd {
				args := []string{"compress", "--by", "llm", "--to", "300", "--summary", "40", "--json"}
				if turns {
					args = append(args, source, "-o", filepath.Join(dir, "out.jsonl"), "--compat")
				}
				cmd := v.command(args...)
				cmd.Env = append(cmd.Env, "WINNOW_LLM_BASE_URL="+server.URL, "WINNOW_LLM_MODEL=tiny", fmt.Sprint("WINNOW_LLM_CONCURRENCY=", atOnce))
				return cmd
			}
			if !turns {
				v.run("import", source)
				v.run("segment", "--by", "offline")
			}
			killed := 0
			for i := range crashKills {
				if v.killAt(run(), int64(crashBatch*(i+1)/(crashKills+1)), func() int64 { return int64(server.Count()) }) {
					killed++
				}
				if !turns {
					v.run("doctor")
				}
				if _, err := os.Stat(filepath.Join(dir, "out.jsonl")); err == nil {
					t.Fatal("a file that is not whole has its name")
				}
			}
			out, err := run().Output()
			if err != nil {
				t.Fatalf("%v\n%.600s", err, out)
			}
			repeated, most := 0, 0
			for _, n := range requests() {
				repeated += n - 1
				most = max(most, n)
			}
			if len(requests()) != crashBatch || repeated > atOnce*killed || killed < crashKills/2 {
				t.Errorf("%d requests, %d repeated (%d times at most) after %d kills", len(requests()), repeated, most, killed)
			}
			t.Logf("%d requests, %d of them again after %d kills", server.Count(), repeated, killed)
			before := server.Count()
			if turns {
				checkWhole(t, filepath.Join(dir, "out.jsonl"), "[CONTEXT SUMMARY]: The agent looked")
				return
			}
			if n := strings.Count(string(v.run("list", "--filter", "compression:proposed", "--json")), "\n"); n != crashBatch {
				t.Errorf("%d are proposed", n)
			}
			if out, err := run().Output(); err != nil || server.Count() != before {
				t.Errorf("asked again: %v %.600s", err, out)
			}
		})
	}
}

// checkWhole checks that each row of a batch was made into what holds a text.
func checkWhole(t *testing.T, name, text string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n, m := strings.Count(string(data), "\n"), strings.Count(string(data), text); n != crashBatch || m != crashBatch {
		t.Errorf("%d rows, %d of them compressed", n, m)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*winnow*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
