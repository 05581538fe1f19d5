package tell

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/hub"
	"winnow/core/origin"
	"winnow/core/session"
	"winnow/store"
	"winnow/tui/draw"
)

// Source is a source in JSON.
type Source struct {
	Path     string             `json:"path"`
	AgentID  string             `json:"agent_id"`
	Format   string             `json:"format"` // "" if nothing was recognized
	Size     int64              `json:"size"`
	Lines    session.Counts     `json:"lines"`
	Sessions int                `json:"sessions"`
	Copies   int                `json:"copies,omitzero"` // sessions in it that others hold all of
	Joined   int                `json:"joined,omitzero"` // sessions in it that are parts of others
	Reason   string             `json:"reason,omitzero"` // why it gave no session
	Reasons  []store.IssueCount `json:"reasons"`
}

// Issue is one such line.
type Issue struct {
	Path     string           `json:"path"`
	Line     int64            `json:"line"`
	Offset   int64            `json:"offset"`
	Length   int64            `json:"length"`
	Severity session.Severity `json:"severity"`
	Reason   string           `json:"reason"`
	Excerpt  string           `json:"excerpt,omitzero"` // "" if the source is not there as it was
}

// IssueOf returns the row of a line of the source at path, whose lines are read again.
func IssueOf(path string, is *session.Issue, lines *origin.Beginnings) Issue {
	return Issue{path, is.Line, is.Offset, is.Length, is.Severity, is.Reason, excerpt(lines.At(is, excerptBytes))}
}

// RestText says of reasons how many there are.
func RestText(reasons []store.IssueCount) string {
	lines := 0
	for _, r := range reasons {
		lines += r.Count
	}
	return fmt.Sprintf("%s for %s: see --json", draw.Plural(len(reasons), "more reason"), draw.Plural(lines, "line"))
}

// SeverityText names what became of a line for people.
func SeverityText(s session.Severity) string {
	if s == session.Pending {
		return "unfinished"
	}
	return string(s)
}

// LedgerSum adds up sources.
type LedgerSum struct {
	Sources, empty, sessions int // empty ones gave no session
	lines                    session.Counts
}

// Add adds a source.
func (l *LedgerSum) Add(src *hub.Source) {
	l.Sources++
	l.sessions += src.Sessions
	l.lines = l.lines.Plus(src.Counts())
	if src.Sessions+src.Copies == 0 {
		l.empty++
	}
}

// Text says in one line what there is: the parts add up.
func (l *LedgerSum) Text() string {
	text := draw.Plural(l.Sources, "file")
	if l.empty > 0 {
		text += fmt.Sprintf(" (%s without a session)", draw.Grouped(l.empty))
	}
	return text + ", " + draw.Plural(l.sessions, "session") + "; " + LinesText(l.lines)
}

// excerptWidth is how many cells of a line are shown.
const excerptWidth = 80

// excerptBytes is how much of a line is looked at: four bytes per cell are the
// most that UTF-8 takes.
const excerptBytes = 4 * excerptWidth

// excerpt shows the beginning of a line, cleaned.
func excerpt(line []byte) string {
	return ansi.Truncate(clean.Line(strings.ToValidUTF8(string(line), "\uFFFD")), excerptWidth, "…")
}
