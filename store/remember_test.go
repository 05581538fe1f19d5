package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/filter"
	"winnow/core/lease"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/runs"
)

// extractionOf is what is found in a segment as it is now: a memory for each text.
func extractionOf(t testing.TB, s *Store, id string, texts ...string) *memory.Extraction {
	t.Helper()
	seg, err := s.Segment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	x := &memory.Extraction{Segment: id, Content: seg.Digest, Extractor: "offline 1", TokensIn: 10, TokensOut: 2}
	for _, text := range texts {
		x.Sifted.Kept = append(x.Sifted.Kept, memoryOf(&seg, text))
	}
	return x
}

func memoryOf(seg *review.Segment, text string) memory.Memory {
	m := memory.Memory{
		Kind: memory.Rule, Title: "on " + text, Content: text, Agent: seg.AgentID, Dir: "/w", TaskType: "code", Topic: "a 100% topic", MadeBy: memory.ByRules,
		Grade: 0.5, Tags: []string{"go"}, Sources: []memory.Source{{
			Detail: memory.ContentKey(seg.Digest), Segment: seg.ID, Fingerprint: seg.Fingerprint, File: seg.SessionFile, Start: seg.Start, End: seg.End, Live: true,
			Cites: []memory.Cite{{N: 1, Message: seg.Start, Role: chat.User, In: memory.InText, Quote: "say \"it\"\x00"}},
		}},
	}
	m.Identify()
	return m
}

func extract(t testing.TB, s *Store, x *memory.Extraction) {
	t.Helper()
	if kept, err := s.PutExtraction(t.Context(), x); err != nil || !kept {
		t.Fatal(kept, err)
	}
}

// allMemories are all memories by what they say.
func allMemories(t testing.TB, s *Store) map[string]memory.Memory {
	t.Helper()
	p, err := s.Memories(t.Context(), memory.Query{Filter: memory.AnyStatus(), Limit: 1000})
	if err != nil || p.More {
		t.Fatal(p.More, err)
	}
	all := map[string]memory.Memory{}
	for i := range p.Memories {
		all[p.Memories[i].Content] = p.Memories[i]
	}
	return all
}

// fate is what became of a memory, in a word, with why.
func fate(m memory.Memory) string {
	text := string(m.Status)
	if m.Stale {
		text = "stale"
	}
	if m.Reason != "" {
		text += ": " + m.Reason
	}
	return text
}

func approve(t testing.TB, s *Store, ids ...string) { verdict(t, s, review.Approved, ids...) }

func verdict(t testing.TB, s *Store, v review.Verdict, ids ...string) {
	t.Helper()
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: ids, Verdict: v}); err != nil {
		t.Fatal(err)
	}
}

func judgeMemories(t testing.TB, s *Store, to memory.Status, list ...memory.Memory) review.Entry {
	t.Helper()
	j := memory.Judgement{Curator: "bob", Status: to}
	for i := range list {
		j.IDs = append(j.IDs, list[i].ID)
	}
	e, _, err := s.JudgeMemories(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func wantFates(t *testing.T, s *Store, when string, want map[string]string) {
	t.Helper()
	all := allMemories(t, s)
	if len(all) != len(want) {
		t.Errorf("%s: %d memories", when, len(all))
	}
	for text, fates := range want {
		m := all[text]
		if got := fate(m); got != fates {
			t.Errorf("%s: %q is %q, want %q", when, text, got, fates)
		}
		tagged := slices.ContainsFunc(m.Tags, func(tag string) bool { return strings.HasPrefix(tag, "segment:") })
		if live := m.Sources[0].Live; live != tagged {
			t.Errorf("%s: %q: live %v, tags %v", when, text, live, m.Tags)
		}
	}
}

// TestMemoriesFollowTheirSources: a verdict that is withdrawn, an edit, a cut and an
// import take the source away, and what takes them back brings it again.
func TestMemoriesFollowTheirSources(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0], ids[1])
	extract(t, s, extractionOf(t, s, ids[0], "proposed", "approved", "rejected"))
	extract(t, s, extractionOf(t, s, ids[1], "other"))
	all := allMemories(t, s)
	judgeMemories(t, s, memory.Approved, all["approved"])
	judgeMemories(t, s, memory.Rejected, all["rejected"])
	begin := map[string]string{"proposed": "proposed", "approved": "approved", "rejected": "rejected", "other": "proposed"}
	wantFates(t, s, "at first", begin)
	lost := func(why string) map[string]string {
		return map[string]string{"proposed": "archived: " + why, "approved": "stale: " + why, "rejected": "rejected", "other": "proposed"}
	}
	for _, c := range []struct {
		what, why string
		do        func()
	}{
		{"set back", "source is not approved any more", func() { verdict(t, s, review.Pending, ids[0]) }},
		{"rejected", "source was rejected", func() { verdict(t, s, review.Rejected, ids[0]) }},
		{"edited", "source changed", func() {
			amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
		}},
	} {
		c.do()
		wantFates(t, s, c.what, lost(c.why))
		undo(t, s, "ann")
		wantFates(t, s, c.what+" and undone", begin)
		redo(t, s, "ann")
		wantFates(t, s, c.what+" again", lost(c.why))
		undo(t, s, "ann")
	}
	clean(t, s)
}

// TestExtractedOnce: what was asked about is marked, on the content that was read
// alone, and any change of the content takes the mark away.
func TestExtractedOnce(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	openTo := func(extractor string, want ...string) {
		t.Helper()
		refs, err := s.SegmentsToLearn(t.Context(), runs.LearnQuery{Extractor: extractor, Limit: 2})
		var list []string
		for i := range refs {
			list = append(list, refs[i].ID)
		}
		if len(refs) == 2 && err == nil { // the second page
			refs, err = s.SegmentsToLearn(t.Context(), runs.LearnQuery{Extractor: extractor, Limit: 3, After: refs[1]})
			for i := range refs {
				list = append(list, refs[i].ID)
			}
		}
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("%s: %v, %v, want %v", extractor, list, err, want)
		}
	}
	open := func(want ...string) {
		t.Helper()
		openTo("offline 2", want...)
	}
	open(ids...)
	nothing := extractionOf(t, s, ids[0])
	nothing.Sifted.Dropped = map[memory.Drop]int{memory.NoQuote: 2}
	extract(t, s, nothing)
	open(ids[1:]...)
	openTo("tiny prompt 1", ids...) // rules looked, and no model
	asked := extractionOf(t, s, ids[1])
	asked.Extractor = "tiny prompt 1"
	extract(t, s, asked)
	openTo("other prompt 2", ids[0], ids[2], ids[3])
	ids = slices.Delete(slices.Clone(ids), 1, 2)
	open(ids[1:]...)
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 2, "mended", edit.Fix))
	open(ids...)
	if kept, err := s.PutExtraction(t.Context(), nothing); kept || err != nil {
		t.Errorf("kept for another content: %v, %v", kept, err)
	}
	if seg, _ := s.Segment(t.Context(), ids[0]); true {
		if done, err := s.PassExtraction(t.Context(), &seg, "offline 1"); done || err != nil {
			t.Errorf("another content was passed by: %v, %v", done, err)
		}
	}
	undo(t, s, "ann")
	open(ids...)
	seg, err := s.Segment(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	if done, err := s.PassExtraction(t.Context(), &seg, "other"); done || err != nil {
		t.Errorf("passed by for one who was not asked: %v, %v", done, err)
	}
	if done, err := s.PassExtraction(t.Context(), &seg, "offline 1"); !done || err != nil {
		t.Errorf("to be asked again: %v, %v", done, err)
	}
	open(ids[1:]...)
	clean(t, s)
}

// TestExtractedInPart: a content of which only the beginning was asked about stays open,
// and what came of it counts in the end.
func TestExtractedInPart(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0])
	part := extractionOf(t, s, ids[0], "first")
	part.Extractor, part.Upto = "tiny prompt 1", 2
	extract(t, s, part)
	key := memory.ContentKey(part.Content)
	if p, err := s.PartExtraction(t.Context(), key, part.Extractor); err != nil || p != (memory.Part{Upto: 2, Kept: 1}) {
		t.Errorf("%+v, %v", p, err)
	}
	open := func(want int) {
		t.Helper()
		seg, err := s.Segment(t.Context(), ids[0])
		if err != nil {
			t.Fatal(err)
		}
		q := runs.LearnQuery{Extractor: part.Extractor, Filter: filter.ByStatus("approved"), Limit: 9}
		if list, err := s.SegmentsToLearn(t.Context(), q); err != nil || len(list) != want {
			t.Errorf("%d to look at, %v", len(list), err)
		}
		if done, err := s.PassExtraction(t.Context(), &seg, part.Extractor); err != nil || done != (want == 0) {
			t.Errorf("passed by: %v, %v", done, err)
		}
	}
	open(1)
	rest := extractionOf(t, s, ids[0], "second")
	rest.Extractor = part.Extractor
	extract(t, s, rest)
	open(0)
	var kept, in int
	if err := s.db.Rows(t.Context(), "SELECT kept, tokens_in FROM extractions WHERE detail = ?", key).One(&kept, &in); err != nil || kept != 2 || in != 20 {
		t.Errorf("%d kept, %d tokens, %v", kept, in, err)
	}
	if p, err := s.PartExtraction(t.Context(), key, part.Extractor); err != nil || p != (memory.Part{}) {
		t.Errorf("%+v, %v", p, err)
	}
	clean(t, s)
}

// TestFoundAgain: what says the same is one memory with two sources, and stands while
// either does; what was rejected is not proposed again.
func TestFoundAgain(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	extract(t, s, extractionOf(t, s, ids[0], "the same"))
	extract(t, s, extractionOf(t, s, ids[1], "the same"))
	m := allMemories(t, s)["the same"]
	if len(m.Sources) != 2 {
		t.Fatalf("%+v", m)
	}
	known, err := s.KnownMemories(t.Context(), m.Agent, m.Dir)
	if err != nil || len(known) != 1 || known[0].ID != m.ID {
		t.Errorf("%+v, %v", known, err)
	}
	verdict(t, s, review.Rejected, ids[0])
	wantStatus := func(want string) {
		t.Helper()
		if got := fate(allMemories(t, s)["the same"]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	wantStatus("proposed")
	verdict(t, s, review.Rejected, ids[1])
	wantStatus("archived: source was rejected")
	approve(t, s, ids[1])
	judgeMemories(t, s, memory.Rejected, m)
	extract(t, s, extractionOf(t, s, ids[2], "the same"))
	wantStatus("rejected")
	clean(t, s)
}

// TestBulkPassesByFlags: of several memories, or of some that a filter found, those with
// flags are not approved; one by one they are.
func TestBulkPassesByFlags(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	x := extractionOf(t, s, ids[0], "plain", "flagged")
	x.Sifted.Kept[1].Flags = []memory.Flag{memory.FromTools, memory.Link}
	extract(t, s, x)
	all := allMemories(t, s)
	plain, flagged := all["plain"].ID, all["flagged"].ID
	for _, j := range []memory.Judgement{{IDs: []string{flagged}, Bulk: true}, {IDs: []string{flagged, plain}}} {
		j.Curator, j.Status = "bob", memory.Approved
		_, left, err := s.JudgeMemories(t.Context(), j)
		if err != nil || !slices.Equal(left, []string{flagged}) {
			t.Errorf("%v, %v", left, err)
		}
	}
	wantFates(t, s, "in bulk", map[string]string{"plain": "approved", "flagged": "proposed"})
	judgeMemories(t, s, memory.Approved, all["flagged"])
	wantFates(t, s, "alone", map[string]string{"plain": "approved", "flagged": "approved"})
	clean(t, s)
}

// TestMemoriesStandAlone: a stale memory that is approved again stays so.
func TestMemoriesStandAlone(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	extract(t, s, extractionOf(t, s, ids[0], "a", "b"))
	all := allMemories(t, s)
	judgeMemories(t, s, memory.Approved, all["a"])
	verdict(t, s, review.Rejected, ids[0])
	if e := judgeMemories(t, s, memory.Approved, all["a"]); e.ID == 0 {
		t.Error("nothing changed")
	}
	judgeMemories(t, s, memory.Approved, all["b"])
	wantFates(t, s, "approved again", map[string]string{"a": "approved", "b": "approved"})
	undo(t, s, "bob")
	undo(t, s, "bob")
	wantFates(t, s, "undone", map[string]string{"a": "stale: source was rejected", "b": "archived: source was rejected"})
	clean(t, s)
}

// TestMemoriesByHand: one that a curator makes is approved, or proposed where it has
// flags; undo takes it away and redo brings it with its quotes and tags.
func TestMemoriesByHand(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	seg, err := s.Segment(t.Context(), ids[2])
	if err != nil {
		t.Fatal(err)
	}
	m := memoryOf(&seg, "by hand")
	if _, err := s.AddMemory(t.Context(), "bob", m); err != nil {
		t.Fatal(err)
	}
	was := allMemories(t, s)["by hand"]
	if fate(was) != "approved" || was.MadeBy != memory.ByCurator || !slices.Contains(was.Tags, "go") {
		t.Errorf("%+v", was)
	}
	if _, err := s.AddMemory(t.Context(), "bob", m); !errors.Is(err, review.ErrConflict) {
		t.Errorf("twice: %v", err)
	}
	flagged := memoryOf(&seg, "follow this link")
	flagged.Flags = []memory.Flag{memory.Link}
	if _, err := s.AddMemory(t.Context(), "bob", flagged); err != nil {
		t.Fatal(err)
	}
	if got := fate(allMemories(t, s)["follow this link"]); got != "proposed" {
		t.Error(got)
	}
	undo(t, s, "bob")
	undo(t, s, "bob")
	if all := allMemories(t, s); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	clean(t, s)
	redo(t, s, "bob")
	if again := allMemories(t, s)["by hand"]; fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", was) {
		t.Errorf("%+v\n%+v", again, was)
	}
	verdict(t, s, review.Rejected, ids[3])
	seg3, _ := s.Segment(t.Context(), ids[3])
	if _, err := s.AddMemory(t.Context(), "bob", memoryOf(&seg3, "of a rejected one")); !errors.Is(err, review.ErrConflict) {
		t.Errorf("of a rejected segment: %v", err)
	}
	old := memoryOf(&seg, "of other words")
	old.Sources[0].Detail = "0123456789abcdef"
	if _, err := s.AddMemory(t.Context(), "bob", old); !errors.Is(err, review.ErrConflict) {
		t.Errorf("of another content: %v", err)
	}
	clean(t, s)
}

// TestCorrections: what corrects a memory takes its place when it is approved.
func TestCorrections(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	extract(t, s, extractionOf(t, s, ids[0], "old"))
	old := allMemories(t, s)["old"]
	judgeMemories(t, s, memory.Approved, old)
	x := extractionOf(t, s, ids[1], "new")
	x.Sifted.Kept[0].Supersedes = old.ID
	extract(t, s, x)
	wantFates(t, s, "proposed", map[string]string{"old": "approved", "new": "proposed"})
	fresh := allMemories(t, s)["new"]
	judgeMemories(t, s, memory.Approved, fresh)
	wantFates(t, s, "approved", map[string]string{"old": "archived: replaced by " + fresh.Short(), "new": "approved"})
	undo(t, s, "bob")
	wantFates(t, s, "undone", map[string]string{"old": "approved", "new": "proposed"})
	clean(t, s)
}

// TestMemoryFilters: each field finds what it says, and its negation the others.
func TestMemoryFilters(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0], ids[1])
	x := extractionOf(t, s, ids[0], "Straße one", "two")
	x.Sifted.Kept[1].Kind, x.Sifted.Kept[1].Flags, x.Sifted.Kept[1].Grade = memory.Fact, []memory.Flag{memory.Link}, 0.9
	x.Sifted.Kept[1].Model, x.Sifted.Kept[1].Tags, x.Sifted.Kept[1].Topic = "Qwen3", []string{"mocks"}, "1000 topics"
	x.Sifted.Kept[1].Dir = `C:\w\sub`
	extract(t, s, x)
	extract(t, s, extractionOf(t, s, ids[1], "gone"))
	judgeMemories(t, s, memory.Approved, allMemories(t, s)["gone"])
	verdict(t, s, review.Rejected, ids[1])
	for text, want := range map[string]string{
		"":                               "Straße one,gone,two",
		"straSSE":                        "", // folding is by letters
		"STRAßE":                         "Straße one",
		"-two":                           "Straße one,gone",
		"kind:fact":                      "two",
		"kind:fact,rule status:proposed": "Straße one,two",
		"flag:link":                      "two",
		"-flag:any":                      "Straße one,gone",
		"flag:hidden":                    "",
		"status:stale":                   "gone",
		"status:approved":                "",
		"-status:stale":                  "Straße one,two",
		"tag:go":                         "Straße one,gone",
		"tag:trajectory":                 "Straße one,gone,two",
		"tag:segment:" + ids[0][:8]:      "Straße one,two",
		"tag:segment:" + ids[1][:8]:      "",
		"segment:" + ids[1][:8]:          "gone",
		"tag:type:code -tag:mocks":       "Straße one,gone",
		"model:qwen":                     "two",
		"topic:100%":                     "Straße one,gone",
		"session:/four":                  "Straße one,gone,two",
		"session:nowhere":                "",
		"dir:/w":                         "Straße one,gone",
		"dir:/":                          "Straße one,gone",
		"dir:w":                          "Straße one,gone,two",
		"dir:C:/w/ -dir:/w/sub":          "two",
		"dir:/w/x,u":                     "",
		"grade>=0.6":                     "two",
		"grade<0.6":                      "Straße one,gone",
		"created>7d -agent:nobody":       "Straße one,gone,two",
		"created<7d":                     "",
		`"straße one"`:                   "Straße one",
	} {
		f, err := memory.ParseFilter(text, filter.Options{Now: s.now()})
		if err != nil {
			t.Fatal(text, err)
		}
		for _, order := range []memory.Order{memory.Newest, memory.Best} {
			var got []string
			for after := (memory.Cursor{}); ; {
				p, err := s.Memories(t.Context(), memory.Query{Filter: f, Order: order, After: after, Limit: 1})
				if err != nil {
					t.Fatal(text, err)
				}
				for i := range p.Memories {
					got, after = append(got, p.Memories[i].Content), memory.CursorOf(&p.Memories[i])
				}
				if !p.More {
					break
				}
			}
			if order == memory.Best && len(got) > 0 && strings.Contains(want, "two") && got[0] != "two" {
				t.Errorf("%s: the best is %s", text, got[0])
			}
			if slices.Sort(got); strings.Join(got, ",") != want {
				t.Errorf("%s: %v, want %s", text, got, want)
			}
		}
		if n, err := s.MemoryNumber(t.Context(), f); err != nil || n != len(strings.FieldsFunc(want, func(r rune) bool { return r == ',' })) {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	list, err := s.MemoryCounts(t.Context())
	if want := "[{proposed fact false 1} {proposed rule false 1} {approved rule true 1}]"; err != nil || fmt.Sprint(list) != want {
		t.Errorf("%v, %v", list, err)
	}
}

// TestExtractionNamesItsLease: whoever lost the lease keeps nothing more.
func TestExtractionNamesItsLease(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	l := lease.Lease{Name: "extract", Token: "a", Holder: "x", Until: s.now().Add(time.Minute)}
	if _, ok, err := s.TakeLease(t.Context(), l, s.now()); !ok || err != nil {
		t.Fatal(ok, err)
	}
	x := extractionOf(t, s, ids[0], "a")
	x.Token = "b"
	if _, err := s.PutExtraction(t.Context(), x); !errors.Is(err, lease.ErrLost) {
		t.Errorf("with another token: %v", err)
	}
	if all := allMemories(t, s); len(all) != 0 {
		t.Errorf("%v", all)
	}
	x.Token = "a"
	extract(t, s, x)
}

// TestUndoOfMemoriesIsRefused: nobody takes back what somebody else changed since, and
// tags alone are a change.
func TestUndoOfMemoriesIsRefused(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	extract(t, s, extractionOf(t, s, ids[0], "a"))
	m := allMemories(t, s)["a"]
	e, _, err := s.JudgeMemories(t.Context(), memory.Judgement{Curator: "cat", IDs: []string{m.ID}, Status: memory.Approved})
	if err != nil {
		t.Fatal(err)
	}
	judgeMemories(t, s, memory.Rejected, m)
	for _, undo := range []func() (review.Entry, error){
		func() (review.Entry, error) { return s.UndoEntry(t.Context(), "cat", e.ID) },
		func() (review.Entry, error) { return s.Undo(t.Context(), "cat") },
	} {
		if _, err := undo(); !errors.Is(err, review.ErrConflict) || !strings.Contains(err.Error(), "bob") {
			t.Errorf("undone: %v", err)
		}
	}
	seen := m
	seen.Content = "something else"
	_, _, err = s.JudgeMemories(t.Context(), memory.Judgement{Curator: "cat", IDs: []string{m.ID}, Status: memory.Approved, Seen: map[string]memory.Memory{m.ID: seen}})
	if !errors.Is(err, review.ErrConflict) {
		t.Errorf("judged unseen: %v", err)
	}
	e, _, err = s.JudgeMemories(t.Context(), memory.Judgement{Curator: "bob", IDs: []string{m.ID}, TagsOn: []string{"house"}, TagsOff: []string{"go"}})
	if err != nil || e.ID == 0 || !slices.Contains(allMemories(t, s)["a"].Tags, "house") {
		t.Errorf("%+v, %v", e, err)
	}
	undo(t, s, "bob")
	undo(t, s, "bob")
	if got := fate(allMemories(t, s)["a"]); got != "approved" {
		t.Error(got)
	}
	clean(t, s)
}
