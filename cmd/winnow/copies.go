package main

import (
	"context"
	"fmt"

	"winnow/core/hub"
	"winnow/tui/draw"
)

// mostCopies is how many sessions of a source that are kept as others are told
// to people.
const mostCopies = 3

// copyRemarks tells which sessions a source holds copies or parts of.
func (s *database) copyRemarks(ctx context.Context, src *hub.Source) ([]string, error) {
	if src.Copies == 0 {
		return nil, nil
	}
	list, err := s.CopiedBy(ctx, src.ID, mostCopies)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Path, err)
	}
	var remarks []string
	for _, c := range list {
		if c.Joined {
			remarks = append(remarks, "joined with "+c.File)
		} else {
			remarks = append(remarks, "copy of "+c.File)
		}
	}
	if more := src.Copies - len(list); more > 0 {
		remarks = append(remarks, draw.Grouped(more)+" more kept as other sessions")
	}
	return remarks, nil
}
