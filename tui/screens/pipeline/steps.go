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
)

// text is what was recorded or told by others, as it may be shown.
func text(s string) string { return clean.Line(draw.Head(s)) }

func muted(t string) cell { return cell{t, draw.MutedInk} }

func warned(t string) cell { return cell{t, func(k *draw.Inks) draw.Ink { return k.Warn }} }

// jobs are what this program does in the background.
func (s *Screen) jobs() section {
	sec := section{title: "this program", columns: []column{{"job", 20, 0, false, 2}, {"", 20, 1, false, 1}}}
	for _, j := range s.program.Jobs() {
		sec.rows = append(sec.rows, row{key: "job:" + j.Name, job: j.Name, cells: []cell{{text: text(j.Name)}, {text: text(j.Facts)}}})
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
func (s *Screen) steps() section {
	sec := section{
		title: "steps", empty: "no cycle was run yet: winnow run does one, winnow serve --run 10m does them beside the server",
		columns: []column{
			{"step", 10, 0, false, 10}, {"status", 14, 0, false, 9}, {"done", 14, 0, true, 8}, {"failed", 8, 0, true, 6},
			{"tokens", 8, 0, true, 4}, {"cost", 8, 0, true, 3}, {"took", 8, 0, true, 5}, {"", 16, 1, false, 7},
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
		sec.note = fmt.Sprintf("cycle %d %s %s %s %s", c.ID, s.G.Dot, text(c.Holder), s.G.Dot, s.when(c))
		for i := range c.Steps {
			st := &c.Steps[i]
			note := text(st.Note)
			if l, ok := held[st.Name]; ok {
				note = strings.TrimSuffix(s.holder(&l)+" "+s.G.Dot+" "+note, " "+s.G.Dot+" ")
				delete(held, st.Name)
			}
			sec.rows = append(sec.rows, s.step(st, note))
		}
	}
	for _, l := range s.state.Got.Leases {
		if _, ok := held[l.Name]; ok {
			sec.rows = append(sec.rows, row{key: "lease:" + l.Name, cells: []cell{{text: text(l.Name)}, {"running", statusInk(cycle.Running)}, {}, {}, {}, {}, {}, {text: s.holder(&l)}}})
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

func (s *Screen) step(st *cycle.Step, note string) row {
	r := row{key: "step:" + st.Name}
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
			r.kind = st.Name
		}
	}
	r.cells = []cell{{text: text(st.Name)}, {word, ink}, {text: done}, warned(failed), muted(tokens), muted(cost), muted(took), {text: note}}
	return r
}

// waiting are what waits, and why: steps that wait for a model or a budget, and what
// failed and is tried again.
func (s *Screen) waiting() section {
	sec := section{
		title: "waiting",
		columns: []column{
			{"step", 10, 0, false, 10}, {"what", 12, 1, false, 8}, {"tries", 7, 0, true, 4}, {"again", 16, 0, false, 6}, {"why", 16, 2, false, 9},
		},
	}
	if list := s.state.Got.Cycles; len(list) > 0 {
		for i := range list[0].Steps {
			if st := &list[0].Steps[i]; st.Status == cycle.Waiting || st.Status == cycle.Failed {
				sec.rows = append(sec.rows, row{key: "waits:" + st.Name, cells: []cell{{text: text(st.Name)}, muted("all of it"), {}, muted("next cycle"), warned(text(st.Note))}})
			}
		}
	}
	for i := range s.state.Got.Attempts {
		sec.rows = append(sec.rows, s.attempt(&s.state.Got.Attempts[i]))
	}
	if n := len(s.state.Got.Attempts); n > 0 {
		sec.note = s.Key("retry") + " tries one again, " + s.Key("retry-all") + " all"
	}
	return sec
}

func (s *Screen) attempt(a *cycle.Attempt) row {
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
	r := row{
		key: "attempt:" + a.Kind + "/" + key, kind: a.Kind, of: key, copied: key, what: "the id of " + name,
		cells: []cell{{text: text(a.Kind)}, {text: name}, muted(draw.Grouped(a.Tries)), muted(again), warned(text(a.Error))},
	}
	r.look = func() { s.Leave(); s.GoTo(key) }
	if a.Kind == "segment" { // of sessions
		r.look = func() { s.narrow(filter.Term{Field: filter.Session, Op: filter.Is, Value: key}) }
	}
	return r
}

// earlier are cycles that did something, but for the newest one.
func (s *Screen) earlier() section {
	sec := section{title: "earlier cycles", columns: []column{{"cycle", 9, 0, true, 7}, {"", 14, 0, false, 8}, {"took", 8, 0, true, 5}, {"what", 20, 1, false, 9}}}
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
		sec.rows = append(sec.rows, row{
			key:   fmt.Sprint("cycle:", c.ID),
			cells: []cell{{text: draw.Grouped(int(c.ID))}, muted(s.Day(c.Began)), muted(took), {strings.Join(did, " "+s.G.Dot+" "), ink}},
		})
	}
	return sec
}
