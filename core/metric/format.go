package metric

import (
	"strconv"
	"strings"

	"winnow/core/chat"
)

// format checks what trainers need to be in order: of each call, that its
// arguments are an object and that it was answered; of each result, that it
// belongs to a call; of each message with think tags, that they balance. The
// score is the share of checks that hold.
type format struct {
	calls, results, tagged      int
	bad, unread, orphans, loose cited
	badCalls, unreadCalls       int
}

func (s *format) add(r *reading) {
	switch r.m.Role {
	case chat.Assistant:
		s.calls += len(r.calls)
		for i := range r.calls {
			if r.calls[i].fault != sound {
				s.badCalls++
				s.bad.add(r.n)
			}
		}
		if r.m.Marks.Has(chat.MarkMalformedCall) {
			s.unreadCalls++
			s.unread.add(r.n)
		}
		if tagged, balanced := thinkTags(r.text); tagged || len(r.text) < len(r.m.Content) {
			s.tagged++
			if !balanced {
				s.loose.add(r.n)
			}
		}
	case chat.Tool:
		s.results++
		if !r.paired {
			s.orphans.add(r.n)
		}
	}
}

func (s *format) score(e *ending) (float64, string, bool) {
	checks := 2*s.calls + s.unreadCalls + s.results + s.tagged
	if checks == 0 {
		return 0, "", false
	}
	unanswered := e.unanswered()
	failed := s.badCalls + s.unreadCalls + unanswered + s.orphans.n + s.loose.n
	if failed == 0 {
		return 1, s.whole(), true
	}
	var open cited
	for i := range e.open {
		open.add(e.open[i].n)
	}
	open.n += e.lost
	var found []string
	for _, f := range []struct {
		what  string
		where *cited
	}{
		{"calls whose arguments are no JSON object or that name no tool", &s.bad},
		{"calls that could not be read", &s.unread},
		{"calls without a result", &open},
		{"results without a call", &s.orphans},
		{"think tags that do not balance", &s.loose},
	} {
		if f.where.n > 0 {
			found = append(found, f.what+": "+f.where.String())
		}
	}
	return share(checks-failed, checks), strings.Join(found, "; "), true
}

// whole says what is in order.
func (s *format) whole() string {
	var parts []string
	if s.calls > 0 {
		parts = append(parts, count(s.calls, "call")+" well-formed and answered")
	}
	if s.tagged > 0 {
		parts = append(parts, "think tags balanced in "+count(s.tagged, "message"))
	}
	if len(parts) == 0 {
		parts = append(parts, strconv.Itoa(s.results)+" results belong to calls")
	}
	return strings.Join(parts, ", ")
}

func (s *format) flag(e *ending, set func(Flag, bool)) {
	set(MalformedToolCall, s.badCalls+s.unreadCalls > 0)
	set(UnansweredCall, e.unanswered() > 0)
	set(OrphanResult, s.orphans.n > 0)
	set(UnbalancedThink, s.loose.n > 0)
}

// thinkPairs are the tags that recorders put around reasoning inside content.
var thinkPairs = [...][2]string{{"<think>", "</think>"}, {"<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"}}

// thinkTags reports whether a text holds think tags, and whether each that is
// opened is closed before the next.
func thinkTags(text string) (tagged, balanced bool) {
	balanced = true
	for _, pair := range thinkPairs {
		// Both tags end alike: without that, there is none.
		if !strings.Contains(text, pair[0][1:]) {
			continue
		}
		for rest := text; ; {
			open, closed := strings.Index(rest, pair[0]), strings.Index(rest, pair[1])
			if open < 0 && closed < 0 {
				break
			}
			tagged = true
			if open < 0 || closed < open {
				return true, false
			}
			inside := rest[open+len(pair[0]):]
			closed = strings.Index(inside, pair[1])
			if closed < 0 || strings.Contains(inside[:closed], pair[0]) {
				return true, false
			}
			rest = inside[closed+len(pair[1]):]
		}
	}
	return tagged, balanced
}
