package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

// reviewed is how many segments the scripted curator gives a verdict.
const reviewed = 200

// curatorBench is a bench with the data that is shared with the machine, else
// with the sample sessions.
func curatorBench(t testing.TB) *bench {
	t.Helper()
	var paths []string
	for _, name := range []string{"openai", "claude-code-small", "agents-small", "hermes"} {
		if path, err := filepath.Abs(filepath.Join("../../../shared/data", name)); err == nil {
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
			}
		}
	}
	if len(paths) == 0 {
		return sampleBench(t)
	}
	b := newBench(t)
	if code := b.run(append([]string{"import"}, paths...)...); code != exitDone && code != exitPartly { // some files are no sessions
		t.Fatal(b.stderr.String())
	}
	b.ok("segment")
	b.ok("score")
	return b
}

// listed returns the segments that pass a filter, as the list shows them.
func (b *bench) listed(filter string) []segmentRow {
	b.t.Helper()
	var rows []segmentRow
	for line := range strings.Lines(b.ok("list", "--json", "--limit", "0", "--filter", filter)) {
		var row segmentRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			b.t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// curator presses the keys of a script and keeps what the database should
// hold afterwards.
type curator struct {
	*driven
	b       *bench
	verdict map[string]review.Verdict
	note    map[string]string
	tags    map[string]string
	did     []string // the journal, the first entry first
	given   int      // segments that have a verdict
}

// verdictKey are the verdicts by their keys.
var verdictKey = map[string]review.Verdict{"a": review.Approved, "r": review.Rejected, "f": review.Unsure, "x": review.Pending}

// gives gives the selected segment, which must be this one, a verdict.
func (c *curator) gives(id, key string) {
	c.t.Helper()
	v := verdictKey[key]
	c.press(key)
	if c.verdict[id] == "" {
		c.given++
	}
	c.verdict[id] = v
	c.did = append(c.did, fmt.Sprintf("verdict %s %s", review.Short(id), v))
}

// writes notes something about the selected segment.
func (c *curator) writes(id, text string) {
	c.press("n")
	c.driven.write(text)
	c.press("enter")
	c.note[id] = text
	c.did = append(c.did, "note "+review.Short(id)+" "+text)
}

// selected returns the segment that is selected, as y copies it.
func (c *curator) selected() string {
	c.press("y")
	return c.clipboard
}

// handles reads a segment in one of several ways and gives it a verdict; the
// list has the keys before and afterwards.
func (c *curator) handles(i int, id string) {
	switch i % 8 {
	case 0: // on the whole screen: to the end and back, from failure to failure
		c.press("enter J J K } { ! ! G g esc")
		c.gives(id, "a")
	case 1: // beside the list, all folds open and shut
		c.press("tab Z pgdown Z h h h d d z z esc")
		c.gives(id, "a")
	case 2:
		c.gives(id, "r")
	case 3:
		c.press("tab")
		c.gives(id, "f")
		c.press("tab")
	case 4:
		c.writes(id, fmt.Sprintf("note %d, 数据 🧪", i))
		c.gives(id, "a")
	case 5: // a change of mind
		c.gives(id, "a")
		c.press("u")
		c.did = append(c.did, "undo")
		c.gives(id, "r")
	case 6: // looks for a word, and for why the score is what it is
		c.press("tab ctrl+g ctrl+u")
		c.driven.write("the")
		c.press("enter > > < esc esc i j esc")
		c.gives(id, "a")
	default:
		c.gives(id, "f")
	}
}

// narrows types a filter, keeps it and returns what passes.
func (c *curator) narrows(text string) []segmentRow {
	c.press("/ ctrl+u")
	c.driven.write(text)
	c.rest()
	c.press("enter")
	c.rest()
	return c.b.listed(text)
}

// TestScriptedCurator reviews segments by keys alone: what the database and
// the exported file hold afterwards is what the script says, and nothing else.
func TestScriptedCurator(t *testing.T) {
	b := curatorBench(t)
	all := b.listed("")
	most := min(reviewed, len(all)-4)
	target := filepath.Join(t.TempDir(), "screen.jsonl")
	c := &curator{b: b, verdict: map[string]review.Verdict{}, note: map[string]string{}, tags: map[string]string{}}
	split := segmentRow{}
	b.drive(func(d *driven) {
		c.driven = d
		d.rest()
		rows := c.narrows("status:pending toolcalls>0")
		for i := range min(len(rows)/2, most*2/3) {
			c.handles(i, c.selected())
		}
		c.press("0 g N")
		c.rest()
		for c.given < most {
			c.handles(c.given, c.selected())
		}
		split = c.splits(c.whole(all))
		c.exports(target)
	})
	c.checkSegments(all, split, most)
	c.checkJournal()
	c.checkExport(target)
	b.ok("doctor")
}

// whole returns a segment that nobody judged and that can be split, the last
// one whose topic no other has.
func (c *curator) whole(all []segmentRow) segmentRow {
	c.t.Helper()
	topics := map[string]int{}
	for i := range all {
		topics[all[i].Topic]++
	}
	for _, row := range slices.Backward(all) {
		if c.verdict[row.ID] == "" && row.EndLine > row.StartLine+3 && topics[row.Topic] == 1 && len(c.b.listed("topic:"+fmt.Sprintf("%q", row.Topic))) == 1 {
			return row
		}
	}
	c.t.Fatal("no segment is left to be split")
	return segmentRow{}
}

// splits cuts a segment behind its second message, takes that back, and gives
// it again.
func (c *curator) splits(row segmentRow) segmentRow {
	c.narrows("topic:" + fmt.Sprintf("%q", row.Topic))
	c.press("0") // the segment stays selected
	c.rest()
	c.press("b j j s enter")
	c.rest()
	c.press("u")
	c.rest()
	c.press("U")
	c.rest()
	c.did = append(c.did, "split", "undo", "redo")
	return row
}

// exports writes what was approved, as the screen's form says by default.
func (c *curator) exports(target string) {
	c.press("e enter ctrl+u")
	c.driven.write(target)
	c.press("enter")
	c.rest()
	c.press("e")
	c.rest()
	c.wants("Exported")
	c.press("esc")
}

// checkSegments compares the segments with what the script did to them.
func (c *curator) checkSegments(before []segmentRow, split segmentRow, most int) {
	c.t.Helper()
	was := map[string]segmentRow{}
	for _, row := range before {
		was[row.ID] = row
	}
	rows := c.b.listed("")
	if len(rows) != len(before)+1 {
		c.t.Errorf("%d segments, before %d and a split", len(rows), len(before))
	}
	counts := map[string]int{}
	for _, row := range rows {
		counts[string(row.Verdict)]++
		old, known := was[row.ID]
		parts := row.SessionID == split.SessionID && row.StartLine >= split.StartLine && row.EndLine <= split.EndLine
		switch {
		case parts && (row.StartLine != split.StartLine || row.EndLine != split.StartLine+1) && (row.StartLine != split.StartLine+2 || row.EndLine != split.EndLine):
			c.t.Errorf("%d-%d was split into %d-%d", split.StartLine, split.EndLine, row.StartLine, row.EndLine)
		case !parts && (!known || row.StartLine != old.StartLine || row.EndLine != old.EndLine || row.Topic != old.Topic):
			c.t.Errorf("%s is %d-%d %q, was %d-%d %q", review.Short(row.ID), row.StartLine, row.EndLine, row.Topic, old.StartLine, old.EndLine, old.Topic)
		}
		want := c.verdict[row.ID]
		if want == "" {
			want = review.Pending
		}
		if string(row.Verdict) != string(want) || row.Note != c.note[row.ID] || strings.Join(row.Tags, ",") != c.tags[row.ID] || row.Stale {
			c.t.Errorf("%s is %s, stale %v, %q, %q; want %s, %q, %q", review.Short(row.ID), row.Verdict, row.Stale, row.Note, row.Tags, want, c.note[row.ID], c.tags[row.ID])
		}
	}
	if n := len(rows) - counts["pending"]; n != c.given || n != most {
		c.t.Errorf("%d segments have a verdict, the script gave %d of %d", n, c.given, most)
	}
}

// checkJournal compares the journal with what the script did.
func (c *curator) checkJournal() {
	c.t.Helper()
	var got []string
	for line := range strings.Lines(c.b.ok("log", "--json", "--limit", "0")) {
		var e entryRow
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			c.t.Fatal(err)
		}
		if e.Curator != "ann" {
			continue // what the program did by itself
		}
		text := string(e.Action)
		for _, ch := range e.Changes {
			switch e.Action {
			case review.ActJudge:
				text += fmt.Sprintf(" %s %s", review.Short(ch.Segment), ch.After.Verdict)
			case review.ActNote:
				text += " " + review.Short(ch.Segment) + " " + ch.After.Note
			}
		}
		got = append(got, text)
	}
	slices.Reverse(got)
	if !slices.Equal(got, c.did) {
		at := 0
		for at < min(len(got), len(c.did)) && got[at] == c.did[at] {
			at++
		}
		c.t.Errorf("the journal has %d entries, the script did %d things; from %d on %q, want %q",
			len(got), len(c.did), at, got[at:min(len(got), at+3)], c.did[at:min(len(c.did), at+3)])
	}
}

// checkExport compares the file with the one that the command writes, and its
// rows with the verdicts.
func (c *curator) checkExport(target string) {
	c.t.Helper()
	byCommand := filepath.Join(c.t.TempDir(), "command.jsonl")
	if code := c.b.run("export", "-o", byCommand); code != exitDone && code != exitPartly { // some may be left out
		c.t.Fatal(c.b.stderr.String())
	}
	got, err := os.ReadFile(target)
	if err != nil {
		c.t.Fatal(err)
	}
	want, err := os.ReadFile(byCommand)
	if err != nil {
		c.t.Fatal(err)
	}
	if string(got) != string(want) {
		c.t.Errorf("the screen exported %d bytes, the command %d", len(got), len(want))
	}
	approved := 0
	for v := range maps.Values(c.verdict) {
		if v == review.Approved {
			approved++
		}
	}
	if n := strings.Count(string(got), "\n"); n == 0 || n > approved {
		c.t.Errorf("%d rows of %d approved segments", n, approved)
	}
}
