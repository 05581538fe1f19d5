package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// Proposal implements tui.Memories.
func (l learned) Proposal(ctx context.Context, segment string, message int) (memory.Kind, string, error) {
	seg, err := l.Store.Segment(ctx, segment)
	if err != nil {
		return "", "", err
	}
	cites, err := l.Cites(ctx, &seg, []int{message}, "")
	if err != nil {
		return "", "", err
	}
	return l.likely(ctx, &seg, message), cites[0].Quote, nil
}

// likely is the kind of a memory of a message: what a user says is likely a rule.
func (l learned) likely(ctx context.Context, seg *review.Segment, message int) memory.Kind {
	heads, err := l.Store.Messages(ctx, seg.Body, message, message)
	if err == nil && len(heads) > 0 && heads[0].Role == chat.User {
		return memory.Rule
	}
	return memory.Fact
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
	if kind == "" {
		kind = l.likely(ctx, &seg, message)
	}
	m, err := l.NewMemory(ctx, &seg, memory.Candidate{Kind: kind, Content: text, Cites: cites})
	if err != nil {
		return review.Entry{}, err
	}
	return l.Store.AddMemory(ctx, curator, m)
}

// EachMemory calls f with the memories of a query, page by page; a limit of 0 is none.
func (d *Desk) EachMemory(ctx context.Context, q memory.Query, f func([]memory.Memory) error) error {
	const size = 500
	left := q.Limit
	for {
		if q.Limit = size; left > 0 {
			q.Limit = min(left, size)
		}
		page, err := d.Store.Memories(ctx, q)
		if err != nil {
			return err
		}
		if err := f(page.Memories); err != nil {
			return err
		}
		n := len(page.Memories)
		if left > 0 {
			if left -= n; left == 0 {
				return nil
			}
		}
		if !page.More || n == 0 {
			return nil
		}
		q.After = memory.CursorOf(&page.Memories[n-1])
	}
}

// Approved returns the memories of a filter that may be written. Those for agents who work
// where a folder is are of that project, if any are and the filter does not say which;
// told says so, "" if there is nothing to say. folder is "" for all projects.
func (d *Desk) Approved(ctx context.Context, f memory.Filter, folder string) (list []memory.Memory, told string, err error) {
	err = d.EachMemory(ctx, memory.Query{Filter: f.With("status", string(memory.Approved))}, func(page []memory.Memory) error {
		list = append(list, page...)
		return nil
	})
	if err != nil || folder == "" || f.Asks("dir") {
		return list, "", err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, "", err
	}
	for base := filepath.Base(folder); base[0] == '.' && len(base) > 1 || base == "skills"; base = filepath.Base(folder) {
		folder = filepath.Dir(folder) // as of .claude/skills
	}
	list, others := memory.Of(folder, list)
	if n := memory.Folders(list); others > 0 {
		told = fmt.Sprintf("only what was learned in %s, %s: dir:/ takes all", d.Env.ShortPath(folder), draw.OneOrMany(others, "other is left", "others are left"))
	} else if n > 1 && len(list) > 0 && !list[0].In(folder) {
		told = fmt.Sprintf("from %d folders, as nothing was learned in %s: dir:FOLDER takes those of one", n, d.Env.ShortPath(folder))
	}
	return list, told, nil
}

// Gone says of the memories that a block for agents has no more why, and in words what
// changed in it, "" for nothing.
func (d *Desk) Gone(ctx context.Context, r *write.Report) (gone []write.Left, text string, err error) {
	count := map[string]int{}
	for _, id := range r.Removed {
		why, err := d.whyGone(ctx, r, id)
		if err != nil {
			return nil, "", err
		}
		gone = append(gone, write.Left{ID: id, Why: why})
		count[why]++
	}
	var parts, reasons []string
	if n := len(r.Added); n > 0 {
		parts = append(parts, draw.Grouped(n)+" added")
	}
	for _, why := range slices.Sorted(maps.Keys(count)) {
		reasons = append(reasons, draw.Grouped(count[why])+" "+why)
	}
	if n := len(gone); n > 0 {
		parts = append(parts, draw.Grouped(n)+" removed ("+strings.Join(reasons, ", ")+")")
	}
	return gone, strings.Join(parts, ", "), nil
}

// whyGone says why a memory, by its short id, is not written any more.
func (d *Desk) whyGone(ctx context.Context, r *write.Report, id string) (string, error) {
	for _, l := range r.Left {
		if strings.HasPrefix(l.ID, id) {
			why, _, _ := strings.Cut(l.Why, ":")
			return why, nil
		}
	}
	switch m, err := d.Store.Memory(ctx, id); {
	case errors.Is(err, review.ErrNotFound):
		return "not in this database", nil
	case err != nil:
		return "", err
	case m.Stale:
		return memory.StaleStatus, nil
	case m.Status != memory.Approved:
		return string(m.Status), nil
	}
	return "outside of filter or folder", nil
}

// WriteAgents implements tui.Memories.
func (l learned) WriteAgents(ctx context.Context, path string, f memory.Filter) (string, error) {
	path = l.Env.ExpandHome(path)
	list, told, err := l.Approved(ctx, f, filepath.Dir(path))
	if err != nil {
		return "", err
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
	_, changes, err := l.Gone(ctx, &r)
	if err != nil {
		return "", err
	}
	if changes != "" {
		text += ": " + changes
	}
	if n := len(r.Left); n > 0 {
		text += fmt.Sprintf(", %d left out: winnow memories export says why", n)
	}
	for _, more := range append([]string{told}, r.Warnings...) {
		if more != "" {
			text += "; " + more
		}
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
