package desk

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"winnow/cmd/winnow/config"
	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/session"
	"winnow/store"
	screen "winnow/tui/screens/edit"
)

// edits changes messages of the database as the screen asks for it.
type edits struct{ *store.Store }

const (
	// headPage is how many entries of the index are read at once.
	headPage = 4096
	// near is how far from a message its call and its results are looked for.
	near = 64
)

// Standing implements edit.Library.
func (e edits) Standing(ctx context.Context, at screen.At) (st screen.Standing, err error) {
	s, err := e.Session(ctx, at.Session)
	if err != nil {
		return st, err
	}
	st.Last = s.Messages
	if err := e.stands(ctx, at, &st); err != nil {
		return st, err
	}
	if err := e.editOf(ctx, at, &st); err != nil {
		return st, err
	}
	for n := at.N + max(1, at.Dropped); n <= s.Messages; n += headPage {
		heads, err := e.Heads(ctx, at.Body, n, min(s.Messages, n+headPage-1))
		if err != nil {
			return st, err
		}
		for i := range heads {
			if heads[i].Role == chat.Assistant && heads[i].N > at.N {
				st.Behind++
			}
		}
	}
	segments, err := e.SegmentsOf(ctx, at.Session)
	for i := range segments {
		if g := &segments[i]; g.Start <= max(1, at.N) && at.N <= g.End {
			st.Segment = *g
		}
	}
	return st, err
}

// stands reads the message of a place, its call and its results.
func (e edits) stands(ctx context.Context, at screen.At, st *screen.Standing) error {
	list, err := e.Messages(ctx, at.Body, max(1, at.N-near), min(st.Last, at.N+near))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(m chat.Message) bool { return m.N == at.N && m.Part == at.Part })
	switch {
	case at.Dropped > 0:
		return nil
	case i < 0 && at.Part == 0:
		return errors.New("it is dropped: the current view shows where, and brings it back")
	case i < 0:
		return errors.New("no message stands there now")
	}
	st.Message = list[i]
	st.Family, st.Results = screen.Family(list, at.N, at.Part)
	if len(st.Message.ToolCalls) == 0 {
		return nil
	}
	children, err := e.Children(ctx, at.Session)
	for i := range children {
		if c := &children[i]; c.Call != "" && c.Kind == session.Subagent {
			st.Starts = append(st.Starts, c.Call)
		}
	}
	return err
}

// editOf finds the edit of a place, and whether others stand before it.
func (e edits) editOf(ctx context.Context, at screen.At, st *screen.Standing) error {
	before, err := e.Edits(ctx, at.Body, 0, at.N)
	if err != nil {
		return err
	}
	for i := range before {
		one := &before[i]
		if one.N == at.N && one.Part == at.Part {
			st.Edit = one
		}
		st.Broken = st.Broken || !one.Clash
	}
	if st.Edit == nil {
		return nil
	}
	by, err := e.EditedBy(ctx, at.Body, at.N, at.N)
	for i := range by {
		if by[i].N == at.N && by[i].Part == at.Part {
			st.By = by[i].By
		}
	}
	return err
}

// Plan implements edit.Library.
func (e edits) Plan(ctx context.Context, id string, rows []amend.Row) (p screen.Plan, err error) {
	s, err := e.Session(ctx, id)
	if err != nil {
		return p, err
	}
	span := amend.Span{Session: s.ID, Body: s.Body, From: 1, To: s.Messages, Messages: s.Messages}
	asked := amend.Asked{Store: e.Store, Find: func(context.Context, string) (amend.Span, error) { return span, nil }}
	for i := range rows {
		if err := asked.Take(ctx, &rows[i]); err != nil {
			return p, err
		}
		if err := e.texts(ctx, s.Body, &rows[i], &p); err != nil {
			return p, err
		}
	}
	p.Changes = asked.Changes
	p.Torn, err = asked.Torn(ctx)
	return p, err
}

// texts adds the messages that a row is about.
func (e edits) texts(ctx context.Context, body int64, r *amend.Row, p *screen.Plan) error {
	if r.Do == amend.Text || r.Do == amend.Insert {
		return nil
	}
	to := min(max(r.N, r.To), r.N+screen.MostPlanned-1)
	now, err := e.Messages(ctx, body, max(1, r.N), to)
	for i := range now {
		if m := &now[i]; len(p.Now) < screen.MostPlanned && m.N >= r.N && (r.To > r.N || m.Part == r.Part) {
			p.Now = append(p.Now, *m)
		}
	}
	if err != nil || r.Do != amend.Revert || r.Part > 0 {
		return err
	}
	recorded, err := e.RecordedMessages(ctx, body, r.N, to)
	p.Recorded = append(p.Recorded, recorded...)
	return err
}

// drafts are texts in files of folders that nobody else reads.
type drafts struct{ env *config.Env }

// Write implements edit.Drafts.
func (d drafts) Write(name, text string) (path string, err error) {
	dir, err := os.MkdirTemp("", "winnow-edit-") // with the mode 0700
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return path, nil
}

// Open implements edit.Drafts.
func (d drafts) Open(path string) (*exec.Cmd, error) {
	words, err := editor(d.env)
	if err != nil {
		return nil, err
	}
	args := editorArgs(words, path, 1)
	return exec.Command(args[0], args[1:]...), nil
}

// Read implements edit.Drafts.
func (d drafts) Read(path string) (string, error) {
	data, err := os.ReadFile(path)
	return string(data), err
}

// Remove implements edit.Drafts. What editors left beside the file goes, too.
func (d drafts) Remove(path string) { _ = os.RemoveAll(filepath.Dir(path)) }
