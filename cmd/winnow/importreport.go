package main

import (
	"fmt"
	"strings"
	"time"

	"winnow/core/hub"
	"winnow/core/session"
)

// reportRow is what "import --json" ends with. Messages and lines describe the
// sources named as they now stand, the other numbers what this import did.
type reportRow struct {
	Sources     int            `json:"sources"`
	Unchanged   int            `json:"unchanged"` // sources
	SessionsNew int            `json:"sessions_new"`
	SessionsUpd int            `json:"sessions_updated"`
	Messages    int            `json:"messages"`
	MessagesNew int            `json:"messages_new"`
	Lines       session.Counts `json:"lines"`
	Bytes       int64          `json:"bytes"` // read
	Seconds     float64        `json:"seconds"`
	NothingFrom []hub.Unusable `json:"nothing_from"`
	Failed      []hub.Unusable `json:"failed"` // could not be opened or read
}

func reportRowOf(r *hub.Report) reportRow {
	row := reportRow{
		Sources: r.Sources, Unchanged: r.Unchanged, SessionsNew: r.New, SessionsUpd: r.Updated,
		Messages: r.Messages, MessagesNew: r.NewMessages, Lines: r.Lines, Bytes: r.Bytes,
		Seconds: r.Seconds, NothingFrom: r.Nothing,
	}
	for _, f := range r.Refused {
		row.Failed = append(row.Failed, hub.Unusable{Path: f.Path, Reason: f.Err.Error()})
	}
	return row
}

func (p *cli) printReport(r *hub.Report) {
	p.out.printf("%s new, %d updated, %s from %s (%d unchanged)\n",
		plural(r.New, "session", "sessions"), r.Updated, plural(r.Messages, "message", "messages"),
		plural(r.Sources, "file", "files"), r.Unchanged)
	p.out.printf("%s\n", linesText(r.Lines))
	if r.Bytes > 0 {
		p.out.printf("%s in %.1f s%s\n", bytesText(r.Bytes), r.Seconds, speedText(r.Bytes, r.Seconds))
	}
}

// linesText says what became of the lines: the parts add up to the whole.
func linesText(c session.Counts) string {
	parts := []string{count(c.Read) + " read", count(c.Skipped) + " skipped", count(c.Bad) + " bad"}
	if c.Pending > 0 {
		parts = append(parts, count(c.Pending)+" unfinished")
	}
	return plural(c.Lines(), "line", "lines") + ": " + strings.Join(parts, ", ")
}

// steadyAfter is how long work must take until a speed says anything.
const steadyAfter = 0.2 // seconds

func speedText(bytes int64, seconds float64) string {
	if seconds < steadyAfter {
		return ""
	}
	return ", " + bytesText(int64(float64(bytes)/seconds)) + "/s"
}

// explained is how many files without a session are named at the end of an
// import: a screenful. The ledger and the JSON form have all.
const explained = 20

// explain says on stderr what was not loaded and why.
func (p *cli) explain(r *hub.Report) {
	for i, n := range r.Nothing {
		if i == explained {
			p.warn("%s more gave no session: winnow ledger lists them", plural(len(r.Nothing)-i, "file", "files"))
			break
		}
		p.warn("%s: no session: %s", n.Path, n.Reason)
	}
	for _, f := range r.Refused {
		p.warn("%s: not read: %s", f.Path, f.Err)
	}
	if r.Lines.Bad > 0 {
		p.warn("%s: winnow ledger --lines shows them", plural(r.Lines.Bad, "bad line", "bad lines"))
	}
}

func progressText(pr hub.Progress, elapsed time.Duration) string {
	s := fmt.Sprintf("%s of %s, %s, %s of %s", count(pr.Done), plural(pr.Files, "file", "files"),
		plural(pr.Messages, "message", "messages"), bytesText(pr.Bytes), bytesText(pr.Total))
	return s + speedText(pr.Bytes, elapsed.Seconds())
}
