package pipeline

import (
	"fmt"
	"strconv"
	"strings"

	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/table"
)

// runs are the newest runs that trained a model, and what is due.
func (s *Screen) runs() table.Section {
	sec := table.Section{
		Title: "runs", Note: s.Shown(s.due.Got), Empty: "none yet: docs/training-runs.md shows how to train on what is approved",
		Columns: []table.Column{
			table.Col("run", 6, 0, true, 10), table.Col("status", 11, 0, false, 9), table.Col("model", 16, 1, false, 6), table.Col("samples", 9, 0, true, 5),
			table.Col("new", 7, 0, true, 4), table.Col("when", 13, 0, false, 3), table.Col("", 20, 2, false, 8),
		},
	}
	if s.due.Awaited() {
		sec.Note = "counting what is due"
	}
	if s.program.NoPlan() == "" {
		sec.Note = strings.TrimPrefix(sec.Note+" "+s.G.Dot+" "+s.Key("plan-run")+" plans one", " "+s.G.Dot+" ")
	}
	for i := range s.state.Got.Runs {
		sec.Rows = append(sec.Rows, s.run(&s.state.Got.Runs[i]))
	}
	return sec
}

func (s *Screen) run(r *train.Run) table.Row {
	model, word := table.Cell{Text: r.Base}, string(r.Status)
	if r.Parent != 0 {
		model.Text = fmt.Sprintf("run %d", r.Parent)
	}
	if r.Model != "" && r.Status == train.Succeeded { // of others it is where one would have come
		model.Text, model.Tail = strings.TrimPrefix(model.Text+" "+s.G.Arrow+" "+r.Model, " "), true
	}
	model.Text = s.Shown(model.Text)
	if !r.Promoted.IsZero() {
		word = "promoted"
	}
	last := table.Cell{}
	p := s.state.Got.Losses[r.ID]
	switch {
	case r.Error != "":
		last = table.Warned(s.Shown(r.Error))
	case p.Name != "":
		last = table.Cell{Text: s.Shown(fmt.Sprintf("step %s %s %s %s", draw.Grouped(p.Step), s.G.Dot, s.Name(p.Name), draw.Value(p.Value)))}
	}
	id := r.ID
	return table.Row{
		Key: fmt.Sprint("run:", id), Of: subject{run: r}, Copied: fmt.Sprint(id), What: "the number of the run", Look: func() { s.program.Run(id) },
		Cells: []table.Cell{
			{Text: fmt.Sprint(id)}, table.Inked(word, draw.RunInk(r.Status)), model, {Text: draw.Grouped(r.Samples)}, table.Muted(draw.Grouped(r.New)), table.Muted(s.Day(r.Created)), last,
		},
	}
}

// trains gives the row of a lease the run that it is about, if it is about one.
func (s *Screen) trains(lease string, row *table.Row) {
	name, found := strings.CutPrefix(lease, "train:")
	id, err := strconv.ParseInt(name, 10, 64)
	if found && err == nil {
		row.Of, row.Look = subject{run: &train.Run{ID: id, Status: train.Running}}, func() { s.program.Run(id) }
	}
}

// noStopOfRun says where a run is stopped that is under the cursor, if it can be.
func (s *Screen) noStopOfRun() string {
	r := s.at().run
	switch {
	case r == nil:
		return ""
	case r.Status.Ended():
		return fmt.Sprintf("run %d has ended", r.ID)
	}
	return fmt.Sprintf("%s opens run %d, which is stopped there", s.Key("look"), r.ID)
}

// noRetryOfRun says where a run goes on that is under the cursor, if it can.
func (s *Screen) noRetryOfRun() string {
	r := s.at().run
	switch {
	case r == nil:
		return ""
	case !r.Status.Ended():
		return fmt.Sprintf("run %d has not ended", r.ID)
	case r.Status == train.Succeeded:
		return fmt.Sprintf("run %d succeeded", r.ID)
	}
	return fmt.Sprintf("%s opens run %d, which is resumed there", s.Key("look"), r.ID)
}
