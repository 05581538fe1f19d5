// Package inbox keeps what is uploaded as files, one for each session, until the
// importer has read them and after: that a file grows, is written anew or has bad lines
// is the importer's matter, as with any other file.
//
// What is uploaded is first written beside its place (Spool), complete and synced, and
// then put there (Box.Put): a program that is killed leaves all of it or nothing. Only a
// piece that is appended may leave a beginning of itself, which sending it again
// completes. The package knows files, not HTTP.
package inbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"winnow/core/export/unfinished"
)

// Box is a folder of uploads: DIR/<agent>/<session>.jsonl.
type Box struct {
	dir  string // absolute
	lock *unfinished.Lock
	sync func(folder string)  // has its entries on the disk
	save func(*os.File) error // has its content on the disk

	entries sync.Mutex      // guards what follows
	synced  map[string]bool // agents' folders of which this process knows that their entries are on the disk

	mu   sync.Mutex // guards what follows
	held map[string]*place
}

// place is held by who looks at a session's file or changes it.
type place struct {
	sync.Mutex
	users int
}

const (
	spoolDir  = ".tmp"   // of what is on its way
	agentFile = ".agent" // the name of an agent whose folder has a shortened one
	ending    = ".jsonl"
)

// ErrTaken says that another process has the inbox.
var ErrTaken = errors.New("another winnow serve has this inbox")

// Open opens the inbox in a folder, which is made if there is none. One process has it
// at a time. What an earlier one left unfinished is removed.
func Open(dir string) (*Box, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("inbox: %w", err)
	}
	lock, err := unfinished.NewLock(dir)
	if err != nil && !errors.Is(err, unfinished.ErrLocked) {
		return nil, fmt.Errorf("inbox: it cannot be locked: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: end that one, or name another with --inbox", dir, ErrTaken)
	}
	spool := filepath.Join(dir, spoolDir)
	if err = os.RemoveAll(spool); err == nil {
		err = os.Mkdir(spool, 0o700)
	}
	if err != nil {
		lock.Release()
		return nil, fmt.Errorf("inbox: %w", err)
	}
	unfinished.SyncFolder(filepath.Dir(dir))
	return &Box{dir: dir, lock: lock, sync: unfinished.SyncFolder, save: (*os.File).Sync, synced: map[string]bool{}, held: map[string]*place{}}, nil
}

// Close lets others have the inbox.
func (b *Box) Close() { b.lock.Release() }

// Dir is the folder of the inbox.
func (b *Box) Dir() string { return b.dir }

// Path is where the file of a session is, or would be.
func (b *Box) Path(agent, session string) string { return filepath.Join(b.dir, Name(agent, session)) }

// Name is how the path of a session's file ends: what comes after that of its inbox.
func Name(agent, session string) string {
	return filepath.Join(fileName(agent), fileName(session)+ending)
}

// File is a session's file.
type File struct {
	Agent string
	Path  string // absolute
	Hints
}

// Hints are what a client said that the recording does not.
type Hints struct {
	Format string `json:"format,omitempty"` // by its registry name
	Model  string `json:"model,omitempty"`  // where the recording names none
}

// Files returns the files of all sessions, agent by agent.
func (b *Box) Files() ([]File, error) {
	folders, err := os.ReadDir(b.dir)
	if err != nil {
		return nil, fmt.Errorf("inbox: %w", err)
	}
	var all []File
	for _, folder := range folders {
		if !folder.IsDir() || folder.Name() == spoolDir {
			continue
		}
		dir := filepath.Join(b.dir, folder.Name())
		agent, err := agentOf(dir)
		if err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("inbox: %w", err)
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ending) {
				continue
			}
			f := File{Agent: agent, Path: filepath.Join(dir, e.Name())}
			if f.Hints, err = readHints(f.Path); err != nil {
				return nil, err
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// agentOf returns the name of the agent whose folder this is.
func agentOf(dir string) (string, error) {
	name := filepath.Base(dir)
	if strings.Contains(name, "~") {
		text, err := os.ReadFile(filepath.Join(dir, agentFile))
		if err != nil {
			return "", fmt.Errorf("inbox: %w", err)
		}
		return string(text), nil
	}
	agent, err := unescaped(name)
	if err != nil {
		return "", fmt.Errorf("%s: no folder of an agent: take it out of the inbox", dir)
	}
	return agent, nil
}

// folder makes an agent's folder, if need be.
func (b *Box) folder(agent string) error {
	name := fileName(agent)
	dir := filepath.Join(b.dir, name)
	if _, err := os.Stat(dir); err == nil {
		b.entry(dir, false)
		return nil
	}
	// It gets its name when it is complete.
	fresh, err := os.MkdirTemp(filepath.Join(b.dir, spoolDir), "agent-")
	if err != nil {
		return err
	}
	if strings.Contains(name, "~") {
		if err := writeSynced(filepath.Join(fresh, agentFile), []byte(agent)); err != nil {
			return err
		}
		unfinished.SyncFolder(fresh)
	}
	if err := os.Rename(fresh, dir); err != nil {
		os.RemoveAll(fresh)
		if _, made := os.Stat(dir); made != nil { // else another upload was first
			return err
		}
	}
	b.entry(dir, true)
	return nil
}

// entry sees that the entry of an agent's folder is on the disk. Who finds one that
// another upload made a moment ago waits, too.
func (b *Box) entry(dir string, fresh bool) {
	b.entries.Lock()
	defer b.entries.Unlock()
	if fresh || !b.synced[dir] {
		b.sync(b.dir)
		b.synced[dir] = true
	}
}

// hold waits until nobody else is at a session's file, and returns what ends that.
func (b *Box) hold(path string) (release func()) {
	b.mu.Lock()
	p := b.held[path]
	if p == nil {
		p = &place{}
		b.held[path] = p
	}
	p.users++
	b.mu.Unlock()
	p.Lock()
	return func() {
		p.Unlock()
		b.mu.Lock()
		defer b.mu.Unlock()
		if p.users--; p.users == 0 {
			delete(b.held, path)
		}
	}
}

// writeSynced writes a small file that is on the disk when it returns.
func writeSynced(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// size is that of a file, -1 if there is none.
func size(path string) (int64, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	return info.Size(), info, nil
}
