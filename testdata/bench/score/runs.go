package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// recordedRun is a run whose outcome is known.
type recordedRun struct {
	good     bool
	score    float64
	messages int
}

// runs scores the runs of a file, whole: each is imported as a file of its own,
// without what tells its outcome.
func (w *winnow) runs(path, member string) ([]recordedRun, error) {
	values, err := elements(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(w.home, "runs-")
	if err != nil {
		return nil, err
	}
	good := map[string]bool{}
	for i, v := range values {
		told, ok := v[member]
		if !ok {
			return nil, fmt.Errorf("%s: value %d has no %q", path, i+1, member)
		}
		delete(v, member)
		line, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, fmt.Sprintf("%04d.jsonl", i))
		if err := os.WriteFile(file, append(line, '\n'), 0o600); err != nil {
			return nil, err
		}
		good[file] = number(told) > 0
	}
	list, err := w.segments(dir, false)
	if err != nil {
		return nil, err
	}
	var runs []recordedRun
	for _, s := range list {
		if s.Score != nil {
			runs = append(runs, recordedRun{good[s.File], *s.Score, s.Messages})
		}
	}
	if len(runs) != len(values) {
		return nil, fmt.Errorf("%s: %d runs, %d with a score", path, len(values), len(runs))
	}
	return runs, nil
}

// elements reads the objects of a file: those of an array, or one after the other.
func elements(path string) (list []map[string]json.RawMessage, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return list, json.Unmarshal(data, &list)
	}
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var v map[string]json.RawMessage
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, v)
	}
}

// number is what a run is worth: a number, or 1 for true.
func number(value json.RawMessage) float64 {
	var x float64
	if json.Unmarshal(value, &x) == nil {
		return x
	}
	if string(value) == "true" {
		return 1
	}
	return 0
}
