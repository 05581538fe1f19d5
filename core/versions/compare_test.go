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
