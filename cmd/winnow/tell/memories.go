package tell

import "winnow/core/memory"

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
