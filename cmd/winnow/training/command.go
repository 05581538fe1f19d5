// Package training is the commands that train a model of what was approved, and look
// after that: "winnow train" and "winnow runs".
package training

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/train"
)

// Program is what the commands need of the program.
type Program struct {
	Out     *print.Output
	Warn    func(format string, args ...any)
	Command func(words string) string // a command line that does something with the same database
	Line    func() *print.Progress
	Now     func() time.Time
	Zone    *time.Location
	JSON    *bool
	Limit   *int
	// Flags that other commands have as well.
	LimitFlag func(*cobra.Command)
	JSONFlag  func(help string) func(*cobra.Command)
	// Open runs f with the database, which f changes unless it only looks.
	Open func(ctx context.Context, changes bool, f func(*desk.Desk) error) error
	// Wrong is an error of wrong usage; Fail one that ends the program with a status,
	// nil where all has been said.
	Wrong func(format string, args ...any) error
	Fail  func(code int, err error) error
}

// Exit statuses.
const (
	failed      = 1
	interrupted = 130
)

// with completes a command.
func with(cmd *cobra.Command, add ...func(*cobra.Command)) *cobra.Command {
	for _, f := range add {
		f(cmd)
	}
	return cmd
}

// idOf reads the number of a run.
func (p *Program) idOf(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, p.Wrong("%q is no run: %s lists them by their numbers", text, p.Command("runs"))
	}
	return id, nil
}

// find returns a run.
func (p *Program) find(ctx context.Context, d *desk.Desk, id int64) (train.Run, error) {
	r, err := d.FindRun(ctx, id)
	return r, p.about(id, err)
}

// about says of a run that is not there what to do.
func (p *Program) about(id int64, err error) error {
	if errors.Is(err, train.ErrNoRun) {
		return fmt.Errorf("there is no run %d: %s lists them", id, p.Command("runs"))
	}
	return err
}

// time is a time as it is printed.
func (p *Program) time(t time.Time) string {
	if p.Zone != nil {
		t = t.In(p.Zone)
	}
	return t.Format("2006-01-02 15:04")
}

// paused waits for a moment; it reports false when ctx ends.
func paused(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
