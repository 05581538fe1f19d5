package compress

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/llm"
)

// Drafts keeps answers of models by what they were asked.
type Drafts interface {
	Draft(ctx context.Context, key string) (text string, ok bool, err error)
	PutDraft(ctx context.Context, key, model, text string) error
}

// Drafted asks a model for what was never answered, and keeps each answer before
// it is used: whatever was answered once is not asked again, by several goroutines
// at once neither.
type Drafted struct {
	Drafts
	Model string
	Say   func(ctx context.Context, prompt string) (string, error)
	// Fresh asks for what was answered, too, and keeps the new answers.
	Fresh bool

	mu     sync.Mutex
	flying map[string]*flight
	dead   error // why no request can succeed any more
}

// flight is a request under way.
type flight struct {
	done   chan struct{}
	text   string
	err    error
	gaveUp bool
}

// Ask asks for a summary, as package compress wants it.
func (d *Drafted) Ask(ctx context.Context, r compress.Request) (string, error) {
	return d.get(ctx, r.Key(d.Model), r.Prompt())
}

// AskPublished asks for one as package compat wants it.
func (d *Drafted) AskPublished(ctx context.Context, r compat.Request) (compat.Reply, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "compat\n%d\n%s\n%s", len(d.Model), d.Model, r.Prompt))
	text, err := d.get(ctx, hex.EncodeToString(sum[:]), r.Prompt)
	if errors.Is(err, compress.ErrLength) {
		return compat.Reply{Cut: true}, nil
	}
	return compat.Reply{Content: text}, err
}

// get returns the answer to a prompt. Of those that want the same one at once, one
// asks.
func (d *Drafted) get(ctx context.Context, key, prompt string) (string, error) {
	d.mu.Lock()
	for f := d.flying[key]; f != nil; f = d.flying[key] {
		d.mu.Unlock()
		select {
		case <-f.done:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		if !f.gaveUp {
			return f.text, f.err
		}
		d.mu.Lock() // who asked did not wait: somebody else does
	}
	if d.flying == nil {
		d.flying = map[string]*flight{}
	}
	f := &flight{done: make(chan struct{})}
	d.flying[key] = f
	d.mu.Unlock()
	f.text, f.err = d.ask(ctx, key, prompt)
	f.gaveUp = f.err != nil && ctx.Err() != nil
	d.mu.Lock()
	delete(d.flying, key)
	d.mu.Unlock()
	close(f.done)
	return f.text, f.err
}

func (d *Drafted) ask(ctx context.Context, key, prompt string) (string, error) {
	if !d.Fresh {
		if text, ok, err := d.Draft(ctx, key); err != nil || ok {
			return text, err
		}
	}
	if err := d.Dead(); err != nil {
		return "", err
	}
	text, err := d.Say(ctx, prompt)
	if llm.Unavailable(err) {
		d.mu.Lock()
		d.dead = err
		d.mu.Unlock()
	}
	if err != nil || strings.TrimSpace(text) == "" {
		return text, err // nothing was said that could be kept
	}
	// What was paid for is kept even if nobody waits for it any more.
	if err := d.PutDraft(context.WithoutCancel(ctx), key, d.Model, text); err != nil {
		return "", fmt.Errorf("the answer could not be kept: %w", err)
	}
	return text, nil
}

// Dead is why no model can be asked any more, nil if one can.
func (d *Drafted) Dead() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// draftFile keeps drafts beside a file that is being written, until that is whole.
type draftFile struct {
	mu     sync.Mutex
	f      *os.File
	end    int64
	places map[string]int64 // where lines begin
}

// draftRow is a line of the file.
type draftRow struct {
	Key   string `json:"key"`
	Model string `json:"model"`
	Text  string `json:"text"`
}

// openDrafts opens those of a target. What a program that was killed left of a line
// is written over.
func openDrafts(target string) (*draftFile, error) {
	name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".winnow-drafts")
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	d := &draftFile{f: f, places: map[string]int64{}}
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		var row draftRow
		if json.Unmarshal(line, &row) == nil {
			d.places[row.Key] = d.end
		}
		d.end += int64(len(line))
	}
	if err := f.Truncate(d.end); err != nil {
		f.Close()
		return nil, err
	}
	return d, nil
}

// Draft returns the text that was kept for a key.
func (d *draftFile) Draft(_ context.Context, key string) (string, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.places[key]
	if !ok {
		return "", false, nil
	}
	line, err := bufio.NewReader(io.NewSectionReader(d.f, at, d.end-at)).ReadBytes('\n')
	if err != nil {
		return "", false, err
	}
	var row draftRow
	err = json.Unmarshal(line, &row)
	return row.Text, err == nil, err
}

// PutDraft keeps a text.
func (d *draftFile) PutDraft(_ context.Context, key, model, text string) error {
	line, err := json.Marshal(draftRow{key, model, strings.ToValidUTF8(text, "\uFFFD")})
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	line = append(line, '\n')
	if _, err := d.f.WriteAt(line, d.end); err != nil {
		return err
	}
	d.places[key] = d.end
	d.end += int64(len(line))
	return nil
}

// close closes the file, and removes it if nothing of it will be needed.
func (d *draftFile) close(remove bool) {
	d.f.Close()
	if remove || d.end == 0 {
		os.Remove(d.f.Name())
	}
}
