// Package dbfile reads the pages of an SQLite database by itself, so that what
// is left of a damaged one can be had: SQLite gives up a table at the first page
// that is wrong. It only reads, and knows nothing of what is in the tables.
package dbfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// headerSize is the size of the file's header, on its first page.
const headerSize = 100

var magic = []byte("SQLite format 3\x00")

// ErrNoDatabase: nothing in the file looks like a page of a database.
var ErrNoDatabase = errors.New("no page of a database is in it")

// File is a database file together with its write-ahead log. It is not safe for
// concurrent use.
type File struct {
	Version  int      // the number that the program gave the schema
	Problems []string // what is wrong with the header and the log, in words
	// LogProblem is that of the log.
	LogProblem string

	db, log *os.File
	size    int              // of a page
	pages   uint32           // that the file should have
	held    uint32           // whole ones in the file
	frames  map[uint32]int64 // where in the log the newest copy of a page is
	used    []bool           // pages that are part of something
	free    []bool           // pages that are on the list of free ones
}

// Open opens the database at path; usual is the size that its pages should have
// if the file does not say so any more.
func Open(path string, usual int) (*File, error) {
	db, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{db: db, frames: map[uint32]int64{}}
	if err = f.header(usual); err == nil {
		err = f.openLog(path + "-wal")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.used, f.free = make([]bool, f.pages+1), make([]bool, f.pages+1)
	f.freeList()
	return f, nil
}

// Close closes the files.
func (f *File) Close() error {
	err := f.db.Close()
	if f.log != nil {
		err = errors.Join(err, f.log.Close())
	}
	return err
}

func (f *File) problem(format string, args ...any) {
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// header reads the first bytes of the file and says what is wrong with them.
func (f *File) header(usual int) error {
	info, err := f.db.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	h := make([]byte, headerSize)
	if n, err := f.db.ReadAt(h, 0); err != nil && !(errors.Is(err, io.EOF) && n > 0) {
		if errors.Is(err, io.EOF) {
			return ErrNoDatabase
		}
		return err
	}
	f.size = usual
	if string(h[:len(magic)]) != string(magic) {
		f.problem("its first bytes are not those of a database")
	} else {
		f.checkHeader(h)
	}
	f.Version = int(int32(binary.BigEndian.Uint32(h[60:])))
	f.held = uint32(info.Size() / int64(f.size))
	f.pages = f.held
	said := binary.BigEndian.Uint32(h[28:])
	same := binary.BigEndian.Uint32(h[24:]) == binary.BigEndian.Uint32(h[92:])
	switch over := info.Size() % int64(f.size); {
	case same && said > f.held:
		f.problem("it ends early: %d of %d pages are there", f.held, said)
		// A number that is a flipped bit off must not ask for memory.
		f.pages = min(said, 2*f.held+16)
	case over != 0:
		f.problem("it ends in the middle of a page")
	}
	return nil
}

// checkHeader says what can't be right in a header.
func (f *File) checkHeader(h []byte) {
	if said := int(binary.BigEndian.Uint16(h[16:])); said != f.size {
		f.problem("it says that its pages have %d bytes, they have %d", said, f.size)
	}
	for _, b := range []struct {
		at   int
		name string
		want []byte
	}{
		{18, "the versions of its format", []byte{2, 2}},
		{20, "the room at the end of pages", []byte{0}},
		{21, "the room of entries", []byte{64, 32, 32}},
		{56, "the encoding of texts", []byte{0, 0, 0, 1}},
	} {
		got := h[b.at : b.at+len(b.want)]
		if b.at == 18 && string(got) == "\x01\x01" { // a copy without a log
			continue
		}
		if string(got) != string(b.want) {
			f.problem("%s in its header can't be right", b.name)
		}
	}
}

// freeList notes the pages that hold nothing.
func (f *File) freeList() {
	first, err := f.Page(1)
	if err != nil {
		return
	}
	trunk := binary.BigEndian.Uint32(first[32:])
	for range f.pages {
		if trunk == 0 || trunk > f.pages || f.free[trunk] {
			return
		}
		p, err := f.Page(trunk)
		if err != nil {
			return
		}
		n := binary.BigEndian.Uint32(p[4:])
		if n > uint32(f.size/4-2) {
			return
		}
		f.free[trunk] = true
		for i := range n {
			if leaf := binary.BigEndian.Uint32(p[8+4*i:]); leaf > 0 && leaf <= f.pages {
				f.free[leaf] = true
			}
		}
		trunk = binary.BigEndian.Uint32(p)
	}
}

// Pages is the number of pages.
func (f *File) Pages() int { return int(f.pages) }

// Page returns a page as it was last written, in memory of its own.
func (f *File) Page(n uint32) ([]byte, error) {
	p := make([]byte, f.size)
	if at, ok := f.frames[n]; ok {
		_, err := f.log.ReadAt(p, at)
		return p, err
	}
	if n == 0 || n > f.held {
		return nil, fmt.Errorf("page %d is not in the file", n)
	}
	_, err := f.db.ReadAt(p, int64(n-1)*int64(f.size))
	return p, err
}
