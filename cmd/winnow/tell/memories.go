package tell

import (
	"fmt"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/memory"
	"winnow/tui/draw"
)

// memoryJSON is what an entry did to a memory, in JSON: "" where it was not there.
type memoryJSON struct {
	ID     string        `json:"id"`
	Title  string        `json:"title"`
	Before memory.Status `json:"before"`
	After  memory.Status `json:"after"`
	Edited bool          `json:"edited,omitzero"` // it says something else
}

func memoryRows(list []memory.Change) []memoryJSON {
	rows := make([]memoryJSON, len(list))
	for i := range list {
		c := &list[i]
		rows[i] = memoryJSON{ID: c.ID, Title: c.Any().Title, Edited: c.Before != nil && c.After != nil && !c.After.Says(c.Before)}
		if c.Before != nil {
			rows[i].Before = c.Before.Status
		}
		if c.After != nil {
			rows[i].After = c.After.Status
		}
	}
	return rows
}

// printMemories prints how many memories there are by status, and of which kinds.
func printMemories(o *print.Output, list []memory.Count) {
	if len(list) == 0 {
		return
	}
	o.Printf("\n")
	t := o.Table(print.Left("MEMORIES"), print.Right(""), print.Left("KINDS"))
	for i := 0; i < len(list); {
		n, kinds, first := 0, "", list[i]
		for ; i < len(list) && list[i].Status == first.Status && list[i].Stale == first.Stale; i++ {
			n += list[i].N
			kinds += fmt.Sprintf(" %s %d", list[i].Kind, list[i].N)
		}
		word := string(first.Status)
		if first.Stale {
			word = memory.StaleStatus
		}
		t.Row(word, draw.Grouped(n), strings.TrimSpace(kinds))
	}
	t.Flush()
}
