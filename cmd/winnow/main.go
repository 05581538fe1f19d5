// Command winnow is for people who review training data by hand: it loads
// recorded agent sessions into a local database, shows them, takes verdicts
// and writes the kept ones as training records.
//
// Every command is a file of its own. What the program takes from outside
// (arguments, environment, streams, clock) comes in through one value, so that
// run can be tested whole; main makes that value and is the only one to exit.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// version is set by -ldflags "-X main.version=…"; without it the version of
// the build information counts.
var version string

// memory is where collections come more often than usual, in bytes. Ordinary work
// stays far below; a line of 100 MB needs less than 500 MB with it, and 700 MB without.
const memory = 256 << 20

func main() { process(processEnvironment(version)) }

// process is the life of a process.
func process(env environment) {
	debug.SetMemoryLimit(memory)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// The first signal asks for a clean end. From then on signals act as
	// usual, so that a second one ends a program that does not listen.
	context.AfterFunc(ctx, stop)
	code := run(ctx, env)
	stop()
	os.Exit(code)
}
