package export

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// sheet is the one file, or the stream, that a conversion writes to.
type sheet struct {
	emitter *Emitter
	out     output
	// spool keeps the entries if each must know all of them.
	spool *spool
	tools map[string]bool
	kept  int
}

// newSheet makes sure that the target can be written.
func newSheet(e *Emitter, how *Conversion) (_ *sheet, err error) {
	s := &sheet{emitter: e, out: stream{how.Out}, tools: map[string]bool{}}
	opts := Options{Path: how.Path, Force: how.Force, Check: how.Path == "", alone: true}
	if how.Path != "" {
		if info, err := os.Stat(how.Path); err == nil && info.IsDir() || endsWithSlash(how.Path) {
			return nil, fmt.Errorf("%s is a folder: name a file", how.Path)
		}
		// All entries go to one file, in their order.
		one := *e
		one.lacks, one.folderNames, one.folderOf = nil, nil, nil
		if s.out, err = newOutput(&opts, &one); err != nil {
			return nil, err
		}
	}
	if e.finish != nil {
		if s.spool, err = newSpool(&opts); err != nil {
			s.abort()
			return nil, err
		}
	}
	return s, nil
}

// stream is an output without files.
type stream struct{ io.Writer }

func (s stream) add(_ destination, r *record) error {
	_, err := s.Write(r.lines)
	return err
}

func (stream) verify(func(io.Reader) error) error       { return nil }
func (stream) commit(*Options, *Report) ([]File, error) { return []File{}, nil }
func (stream) abort()                                   {}

// add writes the entry of a sample.
func (s *sheet) add(sample *Sample, lines []byte, rows int) error {
	if s.spool == nil {
		return s.out.add(destination{}, &record{lines: lines, rows: rows})
	}
	names, _ := sample.toolStats()
	for _, name := range names {
		s.tools[name] = true
	}
	s.kept++
	return s.spool.add(&facts{Rows: rows}, lines)
}

// commit completes what was written and returns the file, none for a stream.
func (s *sheet) commit(ctx context.Context) ([]File, error) {
	if s.spool != nil {
		all := func(int) bool { return true }
		finish := s.emitter.finisher(slices.Sorted(maps.Keys(s.tools)))
		err := s.spool.each(ctx, s.kept, all, finish, func(_ int, f *facts, lines []byte) error {
			return s.out.add(destination{}, &record{lines: lines, rows: f.Rows})
		})
		if err != nil {
			return nil, err
		}
	}
	return s.out.commit(&Options{}, &Report{As: s.emitter.Name})
}

// abort removes what is unfinished. It does nothing after a commit.
func (s *sheet) abort() {
	if s.spool != nil {
		s.spool.remove()
	}
	s.out.abort()
}
