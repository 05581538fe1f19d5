package export

import (
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// A prompt that names the day or the folder of its own run was made for it; a
// task that is set elsewhere was not.
func TestPromptsOfARunAreNoticed(t *testing.T) {
	for _, c := range []struct {
		prompt, started, dir string
		want                 bool
	}{
		{"Be brief.\nToday is 2025-06-03.", "2025-06-03T10:00:00Z", "", true},
		{"Now: 2025-06-03T12:00:00", "2025-06-03T10:00:00Z", "", true},
		{"It is Tuesday, June 3, 2025.", "2025-06-03T10:00:00Z", "", true},
		{"It is June 4, 2025.", "2025-06-03T23:00:00Z", "", true},
		{"It is 3 Jun 2025.", "2025-06-03T10:00:00Z", "", true},
		{"It is 13 Jun 2025.", "2025-06-03T10:00:00Z", "", false},
		{"The current time is 2024-05-15 15:00:00 EST.", "2025-06-03T10:00:00Z", "", false},
		{"The current time is 2024-05-15 15:00:00 EST.", "", "", false},
		{"Model of 2025-06-030.", "2025-06-03T10:00:00Z", "", false},
		{"Working directory: /home/ann/web", "", "/home/ann/web", true},
		{"Working directory: /home/ann/web-2", "", "/home/ann/web", false},
		{"Paths begin with /.", "", "/", false},
		{"Be brief.", "2025-06-03T10:00:00Z", "/home/ann/web", false},
	} {
		messages := []chat.Message{{N: 1, Role: chat.System, Content: c.prompt}, user("u"), says("a")}
		s := New(&review.Segment{}, &review.Session{Started: c.started, Dir: c.dir}, messages)
		if got := s.ofRun(); got != c.want {
			t.Errorf("%q of %q, %q: %t", c.prompt, c.started, c.dir, got)
		}
	}
}
