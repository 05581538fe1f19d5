// Package traintest has what tests of runs need: a store in memory, and a trainer that
// learns in a moment.
package traintest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"winnow/core/lease"
	"winnow/core/train"
)

// Store keeps runs, and leases, in memory. It is safe for concurrent use.
type Store struct {
	Counts train.Counts // what ToTrain returns

	mu      sync.Mutex
	runs    []train.Run
	samples map[int64][]train.Sample
	points  map[int64]map[train.Point]float64 // without the value
	evals   map[int64][]train.Eval
	names   map[string]int64
	leases  map[string]lease.Lease
}

// New returns an empty store.
func New() *Store {
	return &Store{samples: map[int64][]train.Sample{}, points: map[int64]map[train.Point]float64{}, evals: map[int64][]train.Eval{}, names: map[string]int64{}, leases: map[string]lease.Lease{}}
}

func copyOf(r *train.Run) train.Run {
	c := *r
	c.Params, c.Metrics, c.Command = maps.Clone(r.Params), maps.Clone(r.Metrics), slices.Clone(r.Command)
	return c
}

// BeginRun implements train.Store.
func (s *Store) BeginRun(_ context.Context, r *train.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.ID = int64(len(s.runs) + 1)
	s.runs = append(s.runs, copyOf(r))
	return nil
}

func (s *Store) find(id int64) (*train.Run, error) {
	if id < 1 || id > int64(len(s.runs)) {
		return nil, train.ErrNoRun
	}
	return &s.runs[id-1], nil
}

// ChangeRun implements train.Store.
func (s *Store) ChangeRun(ctx context.Context, id int64, f func(*train.Run) error) (train.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(id, f)
}

func (s *Store) change(id int64, f func(*train.Run) error) (train.Run, error) {
	r, err := s.find(id)
	if err != nil {
		return train.Run{}, err
	}
	now := copyOf(r)
	if err := f(&now); err != nil {
		return copyOf(r), err
	}
	if now.Status == train.Succeeded && r.Status != now.Status && now.Model != "" {
		s.names[now.Model] = id
	}
	*r = copyOf(&now)
	return now, nil
}

// PutSamples implements train.Store.
func (s *Store) PutSamples(_ context.Context, id int64, list []train.Sample, f func(*train.Run) error) (train.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.change(id, f)
	if err == nil {
		s.samples[id] = slices.SortedFunc(slices.Values(list), func(a, b train.Sample) int { return cmp.Compare(a.Detail, b.Detail) })
	}
	return r, err
}

// FindRun implements train.Store.
func (s *Store) FindRun(_ context.Context, id int64) (train.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return train.Run{}, err
	}
	return copyOf(r), nil
}

// Runs implements train.Store.
func (s *Store) Runs(_ context.Context, before int64, limit int) (list []train.Run, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.runs) - 1; i >= 0 && len(list) < limit; i-- {
		if before == 0 || s.runs[i].ID < before {
			list = append(list, copyOf(&s.runs[i]))
		}
	}
	return list, nil
}

// OpenRuns implements train.Store.
func (s *Store) OpenRuns(ctx context.Context) ([]train.Run, error) {
	all, err := s.Runs(ctx, 0, 1<<30)
	return slices.DeleteFunc(all, func(r train.Run) bool { return r.Status.Ended() }), err
}

// RunSamples implements train.Store.
func (s *Store) RunSamples(_ context.Context, id int64, after string, limit int) (list []train.Sample, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.samples[id] {
		if one.Detail > after && len(list) < limit {
			list = append(list, one)
		}
	}
	return list, nil
}

// Withdrawn implements train.Store: nothing is.
func (s *Store) Withdrawn(context.Context, int64, string, int) ([]train.Withdrawn, int, error) {
	return nil, 0, nil
}

// AddPoints implements train.Store.
func (s *Store) AddPoints(_ context.Context, id int64, list []train.Point) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.points[id] == nil {
		s.points[id] = map[train.Point]float64{}
	}
	for _, p := range list {
		s.points[id][train.Point{Step: p.Step, Name: p.Name}] = p.Value
	}
	return nil
}

// BeginAgain implements train.Store.
func (s *Store) BeginAgain(_ context.Context, id int64, from int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.evals, id)
	maps.DeleteFunc(s.points[id], func(p train.Point, _ float64) bool { return p.Step >= from })
	return nil
}

// Points implements train.Store.
func (s *Store) Points(_ context.Context, id int64) (list []train.Point, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p, v := range s.points[id] {
		list = append(list, train.Point{Step: p.Step, Name: p.Name, Value: v})
	}
	slices.SortFunc(list, func(a, b train.Point) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Step, b.Step))
	})
	return list, nil
}

// PutEvals implements train.Store.
func (s *Store) PutEvals(_ context.Context, id int64, list []train.Eval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range list {
		s.evals[id] = append(slices.DeleteFunc(s.evals[id], func(o train.Eval) bool { return o.Subject == e.Subject && o.Name == e.Name }), e)
	}
	return nil
}

// Evals implements train.Store.
func (s *Store) Evals(_ context.Context, id int64) ([]train.Eval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.evals[id]), nil
}

// NameModel implements train.Store.
func (s *Store) NameModel(_ context.Context, name string, run int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = run
	return nil
}

// ModelNames implements train.Store.
func (s *Store) ModelNames(context.Context) (map[string]int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.names), nil
}

// ToTrain implements train.Store.
func (s *Store) ToTrain(context.Context) (train.Counts, error) { return s.Counts, nil }

// HeldBack implements train.Store.
func (s *Store) HeldBack(_ context.Context, after string, limit int) ([]string, error) {
	return s.details(after, limit, func(_ *train.Run, one *train.Sample) bool { return one.Split == train.Validation }), nil
}

// HeldSessions implements train.Store.
func (s *Store) HeldSessions(_ context.Context, after string, limit int) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]bool{}
	for _, list := range s.samples {
		for i := range list {
			if list[i].Split == train.Validation && list[i].Session > after {
				found[list[i].Session] = true
			}
		}
	}
	all := slices.Sorted(maps.Keys(found))
	return all[:min(limit, len(all))], nil
}

// Trained implements train.Store.
func (s *Store) Trained(_ context.Context, after string, limit int) ([]string, error) {
	return s.details(after, limit, func(r *train.Run, one *train.Sample) bool {
		return one.Split == train.Train && r.Status == train.Succeeded
	}), nil
}

func (s *Store) details(after string, limit int, want func(*train.Run, *train.Sample) bool) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]bool{}
	for id, list := range s.samples {
		for i := range list {
			if list[i].Detail > after && want(&s.runs[id-1], &list[i]) {
				found[list[i].Detail] = true
			}
		}
	}
	all := slices.Sorted(maps.Keys(found))
	return all[:min(limit, len(all))]
}

// TakeLease implements lease.Store.
func (s *Store) TakeLease(_ context.Context, l lease.Lease, taken time.Time) (lease.Lease, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, there := s.leases[l.Name]; there && held.Until.After(taken) {
		return held, false, nil
	}
	s.leases[l.Name] = l
	return lease.Lease{}, true, nil
}

// RenewLease implements lease.Store.
func (s *Store) RenewLease(_ context.Context, l lease.Lease) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases[l.Name].Token != l.Token {
		return false, nil
	}
	s.leases[l.Name] = l
	return true, nil
}

// ReturnLease implements lease.Store.
func (s *Store) ReturnLease(_ context.Context, name, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases[name].Token == token {
		delete(s.leases, name)
	}
	return nil
}

// Leases implements lease.Store.
func (s *Store) Leases(context.Context) ([]lease.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.leases)), nil
}
