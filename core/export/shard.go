package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"winnow/core/export/table"
	"winnow/core/export/unfinished"
)

// coding is how records lie in a file.
type coding struct {
	ext     string
	encoder func(w io.Writer, e *Emitter) (lineWriter, error)
	decoder func(f *os.File, e *Emitter) (io.ReadCloser, error) // back to lines
}

// lineWriter takes whole lines, those of one sample at a time.
type lineWriter interface {
	Write(lines []byte) (int, error)
	Close() error
}

// codings has those there are.
var codings = struct{ plain, gzip, parquet coding }{
	plain: coding{
		".jsonl",
		func(w io.Writer, _ *Emitter) (lineWriter, error) { return plainWriter{w}, nil },
		func(f *os.File, _ *Emitter) (io.ReadCloser, error) { return io.NopCloser(f), nil },
	},
	gzip: coding{
		".jsonl.gz",
		func(w io.Writer, _ *Emitter) (lineWriter, error) {
			z := gzip.NewWriter(w)
			z.ModTime = time.Unix(0, 0) // which stands for no time
			return z, nil
		},
		func(f *os.File, _ *Emitter) (io.ReadCloser, error) { return gzip.NewReader(f) },
	},
	parquet: coding{
		".parquet",
		func(w io.Writer, e *Emitter) (lineWriter, error) { return table.NewWriter(w, e.columns), nil },
		func(f *os.File, e *Emitter) (io.ReadCloser, error) { return table.NewReader(f, e.columns) },
	},
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// codingOf says how records lie in the files of an export.
func codingOf(opts *Options, e *Emitter) (coding, error) {
	switch {
	case opts.Parquet && opts.Gzip:
		return coding{}, errors.New("both Parquet and gzip: Parquet files are compressed already, leave gzip out")
	case opts.Parquet && len(e.columns) == 0:
		return coding{}, fmt.Errorf("%s has no Parquet form: leave Parquet out", e.Name)
	case opts.Parquet:
		return codings.parquet, nil
	case opts.Gzip:
		return codings.gzip, nil
	}
	return codings.plain, nil
}

// shard is a file of records that is being written, and what is known of it.
type shard struct {
	number int    // among all of the export, from 0
	name   string // in a folder, "" until the files are complete
	file   *os.File
	buf    *bufio.Writer
	to     lineWriter // nil when it is complete
	sum    hash.Hash
	size   int64 // of the file
	raw    int64 // of its lines
	rows   int
}

// Write counts and sums what goes to the file.
func (s *shard) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.sum.Write(p[:n])
	s.size += int64(n)
	return n, err
}

// complete ends the file and closes it, so that any number of files can be
// written.
func (s *shard) complete() error {
	if s.to == nil {
		return nil
	}
	err := errors.Join(s.to.Close(), s.buf.Flush(), s.file.Sync(), s.file.Close())
	s.to, s.buf = nil, nil
	return err
}

func (s *shard) info(path, split string) File {
	return File{Path: path, Split: split, Rows: s.rows, Bytes: s.size, SHA256: hex.EncodeToString(s.sum.Sum(nil))}
}

// series are the files that records of one kind go to, one after the other.
type series struct {
	split  string
	part   int
	at     string // beside which the files are made
	number bool   // whether there may be several
	shards []*shard
}

// collection is what all outputs have in common: series of files, each made
// when there is something to write to it.
type collection struct {
	emitter *Emitter
	coding  coding
	// limit is the size of the lines of a file; 0: none.
	limit  int64
	target string // named in errors
	create func(at string) (*os.File, error)
	series []*series // by split, then part
	shards int       // files made
	// promoted are the parts that have the place of another one, by that.
	promoted map[int]int
}

// find returns the series of a destination.
func (c *collection) find(to destination) (*series, error) {
	i := slices.IndexFunc(c.series, func(s *series) bool { return s.split == to.split && s.part == to.part })
	if i < 0 {
		return nil, fmt.Errorf("no file is for part %d of %q", to.part, to.split)
	}
	return c.series[i], nil
}

// add appends records to a series and tells where they are: a file, and the
// first row in it from 1. The records of a sample stay together.
func (c *collection) add(s *series, r *record) (*shard, int, error) {
	var last *shard
	if n := len(s.shards); n > 0 {
		last = s.shards[n-1]
	}
	if last == nil || s.number && c.limit > 0 && last.raw > 0 && last.raw+int64(len(r.lines)) > c.limit {
		if last != nil {
			if err := last.complete(); err != nil {
				return nil, 0, unfinished.Plainly(err, c.target)
			}
		}
		f, err := c.create(s.at)
		if err != nil {
			return nil, 0, unfinished.Plainly(err, c.target)
		}
		last = &shard{number: c.shards, file: f, sum: sha256.New()}
		c.shards++
		s.shards = append(s.shards, last)
		last.buf = bufio.NewWriterSize(last, 1<<20)
		if last.to, err = c.coding.encoder(last.buf, c.emitter); err != nil {
			return nil, 0, err
		}
	}
	row := last.rows + 1
	last.rows += r.rows
	last.raw += int64(len(r.lines))
	if _, err := last.to.Write(r.lines); err != nil {
		return nil, 0, unfinished.Plainly(err, c.target)
	}
	return last, row, nil
}

// complete ends all files.
func (c *collection) complete() error {
	for _, s := range c.series {
		for _, sh := range s.shards {
			if err := sh.complete(); err != nil {
				return unfinished.Plainly(err, c.target)
			}
		}
	}
	return nil
}

func (c *collection) verify(check func(io.Reader) error) error {
	if err := c.complete(); err != nil {
		return err
	}
	for _, s := range c.series {
		for _, sh := range s.shards {
			if err := c.verifyFile(sh.file.Name(), check); err != nil {
				return unfinished.Plainly(err, c.target)
			}
		}
	}
	return nil
}

func (c *collection) verifyFile(name string, check func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := c.coding.decoder(f, c.emitter)
	if err != nil {
		return err
	}
	defer lines.Close()
	return check(lines)
}

// promote gives the place of a part that has all keys to the next one with its
// folderName, if it stayed empty in all of the data set: the files of a part
// have the same name in each split.
func (c *collection) promote() {
	parts := c.emitter.allParts()
	has := make([]bool, len(parts))
	for _, s := range c.series {
		has[s.part] = has[s.part] || len(s.shards) > 0
	}
	for heir, p := range parts {
		if has[p.first] || !has[heir] {
			continue
		}
		has[p.first], has[heir] = true, false
		if c.promoted == nil {
			c.promoted = map[int]int{}
		}
		c.promoted[p.first] = heir
		for _, s := range c.series {
			if s.part == p.first {
				from, _ := c.find(destination{s.split, heir}) // each split has all parts
				s.shards, from.shards = from.shards, nil
			}
		}
	}
}

// abort closes and removes all files.
func (c *collection) abort() {
	for _, s := range c.series {
		for _, sh := range s.shards {
			sh.file.Close()
			os.Remove(sh.file.Name())
		}
		s.shards = nil
	}
}

// splitNames are the names of the parts of the data set, one without a name if
// it is not split.
func splitNames(opts *Options) []string {
	if len(opts.Splits) == 0 {
		return []string{""}
	}
	var names []string
	for _, s := range opts.Splits {
		names = append(names, s.Name)
	}
	return names
}

// numbered makes the name of the i-th of n files: train-00000-of-00005.jsonl.
func numbered(stem string, i, n int, ext string) string {
	return fmt.Sprintf("%s-%05d-of-%05d%s", stem, i, n, ext)
}

// isNumbered reports whether a file is one of those that numbered names.
func isNumbered(name, stem, ext string) bool {
	name, begins := strings.CutPrefix(name, stem+"-")
	name, ends := strings.CutSuffix(name, ext)
	i, n, cut := strings.Cut(name, "-of-")
	if !begins || !ends || !cut || len(i) < 5 || len(n) < 5 {
		return false
	}
	_, err := strconv.ParseUint(i+n, 10, 64)
	return err == nil
}
