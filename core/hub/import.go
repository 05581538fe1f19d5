package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"winnow/core/session"
)

// Importer brings files into the store: new ones whole, grown ones from where
// the last import stopped, rewritten ones again, unchanged ones not at all.
type Importer struct {
	Store ImportStore
	Clock Clock
	Agent string // whose sessions they are
	// Format forces a format by its registry name; "" or "auto" detects.
	Format string
	// Model is the model of sessions whose recording names none; may be "".
	Model string
	// MaxValue is how many bytes one value of a file may have; 0 means
	// session.DefaultMaxValue.
	MaxValue int64
	// Own tells the program's own files, which are passed by wherever they
	// lie; nil for none.
	Own func(path string) bool
	// Jobs is how many files are read at once; 0 means one per processor.
	Jobs int
}

// Progress is a moment of a running import.
type Progress struct {
	Files    int // found
	Done     int // files done
	Sessions int // new and updated so far
	Messages int // new so far
	Bytes    int64
	Total    int64 // bytes to be looked at
}

// Unusable is a file that gave no session, and what was seen in it.
type Unusable struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Companion reports whether the file is one that agents write beside their
// sessions, so that nobody misses one in it.
func (u *Unusable) Companion() bool { return strings.HasPrefix(u.Reason, session.CompanionFile) }

// Report is the outcome of an import. Given, Messages and Lines describe the sources
// named as they now stand; the others what this import did.
type Report struct {
	Sources     int            `json:"sources"`          // files looked at
	Unchanged   int            `json:"unchanged"`        // of them, not read because nothing changed
	New         int            `json:"sessions_new"`     // sessions
	Updated     int            `json:"sessions_updated"` // sessions
	Given       int            `json:"-"`                // messages that the sources gave
	Messages    int            `json:"messages"`         // of them, stored: those that others gave as well count once
	NewMessages int            `json:"messages_new"`     // stored by this import, and not there before
	Lines       session.Counts `json:"lines"`
	Bytes       int64          `json:"bytes"` // read
	Seconds     float64        `json:"seconds"`
	Nothing     []Unusable     `json:"nothing_from"`
	Refused     []Refused      `json:"failed"`
	Empty       []string       `json:"empty"`           // paths asked for that hold no files, as they were named
	Joined      int            `json:"joined,omitzero"` // sessions that became parts of others; not among New
	Copies      int            `json:"copies"`          // sessions found to be the same as others; not among New

	linked map[string]int // as ImportStore.Linked tells
}

// Plus returns the outcome of two imports of different sources.
func (a Report) Plus(b *Report) Report {
	a.Sources += b.Sources
	a.Unchanged += b.Unchanged
	a.New += b.New
	a.Updated += b.Updated
	a.Copies += b.Copies
	a.Joined += b.Joined
	a.Given += b.Given
	a.Messages += b.Messages
	a.NewMessages += b.NewMessages
	a.Lines = a.Lines.Plus(b.Lines)
	a.Bytes += b.Bytes
	a.Seconds += b.Seconds
	a.Nothing = append(a.Nothing, b.Nothing...)
	a.Refused = append(a.Refused, b.Refused...)
	a.Empty = append(a.Empty, b.Empty...)
	return a
}

// Import imports the files under paths. progress, if not nil, is called now
// and then from one goroutine. Cancelling ctx stops between two transactions;
// what was committed stays, and the next import goes on from there.
func (im *Importer) Import(ctx context.Context, paths []string, progress func(Progress)) (Report, error) {
	found, err := find(ctx, paths, im.Own)
	if err != nil {
		return Report{}, err
	}
	return im.files(ctx, found, nil, progress, nil)
}

// ImportReader imports what r gives, which is kept in a temporary file while
// it is read. The source is named "stdin:" and a hash of its content, so that
// the same content is imported once.
func (im *Importer) ImportReader(ctx context.Context, r io.Reader, progress func(Progress)) (Report, error) {
	spool, err := os.CreateTemp("", "winnow-stdin-")
	if err != nil {
		return Report{}, err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(spool, h), r)
	if err != nil {
		return Report{}, fmt.Errorf("standard input: %w", err)
	}
	name := "stdin:" + hex.EncodeToString(h.Sum(nil)[:8])
	return im.files(ctx, &walk{files: []file{{path: name, size: n, at: spool.Name()}}}, nil, progress, nil)
}

// files imports what a walk has found. known are the sources that it may go on
// from, nil for all. finished, if not nil, is called with each source as it is
// when its file is done, and the bytes read of it, one after the other.
func (im *Importer) files(ctx context.Context, found *walk, known map[string]*Source, progress func(Progress), finished func(*Source, int64)) (Report, error) {
	files := found.files
	began := im.Clock()
	if known == nil {
		var err error
		if known, err = im.Store.Sources(ctx, im.Agent); err != nil {
			return Report{}, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{im: im, known: known, finished: finished}
	r.committer = newCommitter(im.Store, func(done []Change) { r.count(done, false) }, cancel)
	r.report.Refused, r.report.Empty = found.refused, found.empty
	r.progress.Files = len(files)
	for _, f := range files {
		r.progress.Total += f.size
	}
	if progress != nil {
		r.notify = func() { progress(r.snapshot()) }
	}
	err := r.all(ctx, files)
	r.report.Seconds = im.Clock().Sub(began).Seconds()
	r.report.sort()
	return r.report, err
}
