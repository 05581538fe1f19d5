package main

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

// screenClaims are the claims of one run of the program.
type screenClaims struct {
	db               *store.Store
	program, curator string
	judged           bool // it may be led to judged segments
}

// claims returns what the screen claims with.
func (p *cli) claims(s *database) (tui.Claims, error) {
	program, err := p.newRun()
	return screenClaims{db: s.Store, program: program, curator: s.Text("reviewer")}, err
}

// judgedToo lets a screen be led to judged segments, too.
func judgedToo(c tui.Claims) tui.Claims {
	if own, ok := c.(screenClaims); ok {
		own.judged = true
		return own
	}
	return c
}

// newRun returns an id for a run of the program, or of a recheck.
func (p *cli) newRun() (string, error) {
	source := p.env.rand
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
func (c screenClaims) Claim(ctx context.Context, reads string, next []string) (review.Claimed, error) {
	return c.db.Claim(ctx, review.Claiming{Program: c.program, Curator: c.curator, Reads: reads, Next: next, Judged: c.judged})
}

// Others implements tui.Claims.
func (c screenClaims) Others(ctx context.Context) ([]review.Claim, error) {
	all, err := c.db.Claims(ctx)
	return slices.DeleteFunc(all, func(o review.Claim) bool { return o.Program == c.program }), err
}

// Release implements tui.Claims.
func (c screenClaims) Release(ctx context.Context) error { return c.db.Release(ctx, c.program) }
