package offline

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// part is one piece of evidence on whether a user message begins a task.
type part uint8

const (
	partBase part = iota
	partGreeting
	partReplyLikeOpening
	partShift
	partAlien
	partPause
	partAge
	partLikeOpening
	partHarness
	partNextNewEntity
	partRequest
	partFull
	partNextLikeSecond
	partReplyAsks
	partAfterUser
	partThanked
	partOffered
	partClosed
	partFarewell
	partNew
	partAfterTool
	partLong
	partAsked
	partNextKnownEntity
	partPointer
	partLink
	partInterrupted
	partYoung
	partReplyRelated
	partKnownEntity
	partRelated
	partOutput
	partReplyEntityKnown
	partSystems
	partAck
	parts
)

// evidence gives each part its weight: what it adds to the score of a message
// where it is 1. The weights began as judgements of how much each part says.
// A logistic regression on joined conversations of one domain, an airline's
// service, moved them, held near where they began; it knows little of sessions
// about many things and of short tasks, so that the base, the alien, the asked
// and the young were set between both by hand. A score above 0 is a cut.
var evidence = [parts]struct {
	name   string
	weight float32
}{
	partBase:             {"base", -3.0}, // most messages begin no task
	partGreeting:         {"greets", 3},
	partReplyLikeOpening: {"answered as openings are", 2.5}, // rather than as other messages are
	partShift:            {"announces something else", 2.3},
	partAlien:            {"neither it nor its answer shares words with the task", 2.2},
	partPause:            {"pause", 2}, // 10 minutes to a day, logarithmic
	partAge:              {"length of the task so far", 1.7},
	partLikeOpening:      {"worded as openings are", 1.6},
	partHarness:          {"speaks after tool results in user clothing", 1.5},
	partNextNewEntity:    {"the next message brings new identifiers", 1.4},
	partRequest:          {"requests", 1.3},
	partFull:             {"says enough by itself", 1.2}, // where no tools are used
	partNextLikeSecond:   {"the next message is like those after openings", 1.2},
	partReplyAsks:        {"answered with a question", 1},
	partAfterUser:        {"follows a user message", 1},
	partThanked:          {"thanks before", 1},
	partOffered:          {"further help was offered", .9},
	partClosed:           {"said that it was done", .8},
	partFarewell:         {"farewell before", .8},
	partNew:              {"new words", .8},
	partAfterTool:        {"follows a tool's result", .6},
	partLong:             {"long", .6},
	partAsked:            {"a question was asked", -1.4},
	partNextKnownEntity:  {"the next message has known identifiers", -.6},
	partPointer:          {"points back", -.7},
	partLink:             {"goes on", -.8},
	partInterrupted:      {"interrupted", -1},
	partYoung:            {"the task has only begun", -.7},
	partReplyRelated:     {"answered in words of the task", -1.2},
	partKnownEntity:      {"known identifiers", -1.2},
	partRelated:          {"known words", -1.4},
	partOutput:           {"may be the output of a command", -1.5},
	partReplyEntityKnown: {"answered with known identifiers", -2},
	partSystems:          {"tasks begin with a system message here", -2},
	partAck:              {"answers or thanks", -2.9},
}

// score holds the parts of one decision, 0 to 1 each; the likenesses −1 to 1.
type score [parts]float32

func (s *score) total() (sum float32) {
	for i, x := range s {
		sum += x * evidence[i].weight
	}
	return sum
}

// String lists the parts that speak for or against, the strongest first.
func (s *score) String() string {
	var said []part
	for i := partBase + 1; i < parts; i++ {
		if math.Abs(s.adds(i)) >= 0.05 {
			said = append(said, i)
		}
	}
	slices.SortStableFunc(said, func(a, b part) int {
		return int(math.Copysign(1, math.Abs(s.adds(b))-math.Abs(s.adds(a))))
	})
	var b strings.Builder
	for i, p := range said {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %+.1f", evidence[p].name, s.adds(p))
	}
	return b.String()
}

func (s *score) adds(p part) float64 { return float64(s[p] * evidence[p].weight) }

func yes(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// ramp is 0 up to lo and 1 from hi on, logarithmic between.
func ramp(x, lo, hi float64) float32 {
	if !(x > lo) {
		return 0
	}
	return float32(min(1, math.Log(x/lo)/math.Log(hi/lo)))
}
