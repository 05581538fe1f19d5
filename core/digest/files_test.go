package digest

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
)

// TestChangedFiles: what was changed and given away is told before what was looked
// at and before what failed and was mended, and files that find no room are counted.
func TestChangedFiles(t *testing.T) {
	for _, c := range []struct{ files, width, hidden int }{{5, 110, 0}, {40, 110, 0}, {40, 80, 0}, {2000, 110, 1}} {
		var messages []chat.Message
		for i := range 30 {
			messages = append(messages, user(fmt.Sprintf("p%d: please", i)))
			for j := range 20 {
				args := fmt.Sprintf(`{"command":"cat %d-%d"}`, i, j)
				messages = append(messages, calls("", "bash", args, "Exit code 1\nfailed", true)...)
				messages = append(messages, calls("", "bash", args, "fine", false)...)
				messages = append(messages, calls("", "read", fmt.Sprintf(`{"path":"/p/%d.go"}`, j), "x\ny", false)...)
			}
			for j := i * c.files / 30; j < (i+1)*c.files/30; j++ {
				messages = append(messages, calls("", "edit", fmt.Sprintf(`{"path":"/p/d/file%d.go","oldText":"a","newText":"b"}`, j), "ok", false)...)
			}
		}
		messages = append(messages, calls("", "bash", `{"command":"git push origin v1.2.0"}`, "ok", false)...)
		messages = append(messages, says("Done."))
		d := talk(messages...)
		got := drawn(t, d, c.width, Rows)
		if !strings.Contains(got, "bash git") {
			t.Errorf("%+v: no push in\n%s", c, got)
		}
		missing := unnamed(d, got)
		if said := strings.Contains(got, "changed files not shown"); len(missing) > 0 != said || said != (c.hidden > 0) {
			t.Errorf("%+v: %d files are missing in\n%s", c, len(missing), got)
		}
	}
}

// TestFilesOfOneRow: they share the name of the tool.
func TestFilesOfOneRow(t *testing.T) {
	l := &layout{signs: signs{"×", "−", "…", " · ", "✗", " → ", "–"}, text: 100}
	e := &entry{}
	for _, f := range []change{{1, "p/alphabet.go", 3, 1}, {2, "p/b.go", 2, 0}, {1, "p/alphabet.go", 1, 0}, {3, "q/b.go", 0, 4}} {
		e.calls = append(e.calls, &call{tool: "edit", kind: changes, files: []change{f}})
	}
	l.best = map[uint64]*call{3: e.calls[3]}
	for _, c := range []struct {
		most, room int
		want       string
	}{
		{80, 0, "edit p/alphabet.go +4 −1, p/b.go +2, q/b.go −4"},
		{16, 0, "edit alphabet.go +4 −1, p/b.go +2, q/b.go −4"},
		{5, 32, "edit alphabet.go, p/b.go, q/b.go"},
		{5, 31, "edit q/b.go, 2 more files"},
		{5, 10, "edit 3 files"},
	} {
		if row, _, _ := l.files(e, c.most, c.room); row.String() != c.want {
			t.Errorf("%d, %d: %q", c.most, c.room, row)
		}
	}
}
