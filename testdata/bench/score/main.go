// Command score measures what a score is worth: how often it puts a run that is
// known to have succeeded above one that is known to have failed (AUC; 0.5 is
// chance), on two sets of recorded runs, beside "the shorter first"; and how
// the scores of all recorded segments are spread: what share of them the
// commonest value has.
//
//	go run ./testdata/bench/score [-data DIR] [-winnow PROGRAM] [-weights effort=1,recovery=0]
//
// It asks the program, this tree's without -winnow, so that versions can be
// compared; and with other weights than its own, so that choices can be.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of recorded sessions")
	program := flag.String("winnow", "", "the program; this tree's if there is none")
	weights := flag.String("weights", "", "weights of metrics, as in effort=1,recovery=0")
	flag.Parse()
	if err := run(*data, *program, *weights); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

// Goals: scores are better than chance, and tell segments apart.
const (
	aucGoal    = 0.5
	commonGoal = 0.05
)

func run(data, program, weights string) error {
	dir, err := os.MkdirTemp("", "winnow-score-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := &winnow{program: program, home: dir}
	if err := w.weigh(weights); err != nil {
		return err
	}
	if program == "" {
		w.program = filepath.Join(dir, "winnow")
		if out, err := exec.Command("go", "build", "-o", w.program, "./cmd/winnow").CombinedOutput(); err != nil {
			return fmt.Errorf("build: %w\n%s", err, out)
		}
	}
	missed := 0
	fmt.Println("| runs | succeeded | AUC | goal | the shorter first |")
	fmt.Println("|---|---|---|---|---|")
	for _, set := range []struct {
		name, file, member string
	}{
		{"airline", "tau-bench-airline.jsonl", "resolved"},
		{"retail", "tau-bench-retail-array.json", "reward"},
	} {
		runs, err := w.runs(filepath.Join(data, "messages", set.file), set.member)
		if err != nil {
			return err
		}
		good := 0
		for _, r := range runs {
			if r.good {
				good++
			}
		}
		auc := concordance(runs, func(r *recordedRun) float64 { return r.score })
		short := concordance(runs, func(r *recordedRun) float64 { return -float64(r.messages) })
		fmt.Printf("| %s | %d of %d | %.2f | ≥ %.2f%s | %.2f |\n", set.name, good, len(runs), auc, aucGoal, note(auc < aucGoal, &missed), short)
	}
	segments, err := w.segments(data, true)
	if err != nil {
		return err
	}
	printSpread(segments, &missed)
	if missed > 0 {
		return fmt.Errorf("%d goals were missed", missed)
	}
	return nil
}

func note(missed bool, count *int) string {
	if !missed {
		return ""
	}
	*count++
	return " missed"
}

// winnow asks a program, with databases in a folder of its own.
type winnow struct {
	program, home string
	databases     int
}

// weigh has the program measure with weights of metrics, a list of name=weight.
func (w *winnow) weigh(weights string) error {
	if weights == "" {
		return nil
	}
	text := "[score.weights]\n" + strings.ReplaceAll(weights, ",", "\n") + "\n"
	dir := filepath.Join(w.home, ".config", "winnow")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600)
}

func (w *winnow) do(args ...string) ([]byte, error) {
	cmd := exec.Command(w.program, args...)
	cmd.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && failed.ExitCode() != 3 { // 3: some files are no sessions
		return nil, fmt.Errorf("%s %s: %w\n%s", w.program, strings.Join(args, " "), err, failed.Stderr)
	}
	return out, nil
}

// segment is one as list --json tells it.
type segment struct {
	File     string   `json:"session_file"`
	Score    *float64 `json:"score"`
	Messages int      `json:"messages"`
}

// segments imports a file or folder and scores what is in it, cut into tasks or
// as it is.
func (w *winnow) segments(path string, cut bool) ([]segment, error) {
	w.databases++
	db := filepath.Join(w.home, fmt.Sprintf("%d.db", w.databases))
	steps := [][]string{{"import", path}, {"score", "--by", "offline"}}
	if cut {
		steps = [][]string{steps[0], {"segment", "--by", "offline"}, steps[1]}
	}
	for _, step := range steps {
		if _, err := w.do(append(step, "--db", db)...); err != nil {
			return nil, err
		}
	}
	out, err := w.do("list", "--json", "--limit", "1000000", "--db", db)
	if err != nil {
		return nil, err
	}
	var list []segment
	for line := range strings.Lines(string(out)) {
		var s segment
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}
