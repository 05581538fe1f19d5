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

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

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
	b := newBench(t)
	if len(paths) == 0 {
		b = sampleBench(t)
	}
	paths = append(paths, withTools(b))
	paths = append(paths, twins(b)...)
	if code := b.run(append([]string{"import"}, paths...)...); code != exitDone && code != exitPartly { // some files are no sessions
		t.Fatal(b.stderr.String())
	}
	b.ok("segment")
	b.ok("score")
	return b
}

// withTools writes a session that has definitions of tools: its rows go to
// another file of the export than those of sessions that have none.
func withTools(b *bench) string {
	return b.file("abacus.jsonl", `{"tools":[{"type":"function","function":{"name":"add","description":"Adds.","parameters":{"type":"object","properties":{}}}}],`+
		`"messages":[{"role":"user","content":"What does the abacus say?"},{"role":"assistant","content":"It says forty-two."}]}`+"\n")
}

// twins writes three sessions that are nearly the same; the call of the first
// one succeeds.
func twins(b *bench) (paths []string) {
	for i := range 3 {
		said := "Count the zebrafish in the pictures of the folder, tell which ones show two of them, and write the numbers into a table with the names of the files."
		answer := strings.Repeat("The folder has forty pictures of fish; each was looked at and counted once more where the first count was in doubt. ", 4) + strings.Repeat("Done. ", i)
		call := `{"role":"assistant","content":"I look at the pictures first.","tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}`
		result := `{"role":"tool","tool_call_id":"c","content":"exit code 0"}`
		if i > 0 {
			result = `{"role":"tool","tool_call_id":"c","content":"Error: ls: command not found, exit code 127"}`
		}
		text := fmt.Sprintf(`{"messages":[{"role":"user","content":%q},%s,%s,{"role":"assistant","content":%q}]}`+"\n", said, call, result, answer)
		paths = append(paths, b.file(fmt.Sprintf("twin%d.jsonl", i), text))
	}
	return paths
}

// listed returns the segments that pass a filter, as the list shows them.
func (b *bench) listed(filter string) []tell.Segment {
	b.t.Helper()
	var rows []tell.Segment
	for line := range strings.Lines(b.ok("list", "--json", "--limit", "0", "--filter", filter)) {
		var row tell.Segment
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
	record  map[string]string // what a segment becomes, as p shows it; "" for nothing
	did     []string          // the journal, the first entry first
	given   int               // segments that have a verdict
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
	c.did = append(c.did, done(review.ActJudge, []string{id}, c.verdictText))
}

// done tells what an action did to segments, as checkJournal tells it.
func done(action review.Action, ids []string, text func(id string) string) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = review.Short(id) + " " + text(id)
	}
	slices.Sort(parts)
	return string(action) + " " + strings.Join(parts, ", ")
}

func (c *curator) verdictText(id string) string { return string(c.verdict[id]) }
func (c *curator) noteText(id string) string    { return c.note[id] }
func (c *curator) tagText(id string) string     { return c.tags[id] }

// writes notes something about the selected segment.
func (c *curator) writes(id, text string) {
	c.press("n")
	c.driven.write(text)
	c.press("enter")
	c.note[id] = text
	c.did = append(c.did, done(review.ActNote, []string{id}, c.noteText))
}

// tagsIt gives the selected segment tags; the first is completed if there is one
// like it.
func (c *curator) tagsIt(id string) {
	c.press("t")
	c.tags[id] = review.TagText([]string{"golden", "keep"})
	if len(c.tags) == 1 {
		c.driven.write("keep golden")
	} else {
		c.tags[id] = review.TagText([]string{"golden"})
		c.driven.write("gol")
		c.press("tab enter")
	}
	c.press("enter")
	c.did = append(c.did, done(review.ActTag, []string{id}, c.tagText))
}

// bests gives the twins their verdicts in one key, and takes them back.
func (c *curator) bests(want []string) {
	c.narrows("topic:zebrafish")
	before := maps.Clone(c.verdict)
	for i, id := range want {
		c.verdict[id] = review.Rejected
		if i == 0 {
			c.verdict[id] = review.Approved
		}
	}
	c.press("g B")
	c.rest()
	c.did = append(c.did, done(review.ActJudge, want, c.verdictText), "undo", "redo", "undo")
	c.press("u U u")
	c.rest()
	c.verdict = before
	c.press("0 g")
	c.rest()
}

// manyAtOnce marks what has a tag and tags it, rejects it, takes that back, and
// marks two of them unsure.
func (c *curator) manyAtOnce() {
	rows := c.narrows("tag:golden")
	c.press(":")
	c.driven.write("clusters") // each is a row of its own
	c.press("enter")
	c.rest()
	var all, others []string
	for _, row := range rows {
		all = append(all, row.ID)
		c.tags[row.ID] = review.TagText(append(row.Tags, "seen"))
		if c.verdict[row.ID] != review.Rejected {
			others = append(others, row.ID)
		}
	}
	c.press("g v G v")
	c.wants(fmt.Sprintf("%d marked", len(all)))
	c.press("t")
	c.driven.write("seen")
	c.press("enter")
	c.rest()
	c.did = append(c.did, done(review.ActTag, all, c.tagText))

	before := maps.Clone(c.verdict)
	c.press("R")
	c.wants(fmt.Sprintf("Reject the %d marked segments?", len(others)))
	c.press("y")
	c.rest()
	for _, id := range others {
		c.verdict[id] = review.Rejected
	}
	c.did = append(c.did, done(review.ActJudge, others, c.verdictText), "undo")
	c.press("u")
	c.rest()
	c.verdict = before

	var two []string
	c.press("g")
	for range 2 {
		two = append(two, c.selected())
		c.press("space")
	}
	c.press("F")
	c.rest()
	c.press("y")
	c.rest()
	var changed []string
	for _, id := range two {
		if c.verdict[id] != review.Unsure {
			c.verdict[id] = review.Unsure
			changed = append(changed, id)
		}
	}
	c.did = append(c.did, done(review.ActJudge, changed, c.verdictText))
	c.press("0")
	c.rest()
}

// alike returns the twins, the best first.
func (b *bench) alike() []string {
	b.t.Helper()
	var row similarRow
	if err := json.Unmarshal([]byte(b.ok("similar", "--json", "--filter", "topic:zebrafish")), &row); err != nil || len(row.Segments) != 3 {
		b.t.Fatal(err, row)
	}
	return row.Segments
}

// selected returns the segment that is selected, as y copies it.
func (c *curator) selected() string {
	c.press("y")
	return c.clipboard
}

// handles reads a segment in one of several ways and gives it a verdict; the
// list has the keys before and afterwards.
func (c *curator) handles(i int, id string) {
	if i%5 == 2 {
		c.tagsIt(id)
	}
	switch i % 9 {
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
	case 7: // looks at the record that it becomes, in two formats, and judges that
		c.press("p")
		c.wants("< hf >")
		c.press("right left pgdown y")
		c.record[id] = c.clipboard
		if !strings.HasPrefix(c.clipboard, "{") { // it would be left out: what was copied is older
			c.record[id] = ""
			c.wants("There is no record.")
		}
		c.gives(id, "a")
		c.press("esc")
	default:
		c.gives(id, "f")
	}
}

// narrows types a filter, keeps it and returns what passes.
func (c *curator) narrows(text string) []tell.Segment {
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
	twins := b.alike()
	all := b.listed("")
	most := min(reviewed, len(all)-4)
	target := filepath.Join(t.TempDir(), "screen.jsonl")
	c := &curator{b: b, verdict: map[string]review.Verdict{}, note: map[string]string{}, tags: map[string]string{}, record: map[string]string{}}
	split := tell.Segment{}
	b.drive(func(d *driven) {
		c.driven = d
		d.rest()
		c.bests(twins)
		c.narrows("topic:abacus")
		c.gives(c.selected(), "a")
		rows := c.narrows("status:pending toolcalls>0")
		for i := range min(len(rows)/2, most*2/3) {
			c.handles(i, c.selected())
		}
		c.press("0 g N")
		c.rest()
		for c.given < most {
			c.handles(c.given, c.selected())
		}
		c.manyAtOnce()
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
func (c *curator) whole(all []tell.Segment) tell.Segment {
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
	return tell.Segment{}
}

// splits cuts a segment after its second message, takes that back, and gives
// it again.
func (c *curator) splits(row tell.Segment) tell.Segment {
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
