package tell

import (
	"time"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/inbox"
	"winnow/tui/draw"
)

// Upload is an upload in JSON: what its client was told, and what came.
type Upload struct {
	inbox.Receipt
	At     time.Time `json:"at"`
	Wire   int64     `json:"wire"`  // bytes that were sent
	Bytes  int64     `json:"bytes"` // after decompression
	Status int       `json:"status"`
	Millis int64     `json:"ms"` // until it was imported
}

// UploadColumns are those of PutUpload.
func UploadColumns() []print.Column {
	return []print.Column{
		print.Left("TIME (UTC)"), print.Left("ID"), print.Left("AGENT"), print.Left("SESSION"), print.Right("BYTES"), print.Left("OUTCOME"), print.Right("LINES"), print.Right("SKIPPED"), print.Right("BAD"),
		print.Right("MESSAGES"), print.Right("COPIES"), print.Left("NOTE"),
	}
}

// nameWidth is how wide the name of an agent or of a session may make its column.
const nameWidth = 24

// PutUpload adds an upload to a table.
func PutUpload(t *print.Table, a *inbox.Arrival) error {
	lines, skipped, bad, messages, copies := "–", "–", "–", "–", "–"
	if f := a.Figures; f != nil {
		lines, skipped, bad = draw.Grouped(int(f.Lines.Lines())), draw.Grouped(int(f.Lines.Skipped)), draw.Grouped(int(f.Lines.Bad))
		messages, copies = "+"+draw.Grouped(f.Messages.New), draw.Grouped(f.Sessions.Copies)
	}
	name := func(s string) string { return draw.Cut(clean.Line(s), nameWidth, "…") }
	return t.Put(Upload{a.Receipt, a.At, a.Wire, a.Bytes, a.Status, a.Took.Milliseconds()},
		TimeText(a.At), a.ID, name(a.Agent), name(a.Session), draw.Grouped(int(a.Bytes)), string(a.Outcome), lines, skipped, bad, messages, copies, a.Said())
}
