package work

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"winnow/core/train"
)

// points are values that a trainer told and that are not kept yet: in lines that it
// printed, until there are any in its file of metrics.
type points struct {
	mu      sync.Mutex
	list    []train.Point
	step    int   // the last one
	offset  int64 // up to which the file is read
	fromLog int   // the last step by the log
	file    bool  // the file says something
}

const (
	// mostRead is how much of a file of metrics is read at a time, in bytes.
	mostRead = 4 << 20
	// mostPieces is how often that is done in a look; of the last one, in the end.
	mostPieces, lastPieces = 4, 64
	// mostWaiting is how many points wait to be kept.
	mostWaiting = 200_000
)

// printed takes a line that a trainer printed.
func (p *points) printed(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file || len(p.list) >= mostWaiting {
		return
	}
	var found []train.Point
	found, p.fromLog = train.ParseMetrics(line, p.fromLog)
	p.list = append(p.list, found...)
}

// read takes the lines that were added to a file of metrics: whole ones, until nobody
// writes it any more.
func (p *points) read(path string, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, size, err := openFile(path)
	if err != nil {
		return // there is none, or the next look finds it
	}
	defer f.Close()
	if size < p.offset { // it is written anew
		p.offset = 0
	}
	pieces := mostPieces
	if over {
		pieces = lastPieces
	}
	for ; pieces > 0 && len(p.list) < mostWaiting; pieces-- {
		data, err := io.ReadAll(io.NewSectionReader(f, p.offset, mostRead))
		end := bytes.LastIndexByte(data, '\n') + 1
		if over && len(data) < mostRead || end == 0 && len(data) == mostRead { // no line is as long
			end = len(data)
		}
		if err != nil || end == 0 {
			return
		}
		p.offset += int64(end)
		for line := range bytes.Lines(data[:end]) {
			var found []train.Point
			found, p.step = train.ParseMetrics(string(line), p.step)
			p.list = append(p.list, found...)
			p.file = p.file || len(found) > 0
		}
	}
}

// openFile opens a file that a trainer wrote, if it is one: nothing that has no end, or
// waits for somebody.
func openFile(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|atOnce, 0)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// taken returns them; they are to be kept now.
func (p *points) taken() []train.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.list
	p.list = nil
	return list
}

// back takes back what could not be kept.
func (p *points) back(list []train.Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(list, p.list...)
	p.list = p.list[:min(len(p.list), mostWaiting)]
}
