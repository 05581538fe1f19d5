package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
)

// utterances are lines of session s1, one for each "id<parent:text".
func utterances(list ...string) (lines []string) {
	for i, u := range list {
		id, rest, _ := strings.Cut(u, "<")
		parent, text, _ := strings.Cut(rest, ":")
		kind := "user"
		if strings.HasPrefix(id, "a") {
			kind = "assistant"
		}
		lines = append(lines, fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"sessionId":"s1","timestamp":"2026-05-03T10:%02d:00Z","message":{"id":"m-%[2]s","role":%[1]q,"content":[{"type":"text","text":%[5]q}]}}`,
			kind, id, parent, i, text))
	}
	return lines
}

// inEveryOrder imports files in every order, one after the other, and all at once.
func inEveryOrder(t *testing.T, files map[string][]string, check func(t *testing.T, f *folder)) {
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, order := range append(permuted(names), nil) {
		t.Run(strings.Join(order, " "), func(t *testing.T) {
			f := newFolder(t)
			for name, lines := range files {
				f.save(name, lines...)
			}
			for _, name := range order {
				f.load(name)
			}
			f.load()
			check(t, f)
			was := f.sessions()
			if f.load(); len(f.sessions()) != len(was) {
				t.Error("another import changed the sessions")
			}
			clean(t, f.s)
		})
	}
}

func permuted(names []string) (all [][]string) {
	if len(names) < 2 {
		return [][]string{names}
	}
	for i := range names {
		for _, rest := range permuted(slices.Delete(slices.Clone(names), i, i+1)) {
			all = append(all, append([]string{names[i]}, rest...))
		}
	}
	return all
}

// said returns what a session says.
func (f *folder) said(s review.Session) string {
	f.t.Helper()
	list, err := f.s.Messages(f.t.Context(), s.Body, 1, s.Messages)
	if err != nil {
		f.t.Fatal(err)
	}
	var words []string
	for i := range list {
		words = append(words, list[i].Content)
	}
	return strings.Join(words, " ")
}

// TestWhatSharesNothingStays a session of its own, whatever id it has and
// however it begins. A verdict stays where it was given.
func TestWhatSharesNothingStays(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", utterances("u1<:hello", "a1<u1:one")...)
	f.load()
	f.approveAll()
	was := f.only()
	f.save("b.jsonl", utterances("u8<:hello", "a8<u8:two", "u9<a8:three", "a9<u9:four")...)
	if r := f.load(); r.New != 1 || r.Copies != 0 {
		t.Errorf("%+v", r)
	}
	all := f.sessions()
	if len(all) != 2 || f.said(all["a.jsonl"]) != "hello one" || f.said(all["b.jsonl"]) != "hello two three four" || all["a.jsonl"].ID != was.ID {
		t.Errorf("%v", all)
	}
	for _, s := range all {
		segments, err := f.s.SegmentsOf(t.Context(), s.ID)
		if err != nil || len(segments) != 1 || segments[0].Verdict.Judged() != (s.ID == was.ID) {
			t.Errorf("%s: %+v %v", s.File, segments, err)
		}
	}
	clean(t, f.s)
}

// TestAnotherEndIsABranch of the longer file, where the two part.
func TestAnotherEndIsABranch(t *testing.T) {
	begin := []string{"u1<:hello", "a1<u1:one", "u2<a1:two"}
	inEveryOrder(t, map[string][]string{
		"long.jsonl":  utterances(append(slices.Clone(begin), "a2<u2:three", "u3<a2:four")...),
		"other.jsonl": utterances(append(slices.Clone(begin), "a9<u2:nine")...),
		"begin.jsonl": utterances(begin...),
	}, func(t *testing.T, f *folder) {
		all := f.sessions()
		long, other := all["long.jsonl"], all["other.jsonl"]
		if len(all) != 2 || f.said(long) != "hello one two three four" || f.said(other) != "nine" {
			t.Errorf("%v", all)
		}
		if other.Parent != long.ID || other.Origin.Kind != session.Branch || other.Origin.At != 3 {
			t.Errorf("the branch belongs to %q: %+v", other.Parent, other.Origin)
		}
		if list, err := f.s.Copies(t.Context(), long.ID); err != nil || len(list) != 1 || list[0].Messages != 3 {
			t.Errorf("copies %v %v", list, err)
		}
	})
}

// TestSlicesAreOneSession if one goes on where the other ends, or holds what
// the other begins or ends with.
func TestSlicesAreOneSession(t *testing.T) {
	all := []string{"u1<:1", "a1<u1:2", "u2<a1:3", "a2<u2:4", "u3<a2:5", "a3<u3:6", "u4<a3:7"}
	inEveryOrder(t, map[string][]string{
		"one.jsonl":   utterances(all[:2]...),
		"two.jsonl":   utterances(all[2:4]...),
		"three.jsonl": utterances(all[3:]...),
	}, func(t *testing.T, f *folder) {
		if s := f.only(); f.said(s) != "1 2 3 4 5 6 7" {
			t.Errorf("%q in %s", f.said(s), s.File)
		}
	})
}

// TestASliceGoesOnFromAnEntryWithoutMessage, whichever of them is read first.
func TestASliceGoesOnFromAnEntryWithoutMessage(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "p1<a1:", "u2<p1:3")
	lines[2] = `{"type":"progress","uuid":"p1","parentUuid":"a1","sessionId":"s1"}`
	f := newFolder(t)
	f.save("one.jsonl", lines[:2]...)
	f.save("two.jsonl", lines[3:]...)
	f.load()
	f.save("one.jsonl", lines[:3]...)
	f.load()
	if s := f.only(); f.said(s) != "1 2 3" {
		t.Errorf("%q", f.said(s))
	}
	clean(t, f.s)
}

// TestPartsOfOneAnswerAreOneMessage, although they are in two files.
func TestPartsOfOneAnswerAreOneMessage(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "a2<a1:3", "u2<a2:4")
	for i := range lines {
		lines[i] = strings.ReplaceAll(strings.ReplaceAll(lines[i], "m-a1", "m"), "m-a2", "m")
	}
	inEveryOrder(t, map[string][]string{"one.jsonl": lines[:2], "two.jsonl": lines[2:]}, func(t *testing.T, f *folder) {
		if s := f.only(); s.Messages != 3 || f.said(s) != "1 2\n3 4" {
			t.Errorf("%d messages: %q", s.Messages, f.said(s))
		}
	})
	// Each file begins with a part of it.
	inEveryOrder(t, map[string][]string{"one.jsonl": lines[1:2], "two.jsonl": lines[2:]}, func(t *testing.T, f *folder) {
		if s := f.only(); s.Messages != 2 || f.said(s) != "2\n3 4" {
			t.Errorf("%d messages: %q", s.Messages, f.said(s))
		}
	})
}

// TestAnAnswerJoinsItsParts that were compared before it, in files with nothing
// in common: they are one message then, in the order in which they were said.
func TestAnAnswerJoinsItsParts(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "a2<a1:3", "a3<a2:4", "a4<a3:5", "u8<:8", "a8<u8:9", "u9<a8:10", "u2<a1:6", "u3<u2:7")
	for _, id := range []string{"a1", "a2", "a3", "a4"} {
		for i := range lines {
			lines[i] = strings.ReplaceAll(lines[i], `"id":"m-`+id+`"`, `"id":"m"`)
		}
	}
	for name, files := range map[string]map[string][]string{
		"whole": {
			"late.jsonl":  append(slices.Clone(lines[5:8]), lines[3:5]...),
			"early.jsonl": {lines[1], lines[2], lines[8], lines[9]},
			"all.jsonl":   lines[:5],
		},
		"what is between": {
			"late.jsonl":    append(slices.Clone(lines[5:8]), lines[3:5]...),
			"early.jsonl":   {lines[1], lines[2], lines[8], lines[9]},
			"between.jsonl": {lines[0], lines[2], lines[3]},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inEveryOrder(t, files, func(t *testing.T, f *folder) {
				var said []string
				for _, s := range f.sessions() {
					said = append(said, f.said(s))
				}
				slices.Sort(said)
				if !slices.Equal(said, []string{"1", "8 9 10 2\n3\n4\n5 6 7"}) {
					t.Errorf("%q", said)
				}
			})
		})
	}
}

// TestAnAnswerGetsWhatWasBetween its parts, once the file grows that has it.
func TestAnAnswerGetsWhatWasBetween(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "a2<a1:3", "a3<a2:4", "a4<a3:5")
	for i := range lines[1:] {
		lines[i+1] = strings.ReplaceAll(lines[i+1], fmt.Sprintf(`"id":"m-a%d"`, i+1), `"id":"m"`)
	}
	f := newFolder(t)
	f.save("begin.jsonl", lines[:2]...)
	f.save("end.jsonl", lines[3:]...)
	f.load()
	if all := f.sessions(); len(all) != 2 || f.said(all["begin.jsonl"]) != "1 2" || f.said(all["end.jsonl"]) != "4\n5" {
		t.Errorf("%v", all)
	}
	f.save("begin.jsonl", lines[:3]...)
	f.load()
	if s := f.only(); f.said(s) != "1 2\n3\n4\n5" {
		t.Errorf("%q", f.said(s))
	}
	clean(t, f.s)
}

// TestAVerdictIsNotLostToACopy that has grown to the same messages, which
// nobody judged, while the judged file went away.
func TestAVerdictIsNotLostToACopy(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "u2<a1:3", "a2<u2:4")
	f := newFolder(t)
	f.save("a.jsonl", lines...)
	f.save("b.jsonl", lines[:2]...)
	f.load()
	f.approveAll()
	if err := os.Rename(filepath.Join(f.dir, "a.jsonl"), filepath.Join(f.dir, "b.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.load()
	segments, err := f.s.SegmentsOf(t.Context(), f.only().ID)
	if err != nil || len(segments) != 1 || segments[0].Verdict != review.Approved || segments[0].Stale {
		t.Errorf("%+v %v", segments, err)
	}
	clean(t, f.s)
}

// TestFilesOfAFamilyChangeNames: sessions and verdicts are what they were.
func TestFilesOfAFamilyChangeNames(t *testing.T) {
	lines := utterances("u1<:1", "a1<u1:2", "u2<a1:3", "a2<u2:4", "a8<u2:5", "u8<a8:6", "u9<:7", "a9<u9:8")
	for name, c := range map[string][2][]string{
		"half of it":            {lines[:4], lines[:2]},
		"most of it":            {lines[:4], lines[:3]},
		"other ends":            {lines[:4], append(slices.Clone(lines[:3]), lines[4:6]...)},
		"as long, the same end": {lines[:4], append(slices.Clone(lines[6:]), lines[2:4]...)},
	} {
		for _, names := range [][2]string{{"a.jsonl", "b.jsonl"}, {"b.jsonl", "a.jsonl"}} {
			t.Run(name+" "+names[0], func(t *testing.T) {
				f := newFolder(t)
				state := func() (list []string) {
					for _, s := range f.sessions() {
						segments, err := f.s.SegmentsOf(t.Context(), s.ID)
						if err != nil {
							t.Fatal(err)
						}
						for _, g := range segments {
							list = append(list, fmt.Sprint(s.ID, f.said(s), g.ID, g.Start, g.End, g.Verdict, g.Stale))
						}
					}
					slices.Sort(list)
					return list
				}
				f.save(names[0], c[0]...)
				f.save(names[1], c[1]...)
				f.load()
				f.approveAll()
				was := state()
				f.save(names[1], c[0]...)
				f.save(names[0], c[1]...)
				f.load()
				if is := state(); !slices.Equal(is, was) {
					t.Errorf("%q, not %q", is, was)
				}
				clean(t, f.s)
			})
		}
	}
}

// TestTheDoctorKnowsWhatIsInNoSession of the messages that were read.
func TestTheDoctorKnowsWhatIsInNoSession(t *testing.T) {
	begin := []string{"u1<:hello", "a1<u1:one", "u2<a1:two"}
	for name, text := range map[string]string{
		"no piece":      "DELETE FROM pieces WHERE n = 1",
		"shorter":       "UPDATE pieces SET messages = messages - 1 WHERE n = 1",
		"elsewhere":     "UPDATE pieces SET at = at + 1 WHERE n = 1",
		"other ids":     "UPDATE pieces SET sum = sum + 1 WHERE n = 4",
		"more was read": "UPDATE sources SET state = json_set(state, '$.messages', 9) WHERE path LIKE '%long.jsonl'",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.save("long.jsonl", utterances(append(slices.Clone(begin), "a2<u2:three", "u3<a2:four")...)...)
			f.save("other.jsonl", utterances(append(slices.Clone(begin), "a9<u2:nine")...)...)
			f.load()
			clean(t, f.s)
			change(t, f.s.Path(), text)
			found, err := f.s.Check(t.Context())
			if err != nil || len(found) == 0 || found[0].Rule != "kept" {
				t.Errorf("found %v %v", found, err)
			}
			if _, err := f.s.Repair(t.Context()); err != nil {
				t.Fatal(err)
			}
			f.load()
			clean(t, f.s)
		})
	}
}

// TestVerdictsStayOnWhatTheyWereGivenFor while files grow apart and together.
func TestVerdictsStayOnWhatTheyWereGivenFor(t *testing.T) {
	begin := []string{"u1<:hello", "a1<u1:one", "u2<a1:two"}
	f := newFolder(t)
	f.save("a.jsonl", utterances(begin...)...)
	f.load()
	f.approveAll()
	f.save("b.jsonl", utterances(append(slices.Clone(begin), "a9<u2:nine", "u9<a9:ten")...)...)
	f.load()
	f.approveAll()
	f.save("a.jsonl", utterances(append(slices.Clone(begin), "a2<u2:three", "u3<a2:four", "a3<u3:five")...)...)
	f.load()
	said := map[string]string{}
	for _, s := range f.sessions() {
		segments, err := f.s.SegmentsOf(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(f.said(s))
		for _, g := range segments {
			said[strings.Join(words[g.Start-1:g.End], " ")] = string(g.Verdict)
		}
	}
	if len(said) != 3 || said["hello one two"] != "approved" || said["nine ten"] != "approved" || said["three four five"] != "pending" {
		t.Errorf("%v", said)
	}
	clean(t, f.s)
}

// TestASessionThatMovesTakesSegments of one that becomes its branch: its row is
// then that of another file, which holds the same.
func TestASessionThatMovesTakesSegments(t *testing.T) {
	begin := []string{"u1<:hello", "a1<u1:one"}
	whole := utterances(append(slices.Clone(begin), "u2<a1:two", "a2<u2:three")...)
	f := newFolder(t)
	f.save("a.jsonl", whole...)
	f.load()
	was := f.only()
	if err := os.Remove(filepath.Join(f.dir, "a.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.save("b.jsonl", utterances(append(slices.Clone(begin), "u9<a1:nine", "a9<u9:ten")...)...)
	f.save("c.jsonl", append([]string{`{"type":"progress","uuid":"p","sessionId":"s1"}`}, whole...)...)
	f.load()
	all := f.sessions()
	if c := all["c.jsonl"]; len(all) != 2 || c.ID != was.ID || f.said(c) != "hello one two three" || f.said(all["b.jsonl"]) != "nine ten" {
		t.Errorf("%v", all)
	}
	clean(t, f.s)
}

// TestOthersOfAFamilyStayLinked when one of its files, for which they were taken
// apart, becomes another session.
func TestOthersOfAFamilyStayLinked(t *testing.T) {
	list := utterances("u1<:hello", "a1<u1:one", "u2<a1:two")
	f := newFolder(t)
	for i, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl"} {
		f.save(name, list[:3-i]...)
	}
	f.load()
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], `"s1"`, `"s2"`)
	}
	f.save("c.jsonl", list...)
	f.load()
	if all := f.sessions(); len(all) != 2 || f.said(all["a.jsonl"]) != "hello one two" {
		t.Errorf("%v", all)
	}
	clean(t, f.s)
}

// TestACopyThatGrowsLeavesTheIDAlone of the session that it is kept as, although
// one transaction may have written both.
func TestACopyThatGrowsLeavesTheIDAlone(t *testing.T) {
	list := utterances("u1<:hello", "a1<u1:one", "u2<a1:two", "a2<u2:three")
	f := newFolder(t)
	f.save("a.jsonl", list[:2]...)
	f.save("b.jsonl", list...)
	f.load()
	was := f.only()
	change(t, f.s.Path(), "UPDATE trajectory_records SET born = (SELECT value FROM progress WHERE name = 'write')")
	f.save("a.jsonl", list[:3]...)
	f.load()
	if is := f.only(); is.ID != was.ID || is.File != was.File {
		t.Errorf("%s of %s became %s of %s", was.ID, was.File, is.ID, is.File)
	}
	clean(t, f.s)
}

// stopping is a store that fails once sessions were taken apart.
type stopping struct {
	*Store
	apart bool
}

func (s *stopping) Regroup(ctx context.Context, g *hub.Regrouping) ([]hub.Change, error) {
	s.apart = true
	return s.Store.Regroup(ctx, g)
}

func (s *stopping) WriteSome(ctx context.Context, list []hub.ImportWrite) (int, []hub.Change, error) {
	if s.apart {
		return 0, nil, ErrFull
	}
	return s.Store.WriteSome(ctx, list)
}

// TestACrashLeavesNoSessionsApart that were taken apart so that a file can be
// read, whatever becomes of that.
func TestACrashLeavesNoSessionsApart(t *testing.T) {
	list := utterances("u1<:hello", "a1<u1:one", "u2<a1:two")
	f := newFolder(t)
	f.save("a.jsonl", list...)
	f.save("b.jsonl", list[:2]...)
	f.load()
	f.save("b.jsonl", list...)
	im := &hub.Importer{Store: &stopping{Store: f.s}, Clock: newClock().Now, Agent: "default", Jobs: 1}
	if _, err := im.Import(t.Context(), []string{f.dir}, nil); !errors.Is(err, ErrFull) || len(f.sessions()) != 2 {
		t.Fatal(err, f.sessions())
	}
	if err := os.Remove(filepath.Join(f.dir, "b.jsonl")); err != nil {
		t.Fatal(err)
	}
	f.load()
	if s := f.only(); f.said(s) != "hello one two" {
		t.Errorf("%q", f.said(s))
	}
	clean(t, f.s)
}

// TestWhatIsLinkedIsFoundByCopies: every import asks for it, and most sessions
// have none.
func TestWhatIsLinkedIsFoundByCopies(t *testing.T) {
	if plan := planOf(t, openTemp(t), linkedSQL, "default"); strings.Contains(plan, "SCAN r ") {
		t.Errorf("all sessions are gone through:\n%s", plan)
	}
}
