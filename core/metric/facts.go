package metric

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/voice"
)

// facts are what flags need to know beside the metrics.
type facts struct {
	messages   int
	assistants int  // messages of the assistant that a model wrote
	persons    int  // messages that somebody wrote
	calls      int  //
	failedLast bool // the last tool result is a failure
	stopped    bool // by the user
	apiError   bool
	compacted  bool
	media      bool
}

func (f *facts) add(r *reading) {
	f.messages++
	_, sums := r.m.BesideSummary()
	f.compacted = f.compacted || sums
	f.media = f.media || r.m.Marks&(chat.MarkImage|chat.MarkAudio|chat.MarkFile) != 0
	switch r.m.Role {
	case chat.Assistant:
		f.calls += len(r.calls)
		if r.own {
			f.assistants++
			f.stopped = f.stopped || r.m.StopReason == "aborted"
		} else if apiError(r.m) {
			f.apiError = true
		}
	case chat.Tool:
		f.failedLast = r.found.Outcome != outcome.OK
		f.stopped = f.stopped || r.m.IsError && refused(r.m.Content)
	case chat.User:
		switch r.voice {
		case voice.Person:
			f.persons++
		case voice.Interrupt:
			f.stopped = true
		}
	}
}

// refusals begin results of calls that the user did not allow.
var refusals = [...]string{"The user doesn't want to proceed", "[Request interrupted by user", "User rejected", "The user rejected", "Tool use rejected", "User denied"}

func refused(content string) bool {
	return slices.ContainsFunc(refusals[:], func(head string) bool { return strings.HasPrefix(content, head) })
}

// flags returns the flags that are set, in their order.
func (m *Meter) flags(end *ending) []Flag {
	is := map[Flag]bool{}
	set := func(f Flag, on bool) { is[f] = on }
	f := &m.facts
	set(NoAssistant, f.assistants == 0)
	set(HasErrorEnd, f.failedLast)
	set(Interrupted, f.stopped)
	set(NoUser, f.persons == 0)
	set(NoTools, f.calls == 0)
	set(APIError, f.apiError)
	set(Compacted, f.compacted)
	set(Media, f.media)
	for i := range m.measures {
		if measure, ok := m.measures[i].measure.(flagger); ok {
			measure.flag(end, set)
		}
	}
	var flags []Flag
	for _, about := range Flags() {
		if is[about.Flag] {
			flags = append(flags, about.Flag)
		}
	}
	return flags
}
