package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/core/chat"
	"winnow/core/export/unfinished"
	"winnow/core/memory"
	"winnow/core/memory/write"
	"winnow/core/review"
	"winnow/tui/draw"
)

// learned is what the screen needs of memories.
type learned struct{ *Desk }

// Memories implements tui.Memories.
func (l learned) Memories(ctx context.Context, q memory.Query) (memory.Page, error) {
	return l.Store.Memories(ctx, q)
}

// OfMessage implements tui.Memories.
func (l learned) OfMessage(ctx context.Context, curator, segment string, message int, kind memory.Kind, text string) (review.Entry, error) {
	seg, err := l.Store.Segment(ctx, segment)
	if err != nil {
		return review.Entry{}, err
	}
	cites, err := l.Cites(ctx, &seg, []int{message}, "")
	if err != nil {
		return review.Entry{}, err
	}
	c := memory.Candidate{Kind: kind, Content: text, Cites: cites}
	if c.Content == "" {
		c.Content = cites[0].Quote
	}
	if c.Kind == "" {
		c.Kind = memory.Fact
		heads, err := l.Store.Messages(ctx, seg.Body, message, message)
		if err == nil && len(heads) > 0 && heads[0].Role == chat.User {
			c.Kind = memory.Rule
		}
	}
	m, err := l.NewMemory(ctx, &seg, c)
	if err != nil {
		return review.Entry{}, err
	}
	return l.Store.AddMemory(ctx, curator, m)
}

// WriteAgents implements tui.Memories.
func (l learned) WriteAgents(ctx context.Context, path string, f memory.Filter) (string, error) {
	path = l.Env.ExpandHome(path)
	var list []memory.Memory
	q := memory.Query{Filter: f.With("status", string(memory.Approved)), Limit: 500}
	for {
		page, err := l.Store.Memories(ctx, q)
		if err != nil {
			return "", err
		}
		if list = append(list, page.Memories...); !page.More || len(page.Memories) == 0 {
			break
		}
		q.After = page.Memories[len(page.Memories)-1].ID
	}
	was, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	now, r, err := write.Agents(was, list, write.Options{Scanner: l.Scanner()})
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	text := draw.OneOrMany(len(r.Written), "memory", "memories") + " in " + l.Env.ShortPath(path)
	if n := len(r.Left); n > 0 {
		text += fmt.Sprintf(", %d left out: winnow memories export says why", n)
	}
	if bytes.Equal(was, now) {
		return "nothing changed: " + text, nil
	}
	return text, PutFile(path, now)
}

// PutFile writes a file so that it is the old one or the new one, wherever it is read. A
// file that is there keeps its mode.
func PutFile(path string, data []byte) error {
	target, err := unfinished.Follow(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	file, err := unfinished.Create(target)
	if err != nil {
		return unfinished.Plainly(err, path)
	}
	name := file.Name()
	if info, err := os.Stat(target); err == nil {
		_ = file.Chmod(info.Mode().Perm()) // else it has the usual one
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(name, target)
	}
	if err != nil {
		_ = os.Remove(name)
		return unfinished.Plainly(err, path)
	}
	unfinished.SyncFolder(filepath.Dir(target))
	return nil
}
