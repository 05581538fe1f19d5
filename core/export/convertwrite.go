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
	file    output    // nil: out is written to
	out     io.Writer // a stream
	// spool keeps the entries if each must know all of them.
	spool *spool
	tools map[string]bool
	kept  int
}

// newSheet makes sure that the target can be written.
func newSheet(e *Emitter, how *Conversion) (_ *sheet, err error) {
	s := &sheet{emitter: e, out: how.Out, tools: map[string]bool{}}
	opts := Options{Path: how.Path, Force: how.Force, Check: how.Path == "", alone: true}
	if how.Path != "" {
		if info, err := os.Stat(how.Path); err == nil && info.IsDir() || os.IsPathSeparator(how.Path[len(how.Path)-1]) {
			return nil, fmt.Errorf("%s is a folder: name a file", how.Path)
		}
		// All entries go to one file, in their order.
		one := *e
		one.lacks, one.folderNames, one.folderOf = nil, nil, nil
		if s.file, err = newOutput(&opts, &one); err != nil {
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

// add writes the entry of a sample.
func (s *sheet) add(sample *Sample, lines []byte, rows int) error {
	if s.spool == nil {
		return s.write(lines, rows)
	}
	names, _ := sample.toolStats()
	for _, name := range names {
		s.tools[name] = true
	}
	s.kept++
	return s.spool.add(&facts{Rows: rows}, lines)
}

func (s *sheet) write(lines []byte, rows int) error {
	if s.file == nil {
		_, err := s.out.Write(lines)
		return err
	}
	return s.file.add(destination{}, &record{lines: lines, rows: rows})
}

// commit completes what was written and returns the file, none for a stream.
func (s *sheet) commit(ctx context.Context) ([]File, error) {
	if s.spool != nil {
		if err := s.finish(ctx); err != nil {
			return nil, err
		}
	}
	if s.file == nil {
		return []File{}, nil
	}
	return s.file.commit(&Options{}, &Report{As: s.emitter.Name})
}

// finish writes the entries that were kept.
func (s *sheet) finish(ctx context.Context) error {
	if err := s.spool.end(); err != nil {
		return err
	}
	whole := Whole{Tools: slices.Sorted(maps.Keys(s.tools))}
	var buf, finished []byte
	for range s.kept {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, lines, err := s.spool.next(true, buf)
		if err != nil {
			return fmt.Errorf("reading an entry back: %w", err)
		}
		buf = lines
		finished = s.emitter.finish(finished[:0], lines, &whole)
		if err := s.write(finished, f.Rows); err != nil {
			return err
		}
		whole.Index++
	}
	return nil
}

// abort removes what is unfinished. It does nothing after a commit.
func (s *sheet) abort() {
	if s.spool != nil {
		s.spool.remove()
	}
	if s.file != nil {
		s.file.abort()
	}
}
