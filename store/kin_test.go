package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
)

// native returns an import of one session with a native id, which belongs to
// the one with another, "" for none.
func native(file, id, parent string) hub.ImportWrite {
	w := write(file, talk(4, file))
	s := &w.Sessions[0].Session
	s.NativeID = id
	if parent != "" {
		s.Origin = session.Origin{Kind: session.Subagent, NativeID: parent, Call: "c1"}
	}
	return w
}

func TestParentsAreFoundWhicheverComesFirst(t *testing.T) {
	for _, order := range [][]hub.ImportWrite{
		{native("/a", "A", ""), native("/b", "B", "A")},
		{native("/b", "B", "A"), native("/a", "A", "")},
	} {
		s := openTemp(t)
		for _, w := range order {
			put(t, s, w)
			if err := s.Adopt(t.Context(), "default", 0); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Sessions(t.Context(), "", 9)
		if err != nil || len(all) != 2 || all[1].Parent != all[0].ID || all[0].Parent != "" {
			t.Fatalf("%+v %v", all, err)
		}
		list, err := s.Children(t.Context(), all[0].ID)
		want := review.Child{ID: all[1].ID, Kind: session.Subagent, NativeID: "B", Title: "a session", Call: "c1", Tally: all[1].Tally}
		if err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("children %+v %v, want %+v", list, err, want)
		}
		if list, _ := s.Children(t.Context(), all[1].ID); len(list) > 0 {
			t.Errorf("children of a child: %+v", list)
		}
		clean(t, s)
		change(t, s.Path(), "UPDATE trajectory_records SET parent = 'gone' WHERE parent <> ''; UPDATE sources SET copies = 3 WHERE path = '/a'")
		if found, err := s.Repair(t.Context()); err != nil || len(found) != 2 {
			t.Errorf("repaired %v %v", found, err)
		}
		clean(t, s)
	}
}

// A session without a title is told from its siblings by what it is about.
func TestChildrenWithoutTitlesAreNamedByTheirTopics(t *testing.T) {
	s := openTemp(t)
	child := native("/b", "B", "A")
	child.Sessions[0].Session.Title = ""
	child.Sessions[0].Segments[0].Segment.Topic = "find the callers"
	put(t, s, native("/a", "A", ""))
	put(t, s, child)
	if err := s.Adopt(t.Context(), "default", 0); err != nil {
		t.Fatal(err)
	}
	all, err := s.Sessions(t.Context(), "", 9)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v %v", all, err)
	}
	list, err := s.Children(t.Context(), all[0].ID)
	if err != nil || len(list) != 1 || list[0].Title != "find the callers" {
		t.Errorf("children %+v %v", list, err)
	}
}

// Looking for parents, children and twins reads no row that is none.
func TestKinAreFoundByIndexes(t *testing.T) {
	s := openTemp(t)
	for name, text := range map[string]string{
		"children": childrenSQL, "parents": kinSQL, "other parents": adoptSQL, "few native": alikeSQL(hub.ByNative, true, false), "few trace": alikeSQL(hub.ByTrace, true, false),
		"few head": alikeSQL(hub.ByHead, true, false), "native": alikeSQL(hub.ByNative, false, false), "trace": alikeSQL(hub.ByTrace, false, false),
		"head": alikeSQL(hub.ByHead, false, false), "twins": twinsSQL(&hub.Group{By: hub.ByHead}), "kinsfolk": kinsfolkSQL, "shared": sharedSQL,
	} {
		plan := strings.Split(planOf(t, s, text, make([]any, params(text))...), "\n")
		for _, step := range plan {
			table, scans := strings.CutPrefix(step, "SCAN ")
			// Nor is it enough to find all sessions of an agent.
			all := strings.HasSuffix(step, "(source_agent_id=?)") && !slices.Contains([]string{"native", "trace", "head"}, name)
			if all || scans && !strings.Contains(step, "INDEX") && slices.Contains([]string{"r", "o", "c", "b", "s", "trajectory_records"}, table) || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", name, strings.Join(plan, "; "))
			}
		}
	}
}

// params is the number of arguments of a statement.
func params(text string) int {
	for n := 9; n > 0; n-- {
		if strings.Contains(text, "?"+string(rune('0'+n))) {
			return n
		}
	}
	return strings.Count(text, "?")
}

// Each of several groups on a page says in what its members are alike.
func TestGroupsSayInWhatTheyAreAlike(t *testing.T) {
	s := openTemp(t)
	for i, word := range []string{"a", "b", "a", "b", "c"} {
		list := talk(4, word)
		w := write(fmt.Sprint("/twin", i), list)
		w.Sessions[0].Trail = trailOf(list, 1)
		put(t, s, w)
	}
	groups, err := s.Alike(t.Context(), "default", hub.ByTrace, 0, 100, nil, 10)
	if err != nil || len(groups) != 2 {
		t.Fatal(groups, err)
	}
	for _, g := range groups {
		if twins, err := s.Twins(t.Context(), "default", g, 10); err != nil || len(twins) != 2 || g.By != hub.ByTrace {
			t.Errorf("%v: %d twins, %v", g, len(twins), err)
		}
	}
}
