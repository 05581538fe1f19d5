package main

import (
	"context"
	"errors"
	"fmt"

	"winnow/cmd/winnow/config"
)

// The exit statuses. They are part of the interface: scripts test them.
const (
	exitDone        = 0
	exitFailed      = 1   // failed, or nothing was loaded
	exitUsage       = 2   // wrong usage
	exitPartly      = 3   // done, but something was left out and listed
	exitInterrupted = 130 // stopped by a signal, as shells report it
)

// failure is an error together with the exit status it ends the program with.
type failure struct {
	code int
	err  error // nil: everything has been said already
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// wrongUsage returns an error for a command line that makes no sense.
func wrongUsage(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...)}
}

// ended returns an error that prints nothing and only sets the exit status.
func ended(code int) error { return &failure{code: code} }

// exitCode returns the status for an error and the line to print, "" if
// everything has been said.
func exitCode(err error) (code int, line string) {
	var f *failure
	var bad *config.Error
	switch {
	case err == nil:
		return exitDone, ""
	case errors.As(err, &f):
		return f.code, f.Error()
	case errors.As(err, &bad):
		return exitUsage, bad.Error()
	case errors.Is(err, context.Canceled):
		return exitInterrupted, "stopped"
	}
	return exitFailed, err.Error()
}
