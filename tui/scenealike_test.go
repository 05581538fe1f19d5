package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screens/recheck"
)

// withAlike makes some segments of a scene alike.
func withAlike(s *scene, o *Options) {
	for cluster, rows := range map[int64][]int{5: {1, 4, 8}, 9: {2, 3}} {
		for _, i := range rows {
			s.lib.segments[i].Cluster = cluster
		}
	}
	clustered(&clusteredLibrary{fakeLibrary: s.lib, doubt: review.Doubt{Threshold: 0.85, From: review.FromVerdicts}})(o)
}

func alikeStates() []state {
	return []state{
		{name: "alike", with: withAlike, do: pressing("j")},
		{name: "alike-open", with: withAlike, do: pressing("j z j")},
		{name: "alike-all-open", with: withAlike, do: pressing("Z G")},
		{name: "alike-best", with: withAlike, do: pressing("j B")},
		{name: "alike-asked", with: withAlike, do: pressing("j j B")},
		{name: "bulk-counting", do: unanswered("A")},
		{name: "bulk-of-filter", do: func(x *harness, _ *scene) {
			x.typed("status:pending")
			x.press("enter R")
		}},
		{name: "tags-wrong", do: func(x *harness, s *scene) {
			x.press("t")
			x.write(s.say("keep") + " -never")
			x.press("enter")
		}},
	}
}

// withRecheck has all decided segments of a scene judged once more.
func withRecheck(s *scene, o *Options) {
	r := &recheck.Sample{Answer: fakeRechecks{}.Answer, Seed: 7}
	for i := range s.lib.segments {
		g := s.lib.segments[i]
		if g.Verdict.Judged() {
			g.Reviewer = s.say("ann")
			r.Decided = append(r.Decided, g)
		} else {
			r.Pending = append(r.Pending, g.ID)
		}
	}
	o.Recheck, o.Claims = r, nil
}

// togetherStates are screens on which others work too, and a second look at
// what one decided oneself.
func togetherStates() []state {
	return []state{
		{name: "others-read", do: pressing("j")},
		{name: "others-judge", do: func(x *harness, s *scene) {
			x.lib.change(func(l *fakeLibrary) {
				for i, v := range []review.Verdict{review.Approved, review.Rejected} {
					g := &l.segments[4+2*i]
					g.Verdict, g.Reviewer, g.ReviewedAt = v, s.say("ben"), someday
				}
			})
			x.tick()
			x.press("g")
		}},
		{name: "others-read-all", with: func(s *scene, _ *Options) {
			for i := range s.lib.segments {
				s.claims.all = append(s.claims.all, review.Claim{Program: "another", Curator: s.say("ben"), Segment: s.lib.segments[i].ID, Until: someday.Add(review.ClaimFor)})
			}
		}, do: pressing("a")},
		{name: "recheck", with: withRecheck, do: pressing("a")},
		{name: "recheck-end", with: withRecheck, do: func(x *harness, _ *scene) {
			for range x.lib.segments {
				if x.app.Context() != keys.InRecheck {
					x.press("a")
				}
			}
		}},
		{name: "recheck-half", with: withRecheck, do: func(x *harness, _ *scene) {
			for i := 0; i < len(x.lib.segments)/2; i++ {
				x.press("r")
			}
			x.press("q")
		}},
	}
}

// fails makes methods of the library fail and presses keys.
func fails(keys string, methods ...string) func(*harness, *scene) {
	return func(x *harness, s *scene) {
		x.lib.fail = map[string]error{}
		for _, m := range methods {
			x.lib.fail[m] = errDisk(s)
		}
		x.press(keys)
		x.tick()
	}
}

// failedStates are what is seen while the database does not answer, or not yet.
func failedStates() []state {
	return []state{
		{name: "list-loading", do: func(x *harness, _ *scene) {
			w, h := x.app.W, x.app.H
			x.app, x.hold = New(x.options), true
			x.run(x.app.Init())
			x.send(tea.WindowSizeMsg{Width: w, Height: h})
		}},
		{name: "database-failed", do: fails("j", "Version", "Totals")},
		{name: "reader-failed", do: fails("enter", "Messages")},
		{name: "bulk-failed", do: fails("A", "IDs")},
		{name: "claims-failed", with: func(s *scene, _ *Options) { s.claims.err = errDisk(s) }, do: pressing("")},
		{name: "ledger-source-failed", do: func(x *harness, s *scene) {
			x.press("L !")
			s.ledger.Err = errDisk(s)
			x.press("enter")
		}},
		{name: "ledger-bytes-failed", do: func(x *harness, s *scene) {
			x.press("L ! enter !")
			s.ledger.Bytes = func(int64, ledger.Issue) (ledger.Excerpt, error) { return ledger.Excerpt{}, errDisk(s) }
			x.press("enter")
		}},
		{name: "journal-entry-failed", do: func(x *harness, s *scene) {
			x.press("H j j j j j j")
			s.journal.fail = errDisk(s)
			x.press("enter")
		}},
		{name: "statistics-failed-later", do: func(x *harness, s *scene) {
			x.press("S")
			s.statistics.Err = errDisk(s)
			x.press("ctrl+l")
		}},
	}
}
