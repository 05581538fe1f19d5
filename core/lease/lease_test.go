package lease

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// shelf keeps leases in memory.
type shelf struct {
	mu      sync.Mutex
	leases  map[string]Lease
	broken  error // of renewals
	renewed chan time.Time
}

func (s *shelf) TakeLease(_ context.Context, l Lease, taken time.Time) (Lease, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, there := s.leases[l.Name]; there && held.Until.After(taken) {
		return held, false, nil
	}
	s.leases[l.Name] = l
	return Lease{}, true, nil
}

func (s *shelf) RenewLease(_ context.Context, l Lease) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.renewed <- l.Until }()
	if s.broken != nil {
		return false, s.broken
	}
	if s.leases[l.Name].Token != l.Token {
		return false, nil
	}
	s.leases[l.Name] = l
	return true, nil
}

func (s *shelf) ReturnLease(_ context.Context, name, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases[name].Token == token {
		delete(s.leases, name)
	}
	return nil
}

func (s *shelf) Leases(context.Context) ([]Lease, error) { return nil, nil }

// clock moves when it is told to.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	ticks chan time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// pass lets time pass, after which somebody waits no more.
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	c.ticks <- c.now
}

type seeded struct{ *rand.ChaCha8 }

func keeper(s *shelf, holder string) (*Keeper, *clock) {
	c := &clock{now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), ticks: make(chan time.Time)}
	return &Keeper{Store: s, Holder: holder, Now: c.Now, After: func(time.Duration) <-chan time.Time { return c.ticks }, Rand: seeded{rand.NewChaCha8([32]byte{holder[0]})}}, c
}

func newShelf() *shelf { return &shelf{leases: map[string]Lease{}, renewed: make(chan time.Time)} }

func TestALeaseIsRenewedAndGivenBack(t *testing.T) {
	s := newShelf()
	a, clock := keeper(s, "a, pid 1")
	b, _ := keeper(s, "b, pid 2")
	err := a.Hold(t.Context(), "segment", func(ctx context.Context, token string) error {
		for range 8 { // twice as long as it lasts
			clock.pass(Renews)
			if until := <-s.renewed; !until.Equal(clock.Now().Add(Lasts)) {
				t.Errorf("renewed until %s", until)
			}
		}
		var held *Held
		err := b.Hold(ctx, "segment", func(context.Context, string) error { t.Error("two hold it"); return nil })
		if !errors.As(err, &held) || held.Holder != "a, pid 1" || err.Error() != "segment: a, pid 1, is at it until 12:03:00" {
			t.Errorf("%v", err)
		}
		if err := b.Hold(ctx, "judge", func(context.Context, string) error { return nil }); err != nil {
			t.Error(err)
		}
		if s.leases["segment"].Token != token || len(token) != 32 {
			t.Errorf("token %q", token)
		}
		return errors.New("done")
	})
	if err == nil || err.Error() != "done" || len(s.leases) > 0 {
		t.Errorf("%v; left: %v", err, s.leases)
	}
}

func TestALostLeaseEndsTheWork(t *testing.T) {
	for name, lose := range map[string]func(*shelf, *clock){
		"taken by somebody": func(s *shelf, c *clock) {
			s.mu.Lock()
			s.leases["segment"] = Lease{Name: "segment", Token: "other", Until: c.Now().Add(Lasts)}
			s.mu.Unlock()
			c.pass(Lasts)
			<-s.renewed
		},
		"not renewed in time": func(s *shelf, c *clock) {
			s.mu.Lock()
			s.broken = errors.New("database is busy")
			s.mu.Unlock()
			for range 4 {
				c.pass(Renews)
				<-s.renewed
			}
		},
	} {
		s := newShelf()
		k, clock := keeper(s, "a")
		err := k.Hold(t.Context(), "segment", func(ctx context.Context, _ string) error {
			lose(s, clock)
			<-ctx.Done()
			return context.Cause(ctx)
		})
		if !errors.Is(err, ErrLost) {
			t.Errorf("%s: %v", name, err)
		}
		if _, there := s.leases["segment"]; !there {
			t.Errorf("%s: given back", name)
		}
	}
}

// A renewal that fails once is tried again, and the work goes on.
func TestARenewalMayFailOnce(t *testing.T) {
	s := newShelf()
	k, clock := keeper(s, "a")
	err := k.Hold(t.Context(), "segment", func(ctx context.Context, _ string) error {
		for _, broken := range []error{errors.New("busy"), nil, errors.New("busy"), errors.New("busy"), errors.New("busy"), nil} {
			s.mu.Lock()
			s.broken = broken
			s.mu.Unlock()
			clock.pass(Renews)
			<-s.renewed
		}
		return ctx.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

// Work whose lease cannot be renewed ends when the lease does, and not a while after.
func TestALeaseIsLostWhenItIsOver(t *testing.T) {
	s := newShelf()
	k, clock := keeper(s, "a")
	var waited time.Duration
	after := k.After
	k.After = func(d time.Duration) <-chan time.Time { waited = d; return after(d) }
	err := k.Hold(t.Context(), "segment", func(ctx context.Context, _ string) error {
		s.mu.Lock()
		s.broken = errors.New("busy")
		s.mu.Unlock()
		for _, late := range []time.Duration{Lasts / 2, Lasts / 3} {
			clock.pass(late)
			<-s.renewed
		}
		clock.pass(Lasts / 6) // after which it is over
		<-s.renewed
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, ErrLost) || waited != Lasts/6 {
		t.Errorf("%v, waited %s in the end", err, waited)
	}
}

// A patient keeper goes on while its lease cannot be renewed, and loses it to somebody
// else only.
func TestAPatientKeeperLosesToOthersOnly(t *testing.T) {
	s := newShelf()
	k, clock := keeper(s, "a")
	k.Patient = true
	err := k.Hold(t.Context(), "train:1", func(ctx context.Context, _ string) error {
		for _, broken := range []error{errors.New("busy"), errors.New("busy"), errors.New("busy"), nil} {
			s.mu.Lock()
			s.broken = broken
			s.mu.Unlock()
			clock.pass(2 * Lasts)
			select {
			case <-s.renewed:
			case <-ctx.Done():
				t.Error("it was lost to nobody")
				return nil
			}
		}
		s.mu.Lock()
		s.leases["train:1"] = Lease{Name: "train:1", Token: "b", Until: clock.Now().Add(9 * Lasts)}
		s.mu.Unlock()
		clock.pass(2 * Lasts)
		<-s.renewed
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, ErrLost) {
		t.Error(err)
	}
}

// Work that is done under two leases gives the one back that it has when it loses the
// other, and says once what was lost.
func TestALostLeaseLeavesNoOther(t *testing.T) {
	s := newShelf()
	outer, clock := keeper(s, "a")
	inner, _ := keeper(s, "b")
	err := outer.Hold(t.Context(), "cycle", func(ctx context.Context, _ string) error {
		err := inner.Hold(ctx, "segment", func(ctx context.Context, _ string) error {
			s.mu.Lock()
			s.leases["cycle"] = Lease{Name: "cycle", Token: "other", Until: clock.Now().Add(2 * Lasts)}
			s.mu.Unlock()
			clock.pass(Renews)
			<-s.renewed
			<-ctx.Done()
			return context.Cause(ctx)
		})
		if _, there := s.leases["segment"]; there {
			t.Error("what was not lost is not given back")
		}
		return err
	})
	if err == nil || err.Error() != ErrLost.Error() {
		t.Errorf("%v", err)
	}
}

func TestWithoutRandomnessNothingIsHeld(t *testing.T) {
	k, _ := keeper(newShelf(), "a")
	k.Rand = strings.NewReader("short")
	if err := k.Hold(t.Context(), "segment", func(context.Context, string) error { return nil }); err == nil {
		t.Error("held")
	}
}
