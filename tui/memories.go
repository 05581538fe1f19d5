package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/command"
	"winnow/tui/draw"
	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/memories"
	"winnow/tui/work"
)

// Memories have what was learned, and keep what curators decide on it. They may take
// long and are called from commands only.
type Memories interface {
	memories.Library
	// JudgeMemories decides on memories, as one entry of the journal; flagged are those
	// that were passed by for their flags.
	JudgeMemories(ctx context.Context, j memory.Judgement) (e review.Entry, flagged []string, err error)
	// Rewritten checks the words that a curator gives a memory, and finds their flags.
	Rewritten(ctx context.Context, m *memory.Memory, w memory.Words) (memory.Words, error)
	// Proposal is what a memory of a message may be: its kind, and what the message
	// says first.
	Proposal(ctx context.Context, segment string, message int) (memory.Kind, string, error)
	// OfMessage makes a memory of a message of a segment, as an entry of the journal; ""
	// is the kind of Proposal.
	OfMessage(ctx context.Context, curator, segment string, message int, kind memory.Kind, text string) (review.Entry, error)
	// WriteAgents writes the approved ones of a filter into a file such as AGENTS.md, and
	// says what came of it.
	WriteAgents(ctx context.Context, path string, f memory.Filter) (string, error)
}

// noMemories says why no memories can be shown, "" if they can.
func (a *App) noMemories() string {
	return keys.Reason(a.opt.Memories == nil, "no memories here")
}

// quoted is a message that a quote of a memory led to.
type quoted struct {
	segment string
	from    *memories.Screen // nil: none did
}

// openMemories opens the memories, as they were left while one reads what a quote is from.
func (a *App) openMemories(s screen.Seat) screen.Layer {
	old := a.quoted.from
	a.quoted = quoted{}
	return memories.New(s, forMemories{a}, a.opt.Memories, a.opt.Drafts, old)
}

// leadsToMemories reports whether the way back from the reader leads to the memories.
func (a *App) leadsToMemories() bool {
	s := a.List.Selected()
	return a.quoted.from != nil && s != nil && s.ID == a.quoted.segment && !a.Visiting() && a.Reader.Status().FindQuery == ""
}

// followQuoted forgets the way back once the curator has left the reader.
func (a *App) followQuoted() {
	if a.Focus != room.OnReader {
		a.quoted = quoted{}
	}
}

// forMemories is the program as the screen of memories needs it.
type forMemories struct{ *App }

func (p forMemories) Segment() *review.Segment { return p.List.Selected() }

func (p forMemories) Read(segment string, message int, from *memories.Screen) {
	p.quoted = quoted{segment, from}
	p.also = append(p.also, p.ReadAt(segment, message))
	if s := p.List.Selected(); s == nil || s.ID != segment {
		p.also = append(p.also, p.GotoSegment(segment))
	}
}

func (p forMemories) Undo() { p.also = append(p.also, p.App.Step(false)) }

func (p forMemories) Redo() { p.also = append(p.also, p.App.Step(true)) }

func (p forMemories) Exec(cmd *exec.Cmd, done func(error) func()) { forEdit{p.App}.Exec(cmd, done) }

// Judge implements memories.Program.
func (p forMemories) Judge(j memory.Judgement, done string, ended func(error)) {
	a := p.App
	lib, passed := a.opt.Memories, 0
	j.Curator = a.opt.Curator
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		e, flagged, err := lib.JudgeMemories(ctx, j)
		passed = len(flagged)
		return e, err
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		if err == nil && e.ID == 0 {
			done = "nothing changed: it was so already"
		}
		n, replaced := j.Made(e.Memories) // others may have gone, or were judged meanwhile
		if j.Bulk && e.ID != 0 && j.Status != "" {
			done = draw.OneOrMany(n, "memory", "memories") + " " + string(j.Status)
		}
		if j.Best != "" && e.ID != 0 {
			done = bestText(&j, e.Memories)
		}
		if replaced > 0 {
			done += ", " + draw.Grouped(replaced) + " replaced"
		}
		if passed > 0 {
			done += " " + a.G.Dot + " " + draw.OneOrMany(passed, "with flags is left", "with flags are left")
		}
		a.saidOf(&e, done, err)
		ended(err)
		return nil
	}))
}

// bestText says what became of memories of which the best was kept.
func bestText(j *memory.Judgement, changes []memory.Change) string {
	n, _ := j.Made(changes)
	if slices.ContainsFunc(changes, func(c memory.Change) bool { return c.ID == j.Best }) {
		return fmt.Sprintf("approved 1 of %d alike, rejected %d", len(j.IDs), n-1)
	}
	return fmt.Sprintf("rejected %d of %d alike: the best was approved before", n, len(j.IDs))
}

// Rewrite implements memories.Program.
func (p forMemories) Rewrite(m memory.Memory, w memory.Words, ended func(error)) {
	a := p.App
	lib, curator := a.opt.Memories, a.opt.Curator
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		w, err := lib.Rewritten(ctx, &m, w)
		if err != nil {
			return review.Entry{}, err
		}
		j := memory.Judgement{Curator: curator, IDs: []string{m.ID}, Words: &w, Seen: map[string]memory.Memory{m.ID: m}}
		e, _, err := lib.JudgeMemories(ctx, j)
		return e, err
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		a.saidOf(&e, "the memory is changed", err)
		ended(err)
		return nil
	}))
}

// Export implements memories.Program.
func (p forMemories) Export(path string, f memory.Filter) {
	a := p.App
	lib := a.opt.Memories
	a.also = append(a.also, a.Enqueue("", func(ctx context.Context, _ rows.Library) (work.Show, error) {
		text, err := lib.WriteAgents(ctx, path, f)
		return func() tea.Cmd {
			if err != nil {
				a.Fail("nothing was written", err)
			} else {
				a.Say(text)
			}
			return nil
		}, nil
	}))
}

// memoryVerb is the command that makes a memory of the message under the cursor.
func (a *App) memoryVerb() command.Verb {
	return command.Verb{
		Name: "memory", Help: "make a memory of the message, which is its quote; without words they are asked for", In: keys.InReader,
		Run: func(text string) (func() tea.Cmd, error) { return a.rememberMessage(text) }, Why: a.noRemember,
	}
}

func (a *App) noRemember() string {
	if reason := a.noMemories(); reason != "" {
		return reason
	}
	return a.NoChange()
}

// rememberThis has the words of a memory of the message under the cursor typed.
func (a *App) rememberThis() tea.Cmd {
	do, err := a.rememberMessage("")
	if err != nil {
		a.Fail("no memory", err)
		return nil
	}
	return do()
}

// rememberMessage makes a memory of the message under the cursor.
func (a *App) rememberMessage(text string) (func() tea.Cmd, error) {
	kind, text := memoryWords(text)
	s, n := a.List.Selected(), a.Reader.Status().Number
	if s == nil || n < 1 || a.Opened.ID != s.ID {
		return nil, errors.New("there is no message under the cursor")
	}
	segment := s.ID
	if text == "" {
		return func() tea.Cmd { return a.typeMemory(segment, n, kind) }, nil
	}
	return func() tea.Cmd { return a.remember(segment, n, kind, text) }, nil
}

// typeMemory has kind and words of a memory of a message typed: they begin with what it
// says.
func (a *App) typeMemory(segment string, n int, kind memory.Kind) tea.Cmd {
	lib := a.opt.Memories
	return a.Enqueue("", func(ctx context.Context, _ rows.Library) (work.Show, error) {
		likely, text, err := lib.Proposal(ctx, segment, n)
		return func() tea.Cmd {
			if err != nil {
				a.Fail("no memory", err)
				return nil
			}
			line := screen.Line{Label: "memory of message " + draw.Grouped(n), Text: string(cmp.Or(kind, likely)) + " " + text, Check: func(text string) error {
				if _, text = memoryWords(text); text == "" {
					return errors.New("it says nothing: write what was learned, after its kind")
				}
				return nil
			}}
			return a.Type(line, func(text string) tea.Cmd {
				kind, text := memoryWords(text)
				return a.remember(segment, n, kind, text)
			})
		}, nil
	})
}

// memoryWords takes the kind from the front of what is typed of a memory, "" if none is
// there.
func memoryWords(text string) (memory.Kind, string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if k, ok := memory.ParseKind(word); ok {
		return k, strings.TrimSpace(rest)
	}
	return "", strings.TrimSpace(text)
}

// remember makes a memory of a message.
func (a *App) remember(segment string, n int, kind memory.Kind, text string) tea.Cmd {
	lib, curator := a.opt.Memories, a.opt.Curator
	return a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		return lib.OfMessage(ctx, curator, segment, n, kind, text)
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		done := "a memory of message " + draw.Grouped(n)
		if err == nil && len(e.Memories) == 1 && e.Memories[0].After != nil {
			done += ": " + string(e.Memories[0].After.Status)
		}
		a.saidOf(&e, done, err)
		return nil
	})
}
