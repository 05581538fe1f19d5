package unfinished

import "golang.org/x/sys/unix"

// Exchange swaps the names of two folders in one step.
func Exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
