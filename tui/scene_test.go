package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/ledger"
	"winnow/core/metric"
	"winnow/core/review"
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
	ledger     *fakeLedger
	statistics *fakeStatistics
	exporting  *fakeExporting
	saved      *fakeSaved
	finder     *fakeFinder
	segmenting *fakeSegmenting
	journal    *fakeJournal
	preview    *fakePreviewing
	sources    *fakeSources
	claims     *fakeClaims
}

func newScene(lib *fakeLibrary, say say) *scene {
	s := &scene{
		say: say, lib: lib, ledger: sampleLedger(), statistics: sampleStatistics(), exporting: sampleExport(), finder: sampleFinder(),
		editor:     &fakeEditor{lib: lib, cuts: slices.Clone(machineOfMixed)},
		saved:      &fakeSaved{filters: []SavedFilter{{Number: 1, Name: say("to do"), Text: "status:pending"}, {Number: 3, Name: say("worth a look"), Text: "score:>=0.7 -has:error"}}},
		segmenting: &fakeSegmenting{}, journal: sampleJournal(), preview: samplePreview(), sources: sampleSources(),
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
				Name: "edit_file", Arguments: `{"path":` + string(chat.AppendString(nil, changed)) + `,"old_string":` + string(chat.AppendString(nil, changed)) + `,"new_string":"y"}`,
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
	for i := range s.ledger.sources {
		r := &s.ledger.sources[i]
		r.Path, r.Format, r.Reason = say(r.Path), say(r.Format), say(r.Reason)
	}
	slices.SortFunc(s.ledger.sources, func(a, b ledger.Source) int { return strings.Compare(a.Path, b.Path) })
	for _, list := range s.ledger.issues {
		for i := range list {
			list[i].Reason = say(list[i].Reason)
		}
	}
	excerpt := s.ledger.excerpt
	s.ledger.excerpt = func(source int64, is ledger.Issue) (ledger.Excerpt, error) {
		e, err := excerpt(source, is)
		e.Before, e.Head, e.After = []byte(say(string(e.Before))), []byte(say(string(e.Head))), []byte(say(string(e.After)))
		return e, err
	}
	st := &s.statistics.st
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
	for i := range s.finder.places {
		s.finder.places[i].Name = say(s.finder.places[i].Name)
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
	s.preview.records = func(g review.Segment, o export.Options) string {
		return `{"format":"` + o.As + `","messages":[{"role":"user","content":` + string(chat.AppendString(nil, say("Fix the flaky test."))) +
			`},{"role":"assistant","content":` + string(chat.AppendString(nil, say("It shares a map."))) + `}],"tools":` + string(chat.AppendString(nil, g.ID)) + "}\n"
	}
	for i := range s.preview.report.Secrets {
		c := &s.preview.report.Secrets[i]
		c.Where, c.Rule, c.Shown = say(c.Where), say(c.Rule), say(c.Shown)
	}
	s.sources.rec.Text, s.sources.rec.Place = []byte(say(string(s.sources.rec.Text))), say(s.sources.rec.Place)
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
	o.Editor, o.Ledger, o.Exporting, o.Saved, o.Finder = s.editor, s.ledger, s.exporting, s.saved, s.finder
	o.Journal, o.Previewing, o.Sources = s.journal, s.preview, s.sources
	o.Claims = s.claims.of("this", o.Curator)
	o.Statistics, o.Thresholds = s.statistics, metric.DefaultThresholds()
	o.ShortPath = func(path string) string { return strings.Replace(path, "/home/ann/", "~/", 1) }
}

// state is a screen as a curator can have it before him.
type state struct {
	name string
	// lib is what is shown, nil: wholeLibrary.
	lib func() *fakeLibrary
	// with changes the scene and its options before the program starts.
	with func(s *scene, o *Options)
	// do brings the screen about.
	do func(x *harness, s *scene)
}

// keys is a state's do that only presses keys.
func keys(keys string) func(*harness, *scene) {
	return func(x *harness, _ *scene) { x.press(keys) }
}

// unanswered presses keys whose questions to the database wait for an answer.
func unanswered(keys string) func(*harness, *scene) {
	return func(x *harness, _ *scene) {
		x.hold = true
		x.press(keys)
	}
}

func noSegments() *fakeLibrary { return &fakeLibrary{version: 1} }

// works shows a job at work, whatever became of it.
func (x *harness) works(p *Progress) {
	x.app.job.running, x.app.message = true, message{}
	x.app.job.last.Store(p)
}

// errDisk is what a database says that does not answer.
func errDisk(s *scene) error {
	return errors.New(s.say("disk I/O error: /home/ann/.local/share/winnow/winnow.db: ") + "the file is there, but cannot be read")
}

// ofMixed starts in the boundaries of a session of four segments.
func ofMixed(rest string) func(*harness, *scene) {
	return func(x *harness, _ *scene) { x.press("j j b " + rest) }
}

// states are all screens, with everything that can stand on them.
func states() []state {
	return slices.Concat(segmentStates(), lineStates(), statisticsStates(), ledgerStates(), journalStates(), recordStates(), exportStates(), boundaryStates(), emptyStates())
}

func segmentStates() []state {
	return []state{
		{name: "list", do: keys("j j j j")},
		{name: "list-end", do: keys("G")},
		{name: "reader", do: keys("enter")},
		{name: "reader-unfolded", do: keys("enter Z h h G")},
		{name: "reader-beside", do: keys("tab J J z")},
		{name: "reader-masked", do: keys("j j enter")},
		{name: "reader-found", do: func(x *harness, _ *scene) {
			x.press("tab ctrl+g")
			x.write("map")
			x.press("enter")
		}},
		{name: "judged", do: keys("a r")},
		{name: "marked", do: keys("space space v j")},
		{name: "bulk", do: keys("v j j j j j v X")},
		{name: "tags", do: keys("t tab")},
		{name: "tags-marked", do: keys("space space t")},
		{name: "sort", do: keys("s s s")},
		{name: "reasons", do: keys("i j")},
		{name: "help", do: keys("?")},
		{name: "help-of-export", do: keys("e ? G")},
		{name: "help-search", do: func(x *harness, _ *scene) {
			x.press("? /")
			x.write("undo")
		}},
		{name: "themes", do: keys("T j")},
		{name: "command", do: func(x *harness, _ *scene) {
			x.press(":")
			x.write("e")
		}},
		{name: "command-wrong", do: func(x *harness, _ *scene) {
			x.press(":")
			x.write("exprot now")
			x.press("enter")
		}},
		{name: "question", with: func(s *scene, o *Options) {
			s.segmenting.plan = CutPlan{Sessions: 8931, Tokens: 3_100_000, Host: s.say("api.example.com"), Model: s.say("tiny-1")}
			o.Segmenting = s.segmenting
		}, do: func(x *harness, _ *scene) { x.tick(); x.tick() }},
		{name: "working", with: func(s *scene, o *Options) {
			o.JobName = "import"
			o.Job = func(context.Context, func(Progress)) error { return nil }
		}, do: func(x *harness, s *scene) {
			x.works(&Progress{Files: 12, AllFiles: 90, Messages: 53_022, Bytes: 31e6, AllBytes: 4e8, Note: s.say("2 files gave no session")})
		}},
		{name: "failed", do: func(x *harness, s *scene) {
			x.lib.fail = map[string]error{"Judge": errDisk(s)}
			x.press("a")
		}},
	}
}

func lineStates() []state {
	typed := func(text string, more string) func(*harness, *scene) {
		return func(x *harness, _ *scene) {
			x.typed(text)
			x.press(more)
		}
	}
	return []state{
		{name: "filter-open", do: keys("/")},
		{name: "filter-values", do: typed("status:", "")},
		{name: "filter-wrong", do: typed("status:pending scor>0.7 type:code", "")},
		{name: "filtered", do: typed("status:pending toolcalls>3", "enter")},
		{name: "nothing-passes", do: typed("toolcalls>100000", "enter")},
		{name: "note", do: func(x *harness, _ *scene) {
			x.press("j n")
			x.write(" and 数据库 🧪")
		}},
		{name: "save", do: func(x *harness, _ *scene) {
			x.typed("status:pending")
			x.press("enter W")
			x.write("to be done")
		}},
	}
}

func statisticsStates() []state {
	return []state{
		{name: "statistics", do: keys("S j j j")},
		{name: "statistics-end", do: keys("S G")},
		{name: "statistics-loading", do: unanswered("S")},
		{name: "statistics-failed", with: func(s *scene, _ *Options) { s.statistics.fail = errDisk(s) }, do: keys("S")},
		{name: "statistics-nothing", lib: noSegments, with: func(s *scene, _ *Options) { s.statistics.st = review.Statistics{} }, do: keys("S")},
	}
}

func ledgerStates() []state {
	return []state{
		{name: "ledger", do: keys("L !")},
		{name: "ledger-source", do: keys("L ! enter tab j")},
		{name: "ledger-bytes", do: keys("L ! enter ! enter")},
		{name: "ledger-loading", do: unanswered("L")},
		{name: "ledger-failed", with: func(s *scene, _ *Options) { s.ledger.fail = errDisk(s) }, do: keys("L")},
		{name: "ledger-nothing", with: func(s *scene, _ *Options) { s.ledger.sources = nil }, do: keys("L")},
	}
}

func journalStates() []state {
	return []state{
		{name: "journal", do: keys("H j j")},
		{name: "journal-entry", do: keys("H j j j j j j enter j")},
		{name: "journal-loading", do: unanswered("H")},
		{name: "journal-failed", with: func(s *scene, _ *Options) { s.journal.fail = errDisk(s) }, do: keys("H")},
		{name: "journal-nothing", with: func(s *scene, _ *Options) { s.journal.entries = nil }, do: keys("H")},
	}
}

func recordStates() []state {
	return []state{
		{name: "preview", do: keys("p")},
		{name: "preview-left-out", with: func(s *scene, _ *Options) {
			s.preview.report = export.Report{LeftOut: []export.LeftOut{{Finding: export.Finding{Check: "unanswered_call", Message: 4, Detail: s.say("terminal is called and not answered")}, More: 1}}}
		}, do: keys("p")},
		{name: "preview-loading", do: unanswered("p")},
		{name: "preview-failed", with: func(s *scene, _ *Options) { s.preview.err = errDisk(s) }, do: keys("p")},
		{name: "raw", do: keys("tab J w")},
		{name: "raw-failed", with: func(s *scene, _ *Options) { s.sources.err = errDisk(s) }, do: keys("tab J w")},
	}
}

func exportStates() []state {
	target := func(x *harness, _ *scene) {
		x.press("e enter")
		x.write("out/train.jsonl")
		x.press("enter")
	}
	return []state{
		{name: "export", lib: approvedLibrary, do: keys("e j j")},
		{name: "export-outcome", lib: approvedLibrary, do: keys("e tab j j")},
		{name: "export-loading", lib: approvedLibrary, do: unanswered("e")},
		{name: "export-failing", lib: approvedLibrary, with: func(s *scene, _ *Options) { s.exporting.fail = errDisk(s) }, do: keys("e")},
		{name: "export-nothing", lib: approvedLibrary, with: func(s *scene, _ *Options) { s.exporting.report.Candidates, s.exporting.report.Written = 0, 0 }, do: keys("e")},
		{name: "export-target", lib: approvedLibrary, do: func(x *harness, _ *scene) {
			x.press("e enter")
			x.write("out/tra")
		}},
		{name: "export-replace", lib: approvedLibrary, with: func(s *scene, _ *Options) { s.exporting.exists = true }, do: func(x *harness, s *scene) {
			target(x, s)
			x.press("e")
		}},
		{name: "export-running", lib: approvedLibrary, do: func(x *harness, s *scene) {
			target(x, s)
			x.hold = true
			x.press("e")
			x.app.exportJob.last.Store(&Progress{Segments: 312, AllSegments: 1204, Bytes: 8e6})
		}},
		{name: "export-done", lib: approvedLibrary, do: func(x *harness, s *scene) {
			target(x, s)
			x.press("e")
		}},
		{name: "export-failed", lib: approvedLibrary, do: func(x *harness, s *scene) {
			target(x, s)
			s.exporting.fail = errDisk(s)
			x.press("e")
		}},
	}
}

func boundaryStates() []state {
	return []state{
		{name: "boundaries", lib: mixedSession, do: ofMixed("")},
		{name: "boundaries-draft", lib: mixedSession, do: ofMixed("M j j s")},
		{name: "boundaries-machine", lib: mixedSession, do: ofMixed("M c")},
		{name: "boundaries-topic", lib: mixedSession, do: ofMixed("t")},
		{name: "boundaries-leaving", lib: mixedSession, do: ofMixed("M esc")},
		{name: "boundaries-loading", lib: mixedSession, do: func(x *harness, _ *scene) {
			x.press("j j")
			x.hold = true
			x.press("b")
		}},
		{name: "boundaries-failed", lib: mixedSession, with: func(s *scene, _ *Options) { s.editor.fail = errDisk(s) }, do: ofMixed("")},
	}
}

func emptyStates() []state {
	offer := func(_ *scene, o *Options) { o.Offer = true }
	return []state{
		{name: "empty", lib: noSegments, do: keys("")},
		{name: "importing", lib: noSegments, with: func(s *scene, o *Options) {
			o.JobName = "import"
			o.Job = func(context.Context, func(Progress)) error { return nil }
		}, do: func(x *harness, s *scene) {
			x.works(&Progress{Files: 1, AllFiles: 90, Messages: 77, Bytes: 1e6, AllBytes: 4e8})
		}},
		{name: "imported-nothing", lib: noSegments, with: func(s *scene, o *Options) {
			o.JobName = "import"
			o.Job = func(context.Context, func(Progress)) error {
				return errors.New(s.say("/data/empty: no files in it"))
			}
		}, do: keys("")},
		{name: "list-failed", with: func(s *scene, _ *Options) { s.lib.fail = map[string]error{"Segments": errDisk(s)} }, do: keys("")},
		{name: "offer", lib: noSegments, with: offer, do: keys("j")},
		{name: "offer-none", lib: noSegments, with: func(s *scene, o *Options) { offer(s, o); s.finder.places = nil }, do: keys("")},
		{name: "offer-failed", lib: noSegments, with: func(s *scene, o *Options) { offer(s, o); s.finder.err = errDisk(s) }, do: keys("")},
	}
}

// enact starts a program with the real reader and brings a state about.
func enact(t *testing.T, st state, w, h int, say say, with ...func(*Options)) *harness {
	t.Helper()
	lib := wholeLibrary
	if st.lib != nil {
		lib = st.lib
	}
	l := lib()
	if l.messages == nil {
		l.messages = conversation()
	}
	s := newScene(l, say)
	x := prepare(t, l, append(append([]func(*Options){s.options, func(o *Options) {
		if st.with != nil {
			st.with(s, o)
		}
	}}, with...), func(o *Options) { o.Zone = nil })...)
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	st.do(x, s)
	return x
}
