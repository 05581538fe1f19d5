package chat

import (
	"strconv"
	"strings"
)

// keptNone is Kept of a compaction that left nothing in sight.
const keptNone = "none"

// KeptBefore returns Kept of message n where runs of earlier messages, first and
// last, stayed in sight. They are kept as distances back from n, which stay right
// where messages get other numbers, as those that a branch takes.
func KeptBefore(n int, runs [][2]int) string {
	if len(runs) == 0 {
		return keptNone
	}
	var b []byte
	for i, run := range runs {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n-run[0]), 10)
		b = append(b, '-')
		b = strconv.AppendInt(b, int64(n-run[1]), 10)
	}
	return string(b)
}

// Keeps returns the runs of earlier messages, first and last, that a compaction left
// in the model's sight, and whether the recorder told them. Numbers below 1 are
// messages before the fork that the session begins at: 0 is the last of them.
func (m *Message) Keeps() (runs [][2]int, known bool) {
	if m.Kept == "" || m.Kept == keptNone {
		return nil, m.Kept != ""
	}
	for part := range strings.SplitSeq(m.Kept, ",") {
		first, last, _ := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || to < 1 || from < to {
			return nil, false
		}
		runs = append(runs, [2]int{m.N - from, m.N - to})
	}
	return runs, true
}
