package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	room "winnow/tui/review"
)

// fakeClaims are the claims of all programs on a fake database.
type fakeClaims struct {
	lib  *fakeLibrary
	all  []review.Claim
	asks int
	each func() // is called with every question
	now  time.Time
	err  error
}

// of are the claims as one program sees them.
func (f *fakeClaims) of(program, curator string) room.Claims { return fakeProgram{f, program, curator} }

type fakeProgram struct {
	*fakeClaims
	program, curator string
}

func (p fakeProgram) Claim(_ context.Context, reads string, next []string) (review.Claimed, error) {
	f := p.fakeClaims
	f.asks++
	if f.each != nil {
		f.each()
	}
	if f.err != nil {
		return review.Claimed{}, f.err
	}
	f.all = slices.DeleteFunc(f.all, func(c review.Claim) bool { return c.Program == p.program || !f.now.Before(c.Until) })
	got := review.Claimed{Others: slices.Clone(f.all), Until: f.now.Add(review.ClaimFor)}
	for _, id := range next {
		held := slices.ContainsFunc(f.all, func(c review.Claim) bool { return c.Segment == id })
		if s := f.lib.find(id); !held && id != reads && s != nil && s.Verdict == review.Pending {
			got.Next = id
			break
		}
	}
	for i, id := range []string{reads, got.Next} {
		if id != "" {
			f.all = append(f.all, review.Claim{Program: p.program, Curator: p.curator, Segment: id, Next: i == 1, Until: got.Until})
		}
	}
	return got, nil
}

func (p fakeProgram) Others(context.Context) ([]review.Claim, error) {
	others := slices.DeleteFunc(slices.Clone(p.all), func(c review.Claim) bool { return c.Program == p.program })
	return others, p.err
}

func (p fakeProgram) Release(context.Context) error {
	p.all = slices.DeleteFunc(p.all, func(c review.Claim) bool { return c.Program == p.program })
	return nil
}

// together starts the screens of several curators on one database.
func together(t *testing.T, lib *fakeLibrary, w, h int, curators ...string) (*fakeClaims, []*harness) {
	t.Helper()
	f := &fakeClaims{lib: lib, now: someday}
	var all []*harness
	for _, name := range curators {
		all = append(all, start(t, lib, w, h, func(o *Options) {
			o.Curator, o.Claims, o.Now = name, f.of(name, name), func() time.Time { return f.now }
		}))
	}
	return f, all
}

func selections(all []*harness) string {
	var ids []string
	for _, x := range all {
		ids = append(ids, strings.TrimLeft(x.selected(), "0"))
	}
	return strings.Join(ids, " ")
}

func TestNobodyIsLedToWhatAnotherReads(t *testing.T) {
	_, all := together(t, small(12), 120, 24, "ann", "ben", "cat")
	if got := selections(all); got != " 2 4" { // each holds one to go on to
		t.Errorf("they begin on %q", got)
	}
	seen := map[string]string{}
	for _, x := range all {
		seen[x.selected()] = x.options.Curator
	}
	for range 3 {
		for _, x := range all {
			x.press("a")
			if by := seen[x.selected()]; by != "" {
				t.Errorf("%s is led to %s of %s", x.options.Curator, x.selected(), by)
			}
			seen[x.selected()] = x.options.Curator
			x.tick()
		}
	}
	for i := range all[0].lib.segments {
		if s := &all[0].lib.segments[i]; s.Verdict == review.Pending && seen[s.Short()] == "" {
			t.Errorf("nobody was led to %s", s.Short())
		}
	}
}

func TestTheNextOneIsThereWithoutAsking(t *testing.T) {
	f, all := together(t, small(12), 120, 24, "ann", "ben")
	ann := all[0]
	ann.hold = true
	asks := f.asks
	ann.press("a")
	if got := ann.selected(); got != "00000001" || f.asks != asks || ann.app.Awaits() {
		t.Errorf("after a verdict: %s, %d questions", got, f.asks-asks)
	}
	ann.press("a") // what comes after it is not claimed yet: the keys wait
	ann.press("r")
	if got := ann.selected(); got != "00000001" {
		t.Errorf("%s before it was claimed", got)
	}
	ann.release()
	lib := ann.lib
	if lib.verdictOf(0) != review.Approved || lib.verdictOf(1) != review.Approved || lib.verdictOf(4) != review.Rejected {
		t.Errorf("%v %v %v, selected %s", lib.verdictOf(0), lib.verdictOf(1), lib.verdictOf(4), ann.selected())
	}
}

func TestNothingLooksFreeBeforeItsVerdictIsWritten(t *testing.T) {
	f, all := together(t, small(12), 120, 24, "ann", "ben")
	ann := all[0]
	ann.hold = true
	asks := f.asks
	ann.press("a") // goes on to what is claimed
	f.each = func() {
		if ann.lib.verdictOf(0) != review.Approved {
			t.Error("what was judged is given up before its verdict is written")
		}
	}
	ann.hold = false
	for _, cmd := range ann.held {
		ann.runLastFirst(cmd)
	}
	if f.asks != asks+1 {
		t.Errorf("%d questions", f.asks-asks)
	}
}

// TestQuittingIsNotLostWhereOthersHoldAllThatPasses: ctrl+c waits until a verdict has
// gone on, also if there is nothing to go on to.
func TestQuittingIsNotLostWhereOthersHoldAllThatPasses(t *testing.T) {
	lib := small(2)
	lib.segments[0].Verdict, lib.segments[1].Verdict = review.Approved, review.Approved
	f := &fakeClaims{lib: lib, now: someday}
	x := start(t, lib, 120, 24, filtered("status:approved"), func(o *Options) { o.Claims = f.of("ann", "ann") })
	f.all = append(f.all, review.Claim{Program: "ben", Curator: "ben", Segment: lib.segments[1].ID, Until: f.now.Add(review.ClaimFor)})
	x.hold = true
	x.press("r ctrl+c")
	x.release()
	if !x.quit || lib.verdictOf(0) != review.Rejected {
		t.Errorf("quit is %v after %s:\n%s", x.quit, lib.verdictOf(0), x.screen())
	}
}

// runLastFirst runs what a command asks for in the other order: none waits for another.
func (x *harness) runLastFirst(cmd tea.Cmd) {
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range slices.Backward(msg) {
			x.runLastFirst(one)
		}
	default:
		x.send(msg)
	}
}

func TestWhoReadsIsShown(t *testing.T) {
	f, all := together(t, small(12), 200, 24, "ann", "ben")
	ann, ben := all[0], all[1]
	ann.tick()
	ann.wants("»● 4 May    Task number 2", "ben is reading", "ben reads it next")
	ann.press("j j")
	ann.tick()
	ann.tick() // the first row it passed was not rested on
	if ann.selected() != "00000002" || !strings.Contains(ann.lines()[1], "» ben is reading") {
		t.Errorf("the title of what another reads:\n%s", ann.screen())
	}
	ben.tick()
	ben.wants("ann is reading")
	f.now = f.now.Add(review.ClaimFor)
	if strings.Contains(ben.screen(), "is reading") {
		t.Errorf("claims that are over:\n%s", ben.screen())
	}
	ann.app.Release()
	if len(f.all) == 0 || slices.ContainsFunc(f.all, func(c review.Claim) bool { return c.Program == "ann" }) {
		t.Errorf("left: %+v", f.all)
	}
}

func TestAScreenThatNobodyTouchesClaimsNothing(t *testing.T) {
	f, all := together(t, small(12), 120, 24, "ann", "ben")
	asks := f.asks
	for range 200 {
		f.now = f.now.Add(pollEvery)
		all[0].tick()
	}
	if f.asks != asks {
		t.Errorf("%d questions", f.asks-asks)
	}
	all[1].press("N") // what ann held is over
	if got := all[1].selected(); got != "00000003" {
		t.Errorf("ben goes on to %s", got)
	}
	all[1].press("g")
	all[1].tick()
	all[1].press("N")
	if got := all[1].selected(); got != "00000001" {
		t.Errorf("ben goes on to %s", got)
	}
	all[0].press("a")
	if got := all[0].selected(); got == all[1].selected() {
		t.Errorf("both are on %s", got)
	}
}

func TestClaimsAreRenewedWhileKeysArePressed(t *testing.T) {
	f, all := together(t, small(12), 120, 24, "ann")
	for range 10 {
		f.now = f.now.Add(room.RenewAfter)
		all[0].press("z")
		if !f.now.Before(f.all[0].Until) {
			t.Fatal("it is over although keys are pressed")
		}
	}
	if f.asks > 14 {
		t.Errorf("%d questions", f.asks)
	}
}

func TestAllThatIsLeftIsReadByOthers(t *testing.T) {
	_, all := together(t, small(3), 120, 24, "ann", "ben")
	all[0].tick()
	all[0].press("a a")
	all[0].wants("others are reading all the rest")
	all[1].press("a")
	all[1].tick()
	all[0].tick()
	all[0].press("N")
	all[0].wants("nothing is pending")
}

func TestWhatAnImportReplacedIsNotHeldByOthers(t *testing.T) {
	_, all := together(t, small(6), 120, 24, "ann")
	ann := all[0]
	ann.lib.change(func(l *fakeLibrary) { // the screen has not looked yet
		for i := 2; i < len(l.segments); i++ {
			l.segments[i].ID = "f" + l.segments[i].ID[1:]
		}
	})
	ann.press("a a a a a a")
	for i := range ann.lib.segments {
		if ann.lib.verdictOf(i) != review.Approved {
			t.Errorf("segment %d is %s:\n%s", i, ann.lib.verdictOf(i), ann.screen())
		}
	}
	if strings.Contains(ann.screen(), "dropped") {
		t.Error(ann.screen())
	}
}

func TestWhatAnImportBringsIsReachedThoughOthersHoldTheRest(t *testing.T) {
	_, all := together(t, small(4), 120, 24, "ann", "ben")
	ann := all[0]
	ann.tick()
	ann.lib.change(func(l *fakeLibrary) { l.segments = append(l.segments, manySegments(6)[4:]...) })
	ann.press("a a a a") // ben holds two of those that the screen knows
	for _, i := range []int{0, 1, 4, 5} {
		if ann.lib.verdictOf(i) != review.Approved {
			t.Errorf("segment %d is %s:\n%s", i, ann.lib.verdictOf(i), ann.screen())
		}
	}
	ann.press("N")
	ann.wants("others are reading all the rest")
}

func TestWithoutClaimsTheWorkGoesOn(t *testing.T) {
	f, all := together(t, small(5), 140, 24, "ann")
	f.err = errors.New("disk full")
	all[0].press("a")
	all[0].wants("others cannot see what you read")
	all[0].press("a a")
	if got := all[0].selected(); got != "00000003" {
		t.Errorf("selected %s", got)
	}
}

func TestClaimsBehindWhatIsInMemory(t *testing.T) {
	lib := small(3000)
	for i := 1; i < 2000; i++ {
		lib.segments[i].Verdict = review.Rejected
	}
	_, all := together(t, lib, 120, 24, "ann", "ben")
	if got := selections(all); got != " 7d0" {
		t.Fatalf("they begin on %q", got)
	}
	all[0].press("a a")
	if a, b := all[0].selected(), all[1].selected(); a == b || lib.find(a+"-0000-4000-8000-000000000000").Verdict != review.Pending {
		t.Errorf("ann on %s, ben on %s", a, b)
	}
}

func TestOthersVerdictsAreMarked(t *testing.T) {
	x := start(t, small(5), 200, 24)
	x.lib.change(func(l *fakeLibrary) {
		for i, who := range []string{"ben", "ben\x1b[31m", "ann"} {
			l.segments[i].Verdict, l.segments[i].Reviewer, l.segments[i].ReviewedAt = review.Approved, who, someday
		}
	})
	x.tick()
	x.wants("ben just said approved on “Task number 0”", "✓ approved by ben", "3 approved")
	lines := x.lines()
	if !strings.Contains(lines[3], "approved by ben␛[31m") && !strings.Contains(lines[3], "by ben␛") || strings.Contains(lines[4][:60], "by ann") {
		t.Errorf("rows:\n%s", x.screen())
	}
	x.lib.change(func(l *fakeLibrary) { l.segments[0].Verdict, l.segments[0].Reviewer = review.Pending, "" })
	x.tick()
	x.wants("“Task number 0” was set back to pending")
	narrow := start(t, x.lib, 80, 24)
	narrow.press("g j")
	narrow.wants("approved by ben")
}
