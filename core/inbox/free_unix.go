//go:build linux || darwin

package inbox

import "golang.org/x/sys/unix"

// Free is how many bytes the disk of the inbox has left.
func (b *Box) Free() (int64, error) {
	var fs unix.Statfs_t
	err := unix.Statfs(b.dir, &fs)
	return int64(fs.Bavail) * int64(fs.Bsize), err
}
