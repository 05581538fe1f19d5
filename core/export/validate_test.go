package export

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Append appends the records of a sample that has passed Prepare without
// findings, each on a line of its own, and returns their number. They are those
// of an export of this sample alone.
func (e *Emitter) Append(dst []byte, s *Sample) (lines []byte, rows int) {
	if e.finish == nil {
		return e.encode(dst, s)
	}
	lines, rows = e.encode(nil, s)
	return e.finish(dst, lines, 0, nil), rows
}

// Validate reads a file that the emitter wrote, strictly: every record must have
// exactly the keys, types and order of the format, those of the first record,
// and pass all checks again. It returns the number of records; an error names
// the line.
func (e *Emitter) Validate(r io.Reader) (rows int, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var first []string
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return rows, nil
		}
		if err != nil && err != io.EOF {
			return rows, err
		}
		if err == io.EOF {
			return rows, fmt.Errorf("line %d: the line does not end", rows+1)
		}
		keys, err := e.validate(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil {
			return rows, fmt.Errorf("line %d: %w", rows+1, err)
		}
		if rows == 0 {
			first = keys
		} else if !slices.Equal(keys, first) {
			return rows, fmt.Errorf("line %d: the keys are %s, those of the first record %s", rows+1, strings.Join(keys, ", "), strings.Join(first, ", "))
		}
		rows++
	}
}

// validate reads one record and returns its keys.
func (e *Emitter) validate(record []byte) (keys []string, err error) {
	found, err := e.findings(record)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return nil, fmt.Errorf("%s: %s", found[0].Check, found[0].Detail)
	}
	fields, err := members(record)
	for _, f := range fields {
		keys = append(keys, f.name)
	}
	return keys, err
}

// findings reads a record strictly and checks what it says.
func (e *Emitter) findings(record []byte) ([]Finding, error) {
	if e.Pairs() {
		p, err := e.ReadPair(record)
		if err != nil {
			return nil, err
		}
		return e.CheckPair(p), nil
	}
	if e.Tree() {
		t, err := e.ReadTree(record)
		if err != nil {
			return nil, err
		}
		return e.CheckTree(t), nil
	}
	s, err := e.Read(record)
	if err != nil {
		return nil, err
	}
	return e.Check(s), nil
}

// ofSamples are the formats that write samples.
func ofSamples() []Emitter {
	return slices.DeleteFunc(slices.Clone(Emitters()), func(e Emitter) bool { return e.Converts() != nil })
}
