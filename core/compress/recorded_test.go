package compress

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"winnow/testdata/bench/recorded"
)

// TestRecordedSessions checks what holds for all conversations on recorded ones: our
// own, and those beside the repository if they are there.
func TestRecordedSessions(t *testing.T) {
	seen, outcomes := 0, map[string]int{}
	for _, root := range []string{"../../testdata/sessions", "../../../shared/data"} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			list, err := recorded.Read(path)
			if err != nil {
				return nil // no session
			}
			for i := range list {
				if seen++; whole || seen%10 == 1 {
					checkRecorded(t, &list[i], outcomes)
				}
			}
			return nil
		})
	}
	if seen == 0 {
		t.Error("no session was read")
	}
	t.Log(seen, outcomes)
}

func checkRecorded(t *testing.T, c *recorded.Conversation, outcomes map[string]int) {
	before := packed(c.Messages)
	total := 0
	for i := range c.Messages {
		total += Plain{}.Message(&c.Messages[i])
	}
	for _, part := range []int{2, 4, 10} {
		for _, by := range []Strategy{Clear{}, Extract{}, Extract{Foresight: true}} {
			for _, form := range []Form{Split, Fold} {
				o := Defaults()
				o.Target, o.By, o.Form, o.NoMask = total/part, by, form, form == Fold
				r := Compress(t.Context(), c.Messages, o)
				outcomes[by.Name()+" "+string(r.Outcome)]++
				if err := errors.Join(wrong(c.Messages, &r), unordered(c.Messages, &r, o.NoMask), mispriced(c.Messages, &r, o)); err != nil {
					t.Errorf("%s to 1/%d by %s, %s: %v", c.Name, part, by.Name(), form, err)
				}
				if !bytes.Equal(before, packed(r.Samples[len(r.Samples)-1].Expand(c.Messages))) {
					t.Errorf("%s: the messages are others now", c.Name)
				}
				if again := Compress(t.Context(), c.Messages, o); !bytes.Equal(rows(c.Messages, &r), rows(c.Messages, &again)) {
					t.Errorf("%s: twice is not the same", c.Name)
				}
				if x, lists := by.(Extract); lists && !x.Foresight && r.Outcome == Compressed && len(Lost(c.Messages, r.Regions, "")) > 0 {
					t.Errorf("%s: names are lost: %v", c.Name, r.Findings)
				}
			}
		}
	}
}
