// Outcomes prints how well the rule of core/outcome does on labelled results.
//
//	go run ./testdata/bench/outcomes [-wrong] FILE…
//
// Each line of a FILE is a JSON object: tool, arguments (an object, a list or a
// text), content, is_error, exit_code and label, which is ok, exit or error.
// Precision and recall are those of what is not ok. With -wrong it prints the
// lines that were judged otherwise, with the evidence.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"winnow/core/outcome"
)

type labelled struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Content   any             `json:"content"`
	IsError   *bool           `json:"is_error"`
	ExitCode  *int            `json:"exit_code"`
	Format    string          `json:"format"`
	Label     string          `json:"label"`
	Why       string          `json:"why"`
}

func (l *labelled) judge() outcome.Finding {
	arguments := string(l.Arguments)
	var text string
	if json.Unmarshal(l.Arguments, &text) == nil {
		arguments = text
	}
	f := outcome.Facts{Marked: l.IsError != nil && *l.IsError}
	if l.ExitCode != nil {
		f.Coded, f.Code = true, *l.ExitCode
	}
	content, _ := l.Content.(string)
	return outcome.CallOf(l.Tool, arguments).Judge(f, content)
}

func main() {
	wrong := flag.Bool("wrong", false, "print the lines that are judged otherwise than labelled")
	all := flag.Bool("all", false, "print every line's outcome")
	flag.Parse()
	var table [3][3]int // by label and outcome
	n, right := 0, 0
	for _, name := range flag.Args() {
		file, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "outcomes:", err)
			os.Exit(1)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<28)
		for at := 1; lines.Scan(); at++ {
			var l labelled
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				fmt.Fprintf(os.Stderr, "outcomes: %s:%d: %v\n", name, at, err)
				os.Exit(1)
			}
			label, ok := outcome.Parse(l.Label)
			got := l.judge()
			if *all {
				fmt.Printf("%d\t%s\t%s\n", at, got.Outcome, got.Evidence)
			}
			if !ok {
				continue
			}
			n++
			table[label][got.Outcome]++
			if label == got.Outcome {
				right++
			} else if *wrong {
				content, _ := l.Content.(string)
				fmt.Printf("%s:%d: %s is judged %s (%s): %s: %s\n\t%.300s\n\t%.300q\n", name, at, label, got.Outcome, got.Evidence, l.Tool, l.Why, l.Arguments, content)
			}
		}
		file.Close()
	}
	bad := func(row [3]int) int { return row[1] + row[2] }
	hits, missed, false_ := bad(table[1])+bad(table[2]), table[1][0]+table[2][0], bad(table[0])
	fmt.Printf("%d results\n", n)
	fmt.Printf("not ok: precision %.3f, recall %.3f\n", share(hits, hits+false_), share(hits, hits+missed))
	fmt.Printf("three classes: %.3f right\n", share(right, n))
	fmt.Println("label\\judged    ok  exit error")
	for label, row := range table {
		fmt.Printf("%12s %5d %5d %5d\n", outcome.Outcome(label), row[0], row[1], row[2])
	}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
