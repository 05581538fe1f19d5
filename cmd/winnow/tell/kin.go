package tell

import (
	"fmt"
	"strings"

	"winnow/core/review"
	"winnow/core/session"
	"winnow/tui/draw"
)

// kindTexts are what sessions are called that come from another.
var kindTexts = map[session.Kind]string{
	session.Branch:       "branch",
	session.Subagent:     "sub-agent",
	session.Continuation: "continuation",
}

// KindText says how a session belongs to another.
func KindText(k session.Kind) string {
	if text := kindTexts[k]; text != "" {
		return text
	}
	return "child"
}

// MarkedTitle names a session in a list: with what sets it apart from others.
func MarkedTitle(s *review.Session) string {
	var marks []string
	if s.Origin.Kind != "" {
		marks = append(marks, KindText(s.Origin.Kind))
	}
	if s.Failed {
		marks = append(marks, "failed")
	}
	if len(marks) == 0 {
		return TitleText(s)
	}
	return "(" + strings.Join(marks, ", ") + ") " + TitleText(s)
}

// PlaceText tells where a session belongs in its parent.
func PlaceText(at int, call string) string {
	switch {
	case at > 0:
		return fmt.Sprintf(", at message %s", draw.Grouped(at))
	case call != "":
		return ", by call " + call
	}
	return ""
}

// ChildText tells of a session that comes from another.
func ChildText(c *review.Child) string {
	text := KindText(c.Kind) + " " + review.Short(c.ID)
	if c.Title != "" {
		text += " " + c.Title
	} else if c.NativeID != "" {
		text += " " + c.NativeID
	}
	return text + ", " + draw.Plural(c.Messages, "message") + PlaceText(c.At, c.Call)
}

// UsageText tells what a model used, as the recorder counted.
func UsageText(u session.Usage) string {
	if u == (session.Usage{}) {
		return ""
	}
	text := draw.Grouped(int(u.Input)) + " tokens in"
	if u.Cached > 0 {
		text += " (" + draw.Grouped(int(u.Cached)) + " cached)"
	}
	return text + ", " + draw.Grouped(int(u.Output)) + " out"
}
