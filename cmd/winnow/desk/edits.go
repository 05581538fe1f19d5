package desk

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"winnow/cmd/winnow/config"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/ledger"
	"winnow/store"
	screen "winnow/tui/screens/edit"
)

// edits changes messages of the database as the screen asks for it.
type edits struct{ *store.Store }

// headPage is how many entries of the index are read at once.
const headPage = 4096

// Standing implements edit.Library.
func (e edits) Standing(ctx context.Context, of ledger.Message) (st screen.Standing, err error) {
	list, err := e.Messages(ctx, of.Body, of.N, of.N)
	if err != nil {
		return st, err
	}
	if len(list) == 0 {
		return st, errors.New("no message stands there now")
	}
	st.Message = list[0]
	before, err := e.Edits(ctx, of.Body, 0, of.N)
	if err != nil {
		return st, err
	}
	for i := range before {
		one := &before[i]
		if one.N == of.N && one.Part == 0 {
			st.Edit = one
		}
		st.Broken = st.Broken || !one.Clash
	}
	s, err := e.Session(ctx, of.Session)
	if err != nil {
		return st, err
	}
	for n := of.N + 1; n <= s.Messages; n += headPage {
		heads, err := e.Heads(ctx, of.Body, n, min(s.Messages, n+headPage-1))
		if err != nil {
			return st, err
		}
		for i := range heads {
			if heads[i].Role == chat.Assistant {
				st.Behind++
			}
		}
	}
	segments, err := e.SegmentsOf(ctx, of.Session)
	for i := range segments {
		if g := &segments[i]; g.Start <= of.N && of.N <= g.End {
			st.Segment = *g
		}
	}
	return st, err
}

// Able implements edit.Library.
func (e edits) Able(op edit.Op) string {
	if op == edit.Set {
		return ""
	}
	return "not possible yet"
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
