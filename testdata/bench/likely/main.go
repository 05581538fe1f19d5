// Command likely judges what is learned from verdicts on runs whose outcome is
// known: verdicts on some whole tasks are given as the runs turned out, and what is
// believed of the runs of all other tasks is compared with how they did.
//
//	go run ./testdata/bench/likely [-data DIR] [-draws N] [-v]
//
// For each set it prints the mean over draws of the AUC, how many draws had a Brier
// score below that of the base rate (of the other tasks themselves), and how many
// were told that nothing can be learned: of these no segment has a value, so that
// their AUC is 0.5. A coin gives verdicts at random.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/learn"
	"winnow/core/metric"

	"winnow/testdata/bench/recorded"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of recorded conversations")
	draws := flag.Int("draws", 20, "random draws of each set")
	verbose := flag.Bool("v", false, "tell each draw")
	flag.Parse()
	if err := run(*data, *draws, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "likely:", err)
		os.Exit(1)
	}
}

// attempt is a run with the task that it is of.
type attempt struct {
	learn.Example
	task string
}

func run(data string, draws int, verbose bool) error {
	airline, err := read(filepath.Join(data, "messages", "tau-bench-airline.jsonl"), airlineOutcomes)
	if err != nil {
		return err
	}
	retail, err := read(filepath.Join(data, "messages", "tau-bench-retail-array.json"), retailOutcomes)
	if err != nil {
		return err
	}
	fmt.Println("set                       AUC    at least  told AUC  below base itself  nothing  ms")
	for _, set := range []struct {
		name  string
		runs  []attempt
		n     int
		even  bool
		coin  bool
		draws int
	}{
		{"airline, 60 verdicts", airline, 60, false, false, draws},
		{"airline, 15 + 15", airline, 30, true, false, draws},
		{"retail, 60 verdicts", retail, 60, false, false, draws},
		{"retail, 15 + 15", retail, 30, true, false, draws},
		{"airline, 60 of a coin", airline, 60, false, true, 10 * draws},
		{"airline, 15 + 15 coin", airline, 30, true, true, 10 * draws},
	} {
		judge(set.name, set.runs, set.n, set.even, set.coin, set.draws, verbose)
	}
	return speed(append(airline, retail...))
}

// judge draws whole tasks until there are so many verdicts, or half of them of each
// kind.
func judge(name string, runs []attempt, n int, even, coin bool, draws int, verbose bool) {
	var sum, told, least float64
	below, strict, nothing := 0, 0, 0
	least = 1
	var took time.Duration
	for seed := range draws {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		given, rest := draw(runs, n, even, coin, r)
		began := time.Now()
		m := learn.Learn(given)
		took += time.Since(began)
		told += m.AUC
		p := m.Predictor()
		if p == nil {
			nothing++
			sum += .5
			least = min(least, .5)
			continue
		}
		believed, good := make([]float64, len(rest)), make([]float64, len(rest))
		for i := range rest {
			believed[i] = p.Likely(&rest[i].Facts)
			if rest[i].Approved {
				good[i] = 1
			}
		}
		f := learn.FiguresOf(believed, good)
		sum += f.AUC
		least = min(least, f.AUC)
		if f.Brier < f.Base {
			strict++
		}
		share, base := float64(m.Approved)/float64(m.Approved+m.Rejected), 0.
		for _, g := range good {
			base += (g - share) * (g - share) / float64(len(good))
		}
		if f.Brier < base {
			below++
		}
		if verbose {
			fmt.Printf("  draw %d: %d+%d, penalty %g, told %.3f, AUC %.3f, Brier %.3f of %.3f\n", seed, m.Approved, m.Rejected, m.Penalty, m.AUC, f.AUC, f.Brier, base)
		}
	}
	d := float64(draws)
	fmt.Printf("%-24s  %.3f  %.3f     %.3f     %3d %3d of %-3d    %3d      %.1f\n", name, sum/d, least, told/d, below, strict, draws-nothing, nothing, took.Seconds()*1000/d)
}

func draw(runs []attempt, n int, even, coin bool, r *rand.Rand) (given, rest []learn.Example) {
	var tasks []string
	of := map[string][]learn.Example{}
	for _, a := range runs {
		if of[a.task] == nil {
			tasks = append(tasks, a.task)
		}
		of[a.task] = append(of[a.task], a.Example)
	}
	r.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	good, bad := 0, 0
	for _, task := range tasks {
		enough := good+bad >= n
		if even {
			enough = good >= n/2 && bad >= n/2
		}
		if enough {
			rest = append(rest, of[task]...)
			continue
		}
		for _, e := range of[task] {
			if coin {
				e.Approved = r.IntN(2) == 0
			}
			kind := &bad
			if e.Approved {
				kind = &good
			}
			if even && *kind >= n/2 || good+bad >= n {
				continue
			}
			*kind++
			given = append(given, e)
		}
	}
	return given, rest
}

// speed learns from many verdicts: runs again and again.
func speed(runs []attempt) error {
	const many = 10_000
	var list []learn.Example
	r := rand.New(rand.NewPCG(1, 1))
	for i := range many {
		e := runs[i%len(runs)].Example
		e.ID, e.Session = fmt.Sprintf("%08x", r.Uint32()), fmt.Sprint(i/3)
		e.Tokens += r.IntN(1000)
		list = append(list, e)
	}
	best := time.Hour
	for range 5 {
		began := time.Now()
		learn.Learn(list)
		best = min(best, time.Since(began))
	}
	fmt.Printf("\nlearning from %d verdicts: %d ms\n", many, best.Milliseconds())
	return nil
}

// read measures the runs of a file, as importing and scoring do.
func read(path string, outcomes func([]byte) ([]string, []bool, error)) (list []attempt, err error) {
	runs, err := recorded.Read(path)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tasks, good, err := outcomes(raw)
	if err != nil {
		return nil, err
	}
	if len(tasks) != len(runs) {
		return nil, fmt.Errorf("%s: %d outcomes of %d runs", path, len(tasks), len(runs))
	}
	for i, run := range runs {
		a := metric.Measure(metric.Config{}, 1, run.Messages)
		f := learn.Facts{Scored: true, TaskType: string(a.Summary.TaskType)}
		for i := range run.Messages {
			f.Tally.Add(&run.Messages[i])
		}
		for _, name := range metric.Names() {
			n := uint16(metric.Unmeasured)
			if v := a.Metrics[name]; v != nil {
				n = uint16(v.Score*metric.ScoreUnit + .5)
			}
			f.Measures = append(f.Measures, n)
		}
		for _, flag := range a.Flags {
			f.Flags = append(f.Flags, string(flag))
		}
		for name, s := range a.ToolStats {
			f.Tools = append(f.Tools, learn.Tool{Name: name, Calls: s.Count, Failures: s.Failure})
			f.Errors, f.Exits = f.Errors+s.Errors, f.Exits+s.Exits
		}
		id := fmt.Sprintf("%08x", binary.LittleEndian.Uint32(hash(run.Name)))
		list = append(list, attempt{learn.Example{ID: id, Session: run.Name, Approved: good[i], Facts: f}, tasks[i]})
	}
	return list, nil
}

func hash(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:]
}

func airlineOutcomes(raw []byte) (tasks []string, good []bool, err error) {
	for line := range strings.Lines(string(raw)) {
		var r struct {
			ID       string `json:"instance_id"`
			Resolved bool   `json:"resolved"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, nil, err
		}
		task := r.ID[:strings.LastIndexByte(r.ID, '-')]
		tasks, good = append(tasks, task), append(good, r.Resolved)
	}
	return tasks, good, nil
}

func retailOutcomes(raw []byte) (tasks []string, good []bool, err error) {
	var list []struct {
		Task   int     `json:"task_id"`
		Reward float64 `json:"reward"`
	}
	err = json.Unmarshal(raw, &list)
	for _, r := range list {
		tasks, good = append(tasks, fmt.Sprint(r.Task)), append(good, r.Reward > 0)
	}
	return tasks, good, err
}
