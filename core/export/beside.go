package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/export/unfinished"
	"winnow/core/rawjson"
)

// sideMoves writes the files that the format wants beside the target. They hold
// one entry for each data set of the folder: entries of others stay.
func (t *target) sideMoves(files []File) ([]move, error) {
	if t.emitter.beside == nil || len(files) == 0 {
		return nil, nil
	}
	seen := make([]File, len(files))
	for i, f := range files {
		f.Path = filepath.Base(f.Path)
		seen[i] = f
	}
	var moves []move
	for _, side := range t.emitter.beside(seen) {
		to, err := unfinished.Follow(filepath.Join(filepath.Dir(t.path), side.Name))
		if err != nil {
			return nil, err
		}
		data, err := t.amended(to, side.Data)
		if err != nil {
			return nil, err
		}
		f, err := unfinished.Create(t.path)
		if err != nil {
			return nil, err
		}
		t.side = append(t.side, f.Name())
		_, err = f.Write(data)
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			return nil, unfinished.Plainly(err, to)
		}
		moves = append(moves, move{f.Name(), to})
	}
	return moves, nil
}

// amended puts the members of an object into that of an existing file.
func (t *target) amended(path string, data []byte) ([]byte, error) {
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	was, err := members(trimmed(old))
	if err != nil {
		return nil, fmt.Errorf("%s is no JSON object: move it away, this export adds an entry to it", path)
	}
	is, err := members(trimmed(data))
	if err != nil {
		return nil, err
	}
	for _, f := range is {
		i := 0
		for i < len(was) && was[i].name != f.name {
			i++
		}
		switch {
		case i == len(was):
			was = append(was, f)
		case !t.force && string(trimmed(was[i].value)) != string(trimmed(f.value)):
			return nil, fmt.Errorf("%s has an entry %q: use --force to replace it", path, f.name)
		default:
			was[i] = f
		}
	}
	return indentedObject(was)
}

func trimmed(data []byte) jsontext.Value {
	v := jsontext.Value(data).Clone()
	_ = v.Compact() // what is no JSON is found out by who reads it
	return v
}

// indentedObject writes an object as people read it.
func indentedObject(fields []field) ([]byte, error) {
	dst := []byte{'{'}
	for _, f := range fields {
		dst = append(append(rawjson.AppendString(appendComma(dst), f.name), ':'), f.value...)
	}
	v := jsontext.Value(append(dst, '}'))
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, err
	}
	return append(v, '\n'), nil
}
