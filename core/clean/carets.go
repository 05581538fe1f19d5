package clean

import "strings"

// pictures is how the signs for control characters (U+2400 to U+2421) begin.
const pictures = "\xe2\x90"

// carets are the signs for control characters in caret notation.
var carets = strings.NewReplacer(
	"␀", "^@", "␁", "^A", "␂", "^B", "␃", "^C", "␄", "^D", "␅", "^E", "␆", "^F", "␇", "^G", "␈", "^H", "␉", "^I", "␊", "^J",
	"␋", "^K", "␌", "^L", "␍", "^M", "␎", "^N", "␏", "^O", "␐", "^P", "␑", "^Q", "␒", "^R", "␓", "^S", "␔", "^T", "␕", "^U",
	"␖", "^V", "␗", "^W", "␘", "^X", "␙", "^Y", "␚", "^Z", "␛", "^[", "␜", `^\`, "␝", "^]", "␞", "^^", "␟", "^_", "␡", "^?",
)

// Carets writes the signs for control characters that Text leaves as a terminal with
// ASCII signs only shows them: ^[ and the like. Other letters stay as they are.
func Carets(text string) string {
	if !strings.Contains(text, pictures) {
		return text // as nearly every one, which takes no time
	}
	return carets.Replace(text)
}
