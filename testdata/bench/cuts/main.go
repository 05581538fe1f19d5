// Command cuts judges the offline segmenter on conversations joined into one
// session, beside two baselines: a user message that greets, and one that does
// not follow the assistant's. It prints precision, recall and F1 of boundaries,
// matched one-to-one within one message, the first start left out.
//
//	go run ./testdata/bench/cuts [-data DIR] [-seeds N]   the known sets
//	go run ./testdata/bench/cuts -join FILE…              joins of any file of conversations
//	go run ./testdata/bench/cuts -explain FILE…           every decision on real sessions
//
// The conditions are (a) as recorded; (b) system messages, marks of the end and
// what follows the last answer removed; (c) also the opening greeting, its
// words or the sentence with it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"winnow/core/chat"
	"winnow/core/segment"
	"winnow/core/segment/offline"
	"winnow/testdata/bench/recorded"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of recorded conversations")
	seeds := flag.Int("seeds", 5, "random orders of each set")
	size := flag.Int("n", 60, "conversations in a join of files that are given")
	joins := flag.Bool("join", false, "join the conversations of the files that are given")
	explain := flag.Bool("explain", false, "tell every decision on the sessions of the files that are given")
	flag.Parse()
	j := &judge{cutter: offline.New(), seeds: *seeds, out: os.Stdout}
	var err error
	switch {
	case *explain:
		err = j.explain(flag.Args())
	case *joins:
		err = j.files(flag.Args(), *size)
	default:
		err = j.known(*data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cuts:", err)
		os.Exit(1)
	}
}

// conversation is one session of a file, or a part of one.
type conversation struct {
	name string // FILE or FILE#KEY
	msgs []chat.Message
}

// readFile reads the sessions of a file in the order in which they begin.
func readFile(path string) (list []conversation, err error) {
	all, err := recorded.Read(path)
	for _, c := range all {
		list = append(list, conversation{c.Name, c.Messages})
	}
	return list, err
}

type judge struct {
	cutter *offline.Cutter
	seeds  int
	out    io.Writer
	table  table
}

// known judges the sets that the segmenter is measured by.
func (j *judge) known(data string) error {
	read := func(path ...string) []conversation { return j.read(filepath.Join(append([]string{data}, path...)...)) }
	airline := read("messages", "tau-bench-airline.jsonl")
	retail := read("messages", "tau-bench-retail-array.json")
	swe := read("messages", "swe-agent-history.messages.jsonl")
	concat := bySystem(read("openai", "tau_60_runs_concat.jsonl"))
	english := read("sharegpt", "glaive_toolcall_en_demo.json")
	chinese := read("sharegpt", "glaive_toolcall_zh_demo.json")
	if j.table.failed != nil {
		return j.table.failed
	}
	j.set("airline, concatenation", goals, func(*rand.Rand) []conversation { return concat }, 1)
	j.set("airline, 60 at random", goals, func(r *rand.Rand) []conversation { return some(r, airline, 60) }, j.seeds)
	j.set("retail, the first 60", goals, func(*rand.Rand) []conversation { return retail[:min(60, len(retail))] }, 1)
	j.set("retail, 60 at random", goals, func(r *rand.Rand) []conversation { return some(r, retail, 60) }, j.seeds)
	j.set("20 airline, 20 retail, SWE-agent", goals, mixed(20, airline, retail, swe), j.seeds)
	j.set("40 airline, 40 retail, SWE-agent", goals, mixed(40, airline, retail, swe), j.seeds)
	j.set("SWE-agent", goals, func(r *rand.Rand) []conversation { return some(r, swe, 0) }, j.seeds)
	j.set("tool calls, English, 60", nil, func(r *rand.Rand) []conversation { return some(r, english, 60) }, j.seeds)
	j.set("tool calls, Chinese, 60", nil, func(r *rand.Rand) []conversation { return some(r, chinese, 60) }, j.seeds)
	j.singles("airline", airline, 0)
	j.singles("retail", retail, .8)
	j.singles("SWE-agent", swe, 1)
	j.singles("tool calls, English", english, 0)
	j.singles("tool calls, Chinese", chinese, 0)
	return j.table.print(j.out)
}

// goals are the F1 that each condition has to reach, by its first letter.
var goals = map[byte]float64{'a': .95, 'b': .85, 'c': .70}

// read reads a file; the first failure is told at the end.
func (j *judge) read(path string) []conversation {
	c, err := readFile(path)
	if err != nil && j.table.failed == nil {
		j.table.failed = err
	}
	return c
}

// mixed joins n conversations each of two sets and all of a third, at random.
func mixed(n int, a, b, all []conversation) func(*rand.Rand) []conversation {
	return func(r *rand.Rand) []conversation {
		return some(r, append(append(some(r, a, n), some(r, b, n)...), all...), 0)
	}
}

// bySystem takes a concatenation apart where it has system messages.
func bySystem(files []conversation) (tasks []conversation) {
	for _, f := range files {
		for i, m := range f.msgs {
			if i == 0 || m.Role == chat.System {
				tasks = append(tasks, conversation{name: f.name})
			}
			t := &tasks[len(tasks)-1]
			t.msgs = append(t.msgs, m)
		}
	}
	return tasks
}

// files judges joins of the conversations of each file.
func (j *judge) files(paths []string, n int) error {
	if len(paths) == 0 {
		return errors.New("which files? go run ./testdata/bench/cuts -join FILE…")
	}
	for _, path := range paths {
		all := j.read(path)
		if j.table.failed != nil {
			return j.table.failed
		}
		j.set(filepath.Base(path), nil, func(r *rand.Rand) []conversation { return some(r, all, n) }, j.seeds)
		j.singles(filepath.Base(path), all, 0)
	}
	return j.table.print(j.out)
}

// set judges joins under all conditions.
func (j *judge) set(name string, goals map[byte]float64, tasks func(*rand.Rand) []conversation, seeds int) {
	for _, c := range conditions() {
		var ours, greets, roles tally
		worst := 1.0
		for seed := range seeds {
			session := join(tasks(rand.New(rand.NewPCG(uint64(seed), 1))), c.change)
			found, err := j.starts(session.msgs)
			if err != nil && j.table.failed == nil {
				j.table.failed = err
			}
			t := match(found, session.starts)
			worst = min(worst, t.f1())
			ours = ours.plus(t)
			greets = greets.plus(match(byGreeting(session.msgs), session.starts))
			roles = roles.plus(match(byRole(session.msgs), session.starts))
		}
		j.table.row(name, c.name, ours, worst, greets, roles, goals[c.name[0]])
		name = ""
	}
}

// starts returns where segments begin, without the first.
func (j *judge) starts(msgs []chat.Message) (starts []int, err error) {
	if len(msgs) == 0 {
		return nil, nil
	}
	cuts, err := j.cutter.Cut(context.Background(), text(msgs))
	for _, c := range cuts[min(1, len(cuts)):] {
		starts = append(starts, c.Start)
	}
	return starts, err
}

// singles counts the conversations that stay whole.
func (j *judge) singles(name string, all []conversation, goal float64) {
	whole := 0
	for _, c := range all {
		starts, err := j.starts(c.msgs)
		if err != nil && j.table.failed == nil {
			j.table.failed = err
		}
		if len(starts) == 0 {
			whole++
		}
	}
	j.table.single(name, whole, len(all), goal)
}

// text gives messages to a cutter.
func text(msgs []chat.Message) segment.Text {
	return segment.Text{From: 1, To: len(msgs), Each: func(_ context.Context, from, to int, f func(*chat.Message) error) error {
		for i := from - 1; i < to; i++ {
			if err := f(&msgs[i]); err != nil {
				return err
			}
		}
		return nil
	}}
}
