// Command memories shows what may be learned without a model from recorded
// sessions: each is cut by the rules, and of the segments that score well enough for
// a memory, as if they were approved, it prints what the gate lets through, with its
// quotes, and what it drops by reason. Whether a memory is worth keeping is for a
// person to say: with -labels FILE, lines of an id and "yes" or "no", it counts them.
//
//	go run ./testdata/bench/memories [-turns] [-limit N] [-labels FILE] FILE-OR-FOLDER…
//
// With -turns each message that a person wrote begins a segment: there are more of them.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/memory/extract"
	"winnow/core/metric"
	"winnow/core/secret"
	"winnow/core/segment"
	"winnow/core/segment/offline"
	"winnow/core/voice"
	"winnow/testdata/bench/recorded"
)

func main() {
	limit := flag.Int("limit", 0, "segments, 0: all")
	labels := flag.String("labels", filepath.Join("testdata", "bench", "memories", "labels.txt"), "file of labels, \"\" for none")
	turns := flag.Bool("turns", false, "a segment for each message of a person")
	flag.Parse()
	b := &bench{scanner: secret.New(nil), limit: *limit, turns: *turns, out: os.Stdout, dropped: map[memory.Drop]int{}, seen: map[string]bool{}}
	err := b.read(*labels)
	for _, root := range flag.Args() {
		if err == nil {
			err = filepath.WalkDir(root, b.file)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "memories:", err)
		os.Exit(1)
	}
	b.sum()
}

type bench struct {
	scanner *secret.Scanner
	limit   int
	turns   bool
	out     *os.File
	labels  map[string]string

	segments, with int
	known          []memory.Memory
	dropped        map[memory.Drop]int
	yes, no        int
	seen           map[string]bool // contents: sessions are stored more than once
}

// read reads the labels.
func (b *bench) read(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	b.labels = map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 {
			b.labels[words[0]] = words[1]
		}
	}
	return nil
}

// file takes the sessions of a file. What is none is passed over.
func (b *bench) file(name string, d fs.DirEntry, err error) error {
	if err != nil || d.IsDir() {
		return err
	}
	sessions, err := recorded.Read(name)
	if err != nil {
		return nil //nolint:nilerr // a folder holds other files, too
	}
	for _, c := range sessions {
		if err := b.session(c); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) session(c recorded.Conversation) error {
	cuts, err := b.cut(c.Messages)
	if err != nil {
		return err
	}
	for _, cut := range cuts {
		messages := c.Messages[cut.Start-1 : cut.End]
		a := metric.Measure(metric.Config{}, cut.Start, messages)
		about := memory.About{
			Segment: "00000000", Content: chat.DigestOf(messages), File: c.Name, Start: cut.Start, End: cut.End,
			TaskType: string(a.Summary.TaskType), Topic: cut.Topic, Analysis: &a,
		}
		key := memory.ContentKey(about.Content)
		if good, _ := a.Eligible(metric.DefaultThresholds()); !good || b.seen[key] || b.limit > 0 && b.segments >= b.limit {
			continue
		}
		b.seen[key] = true
		b.segments++
		if err := b.extract(memory.NewEvidence(about, messages, b.scanner)); err != nil {
			return err
		}
	}
	return nil
}

// cut cuts a session by the rules, or at each message that a person wrote.
func (b *bench) cut(messages []chat.Message) (cuts []segment.Cut, err error) {
	if !b.turns {
		return offline.New().Cut(context.Background(), text(messages))
	}
	from := 1
	var ear voice.Ear
	for i := range messages {
		if v, said := ear.Hear(&messages[i]); messages[i].Role == chat.User && v == voice.Person && said != "" && i+1 > from {
			cuts = append(cuts, segment.Cut{Start: from, End: i})
			from = i + 1
		}
	}
	return append(cuts, segment.Cut{Start: from, End: len(messages)}), nil
}

func (b *bench) extract(e *memory.Evidence) error {
	answer, err := extract.Offline{}.Extract(context.Background(), e, b.known)
	if err != nil {
		return err
	}
	s := memory.Sift(&answer, e, b.known)
	for drop, n := range s.Dropped {
		b.dropped[drop] += n
	}
	if len(s.Kept) > 0 {
		b.with++
	}
	for _, m := range s.Kept {
		m.ID = m.Hash
		b.known = append(b.known, m)
		b.print(&m)
	}
	return nil
}

func (b *bench) print(m *memory.Memory) {
	label := b.labels[m.ID]
	switch label {
	case "yes":
		b.yes++
	case "no":
		b.no++
	}
	at := &m.Sources[0]
	fmt.Fprintf(b.out, "%s %s %.2f %v %s\n  %s:%d-%d\n  %q\n", m.ID, m.Kind, m.Grade, m.Flags, label, filepath.Base(at.File), at.Start, at.End, m.Content)
	if m.Resolution != "" {
		fmt.Fprintf(b.out, "  → %q\n", m.Resolution)
	}
	for _, c := range at.Cites {
		fmt.Fprintf(b.out, "    #%d %s %s: %q\n", c.Message, c.Role, c.In, c.Quote)
	}
}

func (b *bench) sum() {
	fmt.Fprintf(b.out, "%d segments, %d with memories, %d memories; labelled: %d worth keeping, %d not\n", b.segments, b.with, len(b.known), b.yes, b.no)
	for _, drop := range memory.Drops {
		if n := b.dropped[drop]; n > 0 {
			fmt.Fprintf(b.out, "dropped %-15s %d\n", drop, n)
		}
	}
}

func text(messages []chat.Message) segment.Text {
	return segment.Text{From: 1, To: len(messages), Each: func(_ context.Context, from, to int, f func(*chat.Message) error) error {
		for i := from - 1; i < to; i++ {
			if err := f(&messages[i]); err != nil {
				return err
			}
		}
		return nil
	}}
}
