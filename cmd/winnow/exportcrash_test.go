//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exportSource makes sessions, loads them, and returns a program on them.
func exportSource(t *testing.T, size string) *victim {
	t.Helper()
	dir := t.TempDir()
	v := &victim{t, build(t), filepath.Join(dir, "winnow.db"), filepath.Join(dir, "sessions")}
	trajgen := install(t, "trajgen", trajgenProgram)
	if out, err := exec.Command(trajgen, "-o", v.source, "--size", size, "--seed", "5").CombinedOutput(); err != nil {
		t.Fatalf("trajgen: %v\n%s", err, out)
	}
	v.load()
	return v
}

// export runs an export that may leave some out.
func (v *victim) export(args ...string) {
	v.t.Helper()
	err := v.command(append([]string{"export", "--any-verdict"}, args...)...).Run()
	if e, ok := err.(*exec.ExitError); err != nil && (!ok || e.ExitCode() != exitPartly) {
		v.t.Fatalf("export %v: %v", args, err)
	}
}

// sums lists all files at a path, below it or with its name, by their content.
func sums(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %x\n", strings.TrimPrefix(name, path), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sizeBelow is the size of all files below a folder.
func sizeBelow(folder string) (bytes int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil // a file that was renamed meanwhile is not there
	})
	return bytes
}

// TestAKilledExportLeavesTheOldOrTheNew kills exports with SIGKILL, each when a
// certain part is written. The target must then be what it was before, or what
// an undisturbed export makes, and the next export leaves nothing but its
// target.
func TestAKilledExportLeavesTheOldOrTheNew(t *testing.T) {
	v := exportSource(t, "4MB")
	for name, args := range map[string][]string{
		"train.jsonl": nil,
		"set/":        {"--shard-size", "1M", "--split", "train=0.8,validation=0.2", "--gzip"},
	} {
		parent := filepath.Join(t.TempDir(), "exports")
		if err := os.Mkdir(parent, 0o700); err != nil {
			t.Fatal(err)
		}
		target := parent + "/" + name
		args := append([]string{"-o", target, "--force"}, args...)
		plain := filepath.Clean(target)
		v.export(args...)
		whole, full := sums(t, plain), sizeBelow(parent)
		v.export(append(args, "--limit", "7")...)
		old := sums(t, plain)
		if old == whole {
			t.Fatal("both exports are the same")
		}
		const kills = max(crashKills/2, 3)
		killed := 0
		for i := range kills {
			start := sizeBelow(parent)
			cmd := v.command(append([]string{"export", "--any-verdict"}, args...)...)
			if v.killAt(cmd, start+full*int64(i+1)/kills, func() int64 { return sizeBelow(parent) }) {
				killed++
			}
			if got := sums(t, plain); got != old && got != whole {
				t.Fatalf("%s: a killed export left\n%s", name, got)
			}
			v.export(append(args, "--limit", "7")...)
			if got := sums(t, plain); got != old {
				t.Fatalf("%s: the next export made\n%s\nnot\n%s", name, got, old)
			}
			entries, err := os.ReadDir(parent)
			if err != nil || len(entries) != 1 {
				t.Fatalf("%s: the next export left %v, %v", name, entries, err)
			}
		}
		if killed < kills/2 {
			t.Errorf("%s: %d of %d exports were killed", name, killed, kills)
		}
	}
}

// TestAFullDiskLeavesTheOld: a file that cannot grow is as good as a full disk.
func TestAFullDiskLeavesTheOld(t *testing.T) {
	v := exportSource(t, "3MB")
	for _, name := range []string{"train.jsonl", "set/"} {
		parent := t.TempDir()
		target := parent + "/" + name
		v.export("-o", target, "--limit", "3")
		old := sums(t, filepath.Clean(target))
		cmd := exec.Command("sh", "-c", `ulimit -f 1000; exec "$@"`, "sh", v.bin, "--db", v.db, "export", "--any-verdict", "--force", "-o", target)
		cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(v.db))
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), filepath.Base(target)) || strings.Contains(string(out), "goroutine") || strings.Contains(string(out), "winnow-tmp") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if got := sums(t, filepath.Clean(target)); got != old {
			t.Errorf("%s: became\n%s", name, got)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%s: left %v, %v", name, entries, err)
		}
	}
}
