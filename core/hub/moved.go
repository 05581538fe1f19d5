package hub

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"winnow/core/review"
)

// moves finds sources again whose content has another name now: a file that
// was renamed, logs that rotated, a log that was copied and begun anew. What
// was judged belongs to the content, so the source goes where that is.
//
// Nothing is looked for until a file turns up that may be a source's new
// place, or one that no longer holds what was read of it.
type moves struct {
	run  *run
	work []file          // to be read
	all  map[string]bool // paths of all files of the import

	mu      sync.Mutex // guards what follows
	begun   map[string]bool
	byFirst map[string][]*Source // known sources; nil until needed
	done    bool                 // everything is in its place
}

func newMoves(r *run, files, work []file) *moves {
	m := &moves{run: r, work: work, all: make(map[string]bool, len(files)), begun: map[string]bool{}}
	for _, f := range files {
		m.all[f.path] = true
	}
	return m
}

// begin says that a file is about to be read: from now on the source at its
// path stays there, unless its reader finds out that it must not.
func (m *moves) begin(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun[path] = true
}

// source returns the source that a file goes on from, after bringing moved
// ones to their places. src is the one known under its path, which the file
// does not continue; nil if there is none.
func (m *moves) source(ctx context.Context, in *input, src *Source) (*Source, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byFirst == nil {
		m.index()
	}
	displaced := src != nil && src.gave()
	if !m.done && (displaced || len(m.byFirst[in.first()]) > 0) {
		m.done = true
		if err := m.arrange(ctx); err != nil {
			return nil, err
		}
	}
	return m.run.source(in.path), nil
}

// early brings moved sources to their places before any file is read: one has
// become shorter, and another may have grown to what it held, which has to stay
// where it is once it is being read.
func (m *moves) early(ctx context.Context) error {
	m.index()
	m.done = true
	return m.arrange(ctx)
}

// index collects the known sources by their first line.
func (m *moves) index() {
	m.byFirst = map[string][]*Source{}
	m.run.mu.Lock()
	defer m.run.mu.Unlock()
	for _, s := range m.run.known {
		if s.Proof.First != "" {
			m.byFirst[s.Proof.First] = append(m.byFirst[s.Proof.First], s)
		}
	}
	for _, list := range m.byFirst {
		slices.SortFunc(list, func(a, b *Source) int {
			return cmp.Or(cmp.Compare(b.State.Offset, a.State.Offset), cmp.Compare(a.Path, b.Path))
		})
	}
}

// arrange gives every source of this import its place.
func (m *moves) arrange(ctx context.Context) error {
	s := &arranging{moves: m, taken: map[*Source]bool{}, loose: map[*Source]bool{}}
	var free []file // they hold something else than what is known under their path
	for _, f := range m.work {
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := openInput(f)
		if err != nil {
			continue // reading it says why
		}
		owner := m.run.source(f.path)
		switch {
		case owner != nil && in.continues(owner):
			s.taken[owner] = true
		case owner != nil && owner.gave():
			s.displaced = append(s.displaced, owner)
			fallthrough
		default:
			if len(m.byFirst[in.first()]) > 0 {
				free = append(free, f)
			}
		}
		in.f.Close()
	}
	for _, f := range free {
		if src := s.match(f); src != nil {
			s.taken[src] = true
			if err := m.move(ctx, src, f.path); err != nil {
				return err
			}
		}
	}
	for _, src := range s.displaced {
		if !s.taken[src] {
			if err := s.twin(ctx, src); err != nil {
				return err
			}
		}
	}
	return nil
}

// arranging is what arrange learns on its way.
type arranging struct {
	*moves
	taken     map[*Source]bool // they have their place
	loose     map[*Source]bool // whether a source has lost its place
	displaced []*Source        // their files hold something else now
}

// match returns the source that has lost its place and goes on in a file. One
// file may begin with all of several: the longest is meant, and of equal ones
// the one of the same name.
func (s *arranging) match(f file) *Source {
	in, err := openInput(f)
	if err != nil {
		return nil
	}
	defer in.f.Close()
	var best *Source
	for _, src := range in.candidates(s.byFirst[in.first()]) {
		if best != nil && (src.State.Offset < best.State.Offset || filepath.Base(src.Path) != filepath.Base(f.path)) {
			continue
		}
		if !s.taken[src] && in.continues(src) && s.isLoose(src, in) {
			best = src
		}
	}
	return best
}

// isLoose reports whether a source's own file is gone or holds something else.
// at is where its content is now.
func (s *arranging) isLoose(src *Source, at *input) bool {
	if loose, known := s.loose[src]; known {
		return loose
	}
	if s.all[src.Path] && !slices.Contains(s.displaced, src) {
		return false // unchanged
	}
	in, err := openInput(file{path: src.Path})
	if err != nil {
		s.loose[src] = errors.Is(err, fs.ErrNotExist)
		return s.loose[src]
	}
	defer in.f.Close()
	s.loose[src] = s.left(src, in, at)
	return s.loose[src]
}

// left reports whether a source's own file, in, was not merely edited: it holds
// just what another source does, or little of what is at another place now.
func (s *arranging) left(src *Source, in, at *input) bool {
	return !edited(in, at, src.State.Offset) || !in.continues(src) && slices.ContainsFunc(s.byFirst[in.first()], func(o *Source) bool {
		return o != src && o.Size == in.size && in.continues(o)
	})
}

// twin looks for a copy of a displaced source that is known as a source of
// its own: a log that was copied, and begun anew later. If curators have
// worked on the displaced one, the two change places.
func (s *arranging) twin(ctx context.Context, src *Source) error {
	judged, err := s.run.im.Store.Judged(ctx, src.ID)
	if err != nil || judged == 0 {
		return err
	}
	for _, other := range s.byFirst[src.Proof.First] {
		if other == src || s.begun[other.Path] || s.loose[other] || !s.holds(other.Path, src) {
			continue
		}
		n, err := s.run.im.Store.Judged(ctx, other.ID)
		if err != nil {
			return err
		}
		if n < judged {
			s.taken[src] = true
			return s.move(ctx, src, other.Path)
		}
	}
	return nil
}

// holds reports whether the file at path begins with all of a source that was
// not merely edited at its own place.
func (s *arranging) holds(path string, src *Source) bool {
	at, err := openInput(file{path: path})
	if err != nil {
		return false
	}
	defer at.f.Close()
	if !at.continues(src) {
		return false
	}
	in, err := openInput(file{path: src.Path})
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer in.f.Close()
	return s.left(src, in, at)
}

// move gives a source the name of a file; a source that has it already takes
// its name in turn.
func (m *moves) move(ctx context.Context, src *Source, path string) error {
	if src.Path == path {
		return nil
	}
	store, occupant := m.run.im.Store, m.run.source(path)
	var err error
	if occupant == nil {
		err = store.MoveSource(ctx, src.ID, path)
	} else {
		err = store.SwapSources(ctx, src.ID, occupant.ID)
	}
	if errors.Is(err, review.ErrConflict) || errors.Is(err, review.ErrNotFound) {
		return nil // another import was here first: what it has stored is read on
	}
	if err != nil {
		return err
	}
	old := src.Path
	src.Path = path
	m.run.relearn(path, src)
	if occupant != nil {
		occupant.Path = old
	}
	m.run.relearn(old, occupant)
	return nil
}

// candidates returns the sources of a list, sorted by length, that a file may
// begin with: only their first 64 KiB were compared.
func (in *input) candidates(list []*Source) []*Source {
	head := make([]byte, min(edge, in.size))
	if _, err := in.f.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil
	}
	var found []*Source
	var sum uint32
	var done int64
	text := checksum(nil)
	for _, src := range slices.Backward(list) { // the shortest first
		n := in.provable(src.State.Offset)
		if n > in.size {
			break
		}
		if n = min(edge, n); n > done {
			sum = crc32.Update(sum, castagnoli, head[done:n])
			done, text = n, sumText(sum)
		}
		if src.Proof.Head == text {
			found = append(found, src)
		}
	}
	slices.Reverse(found)
	return found
}

// edited reports whether a file still has half of what was read of it, which
// stands at the beginning of was, n bytes, in lines at its beginning and end:
// somebody changed it and kept a copy. A log that was begun anew shares no more
// than its first lines.
func edited(now, was *input, n int64) bool {
	most := min(n, now.size)
	start := shared(now.f, was.f, 0, 0, most, false)
	if 2*start >= n {
		return true
	}
	return 2*(start+shared(now.f, was.f, now.size, n, most-start, true)) >= n
}

// shared counts the bytes, at most most, of the whole lines that two files have
// in common from their places x and y on, or before them.
func shared(a, b io.ReaderAt, x, y, most int64, before bool) int64 {
	one, other := make([]byte, edge), make([]byte, edge)
	var done, lines int64
	for done < most {
		n := min(edge, most-done)
		at, bt := x+done, y+done
		if before {
			at, bt = x-done-n, y-done-n
		}
		if got, _ := a.ReadAt(one[:n], at); int64(got) < n {
			return lines
		}
		if got, _ := b.ReadAt(other[:n], bt); int64(got) < n {
			return lines
		}
		for i := range n {
			k := i
			if before {
				k = n - 1 - i
			}
			if one[k] != other[k] {
				return lines
			}
			if one[k] == '\n' {
				lines = done + i + 1
				if before {
					lines-- // it ends the line before
				}
			}
		}
		done += n
	}
	return done
}
