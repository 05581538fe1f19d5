package tui

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/ledger"
	"winnow/core/metric"
	"winnow/core/rawjson"
	"winnow/core/review"
	room "winnow/tui/review"
	"winnow/tui/screens/ledger/ledgertest"
	"winnow/tui/screens/record/recordtest"
	"winnow/tui/screens/statistics/statisticstest"
	"winnow/tui/work/worktest"
)

// say changes a recorded text before a scene is made of it: every text that
// comes from outside passes through one.
type say func(string) string

// plain leaves texts as they are.
func plain(s string) string { return s }

// scene is all that a screen asks, filled with a bit of everything.
type scene struct {
	say        say
	lib        *fakeLibrary
	editor     *fakeEditor
	ledger     *ledgertest.Fake
	statistics *statisticstest.Fake
	exporting  *fakeExporting
	saved      *fakeSaved
	finder     *fakeFinder
	segmenting *worktest.Source
	journal    *fakeJournal
	preview    *recordtest.Library
	sources    *recordtest.Sources
	claims     *fakeClaims
}

func newScene(lib *fakeLibrary, say say) *scene {
	s := &scene{
		say: say, lib: lib, ledger: ledgertest.Sample(), statistics: statisticstest.Sample(), exporting: sampleExport(), finder: sampleFinder(),
		editor:     &fakeEditor{lib: lib, cuts: slices.Clone(machineOfMixed)},
		saved:      &fakeSaved{filters: []room.SavedFilter{{Number: 1, Name: say("to do"), Text: "status:pending"}, {Number: 3, Name: say("worth a look"), Text: "score:>=0.7 -has:error"}}},
		segmenting: &worktest.Source{}, journal: sampleJournal(), preview: recordtest.SampleLibrary(), sources: recordtest.SampleSources(),
		claims: &fakeClaims{lib: lib, now: someday},
	}
	s.finder.lib = lib
	s.sayLibrary()
	s.sayOthers()
	s.sayRecords()
	return s
}

// wholeLibrary has rows of every kind; the reader of each shows the same
// conversation.
func wholeLibrary() *fakeLibrary {
	lib := sampleLibrary()
	lib.messages = conversation()
	for i := range lib.segments {
		s := &lib.segments[i]
		s.SessionID = fmt.Sprint("s", i)
	}
	score := 0.93
	a := analysed(&fakeLibrary{segments: lib.segments[:1]})
	a.Start, a.Summary.OverallScore = 1, &score
	s := &lib.segments[0]
	s.Score, s.Start, s.End, s.Analysis = &score, 1, 4, a.Encode()
	lib.segments[1].Note, lib.segments[1].Tags = "look at the volumes again", []string{"docker", "good"}
	was := &lib.segments[7]
	was.WasBy, was.WasAt, was.WasStart, was.WasEnd, was.WasBody = "bob", someday, 1, 4, was.Body
	lib.segments[2].Masked = []int{2}
	return lib
}

// sayLibrary changes the texts of the library.
func (s *scene) sayLibrary() {
	l, say := s.lib, s.say
	for i := range l.segments {
		g := &l.segments[i]
		g.SessionFile, g.Note, g.Reviewer, g.WasBy = say(g.SessionFile), say(g.Note), say(g.Reviewer), say(g.WasBy)
		if g.Topic != "" {
			g.Topic = say(g.Topic)
		}
		if g.TaskType != "" {
			g.TaskType = say(g.TaskType)
		}
		for j := range g.Tags {
			g.Tags[j] = say(g.Tags[j])
		}
		if a, err := metric.Parse(g.Analysis); g.Analysis != "" && err == nil {
			g.Analysis = sayAnalysis(&a, say)
		}
	}
	for id, title := range l.titles {
		l.titles[id] = say(title)
	}
	for i := range l.messages {
		m := &l.messages[i]
		m.Content, m.Reasoning, m.Name, m.Model = say(m.Content), say(m.Reasoning), say(m.Name), say(m.Model)
		for j := range m.ToolCalls {
			c := &m.ToolCalls[j]
			c.Name, c.Arguments = say(c.Name), say(c.Arguments)
		}
		if changed := say("x"); changed != "x" && m.Role == chat.Assistant {
			m.ToolCalls = append(m.ToolCalls, chat.ToolCall{
				Name: "edit_file", Arguments: `{"path":` + string(rawjson.AppendString(nil, changed)) + `,"old_string":` + string(rawjson.AppendString(nil, changed)) + `,"new_string":"y"}`,
			})
		}
	}
}

func sayAnalysis(a *metric.Analysis, say say) string {
	a.Model, a.Summary.Reason, a.Summary.TaskType = say(a.Model), say(a.Summary.Reason), metric.TaskType(say(string(a.Summary.TaskType)))
	values := map[string]*metric.Value{}
	for name, v := range a.Metrics {
		if v != nil {
			v.Reason = say(v.Reason)
		}
		values[say(name)] = v
	}
	a.Metrics = values
	for i := range a.Flags {
		a.Flags[i] = metric.Flag(say(string(a.Flags[i])))
	}
	return a.Encode()
}

// sayOthers changes the texts of what stands beside the library.
func (s *scene) sayOthers() {
	say := s.say
	for i := range s.editor.cuts {
		s.editor.cuts[i].Topic = say(s.editor.cuts[i].Topic)
	}
	for i := range s.ledger.All {
		r := &s.ledger.All[i]
		r.Path, r.Format, r.Reason = say(r.Path), say(r.Format), say(r.Reason)
	}
	slices.SortFunc(s.ledger.All, func(a, b ledger.Source) int { return strings.Compare(a.Path, b.Path) })
	for _, list := range s.ledger.Lines {
		for i := range list {
			list[i].Reason = say(list[i].Reason)
		}
	}
	excerpt := s.ledger.Bytes
	s.ledger.Bytes = func(source int64, is ledger.Issue) (ledger.Excerpt, error) {
		e, err := excerpt(source, is)
		e.Before, e.Head, e.After = []byte(say(string(e.Before))), []byte(say(string(e.Head))), []byte(say(string(e.After)))
		return e, err
	}
	st := &s.statistics.St
	for _, groups := range [][]review.Group{st.Types, st.Models, st.Formats, st.Agents} {
		for i := range groups {
			groups[i].Name = say(groups[i].Name)
		}
	}
	for i := range st.Tools {
		st.Tools[i].Name = say(st.Tools[i].Name)
	}
	r := &s.exporting.report
	for i := range r.Types {
		r.Types[i].Name = say(r.Types[i].Name)
	}
	for i := range r.Tools {
		r.Tools[i].Name = say(r.Tools[i].Name)
	}
	for i := range r.LeftOut {
		r.LeftOut[i].Detail = say(r.LeftOut[i].Detail)
	}
	for i := range r.Secrets {
		r.Secrets[i].Rule, r.Secrets[i].Shown = say(r.Secrets[i].Rule), say(r.Secrets[i].Shown)
	}
	for i := range s.finder.Known {
		s.finder.Known[i].Name = say(s.finder.Known[i].Name)
	}
}

// sayRecords changes the texts of the journal, of training records and of what
// was recorded.
func (s *scene) sayRecords() {
	say := s.say
	for id, topic := range s.journal.topics {
		s.journal.topics[id] = say(topic)
	}
	for i := range s.journal.entries {
		e := &s.journal.entries[i]
		e.Curator = say(e.Curator)
		e.Changes = slices.Clone(e.Changes)
		for j := range e.Changes {
			for _, m := range []*review.Mark{&e.Changes[j].Before, &e.Changes[j].After} {
				m.Note, m.Reviewer = say(m.Note), say(m.Reviewer)
			}
		}
	}
	s.preview.Records = func(g review.Segment, o export.Options) string {
		return `{"format":"` + o.As + `","messages":[{"role":"user","content":` + string(rawjson.AppendString(nil, say("Fix the flaky test."))) +
			`},{"role":"assistant","content":` + string(rawjson.AppendString(nil, say("It shares a map."))) + `}],"tools":` + string(rawjson.AppendString(nil, g.ID)) + "}\n"
	}
	for i := range s.preview.Report.Secrets {
		c := &s.preview.Report.Secrets[i]
		c.Where, c.Rule, c.Shown = say(c.Where), say(c.Rule), say(c.Shown)
	}
	s.sources.Rec.Text, s.sources.Rec.Place = []byte(say(string(s.sources.Rec.Text))), say(s.sources.Rec.Place)
	s.claims.all = []review.Claim{{Program: "another", Curator: say("ben"), Segment: s.claimed(), Until: someday.Add(review.ClaimFor)}}
}

// claimed is what somebody else reads: the second segment.
func (s *scene) claimed() string {
	if len(s.lib.segments) < 2 {
		return ""
	}
	return s.lib.segments[1].ID
}

// options wire the scene.
func (s *scene) options(o *Options) {
	o.Place, o.Curator = s.say("~/sessions"), s.say("ann")
	o.Editor, o.Ledger, o.Exporting, o.Saved = s.editor, s.ledger, s.exporting, s.saved
	s.finder.options(o)
	o.Journal, o.Previewing, o.Sources = s.journal, s.preview, s.sources
	o.Claims = s.claims.of("this", o.Curator)
	o.Statistics, o.Thresholds = s.statistics, metric.DefaultThresholds()
	o.ShortPath = func(path string) string { return strings.Replace(path, "/home/ann/", "~/", 1) }
}
