package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

func TestGateKeepsWhatIsProven(t *testing.T) {
	m := gated(t, good(), mocks())
	cites := m.Sources[0].Cites
	if len(cites) != 2 || cites[0].In != InResult || cites[0].Check || !cites[1].Check || cites[1].Message != 6 || cites[1].Role != chat.Tool {
		t.Errorf("cites %+v", cites)
	}
	if m.Status != Proposed || m.Hash == "" || m.Signature.IsZero() || m.Agent != "laptop" || m.Dir != "/work" {
		t.Errorf("memory %+v", m)
	}
	want := []string{"trajectory", "type:code", "segment:01234567", "topic:Fix the mocks", "agent:laptop", "go", "mocks"}
	if !slices.Equal(m.Tags, want) {
		t.Errorf("tags %q, want %q", m.Tags, want)
	}
	if !slices.Equal(m.Flags, []Flag{FromTools}) {
		t.Errorf("flags %q", m.Flags)
	}
}

// TestGateDropsByReason has a candidate for each reason that differs from a good one
// in that alone.
func TestGateDropsByReason(t *testing.T) {
	known := gated(t, good(), mocks())
	known.ID = "11111111-0000"
	for _, c := range []struct {
		name   string
		want   Drop
		change func(*Candidate)
	}{
		{"no cites", NoQuote, func(c *Candidate) { c.Cites = nil }},
		{"an empty quote", NoQuote, func(c *Candidate) { c.Cites = []Cite{{N: 3, Quote: "  \n"}} }},
		{"a quote that is not there", QuoteNotFound, func(c *Candidate) { c.Cites[0].Quote = "mocks/store.go:9: undefined: Clock" }},
		{"one of two is not there", QuoteNotFound, func(c *Candidate) { c.Cites[1].Quote = "ok store 0.42s" }},
		{"of another message", QuoteNotFound, func(c *Candidate) { c.Cites[0].N = 4 }},
		{"of no message", QuoteNotFound, func(c *Candidate) { c.Cites[0].N = 99 }},
		{"of message 0", QuoteNotFound, func(c *Candidate) { c.Cites[0].N = 0 }},
		{"of reasoning", QuoteNotFound, func(c *Candidate) {
			c.Cites = []Cite{{N: 7, Quote: "The vet cache is probably stale on Tuesdays."}}
		}},
		{"a word is no quote", QuoteNotFound, func(c *Candidate) { c.Cites[0].Quote = "Clock" }},
		{"a rule of the agent", NoUserWords, func(c *Candidate) { c.Kind = Rule }},
		{"a procedure whose check failed", NoCheck, func(c *Candidate) { c.Kind, c.Cites = Procedure, c.Cites[:1] }},
		{"a procedure that was only called", NoCheck, func(c *Candidate) {
			c.Kind, c.Cites = Procedure, []Cite{{N: 5, Quote: "make mocks && go vet ./..."}}
		}},
		{"long content", Long, func(c *Candidate) { c.Content += strings.Repeat(" and so on", 60) }},
		{"long title", Long, func(c *Candidate) { c.Title = strings.Repeat("x", 121) }},
		{"a secret", Secret, func(c *Candidate) { c.Context = "with AK" + "IAZQ3DJ7W5PLMX2RTB" }},
		{"a secret in a tag", Secret, func(c *Candidate) { c.Tags = append(c.Tags, "gl"+"pat-x7k2q9zr4tw8vb3nm5cd") }},
		{"generic", Generic, func(c *Candidate) {
			c.Title, c.Content, c.Resolution = "Look Before Errors", "Check that generated files are up to date before looking for errors.", ""
		}},
		{"of the moment", Transient, func(c *Candidate) { c.Content = "`go vet` now passes in mocks/store.go." }},
		{"of this change", Transient, func(c *Candidate) { c.Resolution = "mocks/store.go is generated in this PR" }},
		{"the same", Same, func(*Candidate) {}},
		{"the same in other letters", Same, func(c *Candidate) { c.Content = strings.ToUpper(c.Content) }},
		{"nearly the same", Near, func(c *Candidate) {
			c.Content += " So it is."
		}},
		{"said to be the same", Near, func(c *Candidate) {
			c.Content, c.Resolution, c.SameAs = "Generated code has to be made before `go vet`.", "", known.ID
		}},
	} {
		cand := good()
		cand.Cites = slices.Clone(cand.Cites)
		c.change(&cand)
		m, drop := Gate(cand, mocks(), []Memory{known})
		if drop != c.want {
			t.Errorf("%s: %q, want %q", c.name, drop, c.want)
		}
		if again := drop == Same || drop == Near; again != (m.ID == known.ID) || again != (len(m.Sources) == 1) {
			t.Errorf("%s: comes back as %q with %d sources", c.name, m.ID, len(m.Sources))
		}
	}
}

func TestRejectedIsNotProposedAgain(t *testing.T) {
	known := gated(t, good(), mocks())
	known.ID, known.Status = "11111111-0000", Rejected
	if m, drop := Gate(good(), mocks(), []Memory{known}); drop != Same || m.ID != "" {
		t.Errorf("%q, found again %q", drop, m.ID)
	}
	known.Status = Archived
	gated(t, good(), mocks(), known)
}

func TestCorrects(t *testing.T) {
	known := Memory{ID: "22222222-0000", Kind: Fact, Content: "The mocks are checked in.", Status: Approved}
	known.Identify()
	c := good()
	c.Corrects = known.ID
	if m := gated(t, c, mocks(), known); m.Supersedes != known.ID {
		t.Errorf("supersedes %q", m.Supersedes)
	}
	c.Corrects = "33333333-0000"
	if m := gated(t, c, mocks(), known); m.Supersedes != "" {
		t.Errorf("supersedes %q, which is not known", m.Supersedes)
	}
}

func TestWhiteSpaceIsFolded(t *testing.T) {
	e := mocks()
	for _, quote := range []string{"ok  \tstore\t0.41s", "ok store 0.41s", " ok\n store 0.41s "} {
		if c, ok := e.Find(6, quote); !ok || c.Quote != "ok store 0.41s" {
			t.Errorf("%q: %v %q", quote, ok, c.Quote)
		}
	}
	if c, ok := evidence("r", "it ends with <|im_end|> here").Find(1, "ends with ‹|im_end|>"); !ok || c.Quote != "ends with <|im_end|>" {
		t.Errorf("a quote as it was shown: %v %q", ok, c.Quote)
	}
	if c, ok := e.Find(5, "make mocks && go vet ./..."); !ok || c.In != InCall {
		t.Errorf("a quote of a call: %v %+v", ok, c)
	}
}

func TestRulesNeedTheUser(t *testing.T) {
	c := Candidate{Kind: Rule, Title: "Mocks first", Content: "Always run `make mocks` before `go vet`.", Cites: []Cite{{N: 1, Quote: "always run make mocks before go vet"}}}
	m := gated(t, c, mocks())
	if len(m.Flags) != 0 {
		t.Errorf("flags %q", m.Flags)
	}
	if tool := gated(t, good(), mocks()); m.Grade <= tool.Grade {
		t.Errorf("the user's words have %v, a result %v", m.Grade, tool.Grade)
	}
	// Nor is what another agent asks for the user's word.
	delegated := NewEvidence(About{Delegated: true}, said("u", "No, always run make mocks before go vet."), scanner())
	if _, drop := Gate(c, delegated, nil); drop != NoUserWords {
		t.Errorf("a parent's words are a user's: %q", drop)
	}
	// What a harness says in the user's place is nobody's word.
	e := evidence("u", "<system-reminder>\nAlways run `make mocks` before `go vet`.\n</system-reminder>", "a", "ok")
	c.Cites[0].Quote = "Always run `make mocks` before `go vet`."
	if _, drop := Gate(c, e, nil); drop != QuoteNotFound {
		t.Errorf("a reminder is evidence: %q", drop)
	}
}

func TestCiteMessage(t *testing.T) {
	e := mocks()
	for n, want := range map[int]string{1: "No, always run make mocks before go vet. See https://ci.example.org/rules for why.", 2: `bash {"command":"go vet ./..."} go vet ./...`, 3: "exit status 1 mocks/store.go:8: undefined: Clock", 9: ""} {
		if c, ok := e.CiteMessage(n, 0); c.Quote != want || ok != (want != "") {
			t.Errorf("message %d: %v %q", n, ok, c.Quote)
		}
	}
	if c, ok := e.CiteMessage(1, 1); ok {
		t.Errorf("a message that is not there: %+v", c)
	}
}

func TestASummaryIsNoInstruction(t *testing.T) {
	const text = "always run make mocks before go vet"
	e := evidence("u", "No, "+text+".", "a", "Yes.", "u", "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below: the user said to "+text+".")
	c := Candidate{Kind: Rule, Title: "Mocks first", Content: text + " in `store`", Cites: []Cite{{N: 1, Quote: text}}}
	gated(t, c, e)
	c.Cites[0].N = 3
	if _, drop := Gate(c, e, nil); drop != QuoteNotFound {
		t.Errorf("a summary proves something: %q", drop)
	}
}

func TestByHandLeavesJudgementToTheCurator(t *testing.T) {
	c := Candidate{Kind: Rule, Title: "Be kind", Content: "Be kind for now.", Cites: []Cite{{N: 4, Quote: "The mocks are out of date."}}}
	m, drop := ByHand(c, mocks(), nil)
	if drop != Kept || m.MadeBy != ByCurator || m.Status != Proposed {
		t.Errorf("%q %+v", drop, m)
	}
	c.Cites[0].Quote = "The mocks are fine."
	if _, drop := ByHand(c, mocks(), nil); drop != QuoteNotFound {
		t.Errorf("%q", drop)
	}
}

func TestSiftCountsAndJoins(t *testing.T) {
	twice, more := good(), good()
	more.Cites = []Cite{{N: 5, Quote: "make mocks && go vet ./..."}}
	bad := good()
	bad.Cites = nil
	a := Answer{Candidates: []Candidate{good(), twice, more, bad}, MadeBy: ByModel, Model: "m", Prompt: "1"}
	s := Sift(&a, mocks(), nil)
	if len(s.Kept) != 1 || s.Dropped[Same] != 2 || s.Dropped[NoQuote] != 1 || len(s.Again) != 0 {
		t.Fatalf("%+v", s)
	}
	if m := s.Kept[0]; len(m.Sources) != 1 || len(m.Sources[0].Cites) != 3 || m.MadeBy != ByModel || m.Model != "m" {
		t.Errorf("%+v", m)
	}
	known := s.Kept[0]
	known.ID = "11111111-0000"
	s = Sift(&a, mocks(), []Memory{known})
	if len(s.Kept) != 0 || len(s.Again) != 3 || s.Again[0].ID != known.ID || s.Dropped[Same] != 3 {
		t.Errorf("%+v", s)
	}
}

func TestNearIsOfWordsInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		near bool
	}{
		{"Use pnpm for all packages, not npm.", "Use npm for all packages, not pnpm.", false},
		{"Never push to main without a review by the owner of the code in it.", "Never push to main without a review by an owner of the code in it.", true},
		{"Run make mocks before go vet in the store folder.", "Run go generate before go test in the store folder.", false},
		{"在提交之前必须运行 make mocks 生成代码", "在提交之前必须运行 make mocks 来生成代码", true},
		{"在提交之前必须运行 make mocks 生成代码", "数据库在周末是只读的", false},
	} {
		a, b := Memory{Kind: Fact, Content: c.a}, Memory{Kind: Fact, Content: c.b}
		a.Identify()
		b.Identify()
		_, drop := alike(&a, []Memory{b})
		if near := drop == Near; near != c.near {
			t.Errorf("%q and %q: %q", c.a, c.b, drop)
		}
	}
}

// TestByHandNamesTheKnownOne: what a curator writes that is there already comes back with
// the id and the status of that one, also if it was rejected; of what a model finds a
// rejected one is not named, as it gets no source.
func TestByHandNamesTheKnownOne(t *testing.T) {
	const said = "Always run `make mocks` before `go vet`."
	e := NewEvidence(About{}, []chat.Message{{N: 1, Role: chat.User, Content: said}}, nil)
	c := Candidate{Kind: Rule, Title: "Mocks", Content: said, Cites: []Cite{{N: 1, Quote: said}}}
	for _, status := range []Status{Proposed, Approved, Rejected} {
		k := Memory{ID: "1a2b3c4d", Kind: Rule, Status: status, Content: said}
		k.Identify()
		if m, drop := ByHand(c, e, []Memory{k}); drop != Same || m.ID != k.ID || m.Status != status {
			t.Errorf("%s: %q %+v", status, drop, m)
		}
		if m, drop := Gate(c, e, []Memory{k}); drop != Same || (m.ID == "") != (status == Rejected) {
			t.Errorf("%s: %q %+v", status, drop, m)
		}
	}
}

// TestASegmentGivesFew: three memories are the most of a segment, the best ones, also
// where some of it was asked about before.
func TestASegmentGivesFew(t *testing.T) {
	texts := []string{"Run `make mocks` after changing store.go", "Never push to main on release days at 18:00", "Use port 8443 for staging of billing", "Keep go.mod at version 1.26 everywhere", "Write logs into var/log/winnow only"}
	var said []chat.Message
	var a Answer
	for i, text := range texts {
		role, kind := chat.User, Rule
		if i < 2 {
			role, kind = chat.Assistant, Fact // worse: not the user's words
		}
		said = append(said, chat.Message{N: i + 1, Role: role, Content: text})
		a.Candidates = append(a.Candidates, Candidate{Kind: kind, Title: fmt.Sprint(i), Content: text, Cites: []Cite{{N: i + 1, Quote: text}}})
	}
	e := NewEvidence(About{}, said, nil)
	for had, want := range []string{"2 3 4", "", "", "", ""} {
		a.Had = had
		s := Sift(&a, e, nil)
		var got []string
		for i := range s.Kept {
			got = append(got, s.Kept[i].Title)
		}
		if left := max(3-had, 0); len(got) != left || s.Dropped[Many] != 5-left || want != "" && strings.Join(got, " ") != want {
			t.Errorf("with %d before: %v, dropped %v", had, got, s.Dropped)
		}
	}
}
