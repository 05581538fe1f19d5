package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

// checkSegments compares the segments with what the script did to them.
func (c *curator) checkSegments(before []tell.Segment, split tell.Segment, most int) {
	c.t.Helper()
	was := map[string]tell.Segment{}
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
		if string(row.Verdict) != string(want) || row.Note != c.note[row.ID] || review.TagText(row.Tags) != c.tags[row.ID] || row.Stale {
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
		var e tell.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			c.t.Fatal(err)
		}
		if e.Curator != "ann" {
			continue // what the program did by itself
		}
		var ids []string
		after := map[string]string{}
		for _, ch := range e.Changes {
			ids = append(ids, ch.Segment)
			after[ch.Segment] = map[review.Action]string{review.ActJudge: string(ch.After.Verdict), review.ActNote: ch.After.Note, review.ActTag: ch.After.Tags}[e.Action]
		}
		text := string(e.Action)
		if slices.Contains([]review.Action{review.ActJudge, review.ActNote, review.ActTag}, e.Action) {
			text = done(e.Action, ids, func(id string) string { return after[id] })
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
	got, want := c.exported(target), c.exported(byCommand)
	if got != want {
		c.t.Errorf("the screen exported %d bytes, the command %d", len(got), len(want))
	}
	for id, record := range c.record {
		record, _, _ = strings.Cut(record, `,"provenance":`) // tells the verdict, which came later
		if there := strings.Contains(got, record); record != "" && there != (c.verdict[id] == review.Approved) {
			c.t.Errorf("%s is %s, its record is in the file: %v\n%s", review.Short(id), c.verdict[id], there, record)
		}
	}
	approved := 0
	for v := range maps.Values(c.verdict) {
		if v == review.Approved {
			approved++
		}
	}
	if n := strings.Count(got, "\n"); n == 0 || n > approved {
		c.t.Errorf("%d rows of %d approved segments", n, approved)
	}
}

// exported returns the rows of an export, which is several files, such as
// screen.jsonl and screen.notools.jsonl, if its rows differ in their keys.
func (c *curator) exported(target string) string {
	c.t.Helper()
	files, err := filepath.Glob(strings.TrimSuffix(target, ".jsonl") + "*.jsonl")
	if err != nil || len(files) == 0 {
		c.t.Fatal(target, files, err)
	}
	var rows strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			c.t.Fatal(err)
		}
		rows.Write(text)
	}
	return rows.String()
}
