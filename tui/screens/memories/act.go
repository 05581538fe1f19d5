package memories

import (
	"errors"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// judging gives the memory under the cursor a status, and goes on.
func judging(to memory.Status, done string) func(*Screen) {
	return func(s *Screen) {
		m := *s.rows.Selected()
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, Status: to, Seen: seen(m)}, "memory "+done+": "+s.name(&m), s.ended(to != memory.Proposed))
	}
}

// seen are memories as they were looked at.
func seen(list ...memory.Memory) map[string]memory.Memory {
	all := make(map[string]memory.Memory, len(list))
	for _, m := range list {
		all[m.ID] = m
	}
	return all
}

// name is how messages name a memory.
func (s *Screen) name(m *memory.Memory) string {
	return s.G.Quote + draw.Cut(s.Shown(m.Title), 40, s.G.More) + s.G.Unquote
}

// note has a note typed, retag tags.
func (s *Screen) note() {
	m := *s.rows.Selected()
	s.Type(screen.Line{Label: "note", Text: m.Note}, func(text string) {
		text = strings.TrimSpace(text)
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, Note: &text}, "noted on "+s.name(&m), s.ended(false))
	})
}

func (s *Screen) retag() {
	m := *s.rows.Selected()
	own := slices.DeleteFunc(slices.Clone(m.Tags), memory.Derived)
	s.Type(screen.Line{Label: "tags", Text: strings.Join(own, " ")}, func(text string) {
		now := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
		off := slices.DeleteFunc(slices.Clone(own), func(tag string) bool { return slices.Contains(now, tag) })
		if len(now)+len(off) == 0 {
			return
		}
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, TagsOn: now, TagsOff: off}, "tagged "+s.name(&m), s.ended(false))
	})
}

// narrow has a filter typed.
func (s *Screen) narrow() {
	var f memory.Filter
	check := func(text string) (err error) {
		f, err = memory.ParseFilter(text, filter.Options{Now: s.Now(), Zone: s.Now().Location()})
		if bad := (*filter.Error)(nil); errors.As(err, &bad) {
			return errors.New(bad.Text + ": " + bad.Hint)
		}
		return err
	}
	s.Type(screen.Line{Label: "filter", Text: s.typed, Offer: "status:proposed kind:rule -flag:any words", Check: check}, func(text string) {
		s.typed, s.filter = strings.TrimSpace(text), f
		s.Reload()
	})
}

// ofSegment shows what was learned in the selected segment only, or all.
func (s *Screen) ofSegment() {
	if s.only != "" {
		s.only = ""
	} else {
		s.only = s.program.Segment().ID
	}
	s.Reload()
}

func (s *Screen) otherOrder() {
	if s.newest = !s.newest; s.newest {
		s.Say("the newest first")
	} else {
		s.Say("those that are proposed first, the best of them on top")
	}
	s.Reload()
}

// askAll asks whether all that are proposed get a status.
func askAll(to memory.Status) func(*Screen) {
	return func(s *Screen) {
		a := asking{to: to}
		for _, m := range s.rows.Rows {
			switch {
			case m.Status != memory.Proposed:
			case to == memory.Approved && len(m.Flags) > 0:
				a.flagged++
			default:
				a.all = append(a.all, m)
			}
		}
		if len(a.all) == 0 {
			s.Say("nothing is proposed here" + flaggedText(a.flagged, " but "))
			return
		}
		s.asks = a
	}
}

// flaggedText tells of memories with flags, "" of none.
func flaggedText(n int, lead string) string {
	if n == 0 {
		return ""
	}
	return lead + draw.OneOrMany(n, "memory with flags, to be looked at by itself", "memories with flags, to be looked at one by one")
}

// answer does what is asked.
func (s *Screen) answer() {
	a := s.asks
	s.asks = asking{}
	if a.best != nil {
		s.choose(a)
		return
	}
	j := memory.Judgement{Status: a.to, Bulk: true, Seen: seen(a.all...)}
	for _, m := range a.all {
		j.IDs = append(j.IDs, m.ID)
	}
	s.writing = true
	s.program.Judge(j, draw.OneOrMany(len(a.all), "memory", "memories")+" "+string(a.to), s.ended(true))
}

// export has the path typed of a file that the approved ones are written to.
func (s *Screen) export() {
	path := "AGENTS.md"
	if m := s.rows.Selected(); m != nil && m.Dir != "" {
		path = strings.TrimRight(m.Dir, "/") + "/" + path
	}
	s.Type(screen.Line{Label: "write the approved ones to", Text: path}, func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			s.program.Export(text, s.asked())
		}
	})
}
