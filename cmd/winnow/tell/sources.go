package tell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/hub"
	"winnow/core/origin"
	"winnow/core/session"
	"winnow/store"
	"winnow/tui/draw"
)

// PrintImport says what an import did and what the sources hold now. Where
// they hold nothing, explain says all there is to say.
func PrintImport(o *print.Output, r *hub.Report) {
	if r.Given == 0 && r.Lines.Lines() == 0 {
		return
	}
	o.Printf("%s\n", newsText(r))
	o.Printf("%s in %s\n", draw.Plural(r.Messages, "message"), LinesText(r.Lines))
	if r.Bytes > 0 {
		o.Printf("%s read%s\n", draw.Bytes(r.Bytes), TimeTaken(r.Bytes, r.Seconds))
	}
}

// Imported is the outcome of an import in JSON.
type Imported struct {
	hub.Report
	Waiting int `json:"edits_waiting,omitzero"` // that were in force before
}

// newsText says in one line what an import changed.
func newsText(r *hub.Report) string {
	files := draw.Plural(r.Sources, "file")
	switch {
	case r.New+r.Updated+r.Copies+r.Joined > 0:
		s := fmt.Sprintf("%s new, %s updated", draw.Plural(r.New, "session"), draw.Grouped(r.Updated))
		if r.Joined > 0 {
			s += fmt.Sprintf(", %s joined with others", draw.Grouped(r.Joined))
		}
		if r.Copies > 0 {
			s += ", " + print.Plural(r.Copies, "copy", "copies")
		}
		s += " from " + files
		if r.Unchanged > 0 {
			s += fmt.Sprintf(" (%s unchanged)", draw.Grouped(r.Unchanged))
		}
		return s
	case r.Given == 0:
		return "no session in " + files
	case r.Unchanged < r.Sources:
		return fmt.Sprintf("nothing new; %s of %s unchanged", draw.Grouped(r.Unchanged), files)
	}
	return "nothing new; " + files + " unchanged"
}

// LinesText says what became of the lines: the parts add up to the whole.
func LinesText(c session.Counts) string {
	parts := []string{draw.Grouped(int(c.Read)) + " read", draw.Grouped(int(c.Skipped)) + " skipped", draw.Grouped(int(c.Bad)) + " bad"}
	if c.Pending > 0 {
		parts = append(parts, draw.Grouped(int(c.Pending))+" unfinished")
	}
	return draw.Plural(int(c.Lines()), "line") + ": " + strings.Join(parts, ", ")
}

// Shorter times say nothing to people, and speeds even less.
const (
	tellingAfter = 0.1 // seconds
	steadyAfter  = 0.2 // seconds
)

// TimeTaken says how long reading took, and how fast it was, if that tells
// anything.
func TimeTaken(bytes int64, seconds float64) string {
	if seconds < tellingAfter {
		return ""
	}
	return fmt.Sprintf(" in %.1f s", seconds) + speedText(bytes, seconds)
}

func speedText(bytes int64, seconds float64) string {
	if seconds < steadyAfter {
		return ""
	}
	return ", " + draw.Bytes(int64(float64(bytes)/seconds)) + "/s"
}

// Missing returns the files that gave no session and might have.
func Missing(r *hub.Report) []hub.Unusable {
	return slices.DeleteFunc(slices.Clone(r.Nothing), func(u hub.Unusable) bool { return u.Companion() })
}

// ProgressText says how far an import is.
func ProgressText(pr hub.Progress, elapsed time.Duration) string {
	s := fmt.Sprintf("%s of %s, %s, %s of %s", draw.Grouped(pr.Done), draw.Plural(pr.Files, "file"),
		draw.Plural(pr.Messages, "message"), draw.Bytes(pr.Bytes), draw.Bytes(pr.Total))
	return s + speedText(pr.Bytes, elapsed.Seconds())
}

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

// Issue is a line that was not read, in JSON.
type Issue struct {
	Path string `json:"path"`
	session.Issue
	Excerpt string `json:"excerpt,omitzero"` // "" if the source is not there as it was
}

// IssueOf returns the row of a line of the source at path, whose lines are read again.
func IssueOf(path string, is *session.Issue, lines *origin.Beginnings) Issue {
	return Issue{path, *is, excerpt(lines.At(is, excerptBytes))}
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
