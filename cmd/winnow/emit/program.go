// Package emit is the commands that write training data: export, and convert, which
// does the same with a file. What decides on samples is in core/export.
package emit

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/filter"
)

// Program is what the commands need of the program.
type Program struct {
	Out       *print.Output
	Stdin     io.Reader
	Stderr    io.Writer
	StderrTTY bool // it is a terminal
	Env       *config.Env
	Version   string
	Warn      func(format string, args ...any)
	Command   func(words string) string // a command line that does something with the same database
	Line      func() *print.Progress
	Config    func() (*config.Config, error)

	// What the flags say that other commands have as well, and what adds them.
	JSON       *bool
	Filter     *string
	Asked      func() (filter.Node, error) // what Filter means
	FilterFlag func(*cobra.Command)
	JSONFlag   func(help string) func(*cobra.Command)

	// Open runs f with the database; Exists reports whether there is one; Searchable
	// prepares it for a filter.
	Open       func(ctx context.Context, f func(*desk.Desk) error) error
	Exists     func() (bool, error)
	Searchable func(ctx context.Context, d *desk.Desk, n filter.Node) error

	// Wrong is an error of wrong usage; Fail one that ends the program with a status,
	// nil where all has been said.
	Wrong func(format string, args ...any) error
	Fail  func(code int, err error) error
}

// Exit statuses.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitPartly      = 3
	exitInterrupted = 130
)

// must panics if a completion was given for a flag that does not exist.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
