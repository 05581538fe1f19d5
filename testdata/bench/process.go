package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// usage is what a process took.
type usage struct {
	wall, cpu time.Duration // cpu: user and system
	peak      int64         // bytes of memory, 0 where the system does not tell
}

// report is what import --json ends with.
type report struct {
	New      int   `json:"sessions_new"`
	Updated  int   `json:"sessions_updated"`
	Messages int64 `json:"messages_new"`
	Bytes    int64 // of the files
	Lines    struct{ Read, Skipped, Bad, Pending int64 }
}

// holds checks that an import read as many messages as its files have: what is
// not read is quickly done.
func (r report) holds(messages int64) error {
	if r.Messages != messages {
		return fmt.Errorf("%d messages of %d were read", r.Messages, messages)
	}
	return nil
}

// winnow runs the program on a database of its own and returns what it wrote.
func (b *bench) winnow(db string, args ...string) (usage, []byte, error) {
	cmd := exec.Command(b.program("winnow"), append([]string{"--db", b.path(db)}, args...)...)
	home := b.path("home") // without anybody's configuration
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
	return measure(cmd)
}

// imports imports a path and checks that every line was read.
func (b *bench) imports(db, source string) (usage, report, error) {
	u, out, err := b.winnow(db, "import", "--json", b.path(source))
	var r report
	if err == nil {
		lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
		err = json.Unmarshal(lines[len(lines)-1], &r)
	}
	if err == nil && r.Lines.Bad+r.Lines.Pending > 0 {
		err = fmt.Errorf("%d bad and %d pending lines", r.Lines.Bad, r.Lines.Pending)
	}
	return u, r, err
}

// exitPartly says that something was left out, and that it was told.
const exitPartly = 3

func measure(cmd *exec.Cmd) (usage, []byte, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	started := time.Now()
	err := cmd.Run()
	u := usage{wall: time.Since(started)}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitPartly {
		err = nil
	}
	if err != nil {
		return u, nil, fmt.Errorf("%v: %w: %.500s", cmd.Args, err, bytes.TrimSpace(stderr.Bytes()))
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.peak = peakMemory(cmd.ProcessState)
	return u, stdout.Bytes(), nil
}

// hash reads all files below a folder through SHA-256.
func (b *bench) hash(source string) (bytes int64, took time.Duration, err error) {
	started := time.Now()
	h, buf := sha256.New(), make([]byte, 1<<20)
	err = filepath.WalkDir(b.path(source), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, buf)
		bytes += n
		return err
	})
	return bytes, time.Since(started), err
}

// sizeOf is the size of a database with its companions.
func (b *bench) sizeOf(db string) (n int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(b.path(db) + suffix); err == nil {
			n += info.Size()
		}
	}
	return n
}
