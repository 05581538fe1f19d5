package serve

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"winnow/cmd/winnow/httpd"
)

// readTokens reads the tokens, which are made if there are none. A file that others can
// read is refused.
func readTokens(path string) (t httpd.Tokens, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeTokens(path)
	}
	if err != nil {
		return t, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return t, fmt.Errorf("%s: others can read the tokens in it: chmod 600 it, or remove it for new ones", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	for line := range strings.Lines(string(text)) {
		switch name, token, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "ingest":
			t.Ingest = strings.TrimSpace(token)
		case "read":
			t.Read = strings.TrimSpace(token)
		}
	}
	if len(t.Ingest) < leastToken || len(t.Read) < leastToken || t.Ingest == t.Read {
		return t, fmt.Errorf("%s: must have a line \"ingest TOKEN\" and a line \"read TOKEN\", two tokens of %d characters or more: remove it for new ones", path, leastToken)
	}
	return t, nil
}

// leastToken is how long a token must be that somebody wrote; ours have 43 characters.
const leastToken = 20

func makeTokens(path string) (t httpd.Tokens, err error) {
	t = httpd.Tokens{Ingest: newToken(), Read: newToken()}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return t, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), tokenName+"-") // of mode 0600; complete when it gets its name
	if err != nil {
		return t, err
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintf(f, "ingest %s\nread %s\n", t.Ingest, t.Read)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return t, err
	}
	if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return readTokens(path) // somebody else was first
	}
	if err != nil { // some file systems have no links
		err = os.Rename(f.Name(), path)
	}
	return t, err
}

// newToken is a token that nobody can guess.
func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
