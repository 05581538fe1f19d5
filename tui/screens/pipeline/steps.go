package pipeline

import (
	"fmt"
	"strings"
	"time"

	"winnow/core/clean"
	"winnow/core/cycle"
	"winnow/core/filter"
	"winnow/core/lease"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/table"
)

// text is what was recorded or told by others, as it may be shown.
func text(s string) string { return clean.Line(draw.Head(s)) }

// jobs are what this program does in the background.
func (s *Screen) jobs() table.Section {
	sec := table.Section{Title: "this program", Columns: []table.Column{table.Col("job", 20, 0, false, 2), table.Col("", 20, 1, false, 1)}}
	for _, j := range s.program.Jobs() {
		sec.Rows = append(sec.Rows, table.Row{Key: "job:" + j.Name, Of: subject{job: j.Name}, Cells: []table.Cell{{Text: text(j.Name)}, {Text: text(j.Facts)}}})
	}
	return sec
}

// statusInk is the ink of what became of a step.
func statusInk(st cycle.Status) func(*draw.Inks) draw.Ink {
	return func(k *draw.Inks) draw.Ink {
		switch st {
		case cycle.Running:
			return k.Key
		case cycle.Failed, cycle.Waiting, cycle.Partly:
			return k.Warn
		case cycle.Done:
			return k.Approved
		}
		return k.Muted
	}
}

// steps are those of the newest cycle, and what else somebody is at.
func (s *Screen) steps() table.Section {
	sec := table.Section{
		Title: "steps", Empty: "no cycle was run yet: winnow run does one, winnow serve --run 10m all along",
		Columns: []table.Column{
			table.Col("step", 10, 0, false, 10), table.Col("status", 14, 0, false, 9), table.Col("done", 14, 0, true, 8), table.Col("failed", 8, 0, true, 6),
			table.Col("tokens", 8, 0, true, 4), table.Col("cost", 8, 0, true, 3), table.Col("took", 8, 0, true, 5), table.Col("", 16, 1, false, 7),
		},
	}
	held := map[string]lease.Lease{}
	for _, l := range s.state.Got.Leases {
		if !strings.HasPrefix(l.Name, cycle.LeaseName) {
			held[l.Name] = l
		}
	}
	if list := s.state.Got.Cycles; len(list) > 0 {
		c := &list[0]
		sec.Note = fmt.Sprintf("cycle %d %s %s %s %s", c.ID, s.G.Dot, text(c.Holder), s.G.Dot, s.when(c))
		for i := range c.Steps {
			st := &c.Steps[i]
			note := text(st.Note)
			if l, ok := held[st.Name]; ok {
				note = strings.TrimSuffix(s.holder(&l)+" "+s.G.Dot+" "+note, " "+s.G.Dot+" ")
				delete(held, st.Name)
			}
			sec.Rows = append(sec.Rows, s.step(st, note))
		}
	}
	for _, l := range s.state.Got.Leases {
		if _, ok := held[l.Name]; ok {
			r := table.Row{Key: "lease:" + l.Name, Cells: []table.Cell{{Text: text(l.Name)}, table.Inked("running", statusInk(cycle.Running)), {}, {}, {}, {}, {}, {Text: s.holder(&l)}}}
			s.trains(l.Name, &r)
			sec.Rows = append(sec.Rows, r)
		}
	}
	return sec
}

// when says when something ran.
func (s *Screen) when(c *cycle.Cycle) string {
	switch {
	case c.Lost:
		return s.Day(c.Began) + ", ended without a word"
	case c.Ended.IsZero():
		return "since " + s.Day(c.Began)
	}
	return s.Day(c.Began)
}

// holder says who is at something.
func (s *Screen) holder(l *lease.Lease) string { return text(l.Holder) + " is at it" }

// took is how long something ran, or runs.
func (s *Screen) took(began, ended time.Time) string {
	if ended.IsZero() {
		ended = s.Now()
	}
	d := max(0, ended.Sub(began))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

func (s *Screen) step(st *cycle.Step, note string) table.Row {
	r := table.Row{Key: "step:" + st.Name}
	done, failed, tokens, cost := "", "", "", ""
	if st.Todo+st.Done > 0 {
		done = draw.Grouped(st.Done) + " of " + draw.Grouped(max(st.Todo, st.Done))
	}
	if st.Failed > 0 {
		failed = draw.Grouped(st.Failed)
	}
	if n := st.TokensIn + st.TokensOut; n > 0 {
		tokens = draw.Short(n)
	}
	if st.Cost > 0 {
		cost = fmt.Sprintf("$%.2f", st.Cost)
	}
	word, ink, took := st.Word(), statusInk(st.Status), s.took(st.Began, st.Ended)
	switch {
	case st.Ended.IsZero() && st.Status != cycle.Running:
		took = "" // nobody knows
	case word != string(st.Status):
		ink, took = statusInk(""), ""
	}
	for i := range s.state.Got.Attempts {
		if s.state.Got.Attempts[i].Kind == st.Name {
			r.Of = subject{kind: st.Name}
		}
	}
	r.Cells = []table.Cell{{Text: text(st.Name)}, table.Inked(word, ink), {Text: done}, table.Warned(failed), table.Muted(tokens), table.Muted(cost), table.Muted(took), {Text: note}}
	return r
}

// waiting are what waits, and why: steps that wait for a model or a budget, and what
// failed and is tried again.
func (s *Screen) waiting() table.Section {
	sec := table.Section{
		Title: "waiting",
		Columns: []table.Column{
			table.Col("step", 10, 0, false, 10), table.Col("what", 12, 1, false, 8), table.Col("tries", 7, 0, true, 4), table.Col("again", 16, 0, false, 6), table.Col("why", 16, 2, false, 9),
		},
	}
	if list := s.state.Got.Cycles; len(list) > 0 {
		for i := range list[0].Steps {
			if st := &list[0].Steps[i]; st.Status == cycle.Waiting || st.Status == cycle.Failed {
				sec.Rows = append(sec.Rows, table.Row{Key: "waits:" + st.Name, Cells: []table.Cell{{Text: text(st.Name)}, table.Muted("all of it"), {}, table.Muted("next cycle"), table.Warned(text(st.Note))}})
			}
		}
	}
	for i := range s.state.Got.Attempts {
		sec.Rows = append(sec.Rows, s.attempt(&s.state.Got.Attempts[i]))
	}
	if n := len(s.state.Got.Attempts); n > 0 {
		sec.Note = s.Key("retry") + " tries one again, " + s.Key("retry-all") + " all"
	}
	return sec
}

func (s *Screen) attempt(a *cycle.Attempt) table.Row {
	again := "when it changes"
	switch {
	case a.Next.IsZero():
	case a.Next.After(s.Now()):
		again = s.Day(a.Next)
	default:
		again = "next cycle"
	}
	name := text(s.state.Got.Names[a.Key])
	if name == "" {
		name = review.Short(text(a.Key))
	}
	key := a.Key
	r := table.Row{
		Key: "attempt:" + a.Kind + "/" + key, Of: subject{kind: a.Kind, key: key}, Copied: key, What: "the id of " + name,
		Cells: []table.Cell{{Text: text(a.Kind)}, {Text: name}, table.Muted(draw.Grouped(a.Tries)), table.Muted(again), table.Warned(text(a.Error))},
	}
	r.Look = func() { s.Leave(); s.GoTo(key) }
	if a.Kind == "segment" { // of sessions
		r.Look = func() { s.narrow(filter.Term{Field: filter.Session, Op: filter.Is, Value: key}) }
	}
	return r
}

// earlier are cycles that did something, but for the newest one.
func (s *Screen) earlier() table.Section {
	sec := table.Section{Title: "earlier cycles", Columns: []table.Column{table.Col("cycle", 9, 0, true, 7), table.Col("", 14, 0, false, 8), table.Col("took", 8, 0, true, 5), table.Col("what", 20, 1, false, 9)}}
	list := s.state.Got.Cycles
	for i := 1; i < len(list); i++ {
		c := &list[i]
		if c.Idle() {
			continue
		}
		var did []string
		ink := draw.TextInk
		for j := range c.Steps {
			st := &c.Steps[j]
			if st.Wrong() {
				did, ink = append(did, text(st.Name)+" "+string(st.Status)), statusInk(st.Status)
			} else if n := st.Done + st.Failed; n > 0 {
				did = append(did, text(st.Name)+" "+draw.Grouped(n))
			}
		}
		took := s.took(c.Began, c.Ended)
		if c.Lost {
			took = ""
		}
		sec.Rows = append(sec.Rows, table.Row{
			Key:   fmt.Sprint("cycle:", c.ID),
			Cells: []table.Cell{{Text: draw.Grouped(int(c.ID))}, table.Muted(s.Day(c.Began)), table.Muted(took), table.Inked(strings.Join(did, " "+s.G.Dot+" "), ink)},
		})
	}
	return sec
}
