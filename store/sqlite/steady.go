package sqlite

import "regexp"

var boundLimit = regexp.MustCompile(`\bLIMIT \?`)

// steady returns a statement that SQLite prepares once only. It looks at the value
// of a LIMIT when it plans, and so plans again with each other value, which takes
// longer than most of our questions; it does not look through a sign.
func steady(text string) string { return boundLimit.ReplaceAllString(text, "LIMIT +?") }
