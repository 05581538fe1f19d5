package inbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/session"
)

// Outcome says what an upload was to what was stored.
type Outcome string

// The outcomes.
const (
	New       Outcome = "new"       // nothing was stored
	Unchanged Outcome = "unchanged" // all of it was stored
	Grown     Outcome = "grown"     // it goes on from all that was stored
	Rewritten Outcome = "rewritten" // it took the place of something else
)

// Whole is the offset of an upload that is all of a session.
const Whole = -1

// Upload says what came.
type Upload struct {
	Agent   string
	Session string // "" goes by the content
	// Offset is where a piece belongs in the session's file, Whole for all of it.
	Offset  int64
	Replace bool // also what goes on after all that came
	Hints
	// Check, if not nil, is asked before a session takes its place, or is to be read in
	// another format, with all that is known of it: an error keeps what is stored as it is.
	Check func(text io.Reader, h Hints) error
}

// Put is where an upload went.
type Put struct {
	File
	Session string
	Outcome Outcome
	Size    int64 // bytes of the session's file now
	Added   int64 // bytes that are new to it
}

// OffsetError says that a piece does not fit to what is stored.
type OffsetError struct {
	Size    int64 // bytes that are stored
	Differs bool  // they differ from the piece where both have some
}

func (e *OffsetError) Error() string {
	if e.Differs {
		return fmt.Sprintf("this session holds %d bytes, and other ones at this offset", e.Size)
	}
	return fmt.Sprintf("this session holds %d bytes: go on from there", e.Size)
}

// ShorterError says that what is stored goes on after what came.
type ShorterError struct{ Size int64 }

func (e *ShorterError) Error() string {
	return fmt.Sprintf("the stored session goes on after this (%d bytes)", e.Size)
}

// Put brings what came to its place. When it returns without an error that is on the
// disk; with one nothing has changed, unless a piece could be stored in part only.
func (b *Box) Put(u Upload, s *Spool) (Put, error) {
	defer s.Drop()
	if u.Session == "" {
		u.Session = s.Sum()[:2*sumBytes]
	}
	if err := b.folder(u.Agent); err != nil {
		return Put{}, err
	}
	p := Put{File: File{Agent: u.Agent, Path: b.Path(u.Agent, u.Session)}, Session: u.Session}
	release := b.hold(p.Path)
	defer release()
	was, info, err := size(p.Path)
	if err != nil {
		return Put{}, err
	}
	if u.Offset == Whole || was < 0 && u.Offset == 0 {
		err = p.whole(b, &u, s, was, info)
	} else {
		err = p.piece(b, &u, s, max(was, 0))
	}
	if err != nil {
		return Put{}, err
	}
	return p, nil
}

// whole puts all of a session in its place.
func (p *Put) whole(b *Box, u *Upload, s *Spool, was int64, info fs.FileInfo) error {
	known, err := readHints(p.Path)
	if err != nil {
		return err
	}
	p.Size = s.size
	switch begins, err := p.begins(s, was); {
	case err != nil:
		return err
	case was < 0:
		p.Outcome, p.Added = New, s.size
	case !begins:
		p.Outcome, p.Added = Rewritten, s.size
	case was == s.size:
		p.Outcome = Unchanged
	case was > s.size && !u.Replace:
		return &ShorterError{was}
	case was > s.size:
		p.Outcome, p.Added = Rewritten, s.size
	default:
		p.Outcome, p.Added = Grown, s.size-was
	}
	equal, fresh := p.Outcome == Unchanged, p.Outcome == New || p.Outcome == Rewritten
	anew := p.hints(u, known, !fresh && !u.Replace)
	if u.Check != nil && (fresh || anew) {
		if err := u.Check(s.Reader(), p.Hints); err != nil {
			return err
		}
	}
	if equal {
		return p.keepHints(b, known)
	}
	if err := b.save(s.f); err != nil {
		return err
	}
	if err := p.keepHints(b, known); err != nil {
		return err
	}
	return p.rename(b, s, info)
}

// begins reports whether what came and what is stored are the same as far as both go.
func (p *Put) begins(s *Spool, was int64) (bool, error) {
	if was <= 0 {
		return was == 0, nil
	}
	stored, err := os.Open(p.Path)
	if err != nil {
		return false, err
	}
	defer stored.Close()
	return alike(s.f, stored, min(was, s.size))
}

// rename gives what came its name. Its time is later than that of what was there, so
// that the importer sees a change whatever the clock does.
func (p *Put) rename(b *Box, s *Spool, info fs.FileInfo) error {
	stamp := time.Now()
	if info != nil && !stamp.After(info.ModTime()) {
		stamp = info.ModTime().Add(time.Millisecond)
	}
	if err := os.Chtimes(s.f.Name(), stamp, stamp); err != nil {
		return err
	}
	if err := s.f.Close(); err != nil {
		return err
	}
	if err := os.Rename(s.f.Name(), p.Path); err != nil {
		return err
	}
	s.gone = true
	b.sync(filepath.Dir(p.Path))
	return nil
}

// piece appends what is new of a piece to a session's file of so many bytes.
func (p *Put) piece(b *Box, u *Upload, s *Spool, was int64) error {
	over := was - u.Offset // bytes of the piece that should be stored
	if over < 0 {
		return &OffsetError{Size: was}
	}
	known, err := readHints(p.Path)
	if err != nil {
		return err
	}
	stored, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer stored.Close()
	if over > 0 {
		same, err := alike(s.f, from{stored, u.Offset}, min(over, s.size))
		if err != nil {
			return err
		}
		if !same {
			return &OffsetError{Size: was, Differs: true}
		}
	}
	p.Size, p.Outcome, p.Added = was, Unchanged, max(0, s.size-over)
	if p.Added > 0 {
		p.Outcome, p.Size = Grown, was+p.Added
	}
	more := io.NewSectionReader(s.f, over, p.Added)
	if p.hints(u, known, true) && u.Check != nil {
		if err := u.Check(io.MultiReader(io.NewSectionReader(stored, 0, was), more), p.Hints); err != nil {
			return err
		}
	}
	if err := p.keepHints(b, known); err != nil || p.Added == 0 {
		return err
	}
	return p.extend(b, io.NewSectionReader(s.f, over, p.Added), was)
}

// extend writes at the end of a session's file. If that fails it is as it was.
func (p *Put) extend(b *Box, r io.Reader, was int64) error {
	f, err := os.OpenFile(p.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err = f.Seek(was, io.SeekStart); err == nil {
		_, err = io.Copy(f, r)
	}
	if err == nil {
		err = b.save(f)
	}
	if err != nil {
		err = errors.Join(err, f.Truncate(was))
	}
	return errors.Join(err, f.Close())
}

// hintsPath is where the hints of a session's file are kept.
func hintsPath(path string) string { return strings.TrimSuffix(path, ending) + ".hints" }

// hints says what is known of a session now: what its client says, and, if the session
// goes on or is the same, what was said before. It reports whether that has what is stored
// read anew, in another format.
func (p *Put) hints(u *Upload, known Hints, goesOn bool) (anew bool) {
	p.Hints = u.Hints
	if goesOn {
		p.Hints = Hints{cmp.Or(u.Format, known.Format), cmp.Or(u.Model, known.Model)}
	}
	if p.Format == session.Auto {
		p.Format = ""
	}
	if anew = p.Outcome != New && p.Format != known.Format; anew {
		p.Outcome = Rewritten
	}
	return anew
}

// keepHints keeps what is known of a session, unless it was kept before.
func (p *Put) keepHints(b *Box, known Hints) error {
	if p.Hints == known {
		return nil
	}
	text, err := json.Marshal(p.Hints)
	if err != nil {
		return err
	}
	name := hintsPath(p.Path)
	if err := writeSynced(name+".tmp", text); err != nil {
		return err
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		return err
	}
	b.sync(filepath.Dir(name))
	return nil
}

// readHints returns what a client said of a session.
func readHints(path string) (h Hints, err error) {
	text, err := os.ReadFile(hintsPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return h, fmt.Errorf("inbox: %w", err)
	}
	return h, nil
}
