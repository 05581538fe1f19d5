package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestReadingNothingChangesNothing of a family one of whose files has an
// unfinished or blank last line: sessions are not taken apart for it, as the
// ids and times that a file alone gives a message are not kept.
func TestReadingNothingChangesNothing(t *testing.T) {
	long := utterances("u1<:hello", "a1<u1:one", "u2<a1:two", "a2<u2:three", "u3<a2:four")
	short := slices.Clone(long[:3])
	short[0] = strings.ReplaceAll(short[0], "u1", "u8")
	short[1] = strings.ReplaceAll(short[1], "T10", "T11")
	for _, tail := range []string{"", `{"type":`, "  ", "\t\n ", "\x00\x00"} {
		for name, files := range map[string][2][]string{
			"of the longer one":  {append(slices.Clone(long), tail), short},
			"of the shorter one": {long, append(slices.Clone(short), tail)},
		} {
			t.Run(fmt.Sprintf("%s %q", name, tail), func(t *testing.T) {
				b := &brood{folder: newFolder(t)}
				write := func() {
					for i, name := range []string{"long.jsonl", "short.jsonl"} {
						b.put(&mutant{name: name, src: []byte(strings.Join(files[i], "\n"))}, len(strings.Join(files[i], "\n")))
					}
				}
				write()
				b.importAs("default")
				was := b.stored("default")
				write()
				r := b.importAs("default")
				if is := b.stored("default"); !maps.Equal(is, was) || r.New+r.Updated+r.NewMessages+r.Copies+r.Joined > 0 {
					t.Errorf("%+v\nbefore %v\nafter  %v", r, was, is)
				}
				clean(t, b.s)
			})
		}
	}
}
