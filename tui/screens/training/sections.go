package training

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/core/review"
	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/table"
)

// layOut makes the sections of what was read.
func (s *Screen) layOut() {
	if !s.state.Came {
		s.page.Put(nil)
		return
	}
	head, rest := s.head(), s.facts()
	if s.page.Height >= fewLines {
		head.Rows = append(head.Rows, rest.Rows...)
		rest = table.Section{}
	}
	if r := &s.state.Got.Run; r.Error != "" || r.Status == train.Failed || r.Status == train.Lost { // what it printed last says why
		s.page.Put([]table.Section{head, s.log(s.page.Height - len(head.Rows) - 2), s.wholeError(), rest, s.curve(), s.evals(), s.withdrawn(), s.sampled()})
		return
	}
	s.page.Put([]table.Section{head, s.curve(), rest, s.evals(), s.withdrawn(), s.log(s.page.Height), s.sampled()})
}

// fewLines is for how many lines a screen has room for the status and one thing beside it.
const fewLines = 16

// facts are rows of a name and what there is to say of it.
type facts struct {
	pen   *draw.Pen
	width int // of the screen
	rows  []table.Row
}

// add adds a row, unless there is nothing to say; nil ink is that of texts.
func (f *facts) add(name, text string, ink func(*draw.Inks) draw.Ink) {
	if text == "" {
		return
	}
	if f.width < narrow {
		f.wrapped(name, text, leastError, ink)
		return
	}
	shown := f.pen.Shown(text)
	f.rows = append(f.rows, table.Row{Key: "fact:" + name, Copied: text, What: name, Cells: []table.Cell{table.Muted(name), table.Inked(shown, ink)}})
}

// wrapped adds rows for a text that is read whole, up to so many.
func (f *facts) wrapped(name, text string, most int, ink func(*draw.Inks) draw.Ink) {
	for i, l := range draw.WrapTo(f.pen.Shown(text), f.width-nameWidth-3, most, f.pen.G.More) {
		r := table.Row{Key: fmt.Sprint("fact:", name, i), Copied: text, What: name, Cells: []table.Cell{{}, table.Inked(l, ink)}}
		if i == 0 {
			r.Cells[0] = table.Muted(name)
		}
		f.rows = append(f.rows, r)
	}
}

// joined puts what is not "" in one line.
func (f *facts) joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " "+f.pen.G.Dot+" ")
}

func (f *facts) section() table.Section {
	return table.Section{Bare: true, Rows: f.rows, Columns: []table.Column{table.Col("", nameWidth, 0, false, 1), table.Col("", 20, 1, false, 2)}}
}

// leastError is how many lines of an error are shown at least, and of other texts where a
// screen is narrow.
const leastError, narrow = 3, 60

// nameWidth is the width of the names of facts.
const nameWidth = 12

// counted is a number of something, "" for none.
func counted(n int, what string) string {
	if n == 0 {
		return ""
	}
	return draw.Grouped(n) + " " + what
}

// warn is the ink of what is wrong.
func warn(k *draw.Inks) draw.Ink { return k.Warn }

// head is what became of the run.
func (s *Screen) head() table.Section {
	r := &s.state.Got.Run
	f := &facts{pen: s.Pen, width: s.page.Width}
	f.add("status", f.joined(Word(r), s.took(r), s.reached()), draw.RunInk(r.Status))
	f.wrapped("error", r.Error, s.mostError(), warn)
	return f.section()
}

// mostError is how many lines of an error stand beside the status.
func (s *Screen) mostError() int { return max(leastError, s.page.Height/3) }

// wholeError is all of an error that is longer than there is room for beside the status.
func (s *Screen) wholeError() (sec table.Section) {
	text := s.state.Got.Run.Error
	f := &facts{pen: s.Pen, width: s.page.Width}
	f.wrapped("", text, len(text), nil)
	if len(f.rows) <= s.mostError() {
		return sec
	}
	sec = table.Section{Title: "the whole error", Bare: true, Columns: []table.Column{table.Col("", 20, 1, false, 1)}}
	for i, l := range draw.WrapTo(s.Shown(text), s.page.Width-3, len(text), s.G.More) {
		sec.Rows = append(sec.Rows, table.Row{Key: fmt.Sprint("error:", i), Copied: text, What: "the error", Cells: []table.Cell{table.Warned(l)}})
	}
	return sec
}

// facts are what the row of the run says beside that.
func (s *Screen) facts() table.Section {
	st := &s.state.Got
	r := &st.Run
	f := &facts{pen: s.Pen, width: s.page.Width}
	f.wrapped("warning", st.Warning, leastError, warn)
	cause := "asked for by " + r.Curator
	if r.Cause == train.Due {
		cause = "due, begun by winnow run"
	}
	f.add("began", f.joined(s.Day(r.Created), cause), nil)
	parent := ""
	if r.Parent != 0 {
		parent = fmt.Sprintf("goes on from run %d", r.Parent)
	}
	model := ""
	switch {
	case r.Status == train.Succeeded:
		model = r.Model
	case !r.Status.Ended():
		model = s.G.More
	}
	if model != "" {
		model = " " + s.G.Arrow + " " + model
	}
	f.add("model", f.joined(strings.TrimPrefix(r.Base+model, " "), parent), nil)
	f.add("data", f.joined(draw.Plural(r.Samples, "sample"), counted(r.New, "new"), counted(r.Validation, "held back"), s.tokens(r.Tokens)), nil)
	if r.Cost > 0 {
		f.add("cost", fmt.Sprintf("$%.2f", r.Cost), nil)
	}
	f.add("host", f.joined(r.Host, r.Remote.Job), nil)
	if r.Backend == train.ByOpenAI && !r.Status.Ended() {
		f.add("goes on", "with each winnow run, which asks the host how far it is", draw.MutedInk)
	}
	f.add("command", strings.Join(r.Command, " "), draw.MutedInk)
	f.add("settings", pairs(r.Params, func(k, v string) string { return k + "=" + v }), draw.MutedInk)
	f.add("reported", pairs(r.Metrics, func(k string, v float64) string { return s.Name(k) + "=" + draw.Value(v) }), nil)
	f.add("checkpoint", r.Checkpoint, draw.MutedInk)
	if !r.Promoted.IsZero() {
		f.add("promoted", f.joined(s.Day(r.Promoted), "by "+r.PromotedBy), nil)
	}
	f.add("note", r.Note, nil)
	if s.trainer == nil && s.program.NoChange() == "" && r.Status != train.Succeeded {
		verb := "resume"
		if !r.Status.Ended() {
			verb = "stop"
		}
		f.add(verb, fmt.Sprintf("winnow runs %s %d", verb, r.ID), draw.MutedInk)
	}
	return f.section()
}

// tokens says how many there are, "" for none.
func (s *Screen) tokens(n int64) string {
	if n == 0 {
		return ""
	}
	return draw.Short(int(n)) + " tokens"
}

// pairs writes names with their values, by name.
func pairs[V any](m map[string]V, write func(string, V) string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, write(name, m[name]))
	}
	return strings.Join(list, " ")
}

// took says how long a run trained, or trains.
func (s *Screen) took(r *train.Run) string {
	if r.Started.IsZero() {
		return ""
	}
	word, end := "after ", r.Ended
	if end.IsZero() {
		word, end = "for ", s.Now()
	}
	d := max(0, end.Sub(r.Started)).Round(time.Second)
	switch {
	case d < time.Minute:
		return word + fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return word + fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return word + fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// reached is how far it got by its loss.
func (s *Screen) reached() string {
	list := s.of(s.first())
	if len(list) == 0 {
		return ""
	}
	p := list[len(list)-1]
	return fmt.Sprintf("step %s, %s %s", draw.Grouped(p.Step), s.Name(p.Name), draw.Value(p.Value))
}

// first is the metric that matters most.
func (s *Screen) first() string {
	if names := s.metrics(); len(names) > 0 {
		return names[0]
	}
	return ""
}

// of are the points of a metric.
func (s *Screen) of(name string) []train.Point {
	list := s.state.Got.Points
	from := slices.IndexFunc(list, func(p train.Point) bool { return p.Name == name })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(list) && list[to].Name == name {
		to++
	}
	return list[from:to]
}

// mostCurve is how many lines a curve has at most, with its axis.
const mostCurve = 18

// curve is the curve of a metric, with all there are.
func (s *Screen) curve() table.Section {
	sec := table.Section{
		Title: "curve", Columns: []table.Column{
			table.Col("metric", 12, 1, false, 9), table.Col("last", 11, 0, true, 8), table.Col("first", 11, 0, true, 5),
			table.Col("least", 11, 0, true, 6), table.Col("most", 11, 0, true, 4), table.Col("points", 8, 0, true, 3), table.Col("step", 9, 0, true, 7),
		},
	}
	if len(s.metrics()) == 0 {
		sec.Empty = "no values yet: the trainer prints them, or writes them to $WINNOW_METRICS"
		return sec
	}
	drawn := s.drawn()
	if sec.Title = "values"; drawn != "" {
		sec.Title = s.Name(drawn)
	}
	if len(s.curves()) > 1 {
		sec.Note = s.Key("next-curve") + " draws the next one"
	}
	for _, name := range s.metrics() {
		list := s.of(name)
		points := make([]draw.XY, len(list))
		for i, p := range list {
			points[i] = draw.XY{X: float64(p.Step), Y: p.Value}
		}
		ink := draw.MutedInk
		if name == drawn {
			ink = draw.TextInk
			sec.Above = s.Plot(points, s.page.Width-4, max(6, min(mostCurve, s.page.Height*2/5)), s.Ink.Key)
		}
		_, y := draw.Spread(points)
		end := list[len(list)-1]
		cells := []table.Cell{table.Inked(s.Name(name), ink)}
		for _, v := range []string{draw.Value(end.Value), draw.Value(list[0].Value), draw.Value(y.Least), draw.Value(y.Most), draw.Grouped(len(list)), draw.Grouped(end.Step)} {
			cells = append(cells, table.Inked(v, ink))
		}
		sec.Rows = append(sec.Rows, table.Row{Key: "metric:" + name, Cells: cells})
	}
	return sec
}

// evals are base and result beside each other.
func (s *Screen) evals() table.Section {
	sec := table.Section{
		Title: "evaluations", Columns: []table.Column{
			table.Col("metric", 12, 1, false, 9), table.Col("base", 11, 0, true, 6), table.Col("result", 11, 0, true, 8), table.Col("change", 11, 0, true, 7), table.Col("of", 9, 0, true, 5),
		},
	}
	var names []string
	of := map[[2]string]train.Eval{}
	for _, e := range s.state.Got.Evals {
		of[[2]string{e.Subject, e.Name}] = e
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		base, measured := of[[2]string{train.OfBase, name}]
		result, came := of[[2]string{train.OfResult, name}]
		var b, r, change, n string
		if measured {
			b = draw.Value(base.Value)
		}
		if came {
			r = draw.Value(result.Value)
		}
		if measured && came {
			change = s.signed(result.Value - base.Value)
		}
		if of := max(base.N, result.N); of > 0 {
			n = draw.Grouped(of)
		}
		sec.Rows = append(sec.Rows, table.Row{Key: "eval:" + name, Cells: []table.Cell{{Text: s.Name(name)}, table.Muted(b), {Text: r}, {Text: change}, table.Muted(n)}})
	}
	return sec
}

// signed is a number with its sign.
func (s *Screen) signed(v float64) string {
	if v < 0 {
		return s.G.Minus + draw.Value(-v)
	}
	return "+" + draw.Value(v)
}

// withdrawn are samples that would train no more.
func (s *Screen) withdrawn() table.Section {
	sec := table.Section{Title: "withdrawn since", Columns: []table.Column{table.Col("segment", 14, 0, false, 7), table.Col("", 20, 2, false, 8), table.Col("why", 14, 1, false, 9)}}
	st := &s.state.Got
	if n := len(st.Withdrawn); st.AllWithdrawn > 0 {
		sec.Note = fmt.Sprintf("%s of %s would train no more", draw.Grouped(st.AllWithdrawn), draw.Plural(st.Run.Samples+st.Run.Validation, "sample"))
		if n < st.AllWithdrawn {
			sec.Note += fmt.Sprintf(", %d are shown", n)
		}
	}
	for i := range st.Withdrawn {
		w := &st.Withdrawn[i]
		r := s.row("withdrawn:", &w.Sample)
		r.Cells = []table.Cell{table.Muted(review.Short(s.Shown(w.Segment))), {Text: s.Shown(w.Title)}, table.Warned(s.Shown(w.Why))}
		sec.Rows = append(sec.Rows, r)
	}
	return sec
}

// row is the row of a sample, without its cells.
func (s *Screen) row(key string, one *train.Sample) table.Row {
	segment := one.Segment
	return table.Row{Key: key + one.Detail, Copied: segment, What: "the id of the segment", Look: func() { s.program.Look(segment) }}
}

// leastLog is how many lines of a log are shown where there is no room for half a screen,
// fewestLog where others need that room.
const leastLog, fewestLog = 10, 3

// log is the end of what the trainer printed, in so many lines if there is room for few.
func (s *Screen) log(room int) table.Section {
	sec := table.Section{Title: "log", Empty: "nothing was printed", Bare: true, Columns: []table.Column{table.Col("", 20, 1, false, 1)}}
	lines := s.state.Got.Log
	from := max(0, len(lines)-max(fewestLog, min(room, max(leastLog, s.page.Height/2))))
	if s.state.Got.LogCut || from > 0 {
		sec.Note = fmt.Sprintf("its end: winnow runs log %d prints all of it", s.id)
	}
	for i, l := range lines[from:] {
		sec.Rows = append(sec.Rows, table.Row{Key: fmt.Sprint("log:", i), Copied: l, What: "the line", Cells: []table.Cell{table.Muted(s.Shown(l))}})
	}
	return sec
}

// sampled are the samples that were read.
func (s *Screen) sampled() table.Section {
	sec := table.Section{
		Title: "samples", Rows: s.samples, Columns: []table.Column{
			table.Col("segment", 14, 0, false, 8), table.Col("part", 11, 0, false, 6), table.Col("written by", 16, 1, false, 5), table.Col("", 20, 3, false, 9), table.Col("since", 12, 1, false, 7),
		},
	}
	if !s.whole {
		sec.Empty = "loading"
	} else if len(s.samples) == 0 {
		sec.Empty = "none: nothing was exported"
	}
	return sec
}

// sample is the row of a sample.
func (s *Screen) sample(one *Sample) table.Row {
	r := s.row("sample:", &one.Sample)
	r.Cells = []table.Cell{
		table.Muted(review.Short(s.Shown(one.Segment))), table.Muted(string(one.Split)), table.Muted(s.Shown(cmp.Or(one.Model, "unknown"))), {Text: s.Shown(one.Title)}, table.Warned(s.Shown(one.Why)),
	}
	return r
}
