// Package compress brings long conversations into a budget of tokens.
//
// What is shortened is a layer over the messages, which stay as they are: a
// Sample is a list of pieces, each a range of messages that is kept or that a
// text stands for, and Expand gives back what was there. Messages of users and
// of the system stay where they are, word for word, and calls stay with their
// results. What cannot be shortened, or not as it should, is left as it was, and
// says why: nothing is lost and nothing is made up.
//
// A Strategy decides what goes and what stands for it; a Form, what of that is
// trained. The package is pure: no database, no network, no screen. Package
// compat is the published program that this one is measured by.
package compress

import (
	"context"
	"fmt"
	"strings"

	"winnow/core/chat"
	"winnow/core/secret"
)

// Form says how what was compressed becomes samples.
type Form uint8

const (
	// Split makes a sample of the messages up to the cut as they were, and one of
	// what is after it in the shortened context, in which only that is
	// trained. So each answer trains once, and in a context that it fits. What is
	// in front of the cut and still too long is split alike.
	Split Form = iota
	// Fold makes one sample: answers that a text stands for are not trained.
	Fold
)

// String returns "split" or "fold".
func (f Form) String() string {
	if f == Fold {
		return "fold"
	}
	return "split"
}

// Options say what a compression aims at. Start from Defaults.
type Options struct {
	// Target is what a sample may cost, and Summary what a text may cost that
	// stands for a region, in tokens.
	Target, Summary int
	// Head are the roles whose first message stays, and Tail is how many
	// messages stay at the end.
	Head []chat.Role
	Tail int
	Form Form
	// By is what shortens; nil: Extract.
	By Strategy
	// Price tells what messages cost; nil: Plain without a counter.
	Price Price
	// Tools is the text of the tools, as far as answers may name what is in it.
	Tools string
	// Regions and Rounds bound how much is tried: how many regions go at most,
	// 0 for any number, and how often is tried, with more each time, once at
	// least. One of each is what the published program does.
	Regions, Rounds int
	// NoMask is for formats that cannot leave a message of the assistant out of
	// the training: a summary wears the user's role there, or the region is cut
	// so that it can.
	NoMask bool
	// Notice is put after the first message of the system if a summary stands in
	// the sample; "": nothing is.
	Notice string
	// Secrets finds what no summary may hold; nil: the rules without names of
	// users.
	Secrets *secret.Scanner
}

// Defaults returns usual options: those of the published program where it has
// them.
func Defaults() Options {
	return Options{
		Target: 15250, Summary: 750, Tail: 4, Rounds: 8,
		Head: []chat.Role{chat.System, chat.User, chat.Assistant, chat.Tool},
	}
}

// complete fills in what is not set.
func (o *Options) complete() {
	if o.By == nil {
		o.By = Extract{}
	}
	if o.Price == nil {
		o.Price = Plain{Tools: o.Tools}
	}
}

// Outcome is what became of a conversation.
type Outcome string

// The outcomes. Whatever is not Compressed is as it was.
const (
	UnderTarget Outcome = "under_target"         // it fits
	Compressed  Outcome = "compressed"           // it was shortened
	Nothing     Outcome = "nothing_compressible" // all of it has to stay
	NoSavings   Outcome = "no_net_savings"       // what may go costs no more than what would stand for it
	Failed      Outcome = "failed"               // no summary came, or none that may be used
)

// Result is what became of a conversation.
type Result struct {
	Outcome Outcome
	// Reason says why it Failed, or why a further round did.
	Reason string
	// Samples are in the order of the messages that they train, one at least.
	Samples []Sample
	// Regions are what texts stand for in the last sample.
	Regions []Region
	// Layers are the regions of the samples that have any, sample by sample: the
	// last are Regions. Lay makes the samples of them again.
	Layers [][]Region
	// Before and After are tokens of the conversation and of the last sample.
	Before, After int
	// Over says that some sample costs more than the target.
	Over bool
	// Dropped is how many answers no sample trains, with Fold.
	Dropped int
	// Findings are what a person should look at.
	Findings []Finding
	// Calls and Errors count requests for summaries, and those that failed.
	Calls, Errors int

	Made Made
}

// Made says how a result came about.
type Made struct {
	Strategy  string `json:"strategy"`
	Form      string `json:"form"`
	Counter   string `json:"counter"`
	Model     string `json:"model,omitzero"`     // that wrote the summaries
	Prompt    string `json:"prompt,omitzero"`    // the version of what it was asked
	Hindsight bool   `json:"hindsight,omitzero"` // later messages chose what a text names
}

// Strategy is a way to shorten: Clear, Extract or Model.
type Strategy interface {
	Name() string
	// assume says what a text costs that will stand for so many tokens.
	assume(o *Options, tokens int) int
	// choose chooses what goes, so that so many tokens are saved if possible.
	choose(s *session, excess int) []Region
	// write gives regions what stands for them. An error leaves everything as it
	// was.
	write(ctx context.Context, s *session, regions []Region, r *Result) error
	made(m *Made)
}

// Compress shortens a conversation. It never fails: what is wrong stands in the
// result. The messages are not changed, and the result refers to them.
func Compress(ctx context.Context, messages []chat.Message, o Options) Result {
	o.complete()
	s := newSession(messages, &o)
	r := s.shorten(ctx)
	switch {
	case r.Outcome != Compressed:
		r.Samples = []Sample{s.whole()}
	case o.Form == Fold:
		r.Layers = [][]Region{r.Regions}
		r.Samples = s.layers(r.Layers)
	default:
		r.Layers = s.split(ctx, &r)
		r.Samples = s.layers(r.Layers)
	}
	s.sumUp(&r)
	return r
}

// sumUp tells of a result what its samples and the options say.
func (s *session) sumUp(r *Result) {
	for i := range r.Samples {
		r.Over = r.Over || r.Samples[i].Tokens > s.o.Target
	}
	if r.Outcome == Compressed && s.o.Form == Fold {
		r.Dropped = s.answers() - s.answersKept(r.Regions)
	}
	r.Made = Made{Form: s.o.Form.String(), Strategy: s.o.By.Name(), Counter: s.o.Price.Name()}
	s.o.By.made(&r.Made)
}

// shorten chooses regions and has texts stand for them, until the conversation
// fits or nothing more can go.
func (s *session) shorten(ctx context.Context) Result {
	r := Result{Outcome: UnderTarget, Before: s.total, After: s.total}
	excess := s.total - s.o.Target
	if excess <= 0 {
		return r
	}
	if r.Outcome = Nothing; s.removable() {
		r.Outcome = NoSavings
	}
	loose := r // with lists that are not shortened
	for round := 0; round < max(1, s.o.Rounds); round++ {
		regions := s.o.By.choose(s, excess)
		hoped := s.hoped(regions)
		if len(regions) == 0 || same(regions, r.Regions) && !s.tighten() {
			break
		}
		tried := Result{Calls: r.Calls, Errors: r.Errors}
		regions, err := s.written(ctx, regions, &tried)
		r.Calls, r.Errors = tried.Calls, tried.Errors
		if err != nil {
			r.Reason = err.Error()
			if r.Outcome != Compressed { // else what an earlier round came to stays
				r.Outcome = Failed
				r.Findings = tried.Findings
			}
			break
		}
		after := s.after(regions)
		if len(regions) > 0 && (r.Outcome != Compressed || after < r.After) {
			r.Outcome, r.Regions, r.After, r.Findings = Compressed, regions, after, tried.Findings
		}
		if after <= s.o.Target {
			break
		}
		excess = max(excess, hoped) + after - s.o.Target
		if s.tight == 0 {
			loose = r
		}
	}
	if s.tight > 0 && r.After > s.o.Target && loose.Outcome == Compressed {
		r = loose // it does not fit in any case: more of it is told
	}
	if r.Outcome == Compressed && s.rewrites() && r.After > s.o.Target && (r.Before-r.After)*littleSaved < r.Before {
		return Result{Outcome: NoSavings, Before: s.total, After: s.total, Calls: r.Calls, Errors: r.Errors}
	}
	if r.Outcome == Compressed {
		if s.rewrites() {
			for i := range r.Regions {
				r.Findings = append(r.Findings, s.listed(&r.Regions[i])...)
			}
		}
		r.Findings = append(r.Findings, s.dangling(r.Regions)...)
	}
	return r
}

// littleSaved is the part of a session that a list has to save if the session stays
// over the target all the same: a tenth.
const littleSaved = 10

// hoped is what regions are assumed to save.
func (s *session) hoped(regions []Region) (n int) {
	for i := range regions {
		if g := &regions[i]; g.Cleared {
			n += g.Tokens - g.Cost
		} else {
			n += s.saves(g)
		}
	}
	return n
}

// written has texts written for regions. Where a text costs as much as what it
// stands for, the messages stay.
func (s *session) written(ctx context.Context, regions []Region, r *Result) ([]Region, error) {
	for len(regions) > 0 {
		if err := s.o.By.write(ctx, s, regions, r); err != nil {
			return nil, err
		}
		var kept []Region
		for i := range regions {
			g := &regions[i]
			if g.Cost = s.o.Price.Message(s.stand(g)); g.Cost < g.Tokens && (!g.bare() || bareLeast*g.Cost <= g.Tokens) {
				kept = append(kept, *g)
			}
		}
		done := len(kept) == len(regions)
		if !done {
			kept = s.fitting(kept)
		}
		if regions = kept; done || !s.rewrites() {
			break
		}
	}
	if s.total <= s.after(regions) { // a notice may cost more than was saved
		return nil, nil
	}
	return regions, nil
}

// bare reports whether a text says no more than that messages are left out.
func (g *Region) bare() bool {
	return !g.Cleared && !strings.Contains(g.Text, "\n") && strings.HasSuffix(g.Text, leftOut)
}

// bareLeast is how many times its own cost a text that says nothing has to stand for.
const bareLeast = 8

// tighten has lists of what was done be half as long, where all that may go does
// and it still is too much; false if they can be no shorter.
func (s *session) tighten() bool {
	if !s.rewrites() || s.tight == tightMost {
		return false
	}
	s.tight++
	return true
}

// tightMost is how often lists are halved: an eighth is the first line of most,
// and the names that are needed stay anyway.
const tightMost = 3

// rewrites reports whether texts depend on which other regions there are.
func (s *session) rewrites() bool { _, ok := s.o.By.(Extract); return ok }

// same reports whether two lists are of the same messages.
func same(a, b []Region) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].From != b[i].From || a[i].To != b[i].To {
			return false
		}
	}
	return true
}

// Finding is something that a person should look at.
type Finding struct {
	Check  string `json:"check"`      // its name
	N      int    `json:"n,omitzero"` // the number of a message, 0 for none
	Detail string `json:"detail"`
}

func (f Finding) String() string {
	if f.N == 0 {
		return f.Check + ": " + f.Detail
	}
	return fmt.Sprintf("%s: #%d: %s", f.Check, f.N, f.Detail)
}
