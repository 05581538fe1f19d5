package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/list"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
	"winnow/tui/screens/ledger/ledgertest"
)

// open opens the ledger.
func open(t *testing.T, l *ledgertest.Fake, w, h int) *screentest.Run {
	t.Helper()
	return screentest.Start(t, w, h, Rows(), func(s screen.Seat) *Screen { return New(s, l) })
}

// at returns the file or the line under the cursor.
func at(x *screentest.Run) string {
	x.T.Helper()
	marked := x.Marked()
	if len(marked) == 0 {
		x.T.Fatalf("no cursor:\n%s", x.Screen())
	}
	return marked[len(marked)-1]
}

func TestShowsTheLinesOfOneReason(t *testing.T) {
	x := open(t, ledgertest.Sample(), 100, 30)
	x.Press("! enter k j")
	x.Press("tab")
	if text := x.Screen(); strings.Contains(text, "  13 ") || !strings.Contains(text, "  12 ") {
		t.Errorf("not the line of the first reason alone:\n%s", text)
	}
	x.Press("enter enter")
	x.Wants("docker.jsonl:12")
	x.Press("J")
	x.Wants("docker.jsonl:12", "there is no other line")
	x.Press("esc tab g")
	x.Wants("unfinished line")
	x.Press("j j j j j j j")
	x.Press("enter") // on the lines, and not the reasons any more
	x.Wants("docker.jsonl:")
}

func TestGoesToWhatIsInTrouble(t *testing.T) {
	l := &ledgertest.Fake{}
	var many []session.Issue
	for i := range int64(5000) {
		is := ledgertest.IssueAt(i+1, session.Skipped, "blank")
		if i == 4321 {
			is = ledgertest.IssueAt(i+1, session.Bad, "not JSON")
		}
		many = append(many, is)
	}
	for i := range 5000 {
		if i == 3000 {
			l.Add(fmt.Sprintf("/s/%04d", i), "openai", 1, 5, many...)
			continue
		}
		l.All = append(l.All, ledger.Source{ID: int64(i + 1), Path: fmt.Sprintf("/s/%04d", i), Format: "openai", Sessions: 1})
	}
	x := open(t, l, 100, 30)
	x.Press("!")
	if !strings.HasSuffix(at(x), "/s/3000") {
		t.Fatalf("at %s", at(x))
	}
	x.Wants("/s/2999", "/s/3001") // among its neighbours
	x.Press("!")
	x.Wants("no other problem")
	x.Press("g !")
	x.Wants("/s/3000")
	if l.Rows > 15*list.PageSize {
		t.Errorf("%d rows were read to get there", l.Rows)
	}
	x.Press("enter !")
	if !strings.Contains(at(x), " 4,322 ") {
		t.Errorf("at %q", at(x))
	}
	x.Press("! G k !")
	x.Wants("from the top again")
	if !strings.Contains(at(x), " 4,322 ") {
		t.Errorf("at %q", at(x))
	}
	x.Press("esc enter g")
	if !strings.Contains(at(x), " 1 ") {
		t.Errorf("at %q", at(x))
	}
}

// However far one goes, only what is near is in memory, and every row is met.
func TestOfAnyLengthCostsTheSame(t *testing.T) {
	l := &ledgertest.Fake{}
	for i := range 20_000 {
		l.All = append(l.All, ledger.Source{ID: int64(i + 1), Path: fmt.Sprintf("/s/%05d", i), Sessions: 1})
	}
	x := open(t, l, 80, 24)
	p := &x.Layer.(*Screen).sources
	if l.Rows > 3*list.PageSize {
		t.Errorf("%d rows for the first screen", l.Rows)
	}
	at := func() string { return p.Selected().Path }
	for i := range 3000 {
		if want := fmt.Sprintf("/s/%05d", i); at() != want {
			t.Fatalf("at %s, want %s", at(), want)
		}
		x.Press("j")
		if len(p.Rows) > list.Keep+list.PageSize {
			t.Fatalf("%d rows in memory", len(p.Rows))
		}
	}
	for i := 3000; i > 0; i-- {
		x.Press("k")
		if want := fmt.Sprintf("/s/%05d", i-1); at() != want {
			t.Fatalf("at %s, want %s", at(), want)
		}
		if len(p.Rows) > list.Keep+list.PageSize {
			t.Fatalf("%d rows in memory", len(p.Rows))
		}
	}
	x.Press("G")
	if at() != "/s/19999" {
		t.Errorf("the end is at %s", at())
	}
	x.Press("pgup pgup pgup g")
	if at() != "/s/00000" {
		t.Errorf("the start is at %s", at())
	}
}

func TestFollowsTheImport(t *testing.T) {
	l := ledgertest.Sample()
	x := open(t, l, 100, 30)
	x.Press("j j enter")
	was := l.All[2].Path
	l.Mu.Lock()
	l.Add("/home/ann/a-new-one.jsonl", "openai", 1, 3)
	for i := range l.All {
		if l.All[i].Path == was {
			l.All[i].Lines.Read = 777
		}
	}
	l.Mu.Unlock()
	x.Change()
	x.Wants("7 files", "777 read")
	x.Press("esc")
	x.Wants("a-new-one.jsonl")
	if got := at(x); !strings.HasSuffix(got, strings.TrimPrefix(was, "/home/ann")) {
		t.Errorf("the selection jumped from %s to %s", was, got)
	}
}

func TestSaysWhatItCannotShow(t *testing.T) {
	l := ledgertest.Sample()
	for want, x := range map[string]ledger.Excerpt{
		"The file no longer exists": {Standing: ledger.Gone},
		"was rewritten after":       {Standing: ledger.Rewritten},
		"was written to after":      {Standing: ledger.Touched, Head: []byte("half")},
		"(white space only)":        {Head: []byte(" \t ")},
		"(12,345 bytes left out)":   {Head: []byte("begin"), Missing: 12_345, Tail: []byte("end")},
	} {
		l.Bytes = func(int64, ledger.Issue) (ledger.Excerpt, error) { return x, nil }
		h := open(t, l, 80, 24)
		h.Press("! enter ! enter")
		h.Wants(want)
	}
	l.Bytes = func(int64, ledger.Issue) (ledger.Excerpt, error) {
		return ledger.Excerpt{}, errors.New("/x: permission denied\x1b[2J")
	}
	x := open(t, l, 80, 24)
	x.Press("! enter ! enter")
	x.Wants("could not be read: /x: permission denied␛[2J")
	l.Err = errors.New("disk I/O error")
	x = open(t, l, 80, 24)
	x.Wants("The sources could not be listed", "disk I/O error")
	l.Err = nil
	x.Change()
	x.Wants("README.md")
}

func TestOfNothing(t *testing.T) {
	x := open(t, &ledgertest.Fake{}, 80, 24)
	x.Wants("Nothing is imported yet")
	x.Press("enter")
	x.Wants("nothing is imported yet")
	x.Press("! tab J K j k g G pgup pgdown esc")
	l := &ledgertest.Fake{}
	x = open(t, l, 80, 24)
	for i := range 3 * list.PageSize {
		l.All = append(l.All, ledger.Source{ID: int64(i + 1), Path: fmt.Sprintf("/s/%04d", i), Sessions: 1})
	}
	x.Change()
	x.Wants("▌", "/s/0000")
	l = &ledgertest.Fake{}
	l.Add("/good.jsonl", "openai", 1, 2)
	x = open(t, l, 80, 24)
	x.Press("!")
	x.Wants("every file gave sessions")
	x.Press("enter")
	x.Wants("Every line was read.")
	x.Press("enter")
	x.Wants("every line was read")
}

// A late answer belongs to a question: it never lands on another screen.
func TestDropsAnswersNobodyWaitsFor(t *testing.T) {
	l := ledgertest.Sample()
	x := open(t, l, 80, 24)
	x.Hold = true
	x.Press("! enter ! enter esc j enter") // nothing has come when the next key falls
	x.Release()
	x.Wants("README.md", "at byte") // the file, not the bytes of a line
	l.Bytes = func(_ int64, is ledger.Issue) (ledger.Excerpt, error) {
		return ledger.Excerpt{Head: fmt.Append(nil, "bytes of ", is.Line)}, nil
	}
	x.Press("esc g ! enter k")
	x.Hold = true
	x.Press("j j") // two reasons, of which the second is meant
	slices.Reverse(x.Held)
	x.Release()
	x.Wants("not an object: number", "39,900")
	x.Press("g tab")
	x.Press("enter")
	x.Hold = true
	x.Press("J J")
	slices.Reverse(x.Held)
	x.Release()
	x.Wants("docker.jsonl:13", "bytes of 13")
	x.Press("esc")
	x.Hold = true
	x.Press("esc enter esc esc")
	x.Release()
	if !x.Left {
		t.Error("the ledger came back")
	}
}

// TestLedgerNamesCopies: a file whose session is kept elsewhere is no trouble,
// and the ledger says where.
func TestNamesCopies(t *testing.T) {
	l := ledgertest.Sample()
	for i := range l.All {
		if s := &l.All[i]; strings.Contains(s.Path, "empty") {
			s.Copies, s.Reason = 1, ""
		}
	}
	x := open(t, l, 120, 30)
	x.Wants("2 with a problem")
	for !strings.Contains(at(x), "empty") {
		x.Press("j")
	}
	x.Wants("1 copy ·")
	x.Press("enter")
	x.Wants("a copy of ~/whole␛[2J.jsonl ·")
}
