// Package lease keeps two programs from doing the same work on one database: who does
// it has a lease, for a minute at a time. A lease saves money; what is written is right
// without it, as every write says what it goes on from.
package lease

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// Lease is the right to do one kind of work on a database, for a while.
type Lease struct {
	Name   string // of the work
	Token  string // of who holds it
	Holder string // as people read it: "winnow run, pid 4121"
	Until  time.Time
}

// Store keeps leases.
type Store interface {
	// TakeLease takes a lease that nobody holds, or that was over at a time. If
	// somebody else has it, ok is false, and held is theirs.
	TakeLease(ctx context.Context, l Lease, taken time.Time) (held Lease, ok bool, err error)
	// RenewLease gives a lease another end. It reports false if somebody else has it
	// now.
	RenewLease(ctx context.Context, l Lease) (ok bool, err error)
	// ReturnLease gives a lease back, unless somebody else has it now.
	ReturnLease(ctx context.Context, name, token string) error
	// Leases returns all leases, also those that are over and were not given back.
	Leases(ctx context.Context) ([]Lease, error)
}

// Held is the error of a lease that somebody else has.
type Held struct{ Lease }

// Error says who does the work, and until when at least.
func (h *Held) Error() string {
	return fmt.Sprintf("%s: %s, is at it until %s", h.Name, h.Holder, h.Until.Format(time.TimeOnly))
}

// ErrLost is why work ends whose lease could not be renewed: somebody else may have it.
var ErrLost = errors.New("the lease was lost: another program may be at it")

// How long a lease lasts, and after how long it is renewed.
const (
	Lasts  = time.Minute
	Renews = Lasts / 4
)

// Keeper takes leases for one program. It is safe for concurrent use.
type Keeper struct {
	Store  Store
	Holder string // as people read it
	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time
	Rand   io.Reader // for tokens
	// Patient keepers lose a lease to somebody else only, and not as it could not be
	// renewed for a while: for work that nobody else begins without looking whether it
	// goes on.
	Patient bool
	// Lasts is how long a lease lasts, four times what passes until it is renewed;
	// 0 is the usual time.
	Lasts time.Duration
}

// Hold runs f under a lease, which is renewed meanwhile and given back at the end. The
// error is a *Held if somebody else has the lease. If it is lost, the context of f ends
// with ErrLost.
func (k *Keeper) Hold(ctx context.Context, name string, f func(ctx context.Context, token string) error) error {
	l := Lease{Name: name, Holder: k.Holder}
	token := make([]byte, 16)
	if _, err := io.ReadFull(k.Rand, token); err != nil {
		return fmt.Errorf("lease %s: %w", name, err)
	}
	l.Token = hex.EncodeToString(token)
	now := k.Now()
	l.Until = now.Add(k.Length())
	held, ok, err := k.Store.TakeLease(ctx, l, now)
	switch {
	case err != nil:
		return err
	case !ok:
		held.Until = held.Until.In(now.Location())
		return &Held{held}
	}
	ctx, lose := context.WithCancelCause(ctx)
	lost := make(chan bool, 1) // this lease, and not one that the work is done under, too
	go func() { lost <- k.renew(ctx, l, lose) }()
	err = f(ctx, l.Token)
	lose(nil)
	if <-lost {
		return ErrLost
	}
	// What was done is done: a lease that cannot be given back is over soon.
	_ = k.Store.ReturnLease(context.WithoutCancel(ctx), name, l.Token)
	return err
}

// Length is how long a lease lasts.
func (k *Keeper) Length() time.Duration {
	if k.Lasts > 0 {
		return k.Lasts
	}
	return Lasts
}

// renew renews a lease until ctx ends, or it is lost: somebody else has it, or, unless the
// keeper is patient, it could not be renewed before it was over.
func (k *Keeper) renew(ctx context.Context, l Lease, lose context.CancelCauseFunc) (lost bool) {
	wait := k.Length() / 4
	for {
		select {
		case <-ctx.Done():
			return false
		case <-k.After(wait):
		}
		now, over := k.Now(), l.Until
		l.Until = now.Add(k.Length())
		ok, err := k.Store.RenewLease(ctx, l)
		switch wait = k.Length() / 4; {
		case err == nil && ok:
		case err != nil && ctx.Err() != nil:
			return false
		case err == nil, !k.Patient && !now.Before(over):
			lose(ErrLost)
			return true
		case k.Patient:
			l.Until = over
		default:
			l.Until = over                  // as it is kept
			wait = min(wait, over.Sub(now)) // nobody works on without it
		}
	}
}
