package tell

import (
	"time"

	"winnow/cmd/winnow/print"
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
		print.Left("TIME (UTC)"), print.Left("AGENT"), print.Left("SESSION"), print.Right("BYTES"), print.Left("OUTCOME"), print.Right("LINES"), print.Right("BAD"), print.Right("MESSAGES"), print.Left("NOTE"),
	}
}

// PutUpload adds an upload to a table.
func PutUpload(t *print.Table, a *inbox.Arrival) error {
	lines, bad, messages := "–", "–", "–"
	if f := a.Figures; f != nil {
		lines, bad, messages = draw.Grouped(int(f.Lines.Lines())), draw.Grouped(int(f.Lines.Bad)), "+"+draw.Grouped(f.Messages.New)
	}
	return t.Put(Upload{a.Receipt, a.At, a.Wire, a.Bytes, a.Status, a.Took.Milliseconds()},
		TimeText(a.At), a.Agent, a.Session, draw.Grouped(int(a.Bytes)), string(a.Outcome), lines, bad, messages, a.Said())
}
