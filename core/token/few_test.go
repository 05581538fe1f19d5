//go:build race || !whole

package token

const (
	// giant is the size in bytes of texts that are nothing but giant.
	giant = 1 << 10
	// large is that of texts that are cut a few times, or once.
	large = stretch + 8<<10
	// cases is how many random texts are tried.
	cases = 20
)
