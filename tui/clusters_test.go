package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
)

// alikeLibrary has twelve segments of which 1, 4 and 7, and 2 and 3 are alike.
func alikeLibrary() *clusteredLibrary {
	list := manySegments(12)
	for i := range list {
		score := 0.9 - float64(i)/100
		list[i].Score = &score
	}
	for _, i := range []int{1, 4, 7} {
		list[i].Cluster = 5
	}
	list[2].Cluster, list[3].Cluster = 9, 9
	*list[4].Score = 0.95
	return &clusteredLibrary{fakeLibrary: &fakeLibrary{segments: list}, doubt: review.Doubt{Threshold: 0.85, From: review.FromVerdicts}}
}

// rows returns the numbers of the rows on the screen.
func (x *harness) rows() string {
	var b strings.Builder
	for i := range x.app.List.Rows {
		b.WriteString(strings.TrimLeft(x.app.List.Rows[i].Short(), "0") + " ")
	}
	return b.String()
}

func (x *harness) wantsRows(rows, selected string) {
	x.t.Helper()
	if strings.TrimSpace(x.rows()) != rows {
		x.t.Errorf("rows %q, want %q\n%s", x.rows(), rows, x.screen())
	}
	if got := strings.TrimLeft(x.selected(), "0"); got != selected {
		x.t.Errorf("%q is selected, want %q", got, selected)
	}
}

func TestAlikeSegmentsAreOneRow(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 100, 20, clustered(lib))
	x.wantsRows("1 2 5 6 8 9 a b", "")
	x.wants("12 segments", "Task number 1", "≈3", "≈2")
	x.press("z")
	x.wants("no other segment here is like this one")
	x.press("j z")
	x.wantsRows("1 4 7 2 5 6 8 9 a b", "1")
	x.wants("└ Task number 4", "└ Task number 7")
	golden.RequireEqual(t, x.screen())
	x.press("j j j z") // the other one
	x.wantsRows("1 4 7 2 3 5 6 8 9 a b", "2")
	x.press("k z") // from a member
	x.wantsRows("1 2 3 5 6 8 9 a b", "1")
	x.press("Z")
	x.wantsRows("1 4 7 2 3 5 6 8 9 a b", "1")
	x.press("j Z")
	x.wantsRows("1 2 5 6 8 9 a b", "1")
	x.order("clusters")
	x.wantsRows("1 2 3 4 5 6 7 8 9 a b", "1")
	x.press("z")
	x.wants("each segment is a row of its own")
}

// A row of several says what is left: judged always, pending while it is selected.
func TestRowsOfSeveralSayWhatIsLeft(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 100, 20, clustered(lib))
	if strings.Contains(x.screen(), "alike pending") {
		t.Errorf("it is said of a row that is pending itself:\n%s", x.screen())
	}
	x.press("j")
	x.wants("2 alike pending · B")
	x.press("a")
	x.tick()
	x.wants("2 alike pending · B")
	x.press("k z")
	if strings.Contains(x.screen(), "2 alike pending") {
		t.Errorf("what is shown below it is not hidden:\n%s", x.screen())
	}
}

// B is one entry; what was judged otherwise is asked about once.
func TestTheBestOfAlikeSegments(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 120, 20, clustered(lib))
	x.press("j B")
	x.wants("approved", "rejected 2 alike")
	verdicts := func(want string) {
		t.Helper()
		got := ""
		for i := range lib.segments {
			got += string(lib.segments[i].Verdict[0])
		}
		if got != want {
			t.Errorf("verdicts %s, want %s", got, want)
		}
	}
	verdicts("prpp" + "appr" + "pppp")
	if len(lib.journal) != 1 {
		t.Errorf("%d entries", len(lib.journal))
	}
	if x.selected() != "00000002" {
		t.Errorf("it went on to %s", x.selected())
	}
	x.press("u")
	verdicts("pppppppppppp")
	x.wants("undo: 3 segments")
	if x.selected() != "00000004" {
		t.Errorf("undo went to %s\n%s", x.selected(), x.screen())
	}
	x.press("r k k z B") // 4 was the best: its verdict would be another one
	x.wants("B changes 1 verdict: press it again to approve")
	verdicts("ppppr" + "ppppppp")
	x.press("B")
	verdicts("prpp" + "appr" + "pppp")
	lib.fail = map[string]error{"Judge": review.ErrConflict}
	x.press("g j j B")
	x.wants("were not judged")
}

// A row that is judged and stands for pending ones is come back to when nothing
// else is pending.
func TestNothingPendingIsPassedOver(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 120, 20, clustered(lib))
	for range 9 {
		x.press("a")
	}
	x.wantsRows("1 2 3 5 6 8 9 a b", "3")
	x.press("a a")
	x.wantsRows("1 4 7 2 3 5 6 8 9 a b", "7")
	pending := 0
	for i := range lib.segments {
		if lib.segments[i].Verdict == review.Pending {
			pending++
		}
	}
	if pending != 1 {
		t.Errorf("%d are pending\n%s", pending, x.screen())
	}
	x.press("a")
	x.wants("nothing is pending: all is judged")
}

// Until it is known which are alike each is a row; then the list falls together
// and the selection stays.
func TestClustersThatComeLater(t *testing.T) {
	lib := alikeLibrary()
	lib.late = true
	x := start(t, lib.fakeLibrary, 120, 20, clustered(lib))
	x.press("j j j j")
	x.wantsRows("1 2 3 4 5 6 7 8 9 a b", "4")
	x.press("z")
	x.wants("still being read")
	lib.late = false
	x.tick()
	x.wantsRows("1 2 5 6 8 9 a b", "1") // which stands for 4
	x.wants("≈3")
}

func TestSortingAroundAThreshold(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 160, 20, clustered(lib))
	query := func() review.Query { return lib.queries[len(lib.queries)-1] }
	x.press("s u")
	x.wants("around 0.85 (your verdicts)", "sorted: most uncertain first")
	lib.doubt.Threshold = 0.5
	x.press("j a") // the order stays while one reviews
	x.wants("around 0.85 (your verdicts)")
	x.press("s u")
	x.wants("around 0.50 (your verdicts)")
	x.press("]")
	x.wants("around 0.70 (filter)")
	x.press("s b")
	x.wants("by balance, even")
	if q := query(); q.Order != review.Balance {
		t.Errorf("asked by %s", q.Order)
	}
}

func TestBalanceByQuotas(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 160, 20, clustered(lib), func(o *Options) {
		o.Quotas, o.Clusters = review.Quotas{"code": 0.5}, nil
	})
	x.press("s b")
	x.wants("by balance, quotas")
	if q := lib.queries[len(lib.queries)-1]; q.Order != review.Balance || q.Quotas["code"] != 0.5 {
		t.Errorf("asked by %s with %v", q.Order, q.Quotas)
	}
}
