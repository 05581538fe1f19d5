package chat

import (
	"strconv"
	"time"
)

// timeLayouts are the forms recorders write, most frequent first. A time
// without a zone is taken as UTC.
var timeLayouts = [...]string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999",
	"2006-01-02",
}

// firstMilli separates seconds from milliseconds since 1970: as seconds it
// lies in the year 5138, as milliseconds in 1973.
const firstMilli = 1e11

// ParseTime reads a recorded timestamp: ISO 8601 text, or seconds or
// milliseconds since 1970. ok is false for anything else.
func ParseTime(s string) (t time.Time, ok bool) {
	if s == "" {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > 0 && f < 1e15) {
		return time.Time{}, false
	}
	if f >= firstMilli {
		return time.UnixMilli(int64(f)).UTC(), true
	}
	return time.UnixMicro(int64(f * 1e6)).UTC(), true
}
