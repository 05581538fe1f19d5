package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"winnow/core/chat"
	"winnow/core/session"
)

var formats = []string{"openai", "anthropic", "claude-code"}

// measure returns a row per library with its speed on lines of each format, in
// bytes per second of processor time, and what that is of the first library's.
// Libraries take turns, so that what else the machine does hits them alike.
func measure(size string, rounds int) ([][]string, error) {
	all := libraries()
	rows := [][]string{{"decoder"}, {"winnow, whole reader"}}
	for _, l := range all {
		rows = append(rows, []string{l.name})
	}
	for _, format := range formats {
		rows[0] = append(rows[0], format+" MB/s", "ratio", "allocations/line")
		src, err := exec.Command("go", "run", "winnow/cmd/trajgen", "-o", "-", "--format", format, "--size", size).Output()
		if err != nil {
			return nil, fmt.Errorf("trajgen: %w", err)
		}
		lines := bytes.Split(bytes.TrimSpace(src), []byte("\n"))
		best := make([]sample, len(rows)-1)
		for range rounds {
			best[0].keep(take(func() error { return readAll(src) }))
			for i, l := range all {
				best[i+1].keep(take(func() error { return decodeAll(l, lines) }))
			}
		}
		for i, s := range best {
			if s.err != nil {
				rows[i+1] = append(rows[i+1], s.err.Error(), "", "")
				continue
			}
			rows[i+1] = append(rows[i+1], fmt.Sprintf("%.0f", float64(len(src))/1e6/s.took.Seconds()),
				fmt.Sprintf("%.2f", best[1].took.Seconds()/s.took.Seconds()), fmt.Sprintf("%.1f", float64(s.allocations)/float64(len(lines))))
		}
	}
	return rows, nil
}

// sample is what one pass over all lines took.
type sample struct {
	// took is processor time, with that of the garbage collector.
	took        time.Duration
	allocations uint64
	err         error
}

func take(pass func() error) (s sample) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := spent()
	s.err = pass()
	s.took = spent() - began
	runtime.ReadMemStats(&after)
	s.allocations = after.Mallocs - before.Mallocs
	return s
}

// keep keeps the faster of both.
func (s *sample) keep(other sample) {
	if s.took == 0 || other.err != nil || other.took < s.took && s.err == nil {
		*s = other
	}
}

func decodeAll(l library, lines [][]byte) error {
	for _, line := range lines {
		f, err := l.decode(line)
		if err != nil {
			return err
		}
		kept = f.role
	}
	return nil
}

// kept keeps results from being optimized away.
var kept string

// readAll reads lines as an import does: it cuts them, recognizes the format
// and makes messages, with nothing after that stores them.
func readAll(src []byte) error {
	var n counting
	_, err := session.Read(context.Background(), bytes.NewReader(src), session.Options{}, session.State{}, &n)
	if err == nil && n.messages == 0 {
		return fmt.Errorf("not read")
	}
	return err
}

type counting struct{ messages int }

func (n *counting) Meta(string, session.Meta) error { return nil }
func (n *counting) Message(_ string, m *chat.Message) error {
	n.messages++
	kept = m.Content
	return nil
}
func (n *counting) Amend(string, int, *chat.Message) error { return nil }
func (n *counting) Move(string, int, string) error         { return nil }
func (n *counting) Issue(session.Issue) error              { return nil }
func (n *counting) LineDone(*session.State) error          { return nil }
