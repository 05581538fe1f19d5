package desk

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"winnow/core/review"
	"winnow/store"
	"winnow/tui"
)

// Claims are the claims of one run of the program.
type Claims struct {
	db               *store.Store
	program, curator string
	judged           bool // it may be led to judged segments
}

// claims returns what the screen claims with.
func (d *Desk) claims() (tui.Claims, error) {
	program, err := NewRun(d.Rand)
	return Claims{db: d.Store, program: program, curator: d.Text("reviewer")}, err
}

// JudgedToo lets a screen be led to judged segments, too.
func JudgedToo(c tui.Claims) tui.Claims {
	if own, ok := c.(Claims); ok {
		own.judged = true
		return own
	}
	return c
}

// NewRun returns an id for a run of the program, or of a recheck, made of random
// bytes; nil are those of the system.
func NewRun(source io.Reader) (string, error) {
	if source == nil {
		source = rand.Reader
	}
	var id [8]byte
	if _, err := io.ReadFull(source, id[:]); err != nil {
		return "", fmt.Errorf("no random numbers: %w", err)
	}
	return hex.EncodeToString(id[:]), nil
}

// Claim implements tui.Claims.
func (c Claims) Claim(ctx context.Context, reads string, next []string) (review.Claimed, error) {
	return c.db.Claim(ctx, review.Claiming{Program: c.program, Curator: c.curator, Reads: reads, Next: next, Judged: c.judged})
}

// Others implements tui.Claims.
func (c Claims) Others(ctx context.Context) ([]review.Claim, error) {
	all, err := c.db.Claims(ctx)
	return slices.DeleteFunc(all, func(o review.Claim) bool { return o.Program == c.program }), err
}

// Release implements tui.Claims.
func (c Claims) Release(ctx context.Context) error { return c.db.Release(ctx, c.program) }
