package main

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/clean"
	"winnow/core/segment/offline"
)

// near is a score at which a message almost began a task.
const near = -1.5

// explain prints each decision on the sessions of files: cuts, near misses
// with their reasons, and the scores of all others.
func (j *judge) explain(paths []string) error {
	if len(paths) == 0 {
		return errors.New("which files? go run ./testdata/bench/cuts -explain FILE…")
	}
	for _, path := range paths {
		sessions, err := readFile(path)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			fmt.Fprintf(j.out, "%s: %d messages\n", clean.Line(s.name), len(s.msgs))
			cuts, err := j.cutter.Explain(context.Background(), text(s.msgs), func(d offline.Decision) { j.decision(&d) })
			if err != nil {
				return err
			}
			for _, c := range cuts {
				fmt.Fprintf(j.out, "  segment %d–%d: %s\n", c.Start, c.End, clean.Line(c.Topic))
			}
		}
	}
	return nil
}

func (j *judge) decision(d *offline.Decision) {
	mark := "     "
	switch {
	case d.Cut:
		mark = "cut  "
	case d.Score > near:
		mark = "near "
	}
	fmt.Fprintf(j.out, "  %s%5d %+5.1f %s\n", mark, d.At, d.Score, clean.Line(first(d.Text, 90)))
	switch {
	case d.Why != "":
		fmt.Fprintf(j.out, "               %s\n", d.Why)
	case mark != "     ":
		fmt.Fprintf(j.out, "               %s\n", d.Reasons())
	}
}

// first returns at most n characters of a text.
func first(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
