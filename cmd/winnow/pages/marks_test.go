package pages

import (
	"encoding/base64"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/review"
)

// TestMarks checks that each kind of cursor comes back as it was, and no other.
func TestMarks(t *testing.T) {
	keys := map[review.Order]any{
		review.Natural: review.Place{Session: "a\x00\xff b", Start: 3}, review.Newest: time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC),
		review.BestScore: 0.1, review.WorstScore: review.Unscored, review.MostTokens: 0, review.Random: int64(-1 << 62), review.Uncertain: 0.25, review.Balance: int64(7),
	}
	for o, key := range keys {
		text := segmentMark(review.Cursor{Key: key, ID: "x"})
		c, err := readSegmentMark(text, o)
		if want := (review.Cursor{Key: key, ID: "x"}); err != nil || !reflect.DeepEqual(c, want) {
			t.Errorf("%s: %+v, %v, want %+v", o, c, err, want)
		}
		for other, its := range keys {
			if _, err := readSegmentMark(text, other); (err == nil) != (reflect.TypeOf(its) == reflect.TypeOf(key)) {
				t.Errorf("a cursor of %s for %s: %v", o, other, err)
			}
		}
		for i := range text { // whatever clients make of it
			cut := text[:i] + text[i+1:]
			_, _ = readSegmentMark(cut, o)
			_, _ = readSessionMark(cut)
		}
	}
	for _, bad := range []string{"", "e30", "%", base64.RawURLEncoding.EncodeToString([]byte(`{"p":"","s":99999999,"i":"x"}`))} {
		if _, err := readSessionMark(bad); err == nil || !strings.Contains(err.Error(), "Link") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestSessionMarks pages through sessions of which many are in one place: each comes
// once, whatever the size of pages.
func TestSessionMarks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var all []review.Session
		for place := 0; len(all) < 30; place++ {
			for range 1 + rnd.IntN(9)*rnd.IntN(2) {
				all = append(all, review.Session{Place: string(rune('a' + place)), ID: string(rune('0' + len(all)))})
			}
		}
		// read is what the database answers: places are never torn apart.
		read := func(after string, limit int) (list []review.Session) {
			for _, s := range all {
				if s.Place > after && (len(list) < limit || list[len(list)-1].Place == s.Place) {
					list = append(list, s)
				}
			}
			return list
		}
		var got []review.Session
		var from sessionMark
		most := 1 + rnd.IntN(7)
		for more := true; more; {
			var rows []review.Session
			rows, more = from.page(most, func(limit int) []review.Session { return read(string(from.Place), limit) })
			if got = append(got, rows...); len(rows) > most || more && len(rows) == 0 || len(got) > len(all) {
				t.Fatalf("%d rows in a page of %d", len(rows), most)
			}
			if more {
				var err error
				if from, err = readSessionMark(from.after(rows).String()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.EqualFunc(got, all, func(a, b review.Session) bool { return a.ID == b.ID }) {
			t.Fatalf("pages of %d: %d of %d sessions", most, len(got), len(all))
		}
	}
}
