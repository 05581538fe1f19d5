package hub

import (
	"context"
	"errors"
	"hash/crc32"
	"io"

	"winnow/core/review"
	"winnow/core/session"
)

const (
	// commitBytes is the text after which a source is stored as far as it
	// was read: the most that a crash makes the next import read again.
	commitBytes = 4 << 20
	// holdBytes bounds how long a rewritten session waits for its end, where
	// its old verdicts find their place.
	holdBytes = 64 << 20
	// keepTrackers is how many sessions of one source are followed at once.
	keepTrackers = 64
	// sessionBytes is what a session costs besides its text: tiny ones are
	// stored a thousand at a time, which takes 0.2 s. Fewer would write the
	// pages of the indexes, where they lie scattered, once more each; more of
	// them, and what they hold in memory, keep curators waiting.
	sessionBytes = 4 << 10
)

// reading is one source being read. It is the session.Sink.
type reading struct {
	ctx      context.Context
	run      *run
	desk     *desk
	in       *input
	src      *Source
	file     file
	format   string // asked for, "" to detect
	base     Base   // how far it is stored
	isNew    bool   // nothing of it is stored yet
	rewrite  bool   // what is stored is replaced
	resolved bool   // the last line, pending or blank, is read again
	linked   bool   // others are kept as sessions of it
	// unchanged says that there is nothing to read.
	unchanged bool
	conflict  error // somebody else changed what was to be written

	trackers map[string]*tracker
	order    []string        // keys of trackers, in order of appearance
	wholes   []string        // keys of those that end with the value being read
	seen     map[string]bool // keys met in this reading, but for whole sessions
	out      []SessionWrite  // sessions to be stored with the next commit
	former   *former         // sessions of a rewritten source
	leave    []string        // ids of sessions that are gone
	issues   []session.Issue
	from     int64  // where reading began
	bytes    int64  // read from the file
	sum      uint32 // checksum of them
	messages int64  // given so far, those of earlier imports included
	raw      int    // bytes of text since the last commit
	last     *job   // the last commit
	whatSeen string // why there is no session, if there is none
}

// file reads one file up to its last commit, whose outcome awaitStored waits for;
// nil if there is nothing to wait for. Failures of the file itself are
// reported, failures of the store stop the import.
func (r *run) file(ctx context.Context, f file, d *desk) (*reading, error) {
	in, err := openInput(f)
	if err != nil {
		r.refuse(f.path, err)
		return nil, nil
	}
	defer in.f.Close()
	rd, err := r.plan(ctx, in, d, false)
	if err != nil {
		return nil, err
	}
	rd.file = f
	if rd.unchanged {
		return rd, rd.touch()
	}
	err = rd.read()
	rd.release()
	if errors.Is(err, errCopyGrew) {
		if rd, err = r.plan(ctx, in, d, true); err != nil {
			return nil, err
		}
		rd.file = f
		err = rd.read()
		rd.release()
	}
	var storeErr *review.StoreError
	switch {
	case err == nil:
		return rd, nil
	case errors.Is(err, review.ErrConflict):
		rd.conflict = err
		return rd, nil
	case errors.As(err, &storeErr):
		return nil, storeErr.Err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	r.refuse(f.path, err)
	return nil, nil
}

// plan decides how a file is read: from the start, from where the last import
// stopped, or (nil) not at all. again asks for the start.
func (r *run) plan(ctx context.Context, in *input, d *desk, again bool) (*reading, error) {
	r.moves.begin(in.path)
	src := r.source(in.path)
	goesOn := !again && in.goesOn(src)
	if !goesOn && !again {
		placed, err := r.moves.source(ctx, in, src)
		if err != nil {
			return nil, err
		}
		if placed != src {
			src = placed
			goesOn = in.goesOn(src)
		}
	}
	var known Source // with the memory of decoders
	if goesOn {
		var err error
		if known, err = r.whole(ctx, src); err != nil {
			return nil, err
		}
	}
	linked := false
	if src != nil && !(goesOn && !r.reforced(src) && in.asStored(src)) {
		elsewhere, here, err := r.im.Store.Shares(ctx, src.ID)
		if err != nil {
			return nil, err
		}
		elsewhere = elsewhere || r.wasParted(src.ID)
		idle := (elsewhere || here) && goesOn && !r.reforced(src) && in.idle(ctx, &known, r.options(src.Forced))
		goesOn = goesOn && (idle || !elsewhere)
		if linked = here; !idle && (elsewhere || here && (!goesOn || r.reforced(src))) {
			if err := r.part(ctx, src.ID); err != nil {
				return nil, err
			}
		}
	}
	rd := &reading{ctx: ctx, run: r, linked: linked, desk: d, in: in, trackers: map[string]*tracker{}, seen: map[string]bool{}, format: r.format()}
	if src != nil {
		rd.base = BaseOf(&src.State)
	}
	switch {
	case src == nil:
		rd.isNew = true
		rd.src = &Source{AgentID: r.im.Agent, Path: in.path, Forced: r.format()}
	case goesOn && !r.reforced(src):
		s := known
		rd.src, rd.resolved = &s, s.Pending > 0 || s.State.OpenBlank()
		if rd.format == "" {
			rd.format = s.Forced // the tail of a file is read as its head was
		}
		if in.asStored(&s) {
			// Only its time or name changed, or it lost an unfinished line.
			rd.unchanged, rd.resolved = true, s.Pending > 0 && in.encoding.Seekable()
			if rd.resolved {
				s.Pending = 0
			}
		}
	default:
		rd.rewrite = true
		var err error
		if rd.former, err = r.former(ctx, src); err != nil {
			return nil, err
		}
		rd.src = &Source{ID: src.ID, AgentID: r.im.Agent, Path: in.path, Forced: r.format()}
	}
	rd.src.Size, rd.src.ModTime = in.size, in.modTime
	return rd, nil
}

// whole returns a source with all that is stored of it. If another import has
// brought it on meanwhile, the writes that follow are in conflict with that.
func (r *run) whole(ctx context.Context, src *Source) (Source, error) {
	s, err := r.im.Store.Source(ctx, src.ID)
	if errors.Is(err, review.ErrNotFound) {
		return *src, nil
	}
	s.Path = src.Path
	return s, err
}

// asStored reports whether a file that goes on from what was read of it has
// nothing new.
func (in *input) asStored(s *Source) bool {
	return !in.encoding.Seekable() || in.size == s.State.Offset && !s.State.OpenBlank()
}

// touch stores that a source is as it was.
func (rd *reading) touch() error {
	rd.last = &job{write: ImportWrite{Source: *rd.src, Base: &rd.base, Resolved: rd.resolved}}
	return rd.run.committer.put(rd.ctx, rd.last)
}

// read reads the source to its end and stores it.
func (rd *reading) read() error {
	state := rd.src.State
	rd.messages, rd.from = state.Messages, state.Offset
	if _, err := rd.in.f.Seek(state.Offset, io.SeekStart); err != nil {
		return err
	}
	var r io.Reader = (*counter)(rd)
	if !rd.in.encoding.Seekable() {
		decoded, _, err := session.Decode(r)
		if err != nil {
			return err
		}
		r = decoded
	}
	res, err := session.Read(rd.ctx, r, rd.run.options(rd.format), state, rd)
	if err != nil {
		return err
	}
	rd.src.Pending = res.Pending
	rd.whatSeen = res.Seen
	if err := rd.complete(); err != nil {
		return err
	}
	return rd.end(&res.State)
}

// counter is the source of a reading as a reader that counts for the progress.
type counter reading

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.f.Read(p)
	c.bytes += int64(n)
	c.sum = crc32.Update(c.sum, castagnoli, p[:n])
	c.run.bytes.Add(int64(n))
	return n, err
}

// name is the session_file of a session of the source.
func (rd *reading) name(key string) string {
	if key == "" {
		return rd.src.Path
	}
	return rd.src.Path + "#" + key
}
