package export

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/export/lineage"
	"winnow/core/export/unfinished"
)

// defaultShard is the size of the lines of a file in a folder: large enough to
// be read in one go, little enough to be fetched again when that fails.
const defaultShard = 500 << 20

// Names in a folder.
const (
	dataFolder   = "data"
	cardName     = "README.md"
	recipeFolder = "recipes"
)

// dataset is an export to the folder of a data set:
//
//	data/train-00000-of-00005.jsonl   one name for each split and part
//	README.md                         the card
//	recipes/                          configurations of trainers
//	.lineage/manifest.json            where each row comes from
//
// It is built beside the target and takes its place when it is complete.
type dataset struct {
	collection
	path     string // behind all links
	temp     string // the folder that is built
	force    bool
	manifest *manifestWriter
	paths    *publicPaths
	longest  int // tokens of the longest sample
	tongues  *tongues
	beside   []File
	lock     *unfinished.Lock
	exchange func(a, b string) error
}

// newDataset takes a path behind all links.
func newDataset(at string, opts *Options, e *Emitter) (*dataset, error) {
	code, err := codingOf(opts, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	paths, err := newPublicPaths(opts)
	if err != nil {
		return nil, err
	}
	f := &dataset{path: at, force: opts.Force, paths: paths, tongues: newTongues(), exchange: unfinished.Exchange}
	limit := opts.ShardSize
	if limit == 0 {
		limit = defaultShard
	}
	f.collection = collection{emitter: e, coding: code, limit: limit, target: at, create: f.createShard}
	for _, split := range splitNames(opts) {
		for i, p := range e.allParts() {
			// What has a name of its own is one file unless a size is asked for.
			number := p.folderName == "" || opts.ShardSize > 0
			f.series = append(f.series, &series{split: split, part: i, number: number})
		}
	}
	if err := f.prepare(); err != nil {
		f.abort()
		return nil, unfinished.Plainly(err, at)
	}
	return f, nil
}

func (f *dataset) prepare() (err error) {
	if err := hasFolder(f.path); err != nil {
		return err
	}
	if f.lock, err = unfinished.NewLock(f.path); err != nil {
		return err
	}
	if err := f.recover(); err != nil {
		return err
	}
	if err := f.mayReplace(); err != nil {
		return err
	}
	if err := unfinished.RemoveLeftovers(f.path); err != nil {
		return err
	}
	if f.temp, err = unfinished.CreateFolder(f.path); err != nil {
		return err
	}
	for _, name := range [...]string{dataFolder, lineage.Folder} {
		if err := os.Mkdir(filepath.Join(f.temp, name), 0o777); err != nil {
			return err
		}
	}
	f.manifest, err = newManifestWriter(filepath.Join(f.temp, lineage.Folder), f.paths)
	return err
}

// recover puts the old folder back if an export was killed when it had moved it
// away, and had not put the new one in its place. That can happen only where
// two folders cannot be swapped in one step.
func (f *dataset) recover() error {
	away, err := unfinished.Path(f.path, "old")
	if err != nil {
		return err
	}
	if _, err := os.Lstat(f.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(away, f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is left in %s: move it back: %w", f.path, away, err)
	}
	return nil
}

// mayReplace fails if what is there must not be replaced: all but an empty
// folder, and with force an export that nobody has added anything to.
func (f *dataset) mayReplace() error {
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is no folder that can be read: name another: %w", f.path, err)
	case len(entries) == 0:
		return nil
	}
	known, err := filesOfExport(f.path)
	if err != nil {
		return fmt.Errorf("%s holds files and is no export: name an empty folder, or one that is not there yet", f.path)
	}
	if !f.force {
		return fmt.Errorf("%s %w", f.path, ErrExists)
	}
	return filepath.WalkDir(f.path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(f.path, name)
		if err == nil && !known[filepath.ToSlash(rel)] {
			err = fmt.Errorf("%s was not written by an export: move it away, or export to another folder", name)
		}
		return err
	})
}

// filesOfExport lists the files of an export by its manifest, with slashes.
func filesOfExport(folder string) (map[string]bool, error) {
	in, err := os.Open(filepath.Join(folder, filepath.FromSlash(lineage.ManifestName)))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	m, err := lineage.ReadHead(bufio.NewReaderSize(in, 1<<16))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{lineage.ManifestName: true}
	for _, f := range slices.Concat(m.Files, m.Beside) {
		known[f.Path] = true
	}
	return known, nil
}

// createShard makes a file in the new folder. Its name follows when it is known
// how many there are.
func (f *dataset) createShard(string) (*os.File, error) {
	return os.OpenFile(filepath.Join(f.temp, dataFolder, fmt.Sprintf("unfinished-%d", f.shards)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func (f *dataset) add(to destination, r *record) error {
	s, err := f.find(to)
	if err != nil {
		return err
	}
	shard, row, err := f.collection.add(s, r)
	if err != nil {
		return err
	}
	f.longest = max(f.longest, r.tokens)
	f.tongues.add(r.lines)
	return unfinished.Plainly(f.manifest.add(shard, row, r), f.path)
}

// nameOf returns the name of the i-th of n files of a series, with slashes:
// data/train-00000-of-00005.jsonl, data/train.notools-00000-of-00001.jsonl, or
// trajectory_samples.jsonl for a part that has a name of its own.
func (f *dataset) nameOf(s *series, i, n int) string {
	stem, own := path.Join(dataFolder, cmp.Or(s.split, wholeSplit)), f.emitter.allParts()[s.part]
	switch {
	case own.folderName == "":
	case s.split == f.series[0].split:
		stem = own.folderName
	default:
		stem = own.folderName + "." + s.split
	}
	if own.infix != "" {
		stem += "." + own.infix
	}
	if !s.number {
		return stem + f.coding.ext
	}
	return numbered(stem, i, n, f.coding.ext)
}

func (f *dataset) commit(opts *Options, r *Report) (files []File, err error) {
	defer func() { err = unfinished.Plainly(err, f.path) }()
	f.promote()
	if err := f.complete(); err != nil {
		return nil, err
	}
	for _, s := range f.series {
		for i, sh := range s.shards {
			sh.name = f.nameOf(s, i, len(s.shards))
			if err := os.Rename(sh.file.Name(), f.at(sh.name)); err != nil {
				return nil, err
			}
			files = append(files, sh.info(sh.name, s.split))
		}
	}
	if err := f.writeBeside(opts, r, files); err != nil {
		return nil, err
	}
	if err := f.manifest.complete(f.at(lineage.ManifestName), f.head(opts, r, files), r.LeftOut); err != nil {
		return nil, err
	}
	if err := f.dropEmpty(); err != nil {
		return nil, err
	}
	if err := f.mayReplace(); err != nil {
		return nil, err
	}
	if err := f.swap(); err != nil {
		return nil, err
	}
	for i := range files {
		files[i].Path = filepath.Join(f.path, filepath.FromSlash(files[i].Path))
	}
	return files, nil
}

// at returns the path of a file in the new folder.
func (f *dataset) at(name string) string { return filepath.Join(f.temp, filepath.FromSlash(name)) }

// dropEmpty removes the folder for data if all files have names of their own.
func (f *dataset) dropEmpty() error {
	entries, err := os.ReadDir(f.at(dataFolder))
	if err == nil && len(entries) == 0 {
		err = os.Remove(f.at(dataFolder))
	}
	for _, folder := range [...]string{f.at(dataFolder), f.at(lineage.Folder), f.temp} {
		unfinished.SyncFolder(folder)
	}
	return err
}

// write writes a small file into the new folder and notes it.
func (f *dataset) write(name string, data []byte) error {
	if strings.Contains(name, "..") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s is outside of the folder", name)
	}
	if err := os.MkdirAll(filepath.Dir(f.at(name)), 0o777); err != nil {
		return err
	}
	out, err := os.OpenFile(f.at(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	f.beside = append(f.beside, File{Path: name, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
	return nil
}

// swap gives the new folder the place of the old one. Where that is one step,
// the old or the new one is there at every moment; elsewhere the next export
// puts the old one back if this one is killed in between.
func (f *dataset) swap() error {
	parent := filepath.Dir(f.temp)
	if _, err := os.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(f.temp, f.path); err != nil {
			return err
		}
		f.temp = ""
		unfinished.SyncFolder(parent)
		return nil
	}
	if f.exchange(f.temp, f.path) != nil { // not possible here: in two steps
		away, err := unfinished.Path(f.path, "old")
		if err != nil {
			return err
		}
		if err := os.Rename(f.path, away); err != nil {
			return err
		}
		if err := os.Rename(f.temp, f.path); err != nil {
			return errors.Join(err, os.Rename(away, f.path))
		}
		f.temp = away
	}
	unfinished.SyncFolder(parent)
	old := f.temp
	f.temp = ""
	// The export is done: what cannot be removed now goes with the next one.
	os.RemoveAll(old)
	return nil
}

// abort removes what is unfinished. It does nothing after a commit.
func (f *dataset) abort() {
	if f.temp != "" {
		f.collection.abort()
		f.manifest.abort()
		os.RemoveAll(f.temp)
		f.temp = ""
	}
	if f.lock != nil {
		f.lock.Release()
		f.lock = nil
	}
}
