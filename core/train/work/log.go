package work

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

const (
	// mostLine is how much of a line is kept, in bytes: a traceback has shorter ones,
	// and a trainer that prints its data must not fill the disk.
	mostLine = 8 << 10
	// mostLog is how much a log holds, in bytes.
	mostLog = 64 << 20
)

// log is what a trainer prints, line by line. What a progress bar draws over itself is
// one line, the last one, as on a terminal.
type log struct {
	file *os.File
	size int64
	last string // the last line that says something
}

// openLog opens a log to be written at its end.
func openLog(path string) (*log, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &log{file: f, size: info.Size()}, nil
}

func (l *log) close() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// say writes a line of our own.
func (l *log) say(format string, args ...any) { l.write("winnow: " + fmt.Sprintf(format, args...)) }

// write writes a line. What cannot be written is lost: the training goes on.
func (l *log) write(line string) {
	if strings.TrimSpace(line) != "" {
		l.last = line
	}
	if l.size >= mostLog {
		return
	}
	n, _ := l.file.WriteString(line + "\n")
	if l.size += int64(n); l.size >= mostLog {
		_, _ = l.file.WriteString("winnow: the log is full: nothing more is kept of it\n")
	}
}

// copyFrom writes what is read, until that ends. seen is called with each line, those
// that are drawn over too.
func (l *log) copyFrom(r io.Reader, seen func(string)) {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	cut := false
	flush := func(end byte) {
		text := strings.ToValidUTF8(string(line), "\ufffd")
		if cut {
			text += "…"
		}
		if line, cut = line[:0], false; text != "" {
			seen(text)
		}
		if end == '\n' || text != "" && end == 0 {
			l.write(text)
		}
	}
	for {
		part, err := in.ReadSlice('\n')
		for len(part) > 0 {
			i := bytes.IndexAny(part, "\r\n")
			text := part
			if i >= 0 {
				text = part[:i]
			}
			if room := mostLine - len(line); len(text) > room {
				cut = true
				for room > 0 && !utf8.RuneStart(text[room]) {
					room--
				}
				text = text[:room]
			}
			line = append(line, text...)
			if i < 0 {
				break
			}
			end := part[i]
			if part = part[i+1:]; end == '\r' && len(part) > 0 && part[0] == '\n' {
				end, part = '\n', part[1:]
			}
			flush(end)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			flush(0)
			return
		}
	}
}
