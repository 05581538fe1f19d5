package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

func TestFindSources(t *testing.T) {
	s := openTemp(t)
	list := talk(4, "x")
	odd, long, plain := write("/odd\xff'\"é", list), write("/long", list), write("/plain", list)
	odd.Source.Proof.First, long.Source.Proof.First = "k1", "k2"
	long.Source.Size, long.Source.State.Offset = 70, 60
	foreign := write("/plain", list)
	foreign.Source.AgentID, foreign.Sessions = "other", nil
	put(t, s, odd, long, plain, foreign)
	for _, c := range []struct {
		paths  []string
		firsts map[string]int64
		want   []string
	}{
		{nil, nil, nil},
		{[]string{"/odd\xff'\"é", "/none"}, nil, []string{"/odd\xff'\"é"}},
		{[]string{"/plain"}, map[string]int64{"k2": 60, "none": 1, "k1": -1}, []string{"/plain", "/long"}},
		{[]string{"/long"}, map[string]int64{"k2": math.MaxInt64}, []string{"/long"}},
		{nil, map[string]int64{"k2": 59}, nil},
	} {
		found, err := s.FindSources(t.Context(), "default", c.paths, c.firsts)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := s.Sources(t.Context(), "default")
		for _, path := range c.want {
			if got := found[path]; got == nil || got.ID != all[path].ID || got.AgentID != "default" || got.Proof != all[path].Proof {
				t.Errorf("%q %v: %q is %+v", c.paths, c.firsts, path, got)
			}
		}
		if len(found) != len(c.want) {
			t.Errorf("%q %v: %d sources, want %q", c.paths, c.firsts, len(found), c.want)
		}
	}
}

func TestUnread(t *testing.T) {
	s := openTemp(t)
	list := talk(4, "x")
	all := []hub.ImportWrite{write("/b\xff", list), write("/a", list), write("/read", list)}
	for i, stamp := range []int64{0, 0, 7} {
		all[i].Source.ModTime = stamp
	}
	put(t, s, all...)
	paths, err := s.Unread(t.Context(), "default")
	if want := []string{"/a", "/b\xff"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, %v, want %q", paths, err, want)
	}
	if paths, err = s.Unread(t.Context(), "other"); err != nil || len(paths) > 0 {
		t.Errorf("of another agent %q, %v", paths, err)
	}
	if plan := planOf(t, s, unreadSQL, "default"); !strings.Contains(plan, "sources_unread") {
		t.Errorf("looks at every source: %s", plan)
	}
}

func TestSwapSources(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	list := talk(4, "x")
	a, b := write("/a", list), write("/b\xff", list)
	a.Sessions = append(a.Sessions, write("/a#L7", list).Sessions...)
	b.Sessions = append(b.Sessions, write("/b\xff#L7", list).Sessions...)
	put(t, s, a, b)
	ids := map[string]string{a.Sessions[0].Segments[0].ID: "/b\xff", a.Sessions[1].Segments[0].ID: "/b\xff#L7", b.Sessions[0].Segments[0].ID: "/a"}
	judge(t, s, "ann", review.Approved, a.Sessions[0].Segments[0].ID, a.Sessions[1].Segments[0].ID)
	sources, _ := s.Sources(ctx, "default")
	one, other := sources["/a"].ID, sources["/b\xff"].ID
	if err := s.SwapSources(ctx, one, 99); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("with none: %v", err)
	}
	if err := s.SwapSources(ctx, one, other); err != nil {
		t.Fatal(err)
	}
	for id, file := range ids {
		if got := segment(t, s, id); got.SessionFile != file {
			t.Errorf("segment of %q lies in %q", file, got.SessionFile)
		}
	}
	sources, _ = s.Sources(ctx, "default")
	if sources["/b\xff"].ID != one || sources["/a"].ID != other || len(sources) != 2 {
		t.Errorf("sources %+v", sources)
	}
	for id, want := range map[int64]int{one: 2, other: 0, 99: 0} {
		if n, err := s.Judged(ctx, id); n != want || err != nil {
			t.Errorf("source %d: %d judged, want %d, %v", id, n, want, err)
		}
	}
	clean(t, s)
}
