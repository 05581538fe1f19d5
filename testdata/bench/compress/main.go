// Command compress measures what shortening conversations to a part of their
// tokens does to them: how many fit, what of the users' messages is lost, and how
// many answers name what can no longer be seen. It compares the published program
// with this one, on the recorded runs of an airline's agent.
//
//	go run ./testdata/bench/compress [-data DIR] [-part 0.5] [-counter NAME]
//
// The summaries of the published program are a text of the size that it asks for
// and that names nothing: no model is asked.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"winnow/core/token"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of recorded sessions")
	part := flag.Float64("part", 0.5, "target, as a part of the tokens of each run")
	summary := flag.Int("summary", 750, "tokens that a summary may cost")
	name := flag.String("counter", "", "counter of tokens; chars/4 is fast")
	flag.Parse()
	if err := run(*data, *part, *summary, *name); err != nil {
		fmt.Fprintln(os.Stderr, "compress:", err)
		os.Exit(1)
	}
}

func run(data string, part float64, summary int, name string) error {
	counter, err := token.Named(name)
	if err != nil {
		return err
	}
	trajectories, err := entries(filepath.Join(data, "hermes", "trajectory_samples.jsonl"))
	if err != nil {
		return err
	}
	conversations, err := conversations(filepath.Join(data, "messages", "tau-bench-airline.jsonl"))
	if err != nil {
		return err
	}
	fmt.Printf("%d runs, each to %.0f%% of its tokens, counted by %s\n\n", len(conversations), 100*part, counter.Name())
	fmt.Println("| by | runs shortened | of them over the target | and cannot fit | that lost requests | requests lost | runs with dangling names | names | answers not trained | samples |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	missed := 0
	for _, way := range ways {
		var t tally
		if way.by == nil {
			err = t.published(trajectories, part, summary, counter)
		} else {
			err = t.ours(conversations, part, summary, counter, way)
		}
		if err != nil {
			return err
		}
		cannot := "" // is told of ours alone
		if way.by != nil {
			cannot = strconv.Itoa(t.cannot)
		}
		fmt.Printf("| %s | %d | %d | %s | %d | %d | %d | %d | %d of %d | %d |\n", way.name, t.shortened, t.over, cannot, t.losing, t.lost, t.dangling, t.names, t.untrained, t.answers, t.samples)
		if way.goal && (t.lost > 0 || t.dangling > 0) {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d ways lose requests or names", missed)
	}
	return nil
}
