// Package tui is the program on the terminal: the one tea.Model. It dispatches keys
// and answers, keeps the stack of open screens, and draws the frame: header, footer,
// what is asked, the line that is typed. Screens are rooms of their own (rooms.go has
// a row for each); list and reader are the room tui/review.
//
// It imports tui's packages, core and themes, and knows no store. Its tests drive the
// whole screen by keys.
package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	room "winnow/tui/review"
	"winnow/tui/screen"
	"winnow/tui/screens/reasons"
	"winnow/tui/screens/recheck"
	"winnow/tui/screens/record"
	"winnow/tui/work"
)

// App is the program: the one tea.Model. Its parts are plain structs; their
// work on the database is done by commands that close over values and bring
// their request back with the answer.
type App struct {
	opt Options // as they came, with what is the default

	*draw.Pen
	*screen.Notice
	*room.Room
	dress
	hand   hand
	keys   *keys.Table
	rooms  []entry   // all there are
	seated []*seated // what is open, the topmost last; see rooms
	also   []tea.Cmd // what layers had the program do, next to what they return

	field    *line.Line // that is typed, nil for none
	commands line.Memory
	lastFind string         // what was looked for in a text
	reasons  reasons.Cursor // what is chosen in their box, or was

	// What stands in place of list and reader while it is open.
	exports exports
	ranged  rangeEnd
	format  record.Format // of training records
	samples bool          // the program is left for the sample sessions
	quoted  quoted        // the way back to the memories
	piped   piped         // the way back to the pipeline

	writes  *work.Queue
	leaving bool // quit when the writes are done

	keeping stateKeeping
	glance  glance
	blind   *recheck.Blind // nil: verdicts are shown
	version int64          // of the database, when it was read last
	polling bool           // the next poll is on its way
	came    arrivals
	work    *work.Planner
}
