package runs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/segment"
)

// told is a store with the messages of one session.
type told struct {
	messages []chat.Message
	readings int
}

// talk returns n messages of a size.
func talk(n, size int) *told {
	s := &told{}
	for i := range n {
		s.messages = append(s.messages, chat.Message{N: i + 1, Role: chat.User, Content: fmt.Sprint(i, strings.Repeat("x", size))})
	}
	return s
}

func (s *told) EachMessage(_ context.Context, _ int64, from, to int, f func(*chat.Message) error) error {
	s.readings++
	for _, m := range s.messages[from-1 : to] {
		if err := f(&m); err != nil {
			return err
		}
	}
	return nil
}

// A text that is too large to be kept is read a chunk at a time, as often as
// needed; the outcome is the same.
func TestLargeTextIsNotKept(t *testing.T) {
	store := talk(20, 1<<20)
	for _, tokens := range []int{6000000, 0} { // known before, and found out
		x := &text{stored: store.EachMessage, body: 1, last: len(store.messages)}
		x.expect(1, 20, tokens)
		for _, r := range []segment.Span{{From: 1, To: 20}, {From: 5, To: 9}, {From: 20, To: 20}} {
			next := r.From
			err := x.each(t.Context(), r.From, r.To, func(m *chat.Message) error {
				if m.N != next || m.Size() < 1<<20 {
					return fmt.Errorf("message %d of %d bytes, want %d", m.N, m.Size(), next)
				}
				next++
				return nil
			})
			if err != nil || next != r.To+1 || len(x.kept) > 0 {
				t.Fatalf("%v: next %d, %d kept, %v", r, next, len(x.kept), err)
			}
		}
	}
}

// What is asked for piece by piece, in any order, is read once.
func TestTextIsReadOnce(t *testing.T) {
	store := talk(60, 20<<10)
	x := &text{stored: store.EachMessage, body: 1, last: len(store.messages)}
	x.expect(30, 40, 1)
	before, sum := store.readings, 0
	for _, r := range []segment.Span{{From: 32, To: 33}, {From: 30, To: 40}, {From: 10, To: 12}, {From: 11, To: 50}, {From: 44, To: 60}, {From: 1, To: 60}} {
		next := r.From
		err := x.each(t.Context(), r.From, r.To, func(m *chat.Message) error {
			if m.N != next || m.Content != store.messages[next-1].Content {
				return fmt.Errorf("message %d, want %d", m.N, next)
			}
			next++
			sum += m.Size()
			m.Content = "changed by who reads it"
			return nil
		})
		if err != nil || next != r.To+1 {
			t.Fatalf("%v: next %d, %v", r, next, err)
		}
	}
	if n := store.readings - before; n != 5 || len(x.kept) != 60 || x.weight > sum {
		t.Errorf("%d readings, %d kept", n, len(x.kept))
	}
}
