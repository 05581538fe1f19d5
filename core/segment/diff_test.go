package segment

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// bodies plays the stored messages, by number of the body.
type bodies map[int64][]chat.Message

func (b bodies) each(_ context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	list := b[body]
	for i := from - 1; i < min(to, len(list)); i++ {
		if err := f(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

func TestDifferenceSinceTheVerdict(t *testing.T) {
	b := bodies{1: session("AbcDefGhij"), 2: session("XAbcYDefG")}
	for _, c := range []struct {
		body       int64
		start, end int
		was        Span
		wasBody    int64
		want       string
	}{
		{1, 1, 10, Span{1, 6}, 1, "4 messages added (7–10)"},
		{1, 1, 6, Span{1, 10}, 1, "4 messages removed"},
		{1, 3, 8, Span{2, 6}, 1, "2 messages added (7–8), 1 removed"},
		{1, 2, 9, Span{4, 5}, 1, "6 messages added (2–3, 6–9)"},
		{1, 4, 4, Span{1, 3}, 1, "1 message added (4), 3 removed"},
		{1, 1, 3, Span{1, 3}, 1, "messages changed in place"},
		{2, 1, 4, Span{1, 3}, 1, "1 message added (1)"},
		{2, 1, 9, Span{1, 7}, 1, "2 messages added (1, 5)"},
		{2, 2, 4, Span{1, 6}, 1, "3 messages removed"},
		{2, 2, 4, Span{1, 3}, 1, "no message changed: an equal segment left, and nobody can tell which of them was meant"},
		{2, 1, 1, Span{10, 10}, 1, "1 message added (1), 1 removed"},
		{1, 1, 10, Span{}, 0, "what changed is not known"},
	} {
		s := review.Segment{Body: c.body, Start: c.start, End: c.end, WasBody: c.wasBody, WasStart: c.was.From, WasEnd: c.was.To}
		d, err := Since(t.Context(), &s, b.each)
		if err != nil || d.String() != c.want {
			t.Errorf("%d–%d of %d, was %v of %d: %q, %v, want %q", c.start, c.end, c.body, c.was, c.wasBody, d, err, c.want)
		}
		added, _ := d.Counts()
		for n := c.start; n <= c.end; n++ {
			if d.New(n) {
				added--
			}
		}
		if added != 0 || d.New(c.start-1) || d.New(c.end+1) {
			t.Errorf("%+v: new messages are not those added", d)
		}
	}
	many := Difference{Added: []Span{{1, 2}, {4, 4}, {6, 9}, {11, 11}, {13, 13}}, Removed: []Span{{2, 3}}}
	if got := many.String(); got != "9 messages added (1–2, 4, 6–9, …), 2 removed" {
		t.Error(got)
	}
}

// What the fingerprint does not see is a change as well.
func TestDifferenceSeesReasoning(t *testing.T) {
	b := bodies{1: session("Abc"), 2: session("Abc")}
	b[2][1].Reasoning = "hm"
	s := review.Segment{Body: 2, Start: 1, End: 3, WasBody: 1, WasStart: 1, WasEnd: 3}
	d, err := Since(t.Context(), &s, b.each)
	if err != nil || d.String() != "1 message added (2), 1 removed" {
		t.Error(d, err)
	}
}

func TestDifferenceOfWhatIsNotThere(t *testing.T) {
	b := bodies{2: session("Abc")}
	s := review.Segment{Body: 2, Start: 1, End: 3, WasBody: 1, WasStart: 1, WasEnd: 3}
	if d, err := Since(t.Context(), &s, b.each); err != nil || !d.Unknown {
		t.Error(d, err)
	}
	s.Body, s.WasBody = 1, 2
	if _, err := Since(t.Context(), &s, b.each); !errors.Is(err, review.ErrNotFound) || !strings.Contains(err.Error(), "messages 1 to 3") {
		t.Error(err)
	}
	broken := errors.New("broken")
	s.WasBody = 2
	s.Body = 3
	_, err := Since(t.Context(), &s, func(context.Context, int64, int, int, func(*chat.Message) error) error { return broken })
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

// lcsLength is the textbook table.
func lcsLength(a, b []byte) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestCommonIsALongestCommonSubsequence(t *testing.T) {
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 7))
		letters := 1 + rng.IntN(6)
		word := func() []byte {
			w := make([]byte, rng.IntN(20))
			for i := range w {
				w[i] = byte('a' + rng.IntN(letters))
			}
			return w
		}
		a, b := word(), word()
		pairs := common(a, b)
		if err := checkPairs(a, b, pairs); err != "" {
			t.Fatalf("seed %d: %s: %s %s %v", seed, err, a, b, pairs)
		}
		if want := lcsLength(a, b); len(pairs) != want {
			t.Fatalf("seed %d: %d of %d in %s and %s", seed, len(pairs), want, a, b)
		}
	}
}

func checkPairs(a, b []byte, pairs [][2]int) string {
	last := [2]int{-1, -1}
	for _, p := range pairs {
		if p[0] <= last[0] || p[1] <= last[1] {
			return "not in order"
		}
		if a[p[0]] != b[p[1]] {
			return "not equal"
		}
		last = p
	}
	return ""
}

// In giant sequences what agrees everywhere is found beside the rest.
func TestCommonOfGiants(t *testing.T) {
	const n = 200_000
	a := slices.Repeat([]byte("aaaaaaaaaaaaaaaaaaab"), n/20)
	b := slices.Clone(a)
	for i := 0; i < 100; i++ { // 100 places differ
		b[(i*1999+7)%n] = 'x'
	}
	a = append([]byte("c"), a...)
	b = append(b, 'c')
	pairs := common(a, b)
	if err := checkPairs(a, b, pairs); err != "" {
		t.Fatal(err)
	}
	if len(pairs) != n-100 {
		t.Errorf("%d of %d found", len(pairs), n-100)
	}
	for i := range b { // every other one differs
		b[i] = "ab"[i%2]
	}
	if err := checkPairs(a, b, common(a, b)); err != "" {
		t.Fatal(err)
	}
}

func TestFewEditsAreALongestCommonSubsequence(t *testing.T) {
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 8))
		letters := 1 + rng.IntN(4)
		word := func() []byte {
			w := make([]byte, 3+rng.IntN(20))
			copy(w, "xyz")
			for i := range w[3:] {
				w[i+3] = byte('a' + rng.IntN(letters))
			}
			return w
		}
		a, b := word(), word()
		from := rng.IntN(4)
		pairs, ok := nearly(a, b, from)
		if err := checkPairs(a, b, pairs); err != "" || !ok {
			t.Fatalf("seed %d: %s: %s %s %v", seed, err, a, b, pairs)
		}
		if want := lcsLength(a[from:], b[from:]); len(pairs) != want || want > 0 && pairs[0][0] < from {
			t.Fatalf("seed %d: %d of %d in %s and %s", seed, len(pairs), want, a, b)
		}
	}
}
