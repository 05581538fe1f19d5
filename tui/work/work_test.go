package work

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestQueueKeepsTheOrder: whichever command runs first does the first write, and
// an answer that comes late does not end what was put after it.
func TestQueueKeepsTheOrder(t *testing.T) {
	var q Queue
	var did []string
	put := func(name string, err error) tea.Cmd {
		return q.Put(t.Context(), Write{ID: name, Doing: name, Run: func(context.Context) (Show, error) {
			did = append(did, name)
			return nil, err
		}})
	}
	one, two := put("one", nil), put("two", errors.New("disk full"))
	first, second := two().(Done), one().(Done)
	if !slices.Equal(did, []string{"one", "two"}) {
		t.Errorf("done: %q", did)
	}
	if q.Lost() == nil {
		t.Error("a failure that nobody was told of is not lost")
	}
	if _, failed := q.Take(second); !failed || q.Lost() != nil || !q.Changes("one") || q.Doing() != "one" {
		t.Errorf("failed %v, lost %v, doing %q", failed, q.Lost(), q.Doing())
	}
	if _, failed := q.Take(first); failed || q.Open() || q.Epoch() != 4 {
		t.Errorf("failed %v, open %v, epoch %d", failed, q.Open(), q.Epoch())
	}
	if show, _ := q.Take(first); show != nil {
		t.Error("an answer was taken twice")
	}
}

// TestQuestionsWaitForWrites: they are asked in their turn, and change nothing.
func TestQuestionsWaitForWrites(t *testing.T) {
	var q Queue
	wrote, knew := false, false
	q.Put(t.Context(), Write{Run: func(context.Context) (Show, error) { wrote = true; return nil, nil }})
	q.Ask(t.Context(), func(context.Context) Show { knew = wrote; return nil })
	before := q.Epoch()
	for range 2 {
		m, _ := q.Do(t.Context())
		q.Take(m)
	}
	if !knew || q.Epoch() != before+1 || q.Writing() {
		t.Errorf("knew %v, epoch %d after %d", knew, q.Epoch(), before)
	}
}

// TestJobThatWasDropped: a command that comes after the end does nothing, however
// many wait for it: the one that took its place does, and so does the program.
func TestJobThatWasDropped(t *testing.T) {
	j := New(func(context.Context, func(Progress)) error { t.Error("it ran"); return nil }, "")
	run := j.start(t.Context(), time.Time{})
	j.Wait()
	j.Wait()
	if err := run(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFactsSayWhatIsLeft: by whatever the job counts, not while it waits for more.
func TestFactsSayWhatIsLeft(t *testing.T) {
	began := time.Unix(0, 0)
	for _, c := range []struct {
		p    Progress
		left bool
	}{
		{Progress{Bytes: 1e6, AllBytes: 2e6}, true}, {Progress{Segments: 50, AllSegments: 100}, true},
		{Progress{Sessions: 5, AllSessions: 10}, true}, {Progress{Sessions: 5, AllSessions: 10, Waiting: true}, false}, {Progress{Messages: 9}, false},
	} {
		j := Job{began: began, seen: c.p}
		if got := slices.Contains(j.Facts(began.Add(20*time.Second)), "20 s left"); got != c.left {
			t.Errorf("%+v: %q", c.p, j.Facts(began.Add(20*time.Second)))
		}
	}
}
