package work

import (
	"bytes"
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

// mostRead is how much of a file of metrics is read at a time, in bytes.
const mostRead = 4 << 20

// printed takes a line that a trainer printed.
func (p *points) printed(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file {
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
	f, err := os.Open(path)
	if err != nil {
		return // there is none, or the next look finds it
	}
	defer f.Close()
	for {
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
}
