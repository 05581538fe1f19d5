package compress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
)

// need is a name that a message uses and that stood in a region only.
type need struct {
	name   string
	region int // its index
	from   int // the message in the region that had it last
	by     int // the message that uses it first
}

// What is known of a name while messages are gone through.
const (
	unseen  = -1
	visible = -2
	// any other value is a message in a region
)

// needs finds what later messages name of what regions hold, in the order of
// its first use. A text that stands for a region shows what is in it; without
// texts it shows nothing.
func (s *session) needs(regions []Region, texts bool) (list []need) {
	t := s.mentioned()
	seen := make([]int32, len(t.names))
	for i := range seen {
		seen[i] = unseen
	}
	shown := func(name string, _ sort, _ bool) {
		if id, ok := t.ids[name]; ok {
			seen[id] = visible
		}
	}
	eachName(s.o.Tools, shown)
	k := 0
	for i := range s.messages {
		for k < len(regions) && i >= regions[k].To {
			k++
		}
		gone := k < len(regions) && i >= regions[k].From
		for _, m := range t.of(i) {
			switch was := seen[m.name]; {
			case was == visible:
			case gone:
				seen[m.name] = int32(i)
			case was >= 0 && m.used:
				list = append(list, need{t.names[m.name], regionAt(regions, int(was)), int(was), i})
				seen[m.name] = visible
			default:
				seen[m.name] = visible
			}
		}
		if gone && texts && i == regions[k].To-1 {
			eachName(regions[k].Text, shown)
		}
	}
	return list
}

// regionAt returns the index of the region that holds a message.
func regionAt(regions []Region, i int) int {
	k, _ := slices.BinarySearchFunc(regions, i, func(g Region, i int) int { return cmp.Compare(g.To, i+1) })
	return k
}

// Lost returns what messages name that only stood in regions and is not in the
// texts that stand for them, by the index of the message that needs it first.
// tools is the text of the tools, which every message sees.
func Lost(messages []chat.Message, regions []Region, tools string) map[int][]string {
	s := &session{messages: messages, o: &Options{Tools: tools}}
	lost := map[int][]string{}
	for _, n := range s.needs(regions, true) {
		lost[n.by] = append(lost[n.by], n.name)
	}
	return lost
}

// danglingMost is how many names a finding lists.
const danglingMost = 12

// dangling tells of each message that names what can no longer be seen.
func (s *session) dangling(regions []Region) (found []Finding) {
	needs := s.needs(regions, true) // by message, as they are found
	for len(needs) > 0 {
		by := needs[0].by
		var names []string
		for len(needs) > 0 && needs[0].by == by {
			names, needs = append(names, needs[0].name), needs[1:]
		}
		detail := strings.Join(names[:min(len(names), danglingMost)], ", ")
		if more := len(names) - danglingMost; more > 0 {
			detail += fmt.Sprintf(" and %d more", more)
		}
		found = append(found, Finding{Dangling, s.messages[by].N, "names what is no longer there: " + detail})
	}
	return found
}

// answers counts the messages of the assistant.
func (s *session) answers() (n int) {
	for i := range s.messages {
		if s.messages[i].Role == chat.Assistant {
			n++
		}
	}
	return n
}

// answersKept counts those of them that no text stands for.
func (s *session) answersKept(regions []Region) int {
	n := s.answers()
	for _, g := range regions {
		for i := g.From; i < g.To && !g.Cleared; i++ {
			if s.messages[i].Role == chat.Assistant {
				n--
			}
		}
	}
	return n
}
