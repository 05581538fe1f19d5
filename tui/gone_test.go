package tui

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/review"
)

// A database that was deleted while the screen is open is noticed without a key,
// and a verdict on it is shown as not given.
func TestDatabaseThatIsGoneIsTold(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 120, 20)
	gone := fmt.Errorf("%w: /there/w.db", review.ErrGone)
	lib.fail = map[string]error{"Version": gone, "Judge": gone}
	x.tick()
	x.wants("the database file is gone: /there/w.db")
	x.press("a")
	x.wants("was not saved: the database file is gone", "0 approved")
	if strings.Contains(x.screen(), "store:") {
		t.Errorf("a part of the program is named:\n%s", x.screen())
	}
}
