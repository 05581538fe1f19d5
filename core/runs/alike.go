package runs

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/similar"
)

// UnsignedSegment is a segment whose content may have no signature yet.
type UnsignedSegment struct {
	Row        int64 // its number in the store, which orders them
	Body       int64
	Start, End int
	// Fingerprint is that of its chat.Digest: tells what is said in it.
	Fingerprint string
}

// Signed is a content with its signature, and the number of its cluster: the
// smallest ID of those that are alike.
type Signed struct {
	ID, Cluster int64
	similar.Signature
}

// SignatureWrite gives the content of a segment its signature.
type SignatureWrite struct {
	Row         int64
	Fingerprint string
	similar.Signature
}

// AlikeStore is what finding alike segments needs of the store.
type AlikeStore interface {
	// CountUnsigned counts the segments without a signature, and the signatures
	// that were not compared with the others or may have to go.
	CountUnsigned(ctx context.Context) (segments, others int, err error)
	// UnsignedSegments returns up to limit segments after a row.
	UnsignedSegments(ctx context.Context, after int64, limit int) ([]UnsignedSegment, error)
	// EachRecorded is that of CutStore: signatures are kept by what was recorded.
	EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// WriteSignatures stores signatures in one transaction.
	WriteSignatures(ctx context.Context, list []SignatureWrite) error
	// FreshSignatures returns up to limit signatures that were not compared.
	FreshSignatures(ctx context.Context, limit int) ([]Signed, error)
	// EachSignature calls f for all signatures of contents with words.
	EachSignature(ctx context.Context, f func(*Signed) error) error
	// JoinAlike makes the clusters of each two signatures one.
	JoinAlike(ctx context.Context, pairs [][2]int64) error
	// NoteCompared notes that signatures were compared with all others.
	NoteCompared(ctx context.Context, ids []int64) error
	// DropUnheld forgets signatures of contents that no segment holds any more,
	// and parts clusters that they held together.
	DropUnheld(ctx context.Context) error
}

// AlikeReport says what a run did.
type AlikeReport struct {
	Segments int // that were read
	Compared int // signatures that were compared with the others
}

// Aliker finds segments that are nearly the same: alike in what users and
// assistants say, as the exporter's check for near duplicates sees it, from the
// same similarity on. What is stored is done: a run that was stopped goes on
// where it was. Which segments are alike depends on nothing but their texts.
type Aliker struct {
	Store AlikeStore
	// Progress, if not nil, is told how many segments were read of those that
	// had to be.
	Progress func(done, all int)
	// Jobs is how many segments are read at once; 0 means one per processor.
	Jobs int
	// Batch is how many signatures are compared with all others at a time; 0
	// means as many as take 20 MB.
	Batch int
}

const (
	signPage   = 512     // segments that are looked up, and stored, at a time
	alikeBatch = 1 << 14 // signatures
	joinStep   = 256     // pairs in one transaction
)

// Run signs what has no signature and compares what was not compared.
func (a *Aliker) Run(ctx context.Context) (r AlikeReport, err error) {
	if err := a.Store.DropUnheld(ctx); err != nil {
		return r, err
	}
	all, _, err := a.Store.CountUnsigned(ctx)
	if err != nil {
		return r, err
	}
	after := int64(0)
	for {
		list, err := a.Store.UnsignedSegments(ctx, after, signPage)
		if err != nil || len(list) == 0 {
			if err == nil {
				r.Compared, err = a.compare(ctx)
			}
			return r, err
		}
		if err := a.sign(ctx, list); err != nil {
			return r, err
		}
		after = list[len(list)-1].Row
		r.Segments += len(list)
		if a.Progress != nil {
			a.Progress(min(r.Segments, all), all)
		}
	}
}

// sign reads segments and stores their signatures. One that has other messages
// by now, or none, waits for the next run.
func (a *Aliker) sign(ctx context.Context, list []UnsignedSegment) error {
	signed := make([]*SignatureWrite, len(list))
	g, reading := errgroup.WithContext(ctx)
	jobs := a.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	g.SetLimit(jobs)
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Body == list[from].Body && list[to].Start > list[to-1].End {
			to++
		}
		refs, into := list[from:to], signed[from:to]
		g.Go(func() error { return a.read(reading, refs, into) })
		from = to
	}
	if err := g.Wait(); err != nil {
		return err
	}
	var writes []SignatureWrite
	for _, w := range signed {
		if w != nil {
			writes = append(writes, *w)
		}
	}
	return a.Store.WriteSignatures(ctx, writes)
}

// read signs segments that lie after each other in one body.
func (a *Aliker) read(ctx context.Context, refs []UnsignedSegment, into []*SignatureWrite) error {
	var signer similar.Signer
	at, next := 0, refs[0].Start
	err := a.Store.EachRecorded(ctx, refs[0].Body, refs[0].Start, refs[len(refs)-1].End, func(m *chat.Message) error {
		if m.N != next {
			return ErrMissing
		}
		next++
		if m.N < refs[at].Start {
			return nil // between two of them
		}
		if m.Role == chat.User || m.Role == chat.Assistant {
			said, _ := m.BesideSummary()
			signer.Add(said)
		}
		if m.N == refs[at].End {
			into[at] = &SignatureWrite{refs[at].Row, refs[at].Fingerprint, signer.Signature()}
			at++
		}
		return nil
	})
	if errors.Is(err, ErrMissing) || errors.Is(err, review.ErrNotFound) || errors.Is(err, chat.ErrCorruptChunk) {
		return nil // doctor tells of what stays so
	}
	return err
}

// compare finds what is alike among signatures that were not compared and all.
func (a *Aliker) compare(ctx context.Context) (compared int, err error) {
	batch := a.Batch
	if batch <= 0 {
		batch = alikeBatch
	}
	for {
		fresh, err := a.Store.FreshSignatures(ctx, batch)
		if err != nil || len(fresh) == 0 {
			return compared, err
		}
		pairs, err := a.pairs(ctx, fresh)
		if err != nil {
			return compared, err
		}
		for len(pairs) > 0 {
			n := min(len(pairs), joinStep)
			if err := a.Store.JoinAlike(ctx, pairs[:n]); err != nil {
				return compared, err
			}
			pairs = pairs[n:]
		}
		ids := make([]int64, len(fresh))
		for i := range fresh {
			ids[i] = fresh[i].ID
		}
		if err := a.Store.NoteCompared(ctx, ids); err != nil {
			return compared, err
		}
		compared += len(fresh)
	}
}

// pairs returns which of fresh signatures are similar to which of all: as many
// pairs as it takes to make their clusters one.
func (a *Aliker) pairs(ctx context.Context, fresh []Signed) ([][2]int64, error) {
	sigs := make([]*similar.Signature, len(fresh))
	number := map[int64]int{} // of clusters, in sets
	of := func(cluster int64) int {
		n, ok := number[cluster]
		if !ok {
			n = len(number)
			number[cluster] = n
		}
		return n
	}
	at := make([]int, len(fresh))
	for i := range fresh {
		sigs[i], at[i] = &fresh[i].Signature, of(fresh[i].Cluster)
	}
	index, sets := similar.NewIndex(sigs), similar.NewSets(len(number))
	var pairs [][2]int64
	err := a.Store.EachSignature(ctx, func(s *Signed) error {
		mine, known := number[s.Cluster]
		index.Each(&s.Signature, similar.Duplicate, func(i int) bool {
			return fresh[i].ID == s.ID || known && sets.Root(mine) == sets.Root(at[i])
		}, func(i int) {
			if !known {
				mine, known = of(s.Cluster), true
				sets.Grow(len(number))
			}
			sets.Join(mine, at[i])
			pairs = append(pairs, [2]int64{s.ID, fresh[i].ID})
		})
		return ctx.Err()
	})
	return pairs, err
}
