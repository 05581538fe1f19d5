package main

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/session"
)

// TestFilterNames: the language knows the names that other packages give to
// flags, metrics, types of tasks, formats, verdicts and cutters.
func TestFilterNames(t *testing.T) {
	var flags, types, formats, verdicts []string
	for _, f := range metric.Flags() {
		flags = append(flags, string(f.Flag))
	}
	for _, f := range session.Formats() {
		formats = append(formats, f.Name)
	}
	for _, v := range review.Verdicts {
		verdicts = append(verdicts, string(v))
	}
	types = metric.TaskTypeNames()
	cuts := []string{string(review.CutModel), string(review.CutOffline), string(review.CutCurator), string(review.CutSingle), string(review.CutProvisional)}
	for field, names := range map[filter.Field][]string{
		filter.Flag: flags, filter.Metric: metric.Names(), filter.Type: types, filter.Format: formats, filter.Status: verdicts, filter.Cut: cuts,
	} {
		info, _ := filter.Lookup(string(field))
		got := slices.Sorted(slices.Values(info.Values))
		if want := slices.Sorted(slices.Values(names)); !slices.Equal(got, want) {
			t.Errorf("%s: the language knows %q, there are %q", field, got, want)
		}
	}
}

// TestFilterErrorOnATerminal: below an error a mark stands under the place that
// it is about, however wide the characters before it are.
func TestFilterErrorOnATerminal(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, c := range []struct {
		width       int
		text        string
		below, mark string
	}{
		{80, "type:code scroe>=0.8", "    type:code scroe>=0.8", "              ^"},
		{80, "你好 scroe>=0.8", "    你好 scroe>=0.8", "         ^"},
		{80, "a\tscroe>=0.8", "    a scroe>=0.8", "      ^"},
		{80, "\x1b[31m scroe>=0.8", "    ␛[31m scroe>=0.8", "          ^"},
		{0, "type:", "    type:", "    ^"},
		{40, long + "scroe:x " + long, "    …rd word scroe:x …", "             ^"},
	} {
		b := newBench(t)
		b.env.stderrTTY, b.env.width = true, c.width
		if code := b.run("list", "--filter", c.text); code != exitUsage {
			t.Errorf("%q: exit status %d", c.text, code)
		}
		lines := strings.Split(b.stderr.String(), "\n")
		if len(lines) != 4 || lines[1] != c.below || lines[2] != c.mark || strings.Contains(b.stderr.String(), "\x1b") {
			t.Errorf("%q:\n%s", c.text, b.stderr.String())
		}
	}
}

// TestVerdictAsks: what a filter lets through is judged when the answer is yes.
func TestVerdictAsks(t *testing.T) {
	for answer, done := range map[string]bool{"y\n": true, "Yes \n": true, "n\n": false, "\n": false, "": false, "yep\n": false} {
		b := newBench(t)
		b.ok("import", b.file("a.jsonl", twoLines), b.file("b.jsonl", strings.ReplaceAll(twoLines, "done", "well done")))
		b.env.stdinTTY, b.env.stderrTTY, b.env.stdin = true, true, strings.NewReader(answer)
		code := b.run("approve", "--filter", "messages>0")
		asked := strings.Contains(b.stderr.String(), "2 segments: approve them? [y/N] ")
		if !asked || (code == exitDone) != done {
			t.Errorf("%q: exit status %d: %s", answer, code, b.stderr.String())
		}
		if n := strings.Count(b.ok("list", "--filter", "status:approved", "--json"), "\n"); n != map[bool]int{true: 2}[done] {
			t.Errorf("%q: %d are approved", answer, n)
		}
	}
}
