package versions

import (
	"fmt"
	"testing"

	"winnow/core/chat"
)

// counted are messages that count how many of them are read.
func counted(reads *int, n int, text string) Each {
	return func(f func(*chat.Message) error) error {
		for i := range n {
			*reads++
			m := chat.Message{N: i + 1, Role: chat.User, Content: text}
			if i%10 == 0 {
				m.Content = "alike"
			}
			if err := f(&m); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestCompareIsBounded: of what differs as much is kept as was asked for, the rest is
// counted, and nothing is read twice behind it.
func TestCompareIsBounded(t *testing.T) {
	const n = 1000
	for _, byPlace := range []bool{true, false} {
		for _, most := range []int{0, 1, 90, 900, 5000} {
			reads := 0
			c, err := Compare(counted(&reads, n, "before"), counted(&reads, n, "after"), byPlace, most)
			if err != nil || c.Same != 100 || len(c.List)+c.More != 900 || len(c.List) != min(most, 900) {
				t.Fatalf("%t %d: %d kept, %d more, %d the same, %v", byPlace, most, len(c.List), c.More, c.Same, err)
			}
			for _, d := range c.List {
				if d.Before == nil || d.After == nil || d.Before.N != d.After.N {
					t.Fatalf("%+v", d)
				}
			}
			if again := reads - 2*n; most < 900 && again > 2*(most+most/9+1) {
				t.Errorf("%t %d: %d messages read again", byPlace, most, again)
			}
		}
	}
}

// TestDifferKeepsNothing: a message is made anew for each call, and both sides are read
// once more, in step.
func TestDifferKeepsNothing(t *testing.T) {
	const n = 1000
	var one [2]chat.Message // each side has room for one message
	reads, seen, ahead := [2]int{}, 0, 0
	side := func(k int, text string) Each {
		return func(f func(*chat.Message) error) error {
			return counted(&reads[k], n, text)(func(m *chat.Message) error {
				one[k] = *m
				return f(&one[k])
			})
		}
	}
	err := Differ(side(0, "before"), side(1, "after"), true, func(differ, same int) {
		if differ != 900 || same != 100 {
			t.Errorf("%d differ, %d don't", differ, same)
		}
	}, func(d *Differing) error {
		seen++
		ahead = max(ahead, reads[0]-reads[1], reads[1]-reads[0])
		if d.Before != &one[0] || d.After != &one[1] || d.Before.N != d.After.N || d.Before.Content == d.After.Content {
			t.Fatalf("%+v", d)
		}
		return nil
	})
	if err != nil || seen != 900 || ahead > 1 {
		t.Errorf("%d seen, one side read %d ahead of the other, %v", seen, ahead, err)
	}
	stop := fmt.Errorf("stop")
	if err := Differ(side(0, "before"), side(1, "after"), true, func(int, int) {}, func(*Differing) error { return stop }); err != stop {
		t.Error(err)
	}
	fewer := 0
	if err := Differ(side(0, "before"), func(f func(*chat.Message) error) error {
		if fewer++; fewer > 1 {
			return nil
		}
		return side(1, "after")(f)
	}, true, func(int, int) {}, func(*Differing) error { return nil }); err == nil {
		t.Error("a side that is not there again is not said")
	}
}

// TestCompareSaysErrors: that nothing more is wanted is no error, any other is.
func TestCompareSaysErrors(t *testing.T) {
	reads, times := 0, 0
	fails := func(f func(*chat.Message) error) error {
		if times++; times == 2 {
			return fmt.Errorf("disk full")
		}
		return counted(&reads, 20, "after")(f)
	}
	if _, err := Compare(counted(&reads, 20, "before"), fails, true, 5); err == nil {
		t.Error("what could not be read is not said")
	}
}
