package main

import (
	"context"
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

func kindText(k session.Kind) string {
	if text := kindTexts[k]; text != "" {
		return text
	}
	return "child"
}

// markedTitle names a session in a list: with what sets it apart from others.
func markedTitle(s *review.Session) string {
	var marks []string
	if s.Origin.Kind != "" {
		marks = append(marks, kindText(s.Origin.Kind))
	}
	if s.Failed {
		marks = append(marks, "failed")
	}
	if len(marks) == 0 {
		return titleText(s)
	}
	return "(" + strings.Join(marks, ", ") + ") " + titleText(s)
}

// parentText tells which session one comes from, and where it belongs in it;
// "" if it stands for itself.
func (s *database) parentText(ctx context.Context, child *review.Session) (string, error) {
	o := &child.Origin
	if o.Kind == "" {
		return "", nil
	}
	text := kindText(o.Kind) + " of "
	switch {
	case child.Parent != "":
		parent, err := s.Session(ctx, child.Parent)
		if err != nil {
			return "", fmt.Errorf("the parent of session %s: %w", child.ID, err)
		}
		text += review.Short(parent.ID) + " " + titleText(&parent)
	case o.NativeID != "":
		text += "a session that is not here: " + o.NativeID
	default:
		text += "a session that is not here"
	}
	return text + placeText(o.At, o.Call), nil
}

// placeText tells where a session belongs in its parent.
func placeText(at int, call string) string {
	switch {
	case at > 0:
		return fmt.Sprintf(", at message %s", draw.Grouped(at))
	case call != "":
		return ", by call " + call
	}
	return ""
}

// childText tells of a session that comes from another.
func childText(c *review.Child) string {
	text := kindText(c.Kind) + " " + review.Short(c.ID)
	if c.Title != "" {
		text += " " + c.Title
	} else if c.NativeID != "" {
		text += " " + c.NativeID
	}
	return text + ", " + draw.Plural(c.Messages, "message") + placeText(c.At, c.Call)
}

// usageText tells what a model used, as the recorder counted.
func usageText(u session.Usage) string {
	if u == (session.Usage{}) {
		return ""
	}
	text := draw.Grouped(int(u.Input)) + " tokens in"
	if u.Cached > 0 {
		text += " (" + draw.Grouped(int(u.Cached)) + " cached)"
	}
	return text + ", " + draw.Grouped(int(u.Output)) + " out"
}
