//go:build !linux && !darwin

package export

import "errors"

// exchange is not possible here.
func exchange(string, string) error { return errors.ErrUnsupported }
