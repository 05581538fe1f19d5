package main

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
)

// parentText tells which session one comes from, and where it belongs in it;
// "" if it stands for itself.
func (s *database) parentText(ctx context.Context, child *review.Session) (string, error) {
	o := &child.Origin
	if o.Kind == "" {
		return "", nil
	}
	text := tell.KindText(o.Kind) + " of "
	switch {
	case child.Parent != "":
		parent, err := s.Session(ctx, child.Parent)
		if err != nil {
			return "", fmt.Errorf("the parent of session %s: %w", child.ID, err)
		}
		text += review.Short(parent.ID) + " " + tell.TitleText(&parent)
	case o.NativeID != "":
		text += "a session that is not here: " + o.NativeID
	default:
		text += "a session that is not here"
	}
	return text + tell.PlaceText(o.At, o.Call), nil
}
