package store

import (
	"fmt"
	"testing"

	"winnow/core/session"
)

// TestTheReportCountsWhatIsStored, however it came to be there.
func TestTheReportCountsWhatIsStored(t *testing.T) {
	b := &brood{folder: newFolder(t)}
	step := func(what string, isNew, updated, copies, messages, came int) {
		t.Helper()
		r := b.importAs("default")
		if r.New != isNew || r.Updated != updated || r.Copies != copies || r.Messages != messages || r.NewMessages != came {
			t.Errorf("%s: %d new, %d updated, %d copies, %d messages, %d new", what, r.New, r.Updated, r.Copies, r.Messages, r.NewMessages)
		}
		clean(t, b.s)
	}
	b.save("short.jsonl", timed(3)...)
	b.save("long.jsonl", timed(5)...)
	b.save("many.jsonl", conversation("a"), conversation("b"), conversation("a"))
	step("copies among new files", 3, 0, 2, 9, 9)
	step("nothing new", 0, 0, 0, 9, 0)

	b.save("short.jsonl", timed(7)...)
	step("a copy that grows beyond the longest", 0, 1, 1, 11, 2)
	b.save("longest.jsonl", timed(8)...)
	step("a longer one", 0, 1, 1, 12, 1)

	b.save("many.jsonl", conversation("new"), conversation("a"), conversation("b"), conversation("a"))
	step("a line in front of others", 1, 2, 1, 14, 2)
	b.save("many.jsonl", conversation("new"), conversation("a"), conversation("b"), conversation("a"), "")
	step("a blank line", 0, 0, 0, 14, 0)
	b.save("many.jsonl", conversation("new"), conversation("other"))
	step("lines less", 1, 0, 0, 12, 2)

	entry := func(id, parent, text string) string {
		return `{"type":"user","uuid":"` + id + `","parentUuid":"` + parent + `","sessionId":"tree","message":{"role":"user","content":"` + text + `"}}`
	}
	tree := []string{entry("1", "", "one"), entry("2", "1", "two"), entry("3", "2", "three"), entry("4", "3", "four")}
	b.save("tree.jsonl", tree...)
	step("a session", 1, 0, 0, 16, 4)
	tree = append(tree, entry("5", "2", "five"))
	b.save("tree.jsonl", tree...)
	step("a branch", 1, 1, 0, 17, 1)
	b.save("tree.jsonl", append([]string{entry("0", "", "zero")}, tree...)...)
	step("rewritten", 0, 1, 0, 18, 1)
}

// TestFamiliesThatGrowAreCounted, and their sessions stay what they are: those
// that lie in no file alone, too, which make room while a file is read.
func TestFamiliesThatGrowAreCounted(t *testing.T) {
	b := &brood{folder: newFolder(t)}
	entries := func(ids string) (lines []string) {
		for i, id := range ids {
			lines = append(lines, fmt.Sprintf(`{"type":"user","uuid":"%c","parentUuid":"%s","sessionId":"one","message":{"role":"user","content":"message %c"}}`,
				id, ids[max(0, i-1):i], id))
		}
		return lines
	}
	step := func(isNew, updated, came int, files ...string) {
		t.Helper()
		before := b.stored("default")
		for i, ids := range files {
			b.save(fmt.Sprint(i, ".jsonl"), entries(ids)...)
		}
		r := b.importAs("default")
		if r.New != isNew || r.Updated != updated || r.NewMessages != came {
			t.Errorf("%q: %d new, %d updated, %d messages new", files, r.New, r.Updated, r.NewMessages)
		}
		for id, was := range b.stored("default") {
			if _, there := before[id]; !there && isNew == 0 {
				t.Errorf("%q: %s has another id", files, was.file)
			}
		}
		clean(t, b.s)
	}
	step(3, 0, 7, "1234", "15367")
	step(0, 1, 1, "1234", "153678")
	step(0, 1, 1, "12349", "153678")
	step(0, 2, 2, "12349a", "153678b")
	step(1, 1, 2, "12349a", "153678b", "12cd")
	step(0, 1, 1, "12349a", "153678b", "12cde")
	step(0, 0, 0, "12349a", "153678b", "12cde")
	step(0, 1, 0, "12349a", "153678b", "12cd")
}

// TestBlanksAtTheEndAreALine: they count once, however the file goes on, and
// the ledger has them as long as nothing else stands on their line.
func TestBlanksAtTheEndAreALine(t *testing.T) {
	b := &brood{folder: newFolder(t)}
	message := timed(1)[0]
	for i, c := range []struct {
		src    string
		counts session.Counts
	}{
		{"", session.Counts{}},
		{"  ", session.Counts{Skipped: 1}},
		{" \t", session.Counts{Skipped: 1}},
		{" \t" + message, session.Counts{Read: 1}},
		{" \t" + message + "  ", session.Counts{Read: 1}},
		{" \t" + message + "\n  ", session.Counts{Read: 1, Skipped: 1}},
		{" \t" + message + "\n  \n", session.Counts{Read: 1, Skipped: 1}},
		{" \t" + message + "\n  \n \t", session.Counts{Read: 1, Skipped: 2}},
		{" \t" + message + "\n  \n", session.Counts{Read: 1, Skipped: 1}},
		{" \t" + message + "\n  \n  {", session.Counts{Read: 1, Skipped: 1, Pending: 1}},
		{" \t" + message + "\n  \n  ", session.Counts{Read: 1, Skipped: 2}},
		{" \t" + message + "\n  \n\x00\x00", session.Counts{Read: 1, Skipped: 1}},
	} {
		m := &mutant{name: "a.jsonl", src: []byte(c.src), want: readPlain(t, []byte(c.src))}
		if m.want.counts() != c.counts {
			t.Errorf("%q: %+v, want %+v", c.src, m.want.counts(), c.counts)
		}
		b.put(m, len(m.src))
		r := b.importAs("default")
		if wrong := b.compare("default", []*mutant{m}); wrong != "" || r.Lines != c.counts {
			t.Errorf("%d, %q: %+v %s", i, c.src, r.Lines, wrong)
		}
		b.put(m, len(m.src))
		if r := b.importAs("default"); r.Lines != c.counts || r.New+r.Updated > 0 {
			t.Errorf("%q again: %+v", c.src, r)
		}
		clean(t, b.s)
	}
}
