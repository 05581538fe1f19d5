package offline

import (
	"slices"
	"testing"
)

func idsOf(text string) (ids []uint32) {
	var r wordReader
	for _, w := range r.read(text) {
		ids = append(ids, w.id)
	}
	return ids
}

// TestOfflineWordsInflected: words of one stem are one, whatever the case.
func TestOfflineWordsInflected(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"reservation", "Reservations"}, {"Buchung", "BUCHUNGEN"}, {"категория", "категории"}, {"ÜBERWEISUNG", "überweisungen"}, {"#W2378156", "w2378156"}, {"core/loader.go", "(core/loader.go)."},
	} {
		if a, b := idsOf(c.a), idsOf(c.b); !slices.Equal(a, b) || len(a) == 0 {
			t.Errorf("%q is %x, %q is %x", c.a, a, c.b, b)
		}
	}
	if slices.Equal(idsOf("loader.go"), idsOf("loader.js")) {
		t.Error("loader.go and loader.js are one word")
	}
}

func TestOfflineWordsEntities(t *testing.T) {
	for text, want := range map[string]int{
		"mia_li_3668": 2, "M05KNL": 1, "core/segment/offline.go": 1, "ann@example.com": 1, "7410": 1, "v1.26.8": 1,
		"one-way": 0, "12": 0, "May 3": 0, "e.g": 0, "state of the art": 0, "..//--": 0, "well...": 0,
	} {
		var r wordReader
		n := 0
		for _, w := range r.read(text) {
			if w.entity() {
				n++
			}
		}
		if n != want {
			t.Errorf("%q has %d entities, want %d", text, n, want)
		}
	}
}

// TestOfflineWordsDense: any two characters of Chinese are a word.
func TestOfflineWordsDense(t *testing.T) {
	all := idsOf("请修复登录页面")
	for _, id := range idsOf("登录") {
		if !slices.Contains(all, id) {
			t.Error("登录 is not found")
		}
	}
}

// TestSeenForgets: the table keeps its size, and what was seen last.
func TestSeenForgets(t *testing.T) {
	var s seen
	for i := range uint32(1 << 19) {
		s.touch(i*2654435761, int32(i/1000+1), int32(i+1))
	}
	if len(s.slots) > slotsAtMost {
		t.Errorf("%d slots", len(s.slots))
	}
	kept := 0
	for i := uint32(1<<19 - 1000); i < 1<<19; i++ {
		if before, _ := s.touch(i*2654435761, 600, 1<<20); before > 0 {
			kept++
		}
	}
	if kept < 990 {
		t.Errorf("of the last 1,000 words %d are known", kept)
	}
}

func TestSeenCountsMessages(t *testing.T) {
	var s seen
	for i, c := range []struct{ turn, row, before, rows int32 }{{1, 1, 0, 0}, {1, 1, 1, 1}, {1, 2, 1, 1}, {4, 3, 1, 2}, {5, 4, 4, 3}} {
		if before, rows := s.touch(7, c.turn, c.row); before != c.before || rows != c.rows {
			t.Errorf("touch %d: turn %d, %d messages; want %+v", i, before, rows, c)
		}
	}
}

// TestOfflinePlaces: words are close in the segment's last turns only.
func TestOfflinePlaces(t *testing.T) {
	e := &run{Cutter: New(), turn: firstTurn, open: openTask{startTurn: 2}}
	at := func(turn int32, text string) [wheres]float32 {
		e.turn = turn
		e.row++
		p := e.note(e.words.read(text))
		return p.plain
	}
	at(1, "harbour")
	at(2, "lighthouse")
	at(3, "captain")
	if got, want := at(4, "harbour lighthouse captain compass compass"), ([wheres]float32{never: 1, outside: 1, inside: 1, lastTurn: 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := at(4+memory+1, "captain"), ([wheres]float32{outside: 1}); got != want {
		t.Errorf("after %d turns %v, want %v", memory+1, got, want)
	}
}

func TestOfflineOverlap(t *testing.T) {
	nothing, all, half := overlap{0, 9}, overlap{9, 0}, overlap{4, 4}
	if nothing.alien() != 1 || half.alien() != 0 || all.alien() != 0 {
		t.Errorf("alien: %v, %v, %v", nothing.alien(), half.alien(), all.alien())
	}
	if nothing.apart() != 1 || all.apart() != 0 || half.apart() > .2 {
		t.Errorf("apart: %v, %v, %v", nothing.apart(), all.apart(), half.apart())
	}
	if nothing.related() != 0 || all.related() < .8 || (overlap{}).fresh() != 0 || nothing.fresh() < .8 {
		t.Error("related or fresh")
	}
}
