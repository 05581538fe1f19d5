package work

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/export/lineage"
	"winnow/core/train"
)

// prepare has a run begin or go on.
func (j *job) prepare(ctx context.Context) (err error) {
	checkpoint := j.place.checkpoint(&j.run)
	j.resumes = !j.run.Started.IsZero() && checkpoint != "" && len(j.Resume) > 0
	if j.place.Of(&j.run) && !j.resumes { // what an earlier try left is no model of this one
		if err := j.place.clear(checkpoint != ""); err != nil {
			return err
		}
	}
	if err := j.open(ctx); err != nil {
		return err
	}
	return j.try(ctx)
}

// clear empties the folder of the model. What took hours is kept beside it once.
func (p Place) clear(keep bool) error {
	if !keep {
		return os.RemoveAll(p.Out())
	}
	before := filepath.Join(string(p), "out-before")
	if err := os.RemoveAll(before); err != nil {
		return err
	}
	return os.Rename(p.Out(), before)
}

// open opens the log and finds out what the words in braces stand for.
func (j *job) open(ctx context.Context) (err error) {
	if err := j.place.Gone(&j.run); err != nil {
		return err
	}
	if err := os.MkdirAll(j.place.Out(), 0o700); err != nil {
		return err
	}
	if j.log, err = openLog(j.place.Log()); err != nil {
		return err
	}
	if err := j.findFiles(); err != nil {
		return err
	}
	j.values = map[string]string{
		"data": j.place.Data(), "out": j.place.Out(), "base": j.run.Base, "parent_or_base": j.run.Base, "run": strconv.FormatInt(j.run.ID, 10), "checkpoint": "",
	}
	if j.run.Parent != 0 {
		if j.values["parent_or_base"], err = j.parent(ctx); err != nil {
			return err
		}
	}
	for name, value := range j.values {
		if strings.HasPrefix(value, "-") {
			return fmt.Errorf("{%s} is %q, which a program would take for an option", name, value)
		}
	}
	return nil
}

// try finds out whether a run goes on from a checkpoint, and has what earlier tries told
// make place for what this one will tell.
func (j *job) try(ctx context.Context) error {
	from := math.MinInt
	if j.resumes {
		j.values["checkpoint"] = lastCheckpoint(j.place.Out())
		kept, err := j.Store.Points(ctx, j.run.ID)
		if err != nil {
			return err
		}
		j.points.goOn(kept, j.place.metrics())
		from = math.MaxInt // what it tells again is known when it does
	}
	for _, path := range []string{j.place.result(), j.place.process(), j.place.metrics()} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return j.again(ctx, func(ctx context.Context) error { return j.Store.BeginAgain(ctx, j.run.ID, from) })
}

// findFiles checks that the data is what the run was begun with, and finds its files.
func (j *job) findFiles() (err error) {
	j.files, err = Files(j.place, j.run.Manifest)
	return err
}

// Files returns the files of a run by their splits, if its data is that of a manifest.
func Files(p Place, sum string) (map[train.Split][]string, error) {
	path := filepath.Join(p.Data(), filepath.FromSlash(lineage.ManifestName))
	now, err := SumOf(path)
	if err != nil {
		return nil, fmt.Errorf("the data of the run is gone: %w", err)
	}
	if now != sum {
		return nil, fmt.Errorf("%s is not what the run was begun with: it was changed since", path)
	}
	data, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer data.Close()
	m, err := lineage.ReadHead(data)
	if err != nil {
		return nil, err
	}
	files := map[train.Split][]string{}
	for _, f := range m.Files {
		name := filepath.Join(p.Data(), filepath.FromSlash(f.Path))
		if now, err := SumOf(name); err != nil {
			return nil, fmt.Errorf("the data of the run is gone: %w", err)
		} else if now != f.SHA256 {
			return nil, fmt.Errorf("%s is not what the run was begun with: it was changed since", name)
		}
		if split := SplitOf(m.Options.Splits, f.Split); f.Rows > 0 {
			files[split] = append(files[split], name)
		}
	}
	if len(files[train.Train]) == 0 {
		return nil, errors.New("the data of the run has nothing to train on")
	}
	return files, nil
}

// SumOf is the SHA-256 of a file in hexadecimal. That of a manifest names the data that
// it is of.
func SumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// SplitOf returns which split a part of an export is: the first is trained, as exports
// have it, and the others are held back.
func SplitOf(parts []lineage.Split, name string) train.Split {
	if len(parts) == 0 || name == parts[0].Name {
		return train.Train
	}
	return train.Validation
}

// parent is the model that a run goes on from.
func (j *job) parent(ctx context.Context) (string, error) {
	p, err := j.Store.FindRun(ctx, j.run.Parent)
	if err != nil {
		return "", fmt.Errorf("run %d, which this one goes on from: %w", j.run.Parent, err)
	}
	at := p.Checkpoint
	if at == "" {
		at = p.Model
	}
	if p.Status != train.Succeeded || at == "" {
		return "", fmt.Errorf("run %d, which this one goes on from, has no model", p.ID)
	}
	if place := j.Place(p.ID); strings.HasPrefix(at, string(place)+string(filepath.Separator)) {
		if err := place.Gone(&p); err != nil {
			return "", err
		}
	}
	if filepath.IsAbs(at) {
		if _, err := os.Stat(at); err != nil {
			return "", fmt.Errorf("the model of run %d, which this one goes on from: %w", p.ID, err)
		}
	}
	return at, nil
}

// argv is what is executed to train: what goes on, if there is a checkpoint.
func (j *job) argv() ([]string, error) {
	argv := j.Train
	if j.resumes {
		argv = j.Resume
	}
	if len(argv) == 0 {
		return nil, errors.New("no trainer is configured: set command under [train]")
	}
	return j.expand(argv)
}

// expand puts what they stand for in place of the words in braces. An argument that is
// nothing but {train} or {validation} becomes one for each file; without any, it goes
// with the option in front of it.
func (j *job) expand(argv []string) ([]string, error) {
	values := maps.Clone(j.values)
	var list []string
	for _, arg := range argv {
		whole := false
		for split, word := range map[train.Split]string{train.Train: "train", train.Validation: "validation"} {
			files := j.files[split]
			switch {
			case arg == "{"+word+"}":
				whole = true
				if n := len(list) - 1; len(files) == 0 && n > 0 && strings.HasPrefix(list[n], "-") {
					list = list[:n]
				}
				list = append(list, files...)
			case len(files) > 1 && strings.Contains(arg, "{"+word+"}"):
				return nil, fmt.Errorf("%s: {%s} is %d files here: let it be an argument of its own", arg, word, len(files))
			case len(files) == 1:
				values[word] = files[0]
			default:
				values[word] = ""
			}
		}
		if whole {
			continue
		}
		one, err := train.Expand([]string{arg}, values)
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return list, nil
}

// environment is that of a program which a run executes.
func (j *job) environment() []string {
	env := append(slices.Clone(j.Env), "WINNOW_METRICS="+j.place.metrics(), "WINNOW_RESULT="+j.place.result(), "PYTHONUNBUFFERED=1")
	for _, name := range slices.Sorted(maps.Keys(j.values)) {
		env = append(env, "WINNOW_"+strings.ToUpper(name)+"="+j.values[name])
	}
	for split, name := range map[train.Split]string{train.Train: "WINNOW_TRAIN", train.Validation: "WINNOW_VALIDATION"} {
		env = append(env, name+"="+strings.Join(j.files[split], string(os.PathListSeparator)))
	}
	for _, name := range slices.Sorted(maps.Keys(j.run.Params)) {
		env = append(env, "WINNOW_PARAM_"+strings.ToUpper(name)+"="+j.run.Params[name])
	}
	return slices.DeleteFunc(env, func(s string) bool { return bytes.IndexByte([]byte(s), 0) >= 0 })
}
