package hub

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

// tasks is a session of tasks by name, each of a question and its answer, and
// thanks.
func tasks(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(line("user", "please "+name) + line("assistant", name+" is done") + line("user", "thanks for "+name))
	}
	return b.String()
}

// byFirst are the segments of a session by their first message.
func (b *bench) byFirst(path string) map[string]*review.Segment {
	m := b.session(path)
	all := map[string]*review.Segment{}
	for i := range m.Segments {
		s := &m.Segments[i].Segment
		all[m.messages[s.Start-1].Content] = s
	}
	return all
}

// TestARewrittenFileKeepsTheSegmentsThatStandInIt: one in front was edited, one
// removed, one inserted; what was decided on the others stays with them.
func TestARewrittenFileKeepsTheSegmentsThatStandInIt(t *testing.T) {
	b := newBench(t)
	path := b.write("s", tasks("one", "two", "three", "four", "five"))
	b.load()
	b.cut(&everyN{n: 3}, false)
	ids := map[string]string{}
	for name, s := range b.byFirst(path) {
		s.Verdict, s.Reviewer, ids[name] = review.Approved, "ann", s.ID
	}
	text := strings.Replace(tasks("one", "two", "three", "five", "six"), "two is done", "two is not done", 1)
	b.write("s", strings.Replace(text, tasks("five"), tasks("new")+tasks("five"), 1))
	b.load()
	b.store.verifyCuts()
	now := b.byFirst(path)
	for _, name := range []string{"please one", "please three", "please five"} {
		if s := now[name]; s == nil || s.ID != ids[name] || s.Verdict != review.Approved || s.Stale || s.Messages != 3 {
			t.Errorf("%s is %+v, was %s", name, s, ids[name])
		}
	}
	if s := now["please two"]; s == nil || s.ID == ids["please two"] || s.Verdict != review.Pending || !s.Stale || s.Was != review.Approved {
		t.Errorf("what was edited is %+v", s)
	}
	if !slices.Contains(b.store.retiredJudged, ids["please four"]) {
		t.Errorf("the verdict on what was removed is not in the journal: %v", b.store.retiredJudged)
	}
	for _, name := range []string{"please new", "please six"} {
		if s := now[name]; s == nil || s.Verdict != review.Pending || s.CutBy != review.CutProvisional {
			t.Errorf("what is new is %+v", s)
		}
	}
	if b.session(path).Segmented {
		t.Error("nobody cut what is new")
	}
}

// TestWhatSharesNothingInheritsNothing: another task in the place of a rejected
// one is not stale. The first task may leave as well.
func TestWhatSharesNothingInheritsNothing(t *testing.T) {
	b := newBench(t)
	path := b.write("s", tasks("the first of all", "two", "three"))
	b.load()
	b.cut(&everyN{n: 3}, false)
	ids := map[string]string{}
	for name, s := range b.byFirst(path) {
		s.Verdict, s.Reviewer, ids[name] = review.Rejected, "ann", s.ID
	}
	session := b.session(path).ID
	b.write("s", tasks("the first of all", "other", "three"))
	b.load()
	now := b.byFirst(path)
	if s := now["please other"]; s == nil || s.Stale || s.Verdict != review.Pending || now["please three"].ID != ids["please three"] {
		t.Errorf("another task is %+v", s)
	}
	if !slices.Contains(b.store.retiredJudged, ids["please two"]) {
		t.Error("the verdict on the one before is not in the journal")
	}
	b.write("s", strings.TrimPrefix(tasks("the first of all", "other", "three"), line("user", "please the first of all")))
	b.load()
	if m := b.session(path); m.ID != session || b.byFirst(path)["please three"].ID != ids["please three"] {
		t.Errorf("without its first message the session is another one: %s", m.ID)
	}
	b.store.verifyCuts()
}

// TestAnyRewrittenFileKeepsWhatStandsInIt changes, inserts and removes lines of
// random sessions. Every segment whose lines stand together still is the row
// that it was, with its verdict, and a training mark stays with its line.
func TestAnyRewrittenFileKeepsWhatStandsInIt(t *testing.T) {
	for seed := range uint64(seeds / 5) {
		rng := rand.New(rand.NewPCG(seed, 4))
		b := newBench(t)
		var lines []string
		next := 0
		more := func() string {
			next++
			return line([...]string{"user", "assistant"}[next%2], fmt.Sprint("message ", next))
		}
		for range 3 + rng.IntN(30) {
			lines = append(lines, more())
		}
		path := b.write("s", strings.Join(lines, ""))
		b.load()
		b.cut(&everyN{n: 1 + rng.IntN(6)}, false)
		for range 3 {
			judged, masked := map[string]string{}, map[string]bool{}
			m := b.session(path)
			for i := range m.Segments {
				s := &m.Segments[i].Segment
				if s.Masked = nil; rng.IntN(2) == 0 {
					place := 1 + rng.IntN(s.Messages)
					s.Masked, masked[lines[s.Start+place-2]] = []int{place}, true
				}
				if rng.IntN(2) == 0 {
					s.Verdict, s.Reviewer, s.Stale, s.Was = review.Rejected, "ann", false, ""
					judged[strings.Join(lines[s.Start-1:s.End], "")] = s.ID
				}
			}
			for range 1 + rng.IntN(4) {
				at := 1 + rng.IntN(len(lines)) // with another beginning it is another session
				switch rng.IntN(3) {
				case 0:
					lines = slices.Insert(lines, at, more())
				case 1:
					if len(lines) > 3 && at < len(lines) {
						lines = slices.Delete(lines, at, at+1)
					}
				default:
					if at < len(lines) {
						lines[at] = more()
					}
				}
			}
			whole := strings.Join(lines, "")
			b.write("s", whole)
			b.load()
			b.store.verifyCuts()
			rows := map[string]*review.Segment{}
			m = b.session(path)
			for i := range m.Segments {
				rows[m.Segments[i].ID] = &m.Segments[i].Segment
			}
			for _, s := range rows {
				for n := s.Start; n <= s.End; n++ {
					if s.Masks(n) != masked[lines[n-1]] {
						t.Fatalf("seed %d: message %d, %s is masked: %v", seed, n, lines[n-1], s.Masks(n))
					}
				}
			}
			for text, id := range judged {
				s := rows[id]
				switch stands := strings.Contains(whole, text); {
				case stands && (s == nil || s.Verdict != review.Rejected || strings.Join(lines[s.Start-1:s.End], "") != text):
					t.Fatalf("seed %d: segment %s of\n%sis %+v in\n%s", seed, id, text, s, whole)
				case !stands && !slices.Contains(b.store.retiredJudged, id):
					t.Fatalf("seed %d: the verdict on %s is lost", seed, id)
				}
			}
			b.cut(&everyN{n: 1 + rng.IntN(6)}, false)
		}
	}
}
