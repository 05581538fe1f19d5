package work

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"winnow/core/train"
)

// points are values that a trainer told and that are not kept yet: in lines that it
// printed, until there are any in its file of metrics.
type points struct {
	mu     sync.Mutex
	list   []train.Point
	names  map[string]bool // of all that were taken
	left   int             // values of names that are too many
	log    told
	file   told
	offset int64 // up to which the file is read
	again  bool  // an earlier try told points
	past   bool  // the file is of that
	from   *int  // kept points from this step on are to go
}

// told is what one of both places told.
type told struct {
	step     int  // the last one
	any      bool // something
	numbered bool // also steps
}

const (
	// mostRead is how much of a file of metrics is read at a time, in bytes.
	mostRead = 4 << 20
	// mostPieces is how often that is done in a look; lastLooks, how often it is looked
	// in the end.
	mostPieces, lastLooks = 4, 16
	// mostWaiting is how many points wait to be kept, mostKept how many are kept in one
	// transaction.
	mostWaiting, mostKept = 200_000, 5000
)

// take takes what a line tells.
func (p *points) take(t *told, line string) {
	found, step, numbered := train.ParseMetrics(line, t.step)
	if len(found) == 0 || p.past && !numbered { // where those belong is not known any more
		return
	}
	if numbered && !t.numbered && p.again {
		p.forget(step)
	}
	t.step, t.any, t.numbered = step, true, t.numbered || numbered
	for _, one := range found {
		switch known := p.names[one.Name]; {
		case !known && len(p.names) >= train.MaxNames:
			p.left++
			continue
		case !known && p.names == nil:
			p.names = map[string]bool{}
		}
		p.names[one.Name] = true
		p.list = append(p.list, one)
	}
}

// forget has the points from a step on go: they are told again.
func (p *points) forget(from int) {
	p.list = slices.DeleteFunc(p.list, func(one train.Point) bool { return one.Step >= from })
	if p.from == nil || *p.from > from {
		p.from = &from
	}
}

// printed takes a line that a trainer printed.
func (p *points) printed(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.file.any && len(p.list) < mostWaiting {
		p.take(&p.log, line)
	}
}

// read takes the lines that were added to a file of metrics: whole ones, until nobody
// writes it any more. It reports whether there may be more.
func (p *points) read(path string, over bool) (more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, size, err := openFile(path)
	if err != nil {
		return false // there is none, or the next look finds it
	}
	defer f.Close()
	if size < p.offset { // it is written anew
		p.offset = 0
	}
	for pieces := mostPieces; pieces > 0 && len(p.list) < mostWaiting; pieces-- {
		data, err := io.ReadAll(io.NewSectionReader(f, p.offset, mostRead))
		end := bytes.LastIndexByte(data, '\n') + 1
		if over && len(data) < mostRead || end == 0 && len(data) == mostRead { // no line is as long
			end = len(data)
		}
		if err != nil || end == 0 {
			return false
		}
		p.offset += int64(end)
		for line := range bytes.Lines(data[:end]) {
			p.take(&p.file, string(line))
		}
	}
	return true
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

// taken returns them, and from which step on those go first that are kept already, if any
// do; they are to be kept now.
func (p *points) taken() (list []train.Point, from *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, from = p.list, p.from
	p.list, p.from = nil, nil
	return list, from
}

// back takes back what could not be kept.
func (p *points) back(list []train.Point, from *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.from != nil { // these are told again as well
		list = slices.DeleteFunc(list, func(one train.Point) bool { return one.Step >= *p.from })
	}
	if p.from == nil || from != nil && *from < *p.from {
		p.from = from
	}
	p.list = append(list, p.list...)
	p.list = p.list[:min(len(p.list), mostWaiting)]
}

// goOn has steps that nobody numbers count on from those that an earlier try told, of
// which the file may have some that were not kept.
func (p *points) goOn(kept []train.Point, path string) {
	p.names = map[string]bool{}
	for i := range kept {
		p.names[kept[i].Name] = true
		p.file.step = max(p.file.step, kept[i].Step)
	}
	p.past = true
	for n := lastLooks; n > 0 && p.read(path, true); n-- {
	}
	last := p.file.step
	for i := range p.list {
		last = max(last, p.list[i].Step)
	}
	p.file, p.log, p.offset, p.past, p.again = told{step: last}, told{step: last}, 0, false, true
}

// over says that the training is over: what is told from now on takes no place of its.
func (p *points) over() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.again = false
}

// unnamed returns how many values had names that are too many, since it was asked last.
func (p *points) unnamed() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, p.left = p.left, 0
	return n
}
