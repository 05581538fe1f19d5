package origin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/session"
)

// How much is read around a line that is looked at: a line of usual length
// whole, of a giant one what it begins and ends with, and enough in front and
// after to see where one is.
const (
	aroundBytes = 1 << 10
	headBytes   = 32 << 10
	tailBytes   = 8 << 10
)

// ReadExcerpt reads the line of an issue and what stands around it. A source
// that is gone or was rewritten gives no bytes: they would be others. Reading
// in the middle of compressed data takes as long as decoding all before it;
// ctx ends that.
func ReadExcerpt(ctx context.Context, src *hub.Source, is *session.Issue) (ledger.Excerpt, error) {
	if !filepath.IsAbs(src.Path) { // standard input
		return ledger.Excerpt{Standing: ledger.Gone}, nil
	}
	// What is no file any more is not opened: a pipe would wait for a writer.
	info, err := os.Stat(src.Path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return ledger.Excerpt{Standing: ledger.Gone}, nil
	}
	if err != nil {
		return ledger.Excerpt{}, err
	}
	f, err := os.Open(src.Path)
	if err != nil {
		return ledger.Excerpt{}, err
	}
	defer f.Close()
	var x ledger.Excerpt
	if x.Standing, err = src.Standing(f, is.Offset); err != nil || x.Standing == ledger.Rewritten {
		return x, err
	}
	at := max(0, is.Offset-aroundBytes)
	s, err := openStretch(ctx, f, at)
	if err != nil {
		return x, fmt.Errorf("%s: %w", src.Path, err)
	}
	x.Cut = at > 0
	x.Before = s.take(is.Offset - at)
	if is.Length <= headBytes+tailBytes {
		x.Head = s.take(is.Length)
	} else {
		x.Head, x.Missing = s.take(headBytes), is.Length-headBytes-tailBytes
		s.skip(x.Missing)
		x.Tail = s.take(tailBytes)
	}
	x.After = s.take(aroundBytes)
	x.More = len(s.take(1)) > 0
	if s.err != nil {
		return x, fmt.Errorf("%s: %w", src.Path, s.err)
	}
	return x, nil
}
