package facets

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
)

func TestTextsOfTopicsAreFoundInOnePiece(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	var c texts
	texts := make([]string, 300)
	in := newRowSet(len(texts))
	for slot := range texts {
		c.grow()
		in.add(int32(slot))
	}
	for range 6000 {
		slot := random.IntN(len(texts))
		texts[slot] = strings.Repeat("a", random.IntN(3)) + strings.Repeat("b", random.IntN(3)) + fmt.Sprint(random.IntN(9))[random.IntN(2):]
		c.set(int32(slot), texts[slot])
		if random.IntN(20) > 0 {
			continue
		}
		part := []string{"a", "aab", "b1", "3", "bb", "aabb7"}[random.IntN(6)]
		got := c.containing(in, []byte(part))
		few := newRowSet(len(texts))
		few.add(int32(slot))
		alone := c.containing(few, []byte(part))
		for slot, text := range texts {
			if got.has(int32(slot)) != strings.Contains(text, part) {
				t.Fatalf("%q in %q: %t", part, text, got.has(int32(slot)))
			}
		}
		if alone.has(int32(slot)) != strings.Contains(texts[slot], part) {
			t.Fatalf("%q in %q alone: %t", part, texts[slot], alone.has(int32(slot)))
		}
	}
	if len(c.owner) > 3000 {
		t.Errorf("%d texts are kept for %d rows", len(c.owner), len(texts))
	}
}

func TestIDsAreSortedAsTheirText(t *testing.T) {
	for _, text := range []string{"", "x", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-00000000000G", "00000000-0000-4000-8000-00000000000A", "00000000x0000-4000-8000-000000000000"} {
		if id, err := ParseID(text); err == nil {
			t.Errorf("%q is read as %s", text, id)
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	var list []ID
	for range 40 {
		list = append(list, randomID(random))
	}
	slices.SortFunc(list, ID.compare)
	for i, id := range list {
		if again, err := ParseID(id.String()); err != nil || again != id {
			t.Error(again, id, err)
		}
		if i > 0 && list[i-1].String() >= id.String() {
			t.Errorf("%s is before %s", list[i-1], id)
		}
	}
}

func TestSlotsAreSortedByAnyKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, bits := range []int{0, 1, 12, 40, 64} {
		list := make([]keyed, random.IntN(3000))
		for i := range list {
			list[i] = keyed{random.Uint64() >> (64 - bits), int32(i)}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		if !slices.Equal(sortKeyed(list), want) {
			t.Errorf("keys of %d bits are in another order", bits)
		}
	}
}

// loaded returns facets of a feed, with everything in them.
func loaded(t testing.TB, feed Feed) *Facets {
	t.Helper()
	l := New(feed, func(f func()) { f() })
	if err := l.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

// A slot that another segment has by now is no hit of a search that was made
// before.
func TestWhatASearchFoundHoldsWhileSlotsStandForIt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	feed := newFake()
	row := randomRow(random, 1)
	row.Topic = "old"
	feed.put(row)
	feed.put(randomRow(random, 2))
	l := loaded(t, feed)
	found := func() textSets {
		t.Helper()
		sets, ok, err := l.textSets(t.Context(), filter.Text{Value: "old"})
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		return sets
	}
	follow := func() {
		t.Helper()
		if ok, err := l.Ready(t.Context()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	sets := found()
	row.Verdict = string(review.Approved)
	feed.put(row)
	if follow(); !l.texts.hold(sets) {
		t.Error("a verdict has moved what was found")
	}
	row.Messages++
	feed.put(row)
	if follow(); l.texts.hold(sets) {
		t.Error("what was found is said to be there, when another segment has its place")
	}
	sets = found()
	l.forget()
	if err := l.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l.texts.hold(sets) {
		t.Error("slots are said to be the same after all was loaded anew")
	}
}
