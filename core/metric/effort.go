package metric

import (
	"math"
	"strconv"

	"winnow/core/chat"
)

// effort is what the task took: the steps of the assistant, and what it wrote in
// answers and calls. Of two ways to the same end the shorter is the better
// example, and the sooner read.
type effort struct {
	steps int // messages of the assistant
	bytes int // of its answers and of the arguments of its calls
}

const (
	// stepBytes is how much text counts like one more step: a long paragraph.
	stepBytes = 500
	// effortDoublings is how often the steps must double until nothing is left
	// of the score: it sinks gently, by the logarithm.
	effortDoublings = 16
)

func (s *effort) add(r *reading) {
	if r.m.Role != chat.Assistant || !r.own {
		return
	}
	s.steps++
	s.bytes += len(r.text)
	for i := range r.m.ToolCalls {
		s.bytes += len(r.m.ToolCalls[i].Arguments)
	}
}

// sizeText is a number of bytes: "340 B", "1.2 kB".
func sizeText(bytes int) string {
	if bytes < 1000 {
		return strconv.Itoa(bytes) + " B"
	}
	return strconv.FormatFloat(float64(bytes)/1000, 'f', 1, 64) + " kB"
}

func (s *effort) score(*ending) (float64, string, bool) {
	if s.steps == 0 {
		return 0, "", false
	}
	spent := float64(s.steps) + float64(s.bytes)/stepBytes
	reason := "it took " + count(s.steps, "message") + " of the assistant, with " + sizeText(s.bytes) + " of answers and calls"
	return 1 - math.Log2(1+spent)/effortDoublings, reason, true
}
