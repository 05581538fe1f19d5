package tell

import (
	"cmp"
	"fmt"

	"winnow/cmd/winnow/print"
	"winnow/store"
	"winnow/tui/draw"
)

// RescuedTableRow is what came out of one table.
type RescuedTableRow struct {
	Table string `json:"table"`
	Rows  int    `json:"rows"`
	Of    *int   `json:"of"` // null: not known
	Lost  int    `json:"lost"`
	Pages int    `json:"damaged_pages"`
}

// RescuedTableRows returns the rows of tables.
func RescuedTableRows(tables []store.RescuedTable) []RescuedTableRow {
	rows := make([]RescuedTableRow, len(tables))
	for i, t := range tables {
		rows[i] = RescuedTableRow{Table: cmp.Or(store.PlainNames[t.Table], t.Table), Rows: t.Rows, Lost: t.Lost, Pages: t.Pages}
		if t.Of >= 0 {
			rows[i].Of = &t.Of
		}
	}
	return rows
}

// Rescue is what "rescue --json" prints.
type Rescue struct {
	OK       bool                   `json:"ok"` // nothing is lost
	From     string                 `json:"from"`
	To       string                 `json:"to"`
	Damage   []string               `json:"damage"`
	Tables   []RescuedTableRow      `json:"tables"`
	Verdicts int                    `json:"verdicts"`
	Notes    int                    `json:"notes"`
	Tags     int                    `json:"tags"`
	Restored int                    `json:"restored"`
	Retired  int                    `json:"retired"`
	Reread   int                    `json:"sources_read_again"`
	Gone     int                    `json:"sources_gone"`
	Sessions []store.RescuedSession `json:"incomplete_sessions"`
	Repaired int                    `json:"repaired"`
	Problems []store.Problem        `json:"problems"`
	Kept     string                 `json:"kept"` // where what was at "to" is, "": nothing was
}

// RescueOf returns the row of a rescue; gone is how many sources are not there.
func RescueOf(from, to string, out *store.Rescued, gone int) *Rescue {
	return &Rescue{
		OK: out.Whole(), From: from, To: to, Damage: out.Damage, Tables: RescuedTableRows(out.Tables),
		Verdicts: out.Verdicts, Notes: out.Notes, Tags: out.Tags, Restored: out.Restored, Retired: out.Retired,
		Reread: len(out.Sources) - gone, Gone: gone, Repaired: out.Repaired,
		Sessions: out.Sessions, Problems: out.Left, Kept: out.Kept,
	}
}

// text is how much of a table could be read.
func (t *RescuedTableRow) text() string {
	text := fmt.Sprintf("%s: %d", t.Table, t.Rows)
	switch {
	case t.Of == nil:
		text += " of an unknown number"
	case *t.Of != t.Rows:
		text += fmt.Sprintf(" of %d", *t.Of)
	}
	if t.Lost > 0 {
		text += fmt.Sprintf(", %d lost", t.Lost)
	}
	if t.Pages > 0 {
		text += ", " + print.Plural(t.Pages, "page damaged", "pages damaged")
	}
	return text
}

// PrintTables prints how much of tables could be read, of those that hold anything.
func PrintTables(o *print.Output, tables []RescuedTableRow) {
	for i := range tables {
		if t := &tables[i]; t.Rows > 0 || t.Lost > 0 || t.Pages > 0 {
			o.Printf("  %s\n", t.text())
		}
	}
}

// PrintRescue prints what a rescue brought.
func PrintRescue(o *print.Output, row *Rescue) {
	for _, text := range row.Damage {
		o.Printf("%s: %s\n", row.From, text)
	}
	o.Printf("%s: %s, %s, %s with tags\n", row.To, draw.Plural(row.Verdicts, "verdict"),
		draw.Plural(row.Notes, "note"), draw.Plural(row.Tags, "segment"))
	PrintTables(o, row.Tables)
	if row.Restored > 0 {
		o.Printf("%s from indexes or the journal\n", print.Plural(row.Restored, "segment came", "segments came"))
	}
	if row.Reread > 0 {
		o.Printf("%s read again\n", print.Plural(row.Reread, "source was", "sources were"))
	}
	if row.Retired > 0 {
		o.Printf("%s in the journal only: winnow log shows them\n", print.Plural(row.Retired, "verdict is", "verdicts are"))
	}
	for _, s := range row.Sessions {
		text := print.Plural(s.Messages, "message is lost", "messages are lost")
		if s.Stale > 0 {
			text += ", " + print.Plural(s.Stale, "verdict is stale", "verdicts are stale")
		}
		o.Printf("%s: %s\n", s.File, text)
	}
	if row.Gone > 0 {
		o.Printf("%s not there: put them back and run rescue again to recover more\n", print.Plural(row.Gone, "source is", "sources are"))
	}
	if row.Kept != "" {
		o.Printf("what was at %s is kept as %s\n", row.To, row.Kept)
	}
	for _, r := range row.Problems {
		o.Printf("%s: %s: %s\n", r.Rule, r.Where, r.Text)
	}
	if row.OK {
		o.Printf("nothing is lost; use it with --db %s\n", print.Quoted(row.To))
	} else {
		o.Printf("everything else was copied; use it with --db %s\n", print.Quoted(row.To))
	}
}
