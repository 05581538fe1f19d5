package export

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/review"
)

// diffOf exports two libraries and compares them.
func diffOf(t *testing.T, was, is *library, old, now Options, explain func(string) string) *lineage.Difference {
	t.Helper()
	dir := t.TempDir()
	old.Path, now.Path = filepath.Join(dir, "old")+"/", filepath.Join(dir, "new")+"/"
	run(t, was, old)
	run(t, is, now)
	d, err := lineage.Diff(old.Path, now.Path+lineage.ManifestName, explain)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// long is n sessions of three turns.
func long(n int) *library {
	l := &library{}
	for i := range n {
		var messages []chat.Message
		for turn := range 3 {
			messages = append(messages, user(fmt.Sprint("question ", i, turn)), says("answer"))
		}
		l.add(nil, messages...)
	}
	return l
}

// recut changes which messages a segment has.
func (l *library) recut(i, from, to int) {
	seg := &l.segments[i]
	seg.Start, seg.End = from, to
	seg.Digest = chat.DigestOf(l.messages[seg.Body][from-1 : to])
}

func TestADiffSaysWhy(t *testing.T) {
	rejected := func(string) string { return "rejected by ann" }
	unknown := func(string) string { return "" }
	for name, c := range map[string]struct {
		change  func(was, is *library)
		old     Options
		now     Options
		explain func(string) string
		want    string // kind cause detail
	}{
		"nothing":            {change: func(_, _ *library) {}},
		"a verdict":          {change: func(_, is *library) { is.segments[1].Verdict = review.Rejected }, explain: rejected, want: "went verdict rejected by ann"},
		"a verdict, unknown": {change: func(_, is *library) { is.segments[1].Verdict = review.Rejected }, explain: unknown, want: "went verdict not selected any more"},
		"a verdict given":    {change: func(was, _ *library) { was.segments[1].Verdict = review.Pending }, want: "came new_session its session is new here, approved"},
		"a boundary":         {change: func(_, is *library) { is.recut(1, 1, 4) }, want: "changed boundary its boundary was edited: messages 1–6 before"},
		"a boundary, as another segment": {change: func(_, is *library) {
			is.recut(1, 3, 6)
			is.segments[1].ID = "00000001-1111"
		}, explain: rejected, want: "changed boundary its boundary was edited: messages 1–6 before, as segment 00000001"},
		"content": {change: func(_, is *library) {
			is.messages[1][0].Content = "another"
			is.recut(1, 1, 6)
		}, want: "changed content its messages changed"},
		"a check": {change: func(_, is *library) {
			is.messages[1] = []chat.Message{user("a"), user("b"), user("c"), user("d"), user("e"), user("f")}
		}, explain: rejected, want: "went check left out now: "},
		"a check before": {change: func(was, _ *library) {
			was.messages[1] = []chat.Message{user("a"), user("b"), user("c"), user("d"), user("e"), user("f")}
		}, want: "came check left out before: "},
		"options":       {change: func(_, _ *library) {}, now: Options{Train: TrainLast}, want: "changed options other options: train"},
		"a new verdict": {change: func(_, is *library) { is.segments[1].Verdict = review.Unsure }, explain: rejected, want: "went verdict rejected by ann"},
		"a mark":        {change: func(_, is *library) { is.segments[1].Masked = []int{2} }, want: "changed marks message 2 was switched off for training"},
		"marks": {change: func(was, is *library) {
			was.segments[1].Masked, is.segments[1].Masked = []int{2}, []int{4, 6}
		}, now: Options{Dedupe: DedupeExact}, want: "changed marks messages 4, 6 were switched off for training, message 2 was switched on for training; other options: dedupe"},
		"a mark that the format has no place for": {
			change: func(_, is *library) { is.segments[1].Masked = []int{2} }, old: Options{As: "sharegpt"}, now: Options{As: "sharegpt"},
		},
		"a score":     {change: func(_, is *library) { is.segments[1].Score = new(float64) }, want: "changed score its score changed: none before, 0 now"},
		"a task type": {change: func(_, is *library) { is.segments[1].TaskType = "qa" }, want: "changed task_type its task type changed: none before, qa now"},
		"a topic":     {change: func(_, is *library) { is.segments[1].Topic = "t" }, want: "changed unknown its record changed: another version of the program, or another topic"},
		"a verdict of one that stays": {
			change: func(_, is *library) { is.segments[1].Verdict = review.Unsure }, old: Options{Selection: Selection{AnyVerdict: true}}, now: Options{Selection: Selection{AnyVerdict: true}},
			want: "changed verdict its verdict changed: approved before, unsure now",
		},
	} {
		was, is := long(3), long(3)
		c.change(was, is)
		d := diffOf(t, was, is, c.old, c.now, c.explain)
		got := ""
		for i := range d.Changes {
			if ch := &d.Changes[i]; ch.SessionFile == "/data/001.jsonl" {
				got = fmt.Sprint(ch.Kind, " ", ch.Cause, " ", ch.Detail)
			}
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && len(d.Changes) > 0 {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if d.Same+d.Came+d.Changed != d.New || d.Same+d.Went+d.Changed != d.Old {
			t.Errorf("%s: the sums do not agree: %+v", name, d)
		}
	}
}

func TestADiffIsInOrderAndReadable(t *testing.T) {
	was, is := long(6), long(8)
	is.segments[4].Verdict = review.Rejected
	is.segments[0].Verdict = review.Rejected
	is.recut(2, 3, 6)
	d := diffOf(t, was, is, Options{}, Options{Dedupe: DedupeExact}, nil)
	var kinds []string
	for i := range d.Changes {
		kinds = append(kinds, string(d.Changes[i].Kind)+" "+d.Changes[i].SessionFile[6:9])
		if text := d.Changes[i].Text(); strings.Contains(text, "\n") || !strings.Contains(text, d.Changes[i].Segment[:8]) {
			t.Error(text)
		}
	}
	if want := []string{"came 006", "came 007", "went 000", "went 004", "changed 002"}; !slices.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	if len(d.Options) != 1 || d.Options[0].Text() != "option dedupe: none → exact" {
		t.Errorf("%+v", d.Options)
	}
	if text, err := json.Marshal(d); err != nil || !strings.Contains(string(text), `"cause":"new_session"`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestADiffNeedsManifests(t *testing.T) {
	if _, err := lineage.Diff(t.TempDir(), t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "no manifest") {
		t.Error(err)
	}
}

func TestAManifestIsReadStrictly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	l := good(2)
	l.add(nil, user("no answer"))
	run(t, l, Options{Path: dir + "/", Program: "winnow 1"})
	text := read(t, filepath.Join(dir, filepath.FromSlash(lineage.ManifestName)))
	samples, left := 0, 0
	m, err := lineage.Read(strings.NewReader(text), func(s *lineage.Sample) error {
		if samples++; s.Row != samples || s.Rows != 1 || s.Segment == "" || s.File != m0(text) {
			t.Errorf("%+v", s)
		}
		return nil
	}, func(l *LeftOut) error {
		if left++; l.Check == "" || l.Segment == "" {
			t.Errorf("%+v", l)
		}
		return nil
	})
	if err != nil || samples != 2 || left != 1 || m.Program != "winnow 1" || m.Counts.Samples != 2 || m.Counts.LeftOut != 1 {
		t.Fatalf("%v, %d samples, %d left out, %+v", err, samples, left, m)
	}
	for _, change := range [][2]string{
		{`"manifest": 1`, `"manifest": 2`}, {`"program"`, `"programme"`}, {`"row":1`, `"row":"1"`}, {`"rows":1`, `"rows":1,"more":2`},
		{`"samples": [`, `"samples": {`}, {"]\n}\n", "]\n}\n{}"}, {"]\n}\n", "],\"x\":1\n}\n"}, {"]\n}\n", "]"},
	} {
		bad := strings.Replace(text, change[0], change[1], 1)
		if i := strings.LastIndex(text, change[0]); strings.HasPrefix(change[0], "]") {
			bad = text[:i] + change[1]
		}
		if bad == text {
			t.Fatalf("%s is not in the manifest", change[0])
		}
		if _, err := lineage.Read(strings.NewReader(bad), nil, nil); err == nil {
			t.Errorf("%s was read", change[1])
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, l, Options{Path: dir, Force: true})
}

// m0 is the first file of a manifest.
func m0(text string) string {
	_, rest, _ := strings.Cut(text, `"path": "`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

func TestPathsInAManifestBeginAtHome(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ann": "~", "/home/ann/x": "~/x", "/home/anna/x": "/home/anna/x", "/data": "/data", "": "",
	} {
		if got := fromHome(path, "/home/ann"); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := fromHome("/x", ""); got != "/x" {
		t.Error(got)
	}
}

// Whatever a manifest holds, it is read as one or refused, in the same way with
// and without a look at its entries. A piece of a good one is replaced: that
// gets further than any text, and is small.
func FuzzManifest(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "set")
	l := good(2)
	l.add(nil, user("no answer"))
	if _, err := Run(f.Context(), l, Options{Path: dir + "/", Program: "winnow 1"}, nil); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(lineage.ManifestName)))
	if err != nil {
		f.Fatal(err)
	}
	samples := strings.Index(string(good), `"samples"`)
	f.Add(uint16(0), uint16(0), "")
	f.Add(uint16(samples), uint16(len(good)), `"samples": [], "left_out": []}`)
	f.Add(uint16(samples), uint16(len(good)), `"samples": [{}, null], "left_out": null}`)
	f.Fuzz(func(t *testing.T, from, to uint16, with string) {
		end := min(int(to), len(good))
		begin := min(int(from), end)
		text := string(good[:begin]) + with + string(good[end:])
		m, err := lineage.Read(strings.NewReader(text), func(*lineage.Sample) error { return nil }, func(*LeftOut) error { return nil })
		again, failed := lineage.Read(strings.NewReader(text), nil, nil)
		if (err == nil) != (failed == nil) || !reflect.DeepEqual(m, again) {
			t.Fatalf("%v, then %v:\n%+v\n%+v", err, failed, m, again)
		}
	})
}
