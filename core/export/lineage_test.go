package export

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/review"
)

// A sample leads back to the lines and the marks of its segment; where the last
// value ends is told of no document.
func TestOriginTellsLinesAndMarks(t *testing.T) {
	for file, last := range map[string]int64{
		"/data/a.jsonl": 9, "/data/a.JSONL": 9, "/data/a.ndjson": 9, "/data/a.jsonl.gz": 9, "/data/a.jsonl.zst": 9, "/data/a.jsonl#L7": 9,
		"/data/a.json": 0, "/data/a.json#[0]": 0, "/data/a.json.gz": 0, "/data/a.traj": 0, "/data/jsonl": 0,
	} {
		messages := []chat.Message{user("q"), says("a"), says("b")}
		for i := range messages {
			messages[i].N, messages[i].SourceLine = i+4, int64(i+7)
		}
		seg := review.Segment{SessionFile: file, Start: 4, End: 6, Masked: []int{2, 3}}
		w := &sampling{candidate: candidate{segment: seg, session: &review.Session{}, messages: messages}}
		w.sample = New(&w.segment, w.session, w.messages)
		o := originOf(w)
		if o.FirstLine != 7 || o.LastLine != last || !slices.Equal(o.Masked, []int{5, 6}) {
			t.Errorf("%s: lines %d to %d, want 7 to %d; masked %v", file, o.FirstLine, o.LastLine, last, o.Masked)
		}
	}
}

// No path in a manifest names the home folder, whichever of the segments of a sample it
// is of.
func TestManifestOfManySegmentsHidesHome(t *testing.T) {
	for _, as := range []string{"hf", "graph"} {
		l := &library{}
		l.add(func(s *review.Segment, _ *review.Session) { s.SessionFile, s.End = "/home/ann/a.jsonl", 3 }, sys("s"), user("u"), says("a"), user("v"), says("b"))
		other := l.segments[0]
		other.ID, other.Start, other.End = "00000000-0001", 4, 5
		l.segments = append(l.segments, other)
		dir := filepath.Join(t.TempDir(), "set")
		run(t, l, Options{As: as, Path: dir + "/", OnPolicy: true, Gaps: everyGap, Home: "/home/ann"})
		if text := read(t, filepath.Join(dir, lineage.ManifestName)); strings.Contains(text, "/home/ann") || strings.Count(text, `"~/a.jsonl"`) < 4 {
			t.Errorf("%s: %s", as, text)
		}
	}
}
