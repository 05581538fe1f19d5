//go:build !linux && !darwin

package unfinished

import "errors"

// Exchange is not possible here.
func Exchange(string, string) error { return errors.ErrUnsupported }
