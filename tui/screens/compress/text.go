package compress

import (
	"context"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/tui/draw"
)

// Drafts are texts in private files, for an editor. They take time, too.
type Drafts interface {
	// Write makes a file of a name with a text, in a folder of its own.
	Write(name, text string) (path string, err error)
	// Open returns what opens a file in the curator's editor. Its error says what
	// is missing.
	Open(path string) (*exec.Cmd, error)
	Read(path string) (text string, err error)
	// Remove removes a file that is not needed any more, with its folder.
	Remove(path string)
}

// draftName is the name of the file that a text is written in.
const draftName = "summary.txt"

// opened is a file with a text, and what opens it.
type opened struct {
	path string
	cmd  *exec.Cmd
}

func (s *Screen) noEdit() string {
	if reason := s.noMove(); reason != "" {
		return reason
	}
	if s.drafts == nil {
		return "texts can't be changed here"
	}
	return ""
}

// edit has the text under the cursor changed in the editor. What was written and could
// not be kept is what it begins with.
func (s *Screen) edit() {
	at, g, _ := s.region()
	of, drafts, path := s.of, s.drafts, s.draft
	if s.drafted != (drafted{of, at}) {
		path = ""
	}
	begins := strings.TrimSpace(strings.TrimPrefix(g.Text, compress.Prefix))
	s.opening.Ask(&s.Seat, func(context.Context) (o opened, err error) {
		if o.path = path; path == "" {
			o.path, err = drafts.Write(draftName, begins+"\n")
		}
		if err == nil {
			o.cmd, err = drafts.Open(o.path)
		}
		if err != nil && path == "" && o.path != "" {
			drafts.Remove(o.path)
		}
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			s.Fail("not changed", err)
			return
		}
		s.draft, s.drafted = o.path, drafted{of, at}
		s.program.Exec(o.cmd, func(err error) func() {
			text, readErr := drafts.Read(o.path)
			if err == nil {
				err = readErr
			}
			return func() { s.wasEdited(at, begins, strings.TrimSpace(text), err) }
		})
	})
}

// drafted is what a draft is of.
type drafted struct {
	segment string
	at      compress.Place
}

// wasEdited takes what an editor left: it is checked and counted, and written.
func (s *Screen) wasEdited(at compress.Place, begins, text string, err error) {
	g := s.seen.Got
	switch {
	case s.Ctx.Err() != nil:
	case err != nil:
		s.Fail("not changed, the text is in "+s.ShortPath(s.draft)+": the editor failed", err)
	case text == begins:
		s.discard()
		s.Say("nothing is changed: the text is as it was")
	case s.drafted.segment != s.of || g.Proposal == nil:
		s.Say("not changed: another segment is shown; the text is in " + s.ShortPath(s.draft))
	default:
		s.change(at, func() (proposal.Proposal, error) {
			return g.Proposal.Rewrite(g.Conversation, g.Options, at, text)
		}, func(p *proposal.Proposal) string {
			said := "the text is changed: " + draw.Grouped(p.Before) + " " + s.G.Arrow + " " + draw.Plural(p.After, "token")
			if n := len(p.Findings); n > 0 {
				said += ", " + draw.Plural(n, "finding")
			}
			return said
		}, s.discard)
	}
}

// discard removes the file of the text, beside the program.
func (s *Screen) discard() {
	if s.draft == "" {
		return
	}
	drafts, path := s.drafts, s.draft
	s.draft, s.drafted = "", drafted{}
	s.Run(func() tea.Msg { drafts.Remove(path); return nil })
}
