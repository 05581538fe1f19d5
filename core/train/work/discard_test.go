package work

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/train"
)

// A run that ended before anything was trained keeps no texts of sessions; one that trained,
// or may yet, keeps its data.
func TestARunThatNeverTrainedKeepsNoData(t *testing.T) {
	none := []string{filepath.Join(t.TempDir(), "none")}
	settle := func(w *workshop, id int64) { w.do(w.Settle(w.t.Context())) }
	stop := func(w *workshop, id int64) { _, err := w.Stop(w.t.Context(), id); w.do(err) }
	work := func(w *workshop, id int64) { w.do(w.Work(w.t.Context(), id)) }
	for name, c := range map[string]struct {
		train  []string
		change func(*train.Run)
		end    func(*workshop, int64)
		want   train.Status
		keeps  bool
	}{
		"its program is not there":         {none, nil, work, train.Failed, false},
		"it has no command":                {nil, nil, work, train.Failed, false},
		"it was stopped before":            {none, nil, stop, train.Cancelled, false},
		"its upload was stopped":           {none, func(r *train.Run) { r.Status, r.Backend = train.Uploading, train.ByOpenAI }, stop, train.Cancelled, false},
		"winnow ended while it exported":   {none, func(r *train.Run) { r.Status = train.Exporting }, settle, train.Cancelled, false},
		"its worker was lost":              {none, nil, settle, train.Lost, true},
		"it trained and failed":            {[]string{os.Args[0], "fail=late"}, nil, work, train.Failed, true},
		"its program is not there anymore": {none, func(r *train.Run) { r.Started = r.Created.AddDate(1, 0, 0) }, work, train.Failed, true},
	} {
		w := newWorkshop(t, Commands{})
		w.Train = c.train
		r := w.queued(c.change)
		c.end(w, r.ID)
		_, err := os.Stat(w.Place(r.ID).Data())
		got := w.run(r.ID)
		if got.Status != c.want || (err == nil) != c.keeps {
			t.Errorf("%s: %s, %v", name, got.Status, err)
		}
		if got.Started.IsZero() == c.keeps && got.Status != train.Lost {
			t.Errorf("%s: began at %v", name, got.Started)
		}
	}
}

func (w *workshop) do(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}
