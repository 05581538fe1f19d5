//go:build unix

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTimersOfTheDocumentation: systemd, where it is installed, takes the units of
// docs/running.md, cron's line runs, and the property list is XML.
func TestTimersOfTheDocumentation(t *testing.T) {
	doc := page(t, "docs", "running.md")
	blocks := map[string][]string{}
	for _, b := range regexp.MustCompile("(?s)```(ini|cron|xml)\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		blocks[b[1]] = append(blocks[b[1]], b[2])
	}
	if len(blocks["ini"]) != 2 || len(blocks["cron"]) != 1 || len(blocks["xml"]) != 1 {
		t.Fatalf("%d blocks", len(blocks))
	}
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), filepath.Join(dir, "s.jsonl")}
	if err := os.WriteFile(v.source, []byte(twoLines), 0o600); err != nil {
		t.Fatal(err)
	}
	v.load()
	v.run("run")

	fields := strings.Fields(blocks["cron"][0])
	if !regexp.MustCompile(`^\*/10( \*){4}$`).MatchString(strings.Join(fields[:5], " ")) {
		t.Errorf("cron is told %q", fields[:5])
	}
	line := exec.Command("sh", "-c", strings.Join(fields[5:], " "))
	line.Env = append(os.Environ(), "PATH="+filepath.Dir(v.bin), "WINNOW_DB="+v.db, "HOME="+dir)
	line.Env = append(line.Env, "XDG_CONFIG_HOME="+dir)
	if out, err := line.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("cron's line, with nothing to do: %v, %q", err, out)
	}

	list := xml.NewDecoder(strings.NewReader(blocks["xml"][0]))
	for {
		if _, err := list.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(blocks["xml"][0], "<key>StartInterval</key><integer>600</integer>") {
		t.Error("launchd is told another interval")
	}

	service := strings.ReplaceAll(blocks["ini"][0], "%h/go/bin/winnow", v.bin)
	for name, text := range map[string]string{"winnow-run.service": service, "winnow-run.timer": blocks["ini"][1]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if missing := notInstalled([]string{"systemd-analyze"}); missing != "" {
		t.Skipf("no %s here", missing)
	}
	check := exec.Command("systemd-analyze", "verify", "--user", "--man=no", filepath.Join(dir, "winnow-run.service"), filepath.Join(dir, "winnow-run.timer"))
	check.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
	out, err := check.CombinedOutput()
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, "winnow-run") {
			t.Errorf("systemd: %s", line)
		}
	}
	if err != nil && bytes.Contains(out, []byte("winnow-run")) {
		t.Error(err)
	}
}
