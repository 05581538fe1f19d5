package traintest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// trainer is a program that learns how often each tool is called. Its arguments are
// words with a value, as in "epochs=3".
type trainer map[string]string

// state is what it has learned.
type state struct {
	Epoch int            `json:"epoch"`
	Tools map[string]int `json:"tools"`
}

// Trainer is the main function of a trainer for tests:
//
//	data=FILE     learns from it; files with commas between
//	out=DIR       writes checkpoint-N after each epoch there, and model.json
//	epochs=N      3 if it is not given
//	from=DIR      goes on from a checkpoint
//	hold=FILE     waits after the first epoch, or the one that the file names, as long as it
//	              is there
//	child=FILE    begins a process that does not end when it is asked to, and writes its
//	              number into the file
//	fail=TEXT     prints it and fails
//	evaluate=PATH measures a model with the data instead
//
// It prints the loss as Python does, and tells its result as winnow asks for it.
func Trainer() {
	t := trainer{}
	for _, arg := range os.Args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		t[name] = value
	}
	if err := t.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func (t trainer) run() error {
	if _, is := t["deaf"]; is {
		return deaf()
	}
	if t["child"] != "" {
		if err := t.begin(); err != nil {
			return err
		}
	}
	if t["fail"] != "" {
		return fmt.Errorf("%s", t["fail"])
	}
	calls, err := calls(t["data"])
	if err != nil {
		return err
	}
	if t["evaluate"] != "" {
		return t.evaluate(calls)
	}
	return t.train(calls)
}

// deaf is a process that does not end when it is asked to.
func deaf() error {
	signal.Ignore(syscall.SIGTERM, os.Interrupt)
	fmt.Println("deaf")
	time.Sleep(time.Minute)
	return nil
}

// begin begins such a process.
func (t trainer) begin() error {
	cmd := exec.Command(os.Args[0], "deaf=")
	cmd.Env = os.Environ()
	told, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := bufio.NewReader(told).ReadString('\n'); err != nil {
		return err
	}
	return os.WriteFile(t["child"], []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
}

// calls returns the names of the tools that are called in files of JSON lines.
func calls(paths string) (names []string, err error) {
	for path := range strings.SplitSeq(paths, ",") {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			var v any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				return nil, err
			}
			names = called(names, v)
		}
	}
	return names, nil
}

// called adds the names of the tools that are called anywhere in a value.
func called(names []string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			names = called(names, one)
		}
	case map[string]any:
		if f, is := v["function"].(map[string]any); is && f["arguments"] != nil {
			names = append(names, fmt.Sprint(f["name"]))
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			names = called(names, v[key])
		}
	}
	return names
}

func (t trainer) train(calls []string) error {
	s := state{Tools: map[string]int{}}
	if t["from"] != "" {
		data, err := os.ReadFile(filepath.Join(t["from"], "state.json"))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
	}
	epochs, err := strconv.Atoi(t["epochs"])
	if err != nil {
		epochs = 3
	}
	last := ""
	for s.Epoch < epochs {
		s.Epoch++
		for _, name := range calls {
			s.Tools[name]++
		}
		if _, err := fmt.Printf("{'loss': %.4f, 'epoch': %d.0}\n", s.loss(calls), s.Epoch); err != nil {
			return err // nobody listens any more
		}
		last = filepath.Join(t["out"], fmt.Sprintf("checkpoint-%d", s.Epoch))
		if err := s.save(last, "state.json"); err != nil {
			return err
		}
		for t.holds(s.Epoch) {
			time.Sleep(5 * time.Millisecond)
		}
	}
	if err := s.save(t["out"], "model.json"); err != nil {
		return err
	}
	result, err := json.Marshal(map[string]any{"model": filepath.Join(t["out"], "model.json"), "checkpoint": last, "metrics": map[string]float64{"loss": s.loss(calls)}})
	if err != nil {
		return err
	}
	return os.WriteFile(os.Getenv("WINNOW_RESULT"), result, 0o600)
}

// holds reports whether it is to wait after an epoch.
func (t trainer) holds(epoch int) bool {
	text, err := os.ReadFile(t["hold"])
	if err != nil {
		return false
	}
	at, err := strconv.Atoi(string(text))
	if err != nil {
		at = 1
	}
	return epoch == at
}

// loss is how many bits a call costs on average.
func (s *state) loss(calls []string) float64 {
	all, sum := 0, 0.0
	for _, n := range s.Tools {
		all += n
	}
	for _, name := range calls {
		sum -= math.Log2(float64(s.Tools[name]+1) / float64(all+len(s.Tools)+1))
	}
	return sum / float64(max(1, len(calls)))
}

// save writes the state as a whole or not at all.
func (s *state) save(dir, name string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	half := filepath.Join(dir, name+".half")
	if err := os.WriteFile(half, data, 0o600); err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(dir, name))
}

// evaluate prints the share of the calls that are of tools which the model knows; a base
// model knows none.
func (t trainer) evaluate(calls []string) error {
	s, known := state{}, 0
	if data, err := os.ReadFile(t["evaluate"]); err == nil {
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
	}
	for _, name := range calls {
		if s.Tools[name] > 0 {
			known++
		}
	}
	fmt.Printf("evaluating\n{\"metrics\":{\"known\":%.3f},\"n\":%d}\n", float64(known)/float64(max(1, len(calls))), len(calls))
	return nil
}
