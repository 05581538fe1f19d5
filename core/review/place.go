package review

import (
	"fmt"
	"strconv"
	"strings"
)

// PlaceOf returns what sessions stand in natural order by, as texts are
// compared: the path of the source, then the place of the session in it. That is
// the line of its first message (0: unknown), and of several sessions on one
// line the number of the array and of the element: so 2 comes before 10, and a
// branch where its first message lies, after the session that it left.
func PlaceOf(file string, line int64) string {
	path := SourcePath(file)
	key := strings.TrimPrefix(file[len(path):], "#")
	var array, element uint64
	if kind, _, named := strings.Cut(key, "="); !named || kind != "s" && kind != "b" {
		key, nth, _ := strings.Cut(key, ".")
		number, _ := strconv.ParseUint(strings.Trim(key, "L[]"), 10, 64)
		element, _ = strconv.ParseUint(nth, 10, 64)
		switch {
		case strings.HasPrefix(key, "["):
			array, element = element+1, number
		case line == 0:
			line = int64(number)
		}
	}
	// \x01 comes before all that another path may go on with.
	return fmt.Sprintf("%s\x01%012d.%06d.%010d", path, line, array, element)
}
