package tui

import (
	"context"
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/work"
)

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
func pressing(keys string) func(*harness, *scene) {
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
	x.app.work.Import.Running, x.app.Message = true, screen.Message{}
	x.app.work.Import.Report(*p)
	x.app.work.Look()
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
	return slices.Concat(segmentStates(), lineStates(), statisticsStates(), ledgerStates(), journalStates(), recordStates(), exportStates(), boundaryStates(), emptyStates(), alikeStates(), togetherStates(), failedStates(), pipelineStates(), trainingStates())
}

func segmentStates() []state {
	return []state{
		{name: "list", do: pressing("j j j j")},
		{name: "list-end", do: pressing("G")},
		{name: "reader", do: pressing("enter")},
		{name: "reader-unfolded", do: pressing("enter Z h h G")},
		{name: "reader-beside", do: pressing("tab J J z")},
		{name: "reader-masked", do: pressing("j j enter")},
		{name: "reader-found", do: func(x *harness, _ *scene) {
			x.press("tab ctrl+g")
			x.write("map")
			x.press("enter")
		}},
		{name: "judged", do: pressing("a r")},
		{name: "marked", do: pressing("space space v j")},
		{name: "bulk", do: pressing("v j j j j j v X")},
		{name: "tags", do: pressing("t tab")},
		{name: "tags-marked", do: pressing("space space t")},
		{name: "sort", do: pressing("s s s")},
		{name: "reasons", do: pressing("i j")},
		{name: "help", do: pressing("?")},
		{name: "help-of-export", do: pressing("e ? G")},
		{name: "help-search", do: func(x *harness, _ *scene) {
			x.press("? /")
			x.write("undo")
		}},
		{name: "themes", do: pressing("T j")},
		{name: "versions", with: withVersions, do: pressing("tab V k k space")},
		{name: "difference", with: withVersions, do: pressing("tab V enter")},
		{name: "compression", with: withCompressions, do: pressing("C")},
		{name: "compression-opened", with: withCompressions, do: pressing("C J enter j j enter !")},
		{name: "compression-sample", with: withCompressions, do: pressing("C [ [")},
		{name: "compression-none", with: withCompressions, do: pressing("j j j C")},
		{name: "compression-all", with: withCompressions, do: pressing("C A")},
		{name: "compression-loading", with: withCompressions, do: unanswered("C")},
		{name: "memories", with: withMemories, do: pressing("M j tab")},
		{name: "memories-flagged", with: withMemories, do: pressing("M j j")},
		{name: "memories-stale", with: withMemories, do: pressing("M G")},
		{name: "memories-all", with: withMemories, do: pressing("M A")},
		{name: "memories-best", with: withDouble, do: pressing("M j B")},
		{name: "memories-none", with: func(s *scene, o *Options) { o.Memories = &fakeMemories{lib: s.lib} }, do: pressing("M")},
		{name: "memories-filtered-out", with: func(s *scene, o *Options) { o.Memories = &fakeMemories{lib: s.lib} }, do: pressing("M s")},
		{name: "memories-filter-wrong", with: withMemories, do: func(x *harness, _ *scene) {
			x.press("M /")
			x.write("colour:red")
			x.press("enter")
		}},
		{name: "memories-of-a-message", with: withMemories, do: func(x *harness, _ *scene) {
			x.press("enter :")
			x.write("memory")
			x.press("enter")
		}},
		{name: "memories-loading", with: withMemories, do: unanswered("M")},
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
			s.segmenting.Left = work.Plan{Sent: 8931, Tokens: 3_100_000, Host: s.say("api.example.com"), Model: s.say("tiny-1")}
			o.Work.Cuts = s.segmenting
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
		{name: "filter-open", do: pressing("/")},
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
		{name: "statistics", do: pressing("S j j j")},
		{name: "statistics-end", do: pressing("S G")},
		{name: "statistics-loading", do: unanswered("S")},
		{name: "statistics-failed", with: func(s *scene, _ *Options) { s.statistics.Err = errDisk(s) }, do: pressing("S")},
		{name: "statistics-nothing", lib: noSegments, with: func(s *scene, _ *Options) { s.statistics.St = review.Statistics{} }, do: pressing("S")},
	}
}

func ledgerStates() []state {
	return []state{
		{name: "ledger", do: pressing("L !")},
		{name: "ledger-source", do: pressing("L ! enter tab j")},
		{name: "ledger-bytes", do: pressing("L ! enter ! enter")},
		{name: "ledger-loading", do: unanswered("L")},
		{name: "ledger-failed", with: func(s *scene, _ *Options) { s.ledger.Err = errDisk(s) }, do: pressing("L")},
		{name: "ledger-nothing", with: func(s *scene, _ *Options) { s.ledger.All = nil }, do: pressing("L")},
	}
}

func journalStates() []state {
	return []state{
		{name: "journal", do: pressing("H j j")},
		{name: "journal-entry", do: pressing("H j j j j j j enter j")},
		{name: "journal-loading", do: unanswered("H")},
		{name: "journal-failed", with: func(s *scene, _ *Options) { s.journal.fail = errDisk(s) }, do: pressing("H")},
		{name: "journal-nothing", with: func(s *scene, _ *Options) { s.journal.entries = nil }, do: pressing("H")},
	}
}

func recordStates() []state {
	return []state{
		{name: "preview", do: pressing("p")},
		{name: "preview-left-out", with: func(s *scene, _ *Options) {
			s.preview.Report = export.Report{LeftOut: []export.LeftOut{{Finding: export.Finding{Check: "unanswered_call", Message: 4, Detail: s.say("terminal is called and not answered")}, More: 1}}}
		}, do: pressing("p")},
		{name: "preview-loading", do: unanswered("p")},
		{name: "preview-failed", with: func(s *scene, _ *Options) { s.preview.Err = errDisk(s) }, do: pressing("p")},
		{name: "raw", do: pressing("tab J w")},
		{name: "raw-failed", with: func(s *scene, _ *Options) { s.sources.Err = errDisk(s) }, do: pressing("tab J w")},
	}
}

func exportStates() []state {
	target := func(x *harness, _ *scene) {
		x.press("e enter")
		x.write("out/train.jsonl")
		x.press("enter")
	}
	return []state{
		{name: "export", lib: approvedLibrary, do: pressing("e j j")},
		{name: "export-outcome", lib: approvedLibrary, do: pressing("e tab j j")},
		{name: "export-loading", lib: approvedLibrary, do: unanswered("e")},
		{name: "export-failing", lib: approvedLibrary, with: func(s *scene, _ *Options) { s.exporting.fail = errDisk(s) }, do: pressing("e")},
		{name: "export-nothing", lib: approvedLibrary, with: func(s *scene, _ *Options) { s.exporting.report.Candidates, s.exporting.report.Written = 0, 0 }, do: pressing("e")},
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
			x.app.work.Export.Report(Progress{Segments: 312, AllSegments: 1204, Bytes: 8e6})
			x.app.work.Look()
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
		{name: "empty", lib: noSegments, do: pressing("")},
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
		}, do: pressing("")},
		{name: "list-failed", with: func(s *scene, _ *Options) { s.lib.fail = map[string]error{"Segments": errDisk(s)} }, do: pressing("")},
		{name: "offer", lib: noSegments, with: offer, do: pressing("j")},
		{name: "offer-none", lib: noSegments, with: func(s *scene, o *Options) { offer(s, o); s.finder.Known = nil }, do: pressing("")},
		{name: "offer-failed", lib: noSegments, with: func(s *scene, o *Options) { offer(s, o); s.finder.Err = errDisk(s) }, do: pressing("")},
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
