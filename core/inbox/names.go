package inbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// mostAgent and mostSession are how many bytes the names of an agent and of a
	// session may have.
	mostAgent, mostSession = 128, 200
	// mostName is how long the name of a file may be; systems take 255 bytes, and
	// endings come to it.
	mostName = 220
)

// CheckName says what is wrong with the name of an agent or of a session, which has up
// to most bytes.
func CheckName(what, name string, most int) error {
	if name != "" && strings.TrimSpace(name) == "" {
		return fmt.Errorf("%s is white space only", what)
	}
	return checkText(what, name, most)
}

// checkText says what is wrong with a name that may be white space only.
func checkText(what, name string, most int) error {
	switch {
	case name == "":
		return fmt.Errorf("%s is empty", what)
	case len(name) > most:
		return fmt.Errorf("%s has %d bytes: %d are the most", what, len(name), most)
	case !utf8.ValidString(name):
		return fmt.Errorf("%s is not UTF-8", what)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%s has control characters", what)
	}
	return nil
}

// CheckAgent says what is wrong with the name of an agent.
func CheckAgent(name string) error { return CheckName("agent_id", name, mostAgent) }

// CheckSession says what is wrong with the name of a session.
func CheckSession(name string) error { return CheckName("session", name, mostSession) }

// fileName is a name as that of a file, the same only for the same name. Letters,
// digits, "-", "_" and dots within are kept, others are percent-escaped. What gets too
// long ends in a hash.
func fileName(name string) string { return escaped(name, foldsCase(runtime.GOOS)) }

// foldsCase reports whether a system usually takes names for the same that differ in
// case only: there capital letters are escaped, too.
func foldsCase(goos string) bool { return goos == "darwin" || goos == "windows" }

func escaped(name string, fold bool) string {
	var b strings.Builder
	cut := 0 // where a name that gets too long is cut
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_',
			'A' <= c && c <= 'Z' && !fold, c == '.' && i > 0 && i < len(name)-1:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
		if b.Len() <= mostName-2*sumBytes-1 {
			cut = b.Len()
		}
	}
	if b.Len() <= mostName {
		return b.String()
	}
	sum := sha256.Sum256([]byte(name))
	return b.String()[:cut] + "~" + hex.EncodeToString(sum[:sumBytes])
}

// sumBytes is how much of a hash tells names and contents apart.
const sumBytes = 8

// unescaped is the name that fileName made a file's name of, unless that was cut. Any
// folder of an inbox stays one of an agent, whatever names are taken now.
func unescaped(name string) (string, error) {
	name, err := url.PathUnescape(name)
	if err == nil {
		err = checkText("agent_id", name, mostAgent)
	}
	return name, err
}
