package main

import (
	"context"
	"errors"
)

// diffExports says which samples came, went and changed from one export to
// another, and why.
func (p *cli) diffExports(_ context.Context, _, _ string, _ bool) error {
	return errors.New("export --diff: cannot compare yet")
}
