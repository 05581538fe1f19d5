// Trajgen makes synthetic agent sessions of any number and size, for
// benchmarks and demonstrations. The same flags give the same bytes.
//
//	trajgen -o DIR --size 1GB
//	trajgen -o big.jsonl --giant-file 4GB
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// size is a flag for a number of bytes, such as 24MB; units are powers of ten
// unless written KiB, MiB or GiB.
type size int64

func (s *size) String() string { return strconv.FormatInt(int64(*s), 10) }

func (s *size) Set(text string) error {
	units := []struct {
		name string
		size int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}
	number, unit := text, int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			number, unit = rest, u.size
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !(f >= 0 && f*float64(unit) < 1<<62) {
		return fmt.Errorf("want a size such as 500KB, 24MB or 1GB")
	}
	*s = size(f * float64(unit))
	return nil
}

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	var name string
	flags := flag.NewFlagSet("trajgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.target, "o", "", "folder, file (*.jsonl, one session) or - for standard output")
	flags.StringVar(&name, "format", "openai", "format of the sessions: "+formatNames())
	flags.IntVar(&o.sessions, "sessions", 0, "number of sessions")
	flags.Var(&o.size, "size", "total size, for example 1GB; with --sessions, whichever is reached first")
	flags.Uint64Var(&o.seed, "seed", 1, "the same seed and flags give the same bytes")
	flags.IntVar(&o.low, "messages-min", 5, "fewest messages of a session")
	flags.IntVar(&o.high, "messages-max", 400, "most messages of a session")
	flags.IntVar(&o.text, "text", usualText, "size of the texts, in percent")
	flags.IntVar(&o.rounds, "rounds", usualRounds, "most rounds of calls and results that answer a request; few make many tasks")
	flags.Var(&o.giantLine, "giant-line", "make giant-line.jsonl: a session with one message of this size")
	flags.Var(&o.giantFile, "giant-file", "make giant-file.jsonl: one session of this size")
	flags.IntVar(&o.tinyLines, "tiny-lines", 0, "make tiny-lines.jsonl: one session of this many short messages")
	flags.IntVar(&o.perFolder, "files-per-dir", 1000, "files in each folder")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if i := slices.IndexFunc(formats, func(f format) bool { return f.name == name }); i >= 0 {
		o.format = &formats[i]
	}
	if err := o.check(name, flags.Args()); err != nil {
		fmt.Fprintln(stderr, "trajgen:", err)
		return 2
	}
	total, err := generate(o, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "trajgen:", err)
		return 1
	}
	fmt.Fprintf(stderr, "trajgen: %d sessions, %d messages, %d bytes\n", total.sessions, total.messages, total.bytes)
	return 0
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}
