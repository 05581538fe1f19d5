package main

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/user"
	"runtime"
	"time"

	"github.com/charmbracelet/x/term"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/print"
	"winnow/core/train/work"
	"winnow/tui"
)

// environment is everything that the program takes from outside.
type environment struct {
	args           []string // without the program's name
	stdin          io.Reader
	stdout, stderr io.Writer
	// stdinTTY, stdoutTTY and stderrTTY say whether a stream is a terminal.
	stdinTTY, stdoutTTY, stderrTTY bool
	// width is the number of cells of a line of the terminal at stdout, 0
	// if it is none.
	width int
	config.Env
	dir     func() (string, error) // the working folder
	now     func() time.Time
	zone    *time.Location // of the times on the screen
	rand    io.Reader      // for ids
	version string         // set when the program was linked, else ""
	lease   time.Duration  // how long leases last, 0 for the usual time
	// start begins a command of winnow's that goes on when this process ends.
	start func(log string, args ...string) (ended <-chan error, err error)
	// show shows a screen until the curator leaves it; nil: in the terminal.
	show func(context.Context, tui.Options) error
}

// processEnvironment returns the environment of this process.
func processEnvironment(version string) environment {
	env := environment{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		stdinTTY: term.IsTerminal(os.Stdin.Fd()), stdoutTTY: term.IsTerminal(os.Stdout.Fd()),
		stderrTTY: term.IsTerminal(os.Stderr.Fd()),
		Env:       config.Env{Lookup: os.LookupEnv, GOOS: runtime.GOOS, User: systemUser},
		dir:       os.Getwd, now: time.Now, zone: time.Local, rand: rand.Reader, version: version, start: start,
	}
	if env.stdoutTTY {
		if w, _, err := term.GetSize(os.Stdout.Fd()); err == nil {
			env.width = w
		}
	}
	return env
}

// start begins this program with other arguments, apart from this process.
func start(log string, args ...string) (<-chan error, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return work.Spawn(log, append([]string{self}, args...)...)
}

func systemUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// screen reports whether a full-screen program can run here.
func (e *environment) screen() bool {
	return e.stdinTTY && e.stdoutTTY && e.Get("TERM") != "dumb"
}

// The terminal keeps the title of its window while the screen has one of its own.
const keepTitle, formerTitle = "\x1b[22;2t", "\x1b[23;2t"

// run shows a screen; it returns when the curator has left it and its jobs
// have ended.
func (e *environment) run(ctx context.Context, o tui.Options) error {
	if e.show != nil {
		return e.show(ctx, o)
	}
	io.WriteString(e.stdout, keepTitle)
	defer io.WriteString(e.stdout, formerTitle)
	return tui.Run(ctx, o)
}

// progress returns a line on the terminal that shows how far long work is.
func (p *cli) progress() *print.Progress {
	if !p.env.stderrTTY {
		return print.NewProgress(nil, p.env.now)
	}
	return print.NewProgress(p.env.stderr, p.env.now)
}

// config reads the configuration.
func (p *cli) config() (*config.Config, error) { return config.Read(&p.env.Env, p.flagText) }

// flagText returns a global flag, "" if it was not given.
func (p *cli) flagText(name string) string {
	if p.flag == nil {
		return ""
	}
	if text, given := p.flag(name); given {
		return text
	}
	return ""
}
