package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// TestACopyThatMovedIsNotReadAgain although something else stands in its place.
func TestACopyThatMovedIsNotReadAgain(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", append(parentLines, parentGrown)...)
	f.save("b.jsonl", parentLines...)
	f.load()
	if err := os.Rename(filepath.Join(f.dir, "b.jsonl"), filepath.Join(f.dir, "c.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.save("b.jsonl", lonelyParent[0])
	if r := f.load("b.jsonl", "c.jsonl"); r.Bytes != int64(len(lonelyParent[0])+1) {
		t.Errorf("%d bytes were read, want the new ones", r.Bytes)
	}
	all := f.sessions()
	if list, err := f.s.Copies(t.Context(), all["a.jsonl"].ID); len(all) != 1 || err != nil || len(list) != 2 {
		t.Errorf("sessions %v, copies %v %v", all, list, err)
	}
	clean(t, f.s)
}

// conversation is one line of a file of conversations.
func conversation(word string) string {
	return `{"messages":[{"role":"user","content":"ask ` + word + `"},{"role":"assistant","content":"say ` + word + `"}]}`
}

// approveAll approves all segments of a folder's sessions.
func (f *folder) approveAll() {
	f.t.Helper()
	p, err := f.s.Segments(f.t.Context(), reviewAll(1<<20))
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range p.Segments {
		judge(f.t, f.s, "ann", review.Approved, p.Segments[i].ID)
	}
}

// TestARemovedLineIsNotTakenForTheCopyInItsPlace: the line after a judged one
// that was removed is a copy of another; what was judged stays.
func TestARemovedLineIsNotTakenForTheCopyInItsPlace(t *testing.T) {
	f := newFolder(t)
	f.save("all.jsonl", conversation("a"), conversation("b"), conversation("gone"), conversation("a"), conversation("c"))
	f.load()
	f.approveAll()
	before := f.sessions()
	f.save("all.jsonl", conversation("a"), conversation("b"), conversation("a"), conversation("c"))
	f.load()
	all := f.sessions()
	gone := before["all.jsonl#L3"].ID
	for key, was := range map[string]string{"": "", "#L2": "#L2", "#s=" + gone: "#L3", "#L4": "#L5"} {
		s := all["all.jsonl"+key]
		segments, err := f.s.SegmentsOf(t.Context(), s.ID)
		if s.ID != before["all.jsonl"+was].ID || err != nil || len(segments) != 1 || segments[0].Verdict != review.Approved || segments[0].Stale {
			t.Errorf("%q, which was %q: %s %+v %v", key, was, s.ID, segments, err)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d sessions", len(all))
	}
	clean(t, f.s)
}

// only returns the session of a database that holds one.
func (f *folder) only() review.Session {
	f.t.Helper()
	all := f.sessions()
	if len(all) != 1 {
		f.t.Fatalf("sessions %v, want one", all)
	}
	for _, s := range all {
		return s
	}
	return review.Session{}
}

// timed returns lines of a session whose messages have times.
func timed(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"role":"user","content":"say %d","timestamp":"2026-05-03T10:00:%02dZ"}`, i, i))
	}
	return lines
}

// TestTheLongestIsFoundAgainWhenItChanges: what was a copy takes its place when
// the longest holds less by then. If it holds another session, what was judged
// of it is kept, with its copies.
func TestTheLongestIsFoundAgainWhenItChanges(t *testing.T) {
	other := strings.ReplaceAll(strings.Join(parentLines, "\n"), `"s1"`, `"s2"`)
	for name, c := range map[string]struct {
		long, short, becomes []string
		aside                bool
	}{
		"shrinks, with an id":    {append(parentLines, parentGrown), parentLines, parentLines[:1], false},
		"shrinks, without an id": {timed(5), timed(4), timed(2), false},
		"another id":             {append(parentLines, parentGrown), parentLines, []string{other}, true},
		"other messages":         {timed(5), timed(4), []string{conversation("x")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.save("long.jsonl", c.long...)
			f.load()
			f.approveAll()
			f.save("short.jsonl", c.short...)
			f.load()
			was := f.only()
			f.save("long.jsonl", c.becomes...)
			f.load()
			f.load()
			all := f.sessions()
			file, messages, copied := "short.jsonl", len(c.short), "long.jsonl"
			if c.aside {
				file, messages, copied = "long.jsonl#s="+was.ID, len(c.long), "short.jsonl"
			}
			if s := all[file]; s.ID != was.ID || s.Messages != messages {
				t.Errorf("%d messages in %s, the same session %t: %v", s.Messages, file, s.ID == was.ID, all)
			}
			list, err := f.s.Copies(t.Context(), was.ID)
			if err != nil || len(list) != 1 || filepath.Base(list[0].File) != copied {
				t.Errorf("copies %v %v", list, err)
			}
			clean(t, f.s)
			if r := f.load(); r.Bytes != 0 || !reflect.DeepEqual(f.sessions(), all) {
				t.Errorf("another import read %d bytes", r.Bytes)
			}
		})
	}
}

// judgingStore gives a verdict while copies are being linked: in front of the
// call with a name.
type judgingStore struct {
	*Store
	before func()
}

func (s *judgingStore) Regroup(ctx context.Context, g *hub.Regrouping) ([]hub.Change, error) {
	s.before()
	return s.Store.Regroup(ctx, g)
}

// TestAVerdictGivenWhileCopiesAreLinkedIsKept on either of two that are the
// same: the session that stays has it.
func TestAVerdictGivenWhileCopiesAreLinkedIsKept(t *testing.T) {
	long, short := append(parentLines, parentGrown), parentLines
	for _, c := range []struct {
		name          string
		first, second []string
		judged        string
	}{
		{"shorter first", short, long, "first.jsonl"}, {"shorter first", short, long, "second.jsonl"},
		{"longer first", long, short, "first.jsonl"}, {"longer first", long, short, "second.jsonl"},
	} {
		t.Run(c.name+" "+c.judged, func(t *testing.T) {
			f := newFolder(t)
			f.save("first.jsonl", c.first...)
			f.load()
			f.save("second.jsonl", c.second...)
			var id string
			f.through = &judgingStore{f.s, func() {
				if id != "" {
					return
				}
				segments, err := f.s.SegmentsOf(t.Context(), f.sessions()[c.judged].ID)
				if err != nil {
					t.Fatal(err)
				}
				id = segments[0].ID
				judge(t, f.s, "ann", review.Approved, id)
			}}
			f.load()
			f.save("more.jsonl", conversation("x"))
			f.load()
			verdicts := 0
			for _, s := range f.sessions() {
				segments, err := f.s.SegmentsOf(t.Context(), s.ID)
				for i := range segments {
					if r := &segments[i]; r.Verdict == review.Approved || r.Stale && r.Was == review.Approved {
						verdicts++
					}
				}
				if err != nil || s.NativeID == "s1" && s.Messages != len(long) {
					t.Errorf("%s: %d messages %v", s.File, s.Messages, err)
				}
			}
			if id == "" || verdicts != 1 || len(f.sessions()) != 2 {
				t.Errorf("%d verdicts of %q in %v", verdicts, id, f.sessions())
			}
			clean(t, f.s)
		})
	}
}

// TestOfTwoJudgedCopiesOneIsKept: the verdict on the other is in the journal.
func TestOfTwoJudgedCopiesOneIsKept(t *testing.T) {
	f := newFolder(t)
	said, otherwise := timed(5), strings.Replace(timed(4)[3], "say", "shout", 1)
	f.save("one.jsonl", said[:3]...)
	f.load()
	f.approveAll()
	f.save("one.jsonl", append(said[:3:3], otherwise)...)
	f.save("two.jsonl", said[:4]...)
	f.load()
	f.approveAll()
	all := f.sessions()
	kept, lost := all["one.jsonl"], all["two.jsonl"]
	if len(all) != 2 {
		t.Fatalf("sessions %v", all)
	}
	segments, err := f.s.SegmentsOf(t.Context(), lost.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.save("one.jsonl", said...)
	f.load()
	if s := f.only(); s.ID != kept.ID || s.Messages != 5 {
		t.Errorf("%d messages in the first session: %t", s.Messages, s.ID == kept.ID)
	}
	found, err := f.s.SegmentsOf(t.Context(), kept.ID)
	if err != nil || len(found) != 2 || found[0].Verdict != review.Approved || found[0].End != 3 || found[1].Stale {
		t.Errorf("its segments %+v %v", found, err)
	}
	entries, err := f.s.Journal(t.Context(), 0, 100)
	retired := 0
	for i := range entries {
		for _, c := range entries[i].Changes {
			if entries[i].Action == review.ActRetire && c.Segment == segments[0].ID && c.Before.Verdict == review.Approved {
				retired++
			}
		}
	}
	if err != nil || retired != 1 {
		t.Errorf("the verdict on the other is in the journal %d times: %v", retired, err)
	}
	clean(t, f.s)
}

// TestABeginningWithoutAUserMessageIsACopy of what it became, in either order.
// What begins alike and goes on with something else is a branch.
func TestABeginningWithoutAUserMessageIsACopy(t *testing.T) {
	line := func(id, parent, kind, text string) string {
		return fmt.Sprintf(`{"type":"%s","uuid":"%s","parentUuid":"%s","sessionId":"s1","message":{"id":"%[2]s","role":"%[1]s","content":[{"type":"text","text":"%[4]s"}]}}`, kind, id, parent, text)
	}
	long := []string{line("a1", "", "assistant", "hello"), line("u1", "a1", "user", "do it"), line("a2", "u1", "assistant", "done")}
	for _, order := range [][]string{{"long.jsonl", "short.jsonl"}, {"short.jsonl", "long.jsonl"}, {""}} {
		f := newFolder(t)
		f.save("long.jsonl", long...)
		f.save("short.jsonl", long[:1]...)
		f.save("other.jsonl", long[0], line("u9", "a1", "user", "something else"), line("a9", "u9", "assistant", "done"))
		f.load("other.jsonl")
		for _, name := range order {
			f.load(name)
		}
		all := f.sessions()
		if len(all) != 2 || all["long.jsonl"].Messages != 3 || all["other.jsonl"].Messages != 2 ||
			all["other.jsonl"].Parent != all["long.jsonl"].ID || all["other.jsonl"].Origin.At != 1 {
			t.Errorf("%q: %v", order, all)
		}
		clean(t, f.s)
	}
}

// TestAPieceWithoutAUserMessageIsNoCopy: what another session of that id does
// not begin with stands nowhere else, so that it stays.
func TestAPieceWithoutAUserMessageIsNoCopy(t *testing.T) {
	line := func(id, kind, text string) string {
		return fmt.Sprintf(`{"type":"%s","uuid":"%s","sessionId":"s1","message":{"id":"%[2]s","role":"%[1]s","content":"%[3]s"}}`, kind, id, text)
	}
	for _, order := range [][]string{{"long.jsonl", "piece.jsonl"}, {"piece.jsonl", "long.jsonl"}, {""}} {
		f := newFolder(t)
		f.save("long.jsonl", line("u1", "user", "do it"), line("a2", "assistant", "done"))
		f.save("piece.jsonl", line("a9", "assistant", "only here"))
		for _, name := range order {
			f.load(name)
		}
		if all := f.sessions(); len(all) != 2 || all["long.jsonl"].Messages != 2 || all["piece.jsonl"].Messages != 1 {
			t.Errorf("%q: %v", order, all)
		}
		clean(t, f.s)
	}
}

// TestIDsOfOtherRecordersAreOthers: equal ids of two formats are chance.
func TestIDsOfOtherRecordersAreOthers(t *testing.T) {
	f := newFolder(t)
	f.save("claude.jsonl", `{"type":"user","uuid":"u1","sessionId":"1","message":{"role":"user","content":"hi"}}`,
		`{"type":"assistant","uuid":"a1","sessionId":"1","message":{"id":"m1","role":"assistant","content":"one answer"}}`)
	f.save("plain.jsonl", `{"_type":"metadata","key":"1"}`, `{"role":"user","content":"hi"}`)
	f.load("")
	if all := f.sessions(); len(all) != 2 {
		t.Errorf("%v", all)
	}
	clean(t, f.s)
}
