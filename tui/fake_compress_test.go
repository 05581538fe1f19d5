package tui

import (
	"context"
	"fmt"
	"strings"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	screen "winnow/tui/screens/compress"
)

// fakeCompressions compress long conversations, one for each segment.
type fakeCompressions struct {
	lib     *fakeLibrary
	of      func(id string) proposal.Conversation
	options compress.Options
	model   string
	fails   error
	plan    screen.Plan
	asked   []screen.Way // of the model
	judged  []review.Compressing
	looks   int
}

// files is a session in which an agent reads files.
func files(n int) proposal.Conversation {
	c := proposal.Conversation{Tools: `[{"type":"function","function":{"name":"read_file"}}]`, Own: 1}
	add := func(m chat.Message) {
		m.N = len(c.Messages)
		c.Messages = append(c.Messages, m)
	}
	add(chat.Message{Role: chat.System, Content: "You read files."})
	add(chat.Message{Role: chat.User, Content: "Read all of them, and say which of them parse."})
	for i := range n {
		id := fmt.Sprint("call_", i)
		add(chat.Message{Role: chat.Assistant, Content: "I look at the next one.", ToolCalls: []chat.ToolCall{{ID: id, Name: "read_file", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, i)}}})
		add(chat.Message{Role: chat.Tool, ToolCallID: id, Name: "read_file", Content: strings.Repeat(fmt.Sprintf("func parse%d() { return }\n", i), 40)})
		if i == n/2 {
			add(chat.Message{Role: chat.User, Content: "Go on with the rest."})
		}
	}
	add(chat.Message{Role: chat.Assistant, Content: "All of them parse but src/part1.go, see parse1."})
	return c
}

// compressible is a library of segments whose conversations can be compressed: proposals
// of the first ones are there.
func compressible(lib *fakeLibrary, proposed int) *fakeCompressions {
	f := &fakeCompressions{lib: lib, of: func(string) proposal.Conversation { return files(12) }, options: compress.Defaults()}
	f.options.Target, f.options.Summary = 1400, 160
	for i := range min(proposed, len(lib.segments)) {
		f.proposeOf(&lib.segments[i], f.options)
	}
	return f
}

// proposeOf has something proposed.
func (f *fakeCompressions) proposeOf(s *review.Segment, o compress.Options) *proposal.Proposal {
	p := proposal.Make(context.Background(), s.ID, s.Digest, f.of(s.ID), o)
	p.By, p.At = "winnow", someday
	f.lib.propose(s.ID, &p)
	return &p
}

// propose keeps a proposal, nil for none.
func (l *fakeLibrary) propose(id string, p *proposal.Proposal) {
	if l.proposed == nil {
		l.proposed = map[string]*proposal.Proposal{}
	}
	s := l.find(id)
	l.proposed[id] = p
	if s.Compression = ""; p != nil {
		s.Compression = review.Compression(p.Status)
	}
	l.version++
}

func (f *fakeCompressions) Look(_ context.Context, id string) (screen.Look, error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	f.looks++
	s := f.lib.find(id)
	if f.fails != nil || s == nil {
		return screen.Look{}, f.fails
	}
	return screen.Look{Segment: *s, Conversation: f.of(id), Proposal: f.lib.proposed[id], Options: f.options, Model: f.model}, nil
}

func (f *fakeCompressions) Mark(_ context.Context, id string) (string, error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	s := f.lib.find(id)
	if f.fails != nil || s == nil {
		return "", f.fails
	}
	c := f.of(id)
	return fmt.Sprintf("%v %+v %s", s.Digest, f.lib.proposed[id], c.Sum()), nil
}

func (f *fakeCompressions) Waiting(_ context.Context, q review.Query) (w screen.Waiting, err error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	for _, s := range f.lib.passing(q.Filter) {
		switch p := f.lib.proposed[s.ID]; {
		case len(p.Findings) > 0:
			w.Found++
		case p.Over:
			w.Over++
		default:
			w.Put(p)
		}
	}
	return w, f.fails
}

func (f *fakeCompressions) Still(_ context.Context, counted screen.Waiting) (map[string]proposal.Proposal, error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	same := map[string]proposal.Proposal{}
	for _, id := range counted.IDs {
		if p := f.lib.proposed[id]; p != nil && screen.SumOf(p) == counted.Sums[id] {
			same[id] = *p
		}
	}
	return same, f.fails
}

func (f *fakeCompressions) Plan(context.Context, string, screen.Way) (screen.Plan, error) {
	return f.plan, f.fails
}

func (f *fakeCompressions) Propose(_ context.Context, list []proposal.Proposal) (n review.Proposing, err error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	for i := range list {
		f.lib.propose(list[i].Segment, &list[i])
		n.Written++
	}
	return n, f.fails
}

// entry notes what was done to proposals.
func (f *fakeCompressions) entry(curator string, changes ...review.ProposalChange) review.Entry {
	l := f.lib
	e := review.Entry{ID: int64(len(l.journal) + 1), Curator: curator, Action: review.ActCompress, Proposals: changes}
	for _, c := range changes {
		l.propose(c.Segment, c.After)
	}
	l.journal, l.undone = append(l.journal, e), nil
	return e
}

func (f *fakeCompressions) ChangeProposal(_ context.Context, curator string, read, to *proposal.Proposal) (review.Entry, error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	if now := f.lib.proposed[to.Segment]; f.fails != nil || now.At != read.At || now.Status != read.Status {
		return review.Entry{}, review.ErrConflict
	}
	return f.entry(curator, review.ProposalChange{Segment: to.Segment, Before: read, After: to}), nil
}

func (f *fakeCompressions) JudgeProposals(_ context.Context, c review.Compressing) (review.Entry, error) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	if f.fails != nil {
		return review.Entry{}, f.fails
	}
	f.judged = append(f.judged, c)
	var changes []review.ProposalChange
	for _, id := range c.IDs {
		before := f.lib.proposed[id]
		after := *before
		if after.Status, after.Judge, after.Judged = c.To, c.Curator, someday; c.To == proposal.Proposed {
			after.Judge = ""
		}
		changes = append(changes, review.ProposalChange{Segment: id, Before: before, After: &after})
	}
	return f.entry(c.Curator, changes...), nil
}

func (f *fakeCompressions) Summarize(_ context.Context, id string, w screen.Way, _ func(Progress)) (proposal.Proposal, error) {
	f.asked = append(f.asked, w)
	o := f.options
	o.By = compress.Model{Model: f.model, Ask: func(context.Context, compress.Request) (string, error) {
		return "The first files were read; part1 and parse1 among them.", nil
	}}
	p := proposal.Make(context.Background(), id, f.lib.find(id).Digest, f.of(id), o)
	return p, f.fails
}
