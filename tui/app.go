package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/metric"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/screen"
	"winnow/tui/screens/ledger"
	"winnow/tui/screens/reasons"
	"winnow/tui/screens/recheck"
	"winnow/tui/work"
)

// App is the program: the one tea.Model. Its parts are plain structs; their
// work on the database is done by commands that close over values and bring
// their request back with the answer.
type App struct {
	ctx   context.Context // of all commands
	lib   Library
	place string
	now   func() time.Time
	after func(time.Duration, tea.Msg) tea.Cmd
	zone  *time.Location

	*draw.Pen
	*screen.Notice
	*Room
	dress
	hand   hand
	keys   *keys.Table
	seated []*seated // what is open, the topmost last; see rooms
	also   []tea.Cmd // what layers had the program do, next to what they return

	w, h     int
	field    *line.Line // that is typed, nil for none
	commands line.Memory
	reasons  reasons.Cursor // what is chosen in their box, or was

	// What stands in place of list and reader while it is open.
	ledgerLib     ledger.Library
	shortPath     func(string) string
	statisticsLib Statistics
	thresholds    metric.Thresholds // of Options
	exports       exports
	importing     importing

	records records

	writes  *work.Queue
	leaving bool // quit when the writes are done

	keeping stateKeeping
	blind   *recheck.Blind // nil: verdicts are shown
	version int64          // of the database, when it was read last
	polling bool           // the next poll is on its way
	work    *work.Planner
}
