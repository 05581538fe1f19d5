package dbfile

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
)

const (
	logHeader   = 32
	frameHeader = 24
)

// openLog finds the pages that are newer in the log than in the database.
// SQLite drops all that follows the first frame with a wrong sum. A sum is made
// of the one before and the frame, so that each frame can be told right or wrong
// by itself: one that is wrong is taken as it is, as a page of the file would be,
// and those that follow are not given up.
func (f *File) openLog(path string) error {
	log, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f.log = log
	info, err := log.Stat()
	if err != nil || info.Size() < logHeader+frameHeader {
		return err
	}
	h := make([]byte, logHeader)
	if _, err := log.ReadAt(h, 0); err != nil {
		return err
	}
	l := logReader{file: f, salts: salts(h[16:]), order: binary.LittleEndian}
	sums := sums{binary.BigEndian.Uint32(h[24:]), binary.BigEndian.Uint32(h[28:])}
	if h[3]&1 == 1 {
		l.order = binary.BigEndian
	}
	if (sumOf(l.order, sumsOfNothing, h[:24])) != sums {
		l.headless = true
		if err := l.guess(info.Size()); err != nil {
			return err
		}
	}
	return l.frames(sums, info.Size())
}

// LogProblem says what is wrong in the middle of the log of the database at path,
// so that SQLite would drop transactions that are whole; "" for nothing. A log
// that ends early, as after a crash, is not wrong. Only the log is opened: the
// locks that this process has on the database stay.
func LogProblem(path string, size int) (string, error) {
	f := &File{size: size, pages: math.MaxUint32 / 2, frames: map[uint32]int64{}}
	err := f.openLog(path + "-wal")
	if f.log != nil {
		err = errors.Join(err, f.log.Close())
	}
	return f.LogProblem, err
}

type (
	salts [8]byte
	sums  [2]uint32
)

var sumsOfNothing sums

// sumOf goes on with a sum by bytes, whose number is a multiple of eight.
func sumOf(order binary.ByteOrder, s sums, b []byte) sums {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}

type logReader struct {
	file  *File
	salts salts
	order binary.ByteOrder

	headless bool // its header is damaged
	lost     int  // transactions that are whole and that SQLite drops
}

// guess takes the salts that most frames have.
func (l *logReader) guess(size int64) error {
	step := int64(frameHeader + l.file.size)
	count := map[salts]int{}
	h := make([]byte, frameHeader)
	for at := int64(logHeader); at+step <= size; at += step {
		if _, err := l.file.log.ReadAt(h, at); err != nil {
			return err
		}
		s := salts(h[8:16])
		if count[s]++; count[s] > count[l.salts] {
			l.salts = s
		}
	}
	return nil
}

// frames goes through the log up to the last transaction that is whole.
func (l *logReader) frames(before sums, size int64) error {
	f := l.file
	step := int64(frameHeader + f.size)
	frame := make([]byte, step)
	open := map[uint32]int64{} // of the transaction that is not over yet
	mine := true               // the frame before is of this log
	dropped := l.headless      // SQLite takes nothing from here on
	wrong, wrongSince := 0, 0
	for at := int64(logHeader); at+step <= size; at += step {
		if _, err := f.log.ReadAt(frame, at); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		own := sums{binary.BigEndian.Uint32(frame[16:]), binary.BigEndian.Uint32(frame[20:])}
		right := sumOf(l.order, sumOf(l.order, before, frame[:8]), frame[frameHeader:]) == own
		before = own
		salted := salts(frame[8:16]) == l.salts
		if !right || !salted {
			dropped = true
			wrongSince++
		}
		// Frames of an older log fit each other, but not what is before them.
		if mine = salted || right && mine; !mine {
			continue
		}
		page, commit := binary.BigEndian.Uint32(frame), binary.BigEndian.Uint32(frame[4:])
		if page == 0 || page > f.pages+uint32(size/step) {
			continue
		}
		open[page] = at + frameHeader
		if commit == 0 {
			continue
		}
		for page, at := range open {
			f.frames[page] = at
		}
		clear(open)
		if right && salted {
			// A transaction with a wrong page may be one that a crash cut off.
			if dropped && wrongSince == 0 {
				l.lost++
			}
			wrong, wrongSince = wrong+wrongSince, 0
			f.pages = max(commit, f.held)
		}
	}
	l.report(wrong)
	for page := range f.frames {
		f.pages = max(f.pages, page)
	}
	return nil
}

// report notes what is wrong with the log if whole transactions follow.
func (l *logReader) report(wrong int) {
	f := l.file
	switch {
	case l.headless:
		f.problem("the header of its log (the file that ends with -wal) is damaged")
	case l.lost > 0 && wrong == 1:
		f.problem("1 page of its log (the file that ends with -wal) is damaged, and others follow")
	case l.lost > 0:
		f.problem("%d pages of its log (the file that ends with -wal) are damaged, and others follow", wrong)
	}
	if l.lost > 0 {
		f.LogProblem = f.Problems[len(f.Problems)-1]
	}
}
