package serve

import (
	"fmt"
	"strconv"
	"strings"

	"winnow/core/inbox"
	"winnow/tui/draw"
)

// told says what came of an upload.
func (c *command) told(r inbox.Receipt) {
	if *c.JSON {
		_ = c.Out.JSON(r) // a failed write shows when the output is flushed
	} else if line := toldLine(&r); line != "" {
		c.Out.Printf("%s\n", line)
	}
	_ = c.Out.Flush()
}

// toldLine is an upload as people read it, "" if it brought nothing.
func toldLine(r *inbox.Receipt) string {
	name := plainName(r.Agent) + "/" + plainName(r.Session) + ": "
	switch {
	case !r.Success:
		return name + r.Error
	case r.Outcome == inbox.Unchanged || r.Figures == nil:
		return ""
	}
	if r.Messages.Total == 0 {
		return name + string(r.Outcome) + ", " + r.Note
	}
	line := fmt.Sprintf("%s%s, +%s, %s in all", name, r.Outcome, draw.Plural(r.Messages.New, "message"), draw.Grouped(r.Messages.Total))
	if r.Note != "" {
		line += ", " + r.Note
	}
	if r.Lines.Bad > 0 {
		line += ", " + draw.Plural(int(r.Lines.Bad), "bad line")
	}
	return line
}

// plainName is the name of an agent or of a session, quoted if it could be taken for
// something else: for more than one name, or for a folder.
func plainName(name string) string {
	if name == "." || name == ".." || strings.ContainsAny(name, `/\":,`) || strings.TrimSpace(name) != name {
		return strconv.Quote(name)
	}
	return name
}
