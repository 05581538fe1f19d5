package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSeenIsTheCurators: what one has read on the screen is theirs in each command,
// stays when the session is cut anew or grows, and nobody else's.
func TestSeenIsTheCurators(t *testing.T) {
	b := newBench(t)
	at := time.Now()
	b.env.now = func() time.Time { // nothing is written within two seconds of another
		at = at.Add(time.Second)
		return at
	}
	path := b.file("long.jsonl", conversation(30))
	b.ok("import", path)
	seen := func(who string) string {
		t.Helper()
		return b.ok("list", "--json", "--reviewer", who)
	}
	b.drive(func(d *driven) {
		d.press("tab")
		d.rest()
		if screen := d.screen(); !strings.Contains(screen, " of 30") || strings.Contains(screen, "seen 0 of") {
			t.Errorf("nothing was seen:\n%s", screen)
		}
		d.press("G")
		d.rest()
		d.rest()
	}, "review", "--reviewer", "ann")
	if got := seen("ann"); strings.Contains(got, `"seen":0}`) || strings.Contains(got, `"seen":30}`) {
		t.Error(got)
	}
	if got := seen("bob"); !strings.Contains(got, `"seen":0}`) {
		t.Error(got)
	}
	if got := b.ok("list", "--filter", "seen>0%", "--reviewer", "ann", "--json"); strings.Count(got, `"id"`) != 1 {
		t.Error(got)
	}
	if got := b.ok("list", "--filter", "seen=0", "--reviewer", "bob", "--json"); strings.Count(got, `"id"`) != 1 {
		t.Error(got)
	}
	_, count, _ := strings.Cut(seen("ann"), `"seen":`)
	count, _, _ = strings.Cut(count, "}")
	all, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	stays := func(what string, segments, messages int) {
		t.Helper()
		n := 0
		got := seen("ann")
		for _, m := range regexp.MustCompile(`"seen":(\d+)}`).FindAllStringSubmatch(got, -1) {
			one, _ := strconv.Atoi(m[1])
			n += one
		}
		if n != all || strings.Count(got, `"id"`) != segments || !strings.Contains(got, fmt.Sprintf(`"end_line":%d,`, messages)) {
			t.Errorf("%s: %d became %s", what, all, got)
		}
	}
	b.file("long.jsonl", conversation(40))
	b.ok("import", path)
	stays("grown", 2, 40)
	b.ok("segment", "--again")
	stays("cut again", 1, 40)
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(b.ok("list", "--json"))[1]
	b.ok("split", id, "15")
	stays("split", 2, 40)
	b.ok("undo")
	stays("undone", 1, 40)
	if got := b.ok("doctor"); strings.Contains(got, "seen") {
		t.Error(got)
	}
}

// conversation is a recorded session of n messages, in the form of Pi: a line each.
func conversation(n int) string {
	var lines strings.Builder
	lines.WriteString(`{"type":"session","version":3,"id":"5e1","timestamp":"2026-05-03T10:00:00.000Z","cwd":"/w"}` + "\n")
	parent := "null"
	for i := range n {
		role, text := "user", fmt.Sprintf(`"Question %d, which needs an answer of its own."`, i)
		if i%2 == 1 {
			role, text = "assistant", fmt.Sprintf(`[{"type":"text","text":"Answer %d, which says it all."}]`, i)
		}
		fmt.Fprintf(&lines, `{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-05-03T10:%02d:00.000Z","message":{"role":%q,"content":%s}}`+"\n", i, parent, i, role, text)
		parent = fmt.Sprintf("%q", fmt.Sprint("m", i))
	}
	return lines.String()
}
