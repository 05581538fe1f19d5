package store

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/train"
)

// sampleOf is a segment as it is now.
func sampleOf(t testing.TB, s *Store, id string, split train.Split) train.Sample {
	t.Helper()
	g := segment(t, s, id)
	return train.SampleOf(g.Digest, id, split, "gpt")
}

// trainOn keeps a run that ended so, which trained on all but the last segment.
func trainOn(t testing.TB, s *Store, status train.Status, ids ...string) train.Run {
	t.Helper()
	r := train.Run{Curator: "ann", Cause: train.Asked, Backend: train.ByCommand, Status: train.Exporting, Base: "base", Exit: -1}
	if err := s.BeginRun(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	var list []train.Sample
	for i, id := range ids {
		split := train.Train
		if i > 0 && i == len(ids)-1 {
			split = train.Validation
		}
		list = append(list, sampleOf(t, s, id, split))
	}
	r, err := s.PutSamples(t.Context(), r.ID, list, func(r *train.Run) error {
		r.Status = status
		return nil
	})
	if err == nil {
		err = s.AddPoints(t.Context(), r.ID, []train.Point{{Step: 1, Name: "loss", Value: 0.5}})
	}
	if err == nil {
		err = s.PutEvals(t.Context(), r.ID, []train.Eval{{Subject: train.OfBase, Name: "pass", Value: 0.5, N: 200}})
	}
	if err == nil {
		err = s.NameModel(t.Context(), fmt.Sprint("model ", r.ID), r.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func toTrain(t testing.TB, s *Store) train.Counts {
	t.Helper()
	c, err := s.ToTrain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.Last = time.Time{}
	return c
}

func TestRunsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	parent := trainOn(t, s, train.Succeeded)
	exported, err := s.RecordExport(t.Context(), review.Exported{Curator: "ann", Target: "x", Format: "hf", Options: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	version, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := train.Run{
		Created: noon, Curator: "ann", Cause: train.Due, Backend: train.ByOpenAI, Status: train.Queued, Base: "Qwen'); DROP TABLE runs; --", Exit: -1,
		Params: map[string]string{"lr": "1e-5\xff", "n": "2"}, Command: []string{"a", "--b={train}"},
	}
	if err := s.BeginRun(t.Context(), &r); err != nil || r.ID != parent.ID+1 {
		t.Fatal(r.ID, err)
	}
	bad := errors.New("no")
	if _, err := s.ChangeRun(t.Context(), r.ID, func(r *train.Run) error { r.Base = "x"; return bad }); !errors.Is(err, bad) {
		t.Error(err)
	}
	want, err := s.ChangeRun(t.Context(), r.ID, func(r *train.Run) error {
		r.ID, r.Started, r.Ended, r.Promoted = 99, noon.Add(time.Minute), noon.Add(time.Hour), noon.Add(2*time.Hour)
		r.Status, r.Parent, r.Export, r.Manifest, r.Tokens = train.Running, parent.ID, exported.ID, "ab", 1<<40
		r.Host, r.Remote, r.PID, r.PIDBegan, r.Exit = "h", train.Remote{File: "f", Job: "j"}, 7, 1<<50, 0
		r.Model, r.Checkpoint, r.Metrics, r.Cost, r.Error, r.Note, r.PromotedBy = "m", "/c", map[string]float64{"loss": 0.25}, 1.5, "e", "n", "bob"
		return nil
	})
	if err != nil || want.ID != r.ID {
		t.Fatal(want.ID, err)
	}
	if open, err := s.OpenRuns(t.Context()); err != nil || len(open) != 1 || !reflect.DeepEqual(open[0], want) {
		t.Errorf("%+v, %v", open, err)
	}
	if _, err := s.ChangeRun(t.Context(), r.ID, func(r *train.Run) error { r.Metrics = map[string]float64{"loss": math.NaN()}; return nil }); err == nil {
		t.Error("a loss that is no number was kept")
	}
	now, err := s.Version(t.Context())
	if err != nil || now != version {
		t.Errorf("version %d, was %d: %v", now, version, err)
	}
	s.Close()
	s = openAt(t, path)
	if got, err := s.FindRun(t.Context(), r.ID); err != nil || !reflect.DeepEqual(got, want) || got.Params["lr"] != "1e-5\ufffd" || got.Base != r.Base {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	if _, err := s.FindRun(t.Context(), 99); !errors.Is(err, train.ErrNoRun) {
		t.Error(err)
	}
	if _, err := s.ChangeRun(t.Context(), 99, func(*train.Run) error { return nil }); !errors.Is(err, train.ErrNoRun) {
		t.Error(err)
	}
	if err := s.NameModel(t.Context(), "x", 99); !errors.Is(err, train.ErrNoRun) {
		t.Error(err)
	}
	list, err := s.Runs(t.Context(), 0, 1)
	if err != nil || len(list) != 1 || list[0].ID != r.ID {
		t.Fatal(list, err)
	}
	if list, err = s.Runs(t.Context(), r.ID, 5); err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], parent) {
		t.Errorf("%+v, %v\nwant %+v", list, err, parent)
	}
	if names, err := s.ModelNames(t.Context()); err != nil || !reflect.DeepEqual(names, map[string]int64{"model 1": 1}) {
		t.Error(names, err)
	}
	clean(t, s)
}

// TestWhatThereIsToTrain: approved and fresh contents count, each once, whenever they
// were made, scored or approved, until a run that succeeded had them. What was held back
// in any run never trains.
func TestWhatThereIsToTrain(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	at := func(when string, want train.Counts) {
		t.Helper()
		if got := toTrain(t, s); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	at("nothing approved", train.Counts{})
	judge(t, s, "ann", review.Approved, ids[0], ids[1], ids[2])
	at("approved", train.Counts{Ready: 3, New: 3})
	trainOn(t, s, train.Failed, ids[0], ids[1])
	at("failed, and held one back", train.Counts{Ready: 2, New: 2, Held: 1, Failing: 1})
	trainOn(t, s, train.Lost, ids[0])
	at("lost", train.Counts{Ready: 2, New: 2, Held: 1, Failing: 2})
	r := trainOn(t, s, train.Succeeded, ids[0])
	at("trained", train.Counts{Ready: 2, New: 1, Held: 1})
	if r.New != 1 {
		t.Errorf("%+v", r)
	}
	judge(t, s, "ann", review.Approved, ids[3])
	at("approved late", train.Counts{Ready: 3, New: 2, Held: 1})
	judge(t, s, "bob", review.Rejected, ids[0])
	at("rejected since", train.Counts{Ready: 2, New: 2, Held: 1})
	judge(t, s, "bob", review.Approved, ids[0])
	at("approved again, and trained", train.Counts{Ready: 3, New: 2, Held: 1})
	if r := trainOn(t, s, train.Running, ids[0], ids[2], ids[3]); r.Samples != 2 || r.New != 1 || r.Validation != 1 {
		t.Errorf("%+v", r)
	}
	at("running", train.Counts{Ready: 2, New: 1, Held: 2})

	g := segment(t, s, ids[0])
	w := review.Editing{Curator: "eve", Changes: []review.EditChange{says(t, s, g.SessionID, g.Start, "other words", edit.Fix)}}
	if _, err := s.Edit(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	at("edited, and so stale", train.Counts{Ready: 1, New: 1, Held: 2})
	judge(t, s, "bob", review.Approved, ids[0])
	at("approved as edited", train.Counts{Ready: 2, New: 2, Held: 2})
	undo(t, s, "bob")
	undo(t, s, "eve")
	at("not edited", train.Counts{Ready: 2, New: 1, Held: 2})

	// The same content as another segment is the same.
	list := talk(20, "same")
	one, two := write("/a", list), write("/b", list)
	two.Sessions[0].Session.AgentID, two.Source.AgentID = "other", "other"
	same := append(put(t, s, one), put(t, s, two)...)
	judge(t, s, "ann", review.Approved, same...)
	at("twice", train.Counts{Ready: 3, New: 2, Held: 2})
	trainOn(t, s, train.Succeeded, same[1])
	at("trained, once", train.Counts{Ready: 3, New: 1, Held: 2})
	clean(t, s)
}

// TestTrainedAndHeldBack reads contents in pages, each once.
func TestTrainedAndHeldBack(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	trainOn(t, s, train.Succeeded, ids[0], ids[1], ids[3])
	trainOn(t, s, train.Succeeded, ids[0], ids[2], ids[3])
	trainOn(t, s, train.Failed, ids[3], ids[2])
	want := map[string][]string{"trained": {}, "held": {}}
	for i, id := range ids {
		d := sampleOf(t, s, id, "").Detail
		if i < 3 {
			want["trained"] = append(want["trained"], d)
		}
		if i > 1 {
			want["held"] = append(want["held"], d)
		}
	}
	for name, page := range map[string]func(after string) ([]string, error){
		"trained": func(after string) ([]string, error) { return s.Trained(t.Context(), after, 1) },
		"held":    func(after string) ([]string, error) { return s.HeldBack(t.Context(), after, 1) },
	} {
		var got []string
		for after := ""; ; after = got[len(got)-1] {
			list, err := page(after)
			if err != nil || len(list) > 1 {
				t.Fatal(list, err)
			}
			if got = append(got, list...); len(list) == 0 {
				break
			}
		}
		slices.Sort(want[name])
		if !slices.Equal(got, want[name]) {
			t.Errorf("%s: %v\nwant %v", name, got, want[name])
		}
	}
}

// TestWithdrawnSamples: a run tells which of its samples would train no more, and why.
func TestWithdrawnSamples(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids...)
	r := trainOn(t, s, train.Succeeded, append(slices.Clone(ids), put(t, s, write("/held", talk(4, "held")))...)...)
	all, err := s.PutSamples(t.Context(), r.ID, append([]train.Sample{{Detail: "gone", Segment: "gone", Split: train.Train}}, samplesOf(t, s, r.ID)...), func(*train.Run) error { return nil })
	if err != nil || all.Samples != 5 || all.Validation != 1 {
		t.Fatal(all, err)
	}
	judge(t, s, "ann", review.Rejected, ids[0])
	judge(t, s, "ann", review.Unsure, ids[1])
	g := segment(t, s, ids[2])
	if _, err := s.Edit(t.Context(), review.Editing{Curator: "eve", Changes: []review.EditChange{says(t, s, g.SessionID, g.Start, "other words", edit.Fix)}}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"gone": "cut otherwise, or gone", ids[0]: "rejected", ids[1]: "not approved any more", ids[2]: "edited, or its session changed"}
	list, n, err := s.Withdrawn(t.Context(), r.ID, "", 10)
	if err != nil || n != len(want) || len(list) != len(want) {
		t.Fatal(list, n, err)
	}
	for _, w := range list {
		if w.Why != want[w.Segment] || w.Segment != "gone" && w.Title == "" {
			t.Errorf("%+v: want %q", w, want[w.Segment])
		}
	}
	if list, n, err = s.Withdrawn(t.Context(), r.ID, "", 1); err != nil || n != len(want) || len(list) != 1 {
		t.Error(list, n, err)
	}
}

// TestHeldBackSinceIsWithdrawn: what another run held back since trains no more, and
// neither does anything else of its session. What a run held back itself is not withdrawn.
func TestHeldBackSinceIsWithdrawn(t *testing.T) {
	s := openTemp(t)
	var ids []string
	for i, name := range []string{"/a", "/b", "/c", "/d"} {
		ids = append(ids, put(t, s, write(name, talk(4+i, name)))[0])
	}
	judge(t, s, "ann", review.Approved, ids...)
	sample := func(id, more string, split train.Split) train.Sample {
		one := sampleOf(t, s, id, split)
		one.Detail, one.Session = one.Detail+more, segment(t, s, id).SessionID
		return one
	}
	run := func(list ...train.Sample) train.Run {
		r := trainOn(t, s, train.Failed)
		if _, err := s.PutSamples(t.Context(), r.ID, list, func(*train.Run) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := run(sample(ids[0], "", train.Train), sample(ids[1], "", train.Train), sample(ids[2], "", train.Train), sample(ids[3], "", train.Validation))
	second := run(sample(ids[0], "", train.Validation), sample(ids[1], " edited", train.Validation), sample(ids[2], "", train.Train))
	held := map[string]bool{ids[0]: true, ids[1]: true}
	list, n, err := s.Withdrawn(t.Context(), first.ID, "", 10)
	if err != nil || n != len(held) || len(list) != len(held) {
		t.Fatal(list, n, err)
	}
	for _, w := range list {
		if !held[w.Segment] || w.Why != "held back by another run" {
			t.Errorf("%+v", w)
		}
	}
	rest, n, err := s.Withdrawn(t.Context(), first.ID, list[0].Detail, 10)
	if err != nil || n != len(held) || len(rest) != 1 || rest[0].Detail != list[1].Detail {
		t.Error(rest, n, err)
	}
	if list, n, err := s.Withdrawn(t.Context(), second.ID, "", 10); err != nil || n != 0 {
		t.Error(list, n, err)
	}
}

func samplesOf(t testing.TB, s *Store, run int64) (all []train.Sample) {
	t.Helper()
	for after := ""; ; after = all[len(all)-1].Detail {
		list, err := s.RunSamples(t.Context(), run, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, list...); len(list) == 0 {
			return all
		}
	}
}

// TestPutSamplesTakesTheirPlace: what a run had before is gone, a content that is there
// twice counts once, held back if one of both is.
func TestPutSamplesTakesTheirPlace(t *testing.T) {
	s := openTemp(t)
	r := trainOn(t, s, train.Exporting, four(t, s)...)
	list := []train.Sample{
		{Detail: "b", Segment: "1", Fingerprint: "f", Split: train.Train, Model: "m"}, {Detail: "a", Segment: "2", Split: train.Validation},
		{Detail: "b", Segment: "3", Split: train.Validation}, {Detail: "a", Segment: "4", Split: train.Train}, {Detail: "c", Segment: "5", Split: train.Train},
	}
	r, err := s.PutSamples(t.Context(), r.ID, list, func(r *train.Run) error { r.Samples, r.Status = 77, train.Running; return nil })
	if err != nil || r.Samples != 1 || r.Validation != 2 || r.New != 1 || r.Status != train.Running {
		t.Errorf("%+v, %v", r, err)
	}
	list[0].Split = train.Validation
	want := []train.Sample{list[1], list[0], list[4]}
	if got := samplesOf(t, s, r.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	bad := errors.New("no")
	if _, err := s.PutSamples(t.Context(), r.ID, nil, func(*train.Run) error { return bad }); !errors.Is(err, bad) {
		t.Error(err)
	}
	if got := samplesOf(t, s, r.ID); len(got) != 3 {
		t.Errorf("%+v", got)
	}
}

// TestPointsAreThinned: a run of any length keeps its first point, its last one, and
// some of all parts between.
func TestPointsAreThinned(t *testing.T) {
	s := openTemp(t)
	r := trainOn(t, s, train.Running)
	const steps = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	var batch []train.Point
	for step := 1; step <= steps; step++ {
		batch = append(batch, train.Point{Step: step, Name: "loss", Value: 1 / float64(step)}, train.Point{Step: step, Name: "bad", Value: math.Inf(1)})
		if random.IntN(500) > 0 && step < steps {
			continue
		}
		if err := s.AddPoints(t.Context(), r.ID, batch); err != nil {
			t.Fatal(err)
		}
		batch = nil
	}
	list, err := s.Points(t.Context(), r.ID)
	if err != nil || len(list) > train.MaxPoints || len(list) < train.MaxPoints/4 {
		t.Fatal(len(list), err)
	}
	if list[0].Value != 1 && list[0].Step != 1 || list[len(list)-1].Step != steps {
		t.Errorf("from %+v to %+v", list[0], list[len(list)-1])
	}
	for i := 1; i < len(list); i++ {
		if gap := list[i].Step - list[i-1].Step; gap < 1 || gap > 20 {
			t.Errorf("%+v after %+v", list[i], list[i-1])
		}
	}
	evals := []train.Eval{{Subject: train.OfBase, Name: "pass", Value: 0.25, N: 100}, {Subject: train.OfResult, Name: "pass", Value: 0.75}}
	if err := s.PutEvals(t.Context(), r.ID, evals); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Evals(t.Context(), r.ID); err != nil || !reflect.DeepEqual(got, evals) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.PutEvals(t.Context(), r.ID, []train.Eval{{Value: math.NaN()}}); err == nil {
		t.Error("an evaluation that is no number was kept")
	}
}

// TestPointsOfManyNames: a run has points of some names only, the first that come, and
// their thinning is spread over many calls.
func TestPointsOfManyNames(t *testing.T) {
	s := openTemp(t)
	r := trainOn(t, s, train.Running) // it has a loss
	var batch []train.Point
	for name := range train.MaxNames + 5 {
		batch = append(batch, train.Point{Step: 1, Name: fmt.Sprintf("m%03d", name), Value: 1})
	}
	add := func(want int) (many map[string]int) {
		t.Helper()
		if err := s.AddPoints(t.Context(), r.ID, batch); err != nil {
			t.Fatal(err)
		}
		list, err := s.Points(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		many = map[string]int{}
		for _, p := range list {
			many[p.Name]++
		}
		if len(many) != want || many["loss"] == 0 || many["m000"] == 0 {
			t.Fatalf("%d names, want %d", len(many), want)
		}
		return many
	}
	add(train.MaxNames)
	batch = nil
	for step := range train.MaxPoints + 100 {
		for name := range 10 {
			batch = append(batch, train.Point{Step: step, Name: fmt.Sprintf("m%03d", name), Value: 1})
		}
	}
	over := func(many map[string]int) (n int) {
		for _, points := range many {
			if points > train.MaxPoints {
				n++
			}
		}
		return n
	}
	if n := over(add(train.MaxNames)); n != 6 {
		t.Errorf("%d names have too many points, want 6: four of ten are thinned", n)
	}
	batch = append(batch[len(batch)-10:], train.Point{Step: 1, Name: "one more", Value: 1})
	for range 2 {
		add(train.MaxNames)
	}
	if n := over(add(train.MaxNames)); n != 0 {
		t.Errorf("%d names have too many points", n)
	}
}

// TestBeginAgain: what an earlier try told from a step on is forgotten, with all
// evaluations, and nothing of other runs.
func TestBeginAgain(t *testing.T) {
	s := openTemp(t)
	one, other := trainOn(t, s, train.Running), trainOn(t, s, train.Running)
	for _, id := range []int64{one.ID, other.ID} {
		err := s.AddPoints(t.Context(), id, []train.Point{{Step: 1, Name: "a", Value: 1}, {Step: 5, Name: "a", Value: 2}, {Step: 4, Name: "b", Value: 3}})
		if err == nil {
			err = s.PutEvals(t.Context(), id, []train.Eval{{Subject: train.OfBase, Name: "pass", Value: 1}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ from, points int }{{math.MaxInt, 4}, {5, 3}, {math.MinInt, 0}} {
		if err := s.BeginAgain(t.Context(), one.ID, c.from); err != nil {
			t.Fatal(err)
		}
		points, err := s.Points(t.Context(), one.ID)
		if err != nil || len(points) != c.points {
			t.Errorf("from %d: %+v, %v", c.from, points, err)
		}
		if evals, err := s.Evals(t.Context(), one.ID); err != nil || len(evals) > 0 {
			t.Errorf("%+v, %v", evals, err)
		}
	}
	points, err := s.Points(t.Context(), other.ID)
	evals, evalErr := s.Evals(t.Context(), other.ID)
	if err != nil || evalErr != nil || len(points) != 4 || len(evals) != 1 {
		t.Errorf("%+v, %+v, %v, %v", points, evals, err, evalErr)
	}
}

// TestPromotionsTakePlace: one run is the promoted one, and the one before has a note of it;
// a run that succeeds has the name of its model at once.
func TestPromotionsTakePlace(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "w.db"))
	first, second := trainOn(t, s, train.Succeeded), trainOn(t, s, train.Running)
	change := func(id int64, f func(*train.Run)) {
		t.Helper()
		if _, err := s.ChangeRun(t.Context(), id, func(r *train.Run) error { f(r); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	promote := func(r *train.Run) { at = at.Add(time.Hour); r.Promoted, r.PromotedBy = at, "ann" }
	change(first.ID, func(r *train.Run) { r.Note = "good" })
	change(first.ID, promote)
	change(second.ID, func(r *train.Run) { r.Status, r.Model = train.Succeeded, "ours-2" })
	if names, err := s.ModelNames(t.Context()); err != nil || names["ours-2"] != second.ID {
		t.Errorf("%v, %v", names, err)
	}
	change(second.ID, promote)
	change(second.ID, func(r *train.Run) { r.Note = "better" })
	r, err := s.FindRun(t.Context(), first.ID)
	if want := "good; promoted on 2026-05-04 by ann, until run 2 was"; err != nil || !r.Promoted.IsZero() || r.PromotedBy != "" || r.Note != want {
		t.Errorf("%v %q, want %q; %v", r.Promoted, r.Note, want, err)
	}
	if r, err = s.FindRun(t.Context(), second.ID); err != nil || r.Promoted.IsZero() || r.Note != "better" {
		t.Errorf("%v %q, %v", r.Promoted, r.Note, err)
	}
}

// TestPromotionsAreUndone: who promoted a run takes that back and gives it again, with
// that of the run in whose place it is, and with the notes of both; not over what somebody
// else did since.
func TestPromotionsAreUndone(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "w.db"))
	first, second, third := trainOn(t, s, train.Succeeded), trainOn(t, s, train.Succeeded), trainOn(t, s, train.Succeeded)
	at := time.Date(2026, 5, 4, 12, 0, 0, 123456789, time.UTC)
	promote := func(by string, id int64) review.Entry {
		t.Helper()
		_, e, err := s.Promote(t.Context(), by, id, func(r *train.Run) error {
			at = at.Add(time.Hour)
			r.Promoted, r.PromotedBy = at, by
			return nil
		})
		if err != nil || e.ID == 0 {
			t.Fatal(err)
		}
		return e
	}
	standing := func() (text string) {
		for _, id := range []int64{first.ID, second.ID, third.ID} {
			r, err := s.FindRun(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %q; ", r.PromotedBy, r.Note)
		}
		return text
	}
	want := func(what, text string) {
		t.Helper()
		if got := standing(); got != text {
			t.Errorf("%s: %s\nwant %s", what, got, text)
		}
	}
	promote("ann", first.ID)
	want("promoted", `ann "";  "";  ""; `)
	promote("ann", second.ID)
	both := ` "promoted on 2026-05-04 by ann, until run 2 was"; ann "";  ""; `
	want("in its place", both)
	undo, err := s.Undo(t.Context(), "ann")
	if got := train.PromotionsText(undo.Promotions); err != nil || got != "run 2 not promoted any more, run 1 promoted" {
		t.Errorf("%q, %v", got, err)
	}
	want("undone", `ann "";  "";  ""; `)
	redo, err := s.Redo(t.Context(), "ann")
	if got := train.PromotionsText(redo.Promotions); err != nil || got != "run 2 promoted, run 1 not promoted any more" {
		t.Errorf("%q, %v", got, err)
	}
	want("redone", both)
	// A note that was written since stays.
	if _, err := s.ChangeRun(t.Context(), first.ID, func(r *train.Run) error { r.Note = "mine"; return nil }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Undo(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	want("both undone", ` "mine";  "";  ""; `)
	// What somebody else promoted since stands.
	promote("bob", third.ID)
	if _, err := s.Redo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) || !strings.Contains(err.Error(), "run 3 was promoted since") {
		t.Error(err)
	}
	mine := promote("ann", first.ID)
	promote("bob", second.ID)
	if _, err := s.UndoEntry(t.Context(), "ann", mine.ID); !errors.Is(err, review.ErrConflict) || !strings.Contains(err.Error(), "run 1 was promoted or gave place since") || !strings.Contains(err.Error(), "by bob changed it since") {
		t.Error(err)
	}
	page, err := s.JournalPage(t.Context(), review.JournalQuery{Limit: 50})
	if err != nil || page.Entries[0].Count != 2 || len(page.Entries[0].Promotions) != 2 || page.Entries[0].Action != review.ActPromote {
		t.Fatalf("%+v, %v", page.Entries[0], err)
	}
	for _, q := range []review.ChangeQuery{{Limit: 5}, {Limit: 1}, {After: 1, Limit: 5}, {Back: true, Limit: 1}, {Back: true, After: 2, Limit: 5}} {
		q.Entry = page.Entries[0].ID
		changes, err := s.Changes(t.Context(), q)
		n := 1
		if q.After == 1 || q.Back && q.After == 0 {
			n = 2
		}
		if err != nil || len(changes.Changes) == 0 || changes.Changes[0].N != n || changes.Changes[0].Promotion == nil || changes.More != (q.Limit == 1) {
			t.Errorf("%+v: %+v, %v", q, changes, err)
		}
	}
	refused := errors.New("no")
	if _, _, err := s.Promote(t.Context(), "ann", first.ID, func(*train.Run) error { return refused }); err != refused {
		t.Error(err)
	}
	if _, _, err := s.Promote(t.Context(), "", first.ID, func(*train.Run) error { return nil }); err == nil {
		t.Error("nobody promoted it")
	}
}

// TestHeldBackWithoutItsRun: what was held back stays so, also if its run is lost and the
// database is repaired.
func TestHeldBackWithoutItsRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	ids := four(t, s)
	trainOn(t, s, train.Succeeded, ids[0], ids[1], ids[2])
	change(t, path, "DELETE FROM runs")
	if _, err := s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	clean(t, s)
	held, err := s.HeldBack(t.Context(), "", 10)
	if want := sampleOf(t, s, ids[2], train.Validation).Detail; err != nil || len(held) != 1 || held[0] != want {
		t.Errorf("%q, want %q, %v", held, want, err)
	}
}
