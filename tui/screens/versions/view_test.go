package versions

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/textdiff"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// queue is a host that keeps what it is to run.
type queue struct {
	screen.Host
	cmds []tea.Cmd
}

func (q *queue) Run(cmd tea.Cmd) { q.cmds = append(q.cmds, cmd) }

// TestComparisonsAreLaidOutInCommands: the update loop asks once for each width, and lays
// out nothing itself.
func TestComparisonsAreLaidOutInCommands(t *testing.T) {
	q := &queue{}
	s := &Screen{Seat: screen.Seat{Ctx: context.Background(), Pen: &draw.Pen{G: new(draw.Glyphs)}, Host: q}, comparing: true, height: 24}
	lines, _ := textdiff.Compare("", "one\ntwo")
	s.compared.Came, s.compared.Got = true, Compared{Messages: []Message{{N: 3, Fields: []Field{{Name: "content", Lines: lines}}}}}
	for i, w := range []int{80, 80, 200} {
		s.layOut(screen.Frame{Width: w, Height: 24})
		if want := 1 + i/2; len(q.cmds) != want || len(s.view.rows) != 0 {
			t.Fatalf("width %d: %d commands, want %d, %d rows", w, len(q.cmds), want, len(s.view.rows))
		}
	}
}
