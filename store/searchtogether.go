package store

import (
	"context"

	corewords "winnow/core/words"
)

// togetherPassages is how many passages are looked up that hold several words:
// a few milliseconds, and enough for a screen of hits of which a filter lets one
// of fifty through.
const togetherPassages = 4096

// holding returns the rows of segments with a passage that holds all words, of
// the first passages that do.
func (s *Store) holding(ctx context.Context, words []string) (rows []int64, err error) {
	m := &searching{store: s, sure: true}
	if m.stale, err = s.staleText(ctx); err != nil {
		return nil, err
	}
	ids, err := s.passages(ctx, matchText(&corewords.Query{Words: words}), 0, togetherPassages)
	if err == nil {
		err = m.load(ctx, ids)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range m.candidates(ids) {
		if c.found { // else the words may be in other segments of the passage
			rows = append(rows, c.row)
		}
	}
	return rows, nil
}
