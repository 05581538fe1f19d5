package hub

import (
	"reflect"
	"slices"
	"testing"

	"winnow/core/review"
	"winnow/core/segment"
)

// TestDayOneDayTwo: the example of the rule. A and B stay, C goes on in what
// was added: it is another one then, and says what was judged.
func TestDayOneDayTwo(t *testing.T) {
	for _, by := range []review.CutBy{review.CutModel, review.CutOffline} {
		for _, judged := range []bool{false, true} {
			b := newBench(t)
			path := b.write("s", talk(10, 20))
			b.load()
			b.cut(&everyN{n: 4, by: by}, false)
			var was []review.SegmentWrite
			for i := range 3 {
				if i < 2 || judged {
					b.judge(path, i)
				}
				was = append(was, b.session(path).Segments[i])
			}
			b.write("s", talk(12, 20))
			b.load()
			c := &everyN{n: 4, by: by}
			r := b.cut(c, false)
			m := b.session(path)
			if places(m) != "1-4 5-8 9-12" || r.GoOn == 1 != judged || !slices.Equal(c.asked, []segment.Span{{From: 9, To: 12}}) {
				t.Fatalf("%s, %d go on; asked for %v", places(m), r.GoOn, c.asked)
			}
			for i := range 2 {
				if s := m.Segments[i]; !reflect.DeepEqual(s, was[i]) {
					t.Errorf("segment %d is %+v, was %+v", i, s, was[i])
				}
			}
			s := m.Segments[2]
			if s.ID == was[2].ID || s.Verdict != review.Pending || s.Stale != judged || judged && (s.Was != review.Approved || s.WasBy != "ann" || s.WasStart != 9 || s.WasEnd != 10) {
				t.Errorf("C is %+v", s)
			}
		}
	}
}

// A judged segment that ends where it ended is what it was, whatever else a
// machine sees in it; so is one that another follows which was judged, too.
func TestJudgedSegmentThatDoesNotGoOnStays(t *testing.T) {
	type step struct {
		messages int
		judged   []int // of the segments that are there then
	}
	for _, c := range []struct {
		name  string
		by    review.CutBy // of the segment that is judged
		steps []step
		cuts  [2]int // days: cut after each n-th message
		want  string
		kept  []int // of what was judged
	}{
		{"it ends where it ended", review.CutModel, []step{{6, []int{1}}, {9, nil}}, [2]int{3, 3}, "1-3 4-6 7-9", []int{1}},
		{"two tasks in it", review.CutModel, []step{{8, []int{1}}, {12, nil}}, [2]int{4, 2}, "1-4 5-8 9-10 11-12", []int{1}},
		{"two tasks in it, one goes on", review.CutOffline, []step{{8, []int{1}}, {12, nil}}, [2]int{4, 5}, "1-4 5-5 6-10 11-12", nil},
		{"the one before it", review.CutModel, []step{{6, []int{0, 1}}, {8, nil}}, [2]int{3, 8}, "1-3 4-8", []int{0}},
		{"a curator's", review.CutCurator, []step{{6, []int{1}}, {8, nil}}, [2]int{3, 8}, "1-3 4-6 7-8", []int{1}},
		{"nobody cut it", review.CutProvisional, []step{{6, []int{1}}, {8, nil}}, [2]int{3, 6}, "1-3 4-6 7-8", []int{1}},
		{"judged again and again, then on", review.CutModel, []step{{6, []int{1}}, {8, []int{2}}, {10, nil}}, [2]int{3, 12}, "1-3 4-10", nil},
		{"judged again and again, and over", review.CutModel, []step{{6, []int{1}}, {8, []int{2}}, {10, nil}}, [2]int{3, 8}, "1-3 4-6 7-8 9-10", []int{1, 2}},
		{"the last of them goes on", review.CutModel, []step{{6, []int{1}}, {8, []int{2}}, {10, nil}}, [2]int{3, 6}, "1-3 4-6 7-10", []int{1}},
	} {
		b := newBench(t)
		path := ""
		var was []review.SegmentWrite
		for i, s := range c.steps {
			path = b.write("s", talk(s.messages, 20))
			b.load()
			if i == 0 {
				b.cut(&everyN{n: c.cuts[0], by: review.CutModel}, false)
			}
			for _, n := range s.judged {
				r := b.judge(path, n)
				if i == 0 {
					r.CutBy = c.by
				}
				was = append(was, *r)
			}
		}
		b.cut(&everyN{n: c.cuts[1], by: review.CutModel}, false)
		m := b.session(path)
		if places(m) != c.want {
			t.Errorf("%s: %s, want %s", c.name, places(m), c.want)
		}
		var kept []int
		for i := range m.Segments {
			if slices.ContainsFunc(was, func(w review.SegmentWrite) bool { return reflect.DeepEqual(w.Segment, m.Segments[i].Segment) }) {
				kept = append(kept, i)
			}
		}
		if !slices.Equal(kept, c.kept) {
			t.Errorf("%s: %v kept, want %v: %+v", c.name, kept, c.kept, m.Segments)
		}
		stale := slices.ContainsFunc(m.Segments, func(s review.SegmentWrite) bool { return s.Stale && !s.Verdict.Judged() })
		if stale != (len(kept) < len(was)) {
			t.Errorf("%s: something is stale: %v", c.name, stale)
		}
	}
}
