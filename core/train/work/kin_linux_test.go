package work

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"winnow/core/train"
)

// number reads the number of a process from a file.
func number(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(text))
	if pid < 2 {
		t.Fatalf("%q", text)
	}
	return pid
}

// What a launcher put in sessions of their own is stopped with the run, also what wrote
// over its environment.
func TestStopReachesOtherSessions(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "hold=HOLD", "apart=CHILD", "bare=CHILD-bare")})
	r := w.queued(nil)
	ended := w.begin(r.ID)
	rank, bare := number(t, w.child), number(t, w.child+"-bare")
	if Began(rank) == 0 || Began(bare) == 0 {
		t.Fatal("they are not there")
	}
	if got, err := w.Stop(t.Context(), r.ID); err != nil || got.Status != train.Cancelled || got.Error != killedText {
		t.Errorf("%v, %+v", err, got)
	}
	w.until(func() bool { return Began(rank) == 0 && Began(bare) == 0 }) // they were killed
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What a trainer leaves in another session ends with it.
func TestNothingIsLeftInOtherSessions(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "apart=CHILD")})
	if got := w.work(w.queued(nil).ID); got.Status != train.Succeeded {
		t.Fatalf("%+v", got)
	}
	pid := number(t, w.child)
	w.until(func() bool { return Began(pid) == 0 }) // it was killed
}

// A run whose worker and launcher are gone is there as long as a rank of it is: it is not
// lost, nothing goes on beside it, and it can be stopped.
func TestARankAloneIsARun(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	r := w.queued(func(r *train.Run) { r.Status = train.Running })
	cmd := exec.Command(os.Args[0], "apart="+w.child, "fail=at once")
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1", w.marked(r.ID))
	apart(cmd)
	if err := cmd.Run(); err == nil {
		t.Fatal("it did not fail")
	}
	rank := number(t, w.child)
	if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != train.Running {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
	// Another run of the same number is another run.
	other := newWorkshop(t, Commands{Train: learning})
	o := other.queued(func(r *train.Run) { r.Status = train.Running })
	if err := other.Settle(t.Context()); err != nil || o.ID != r.ID || other.run(o.ID).Status != train.Lost {
		t.Errorf("%v, %s", err, other.run(o.ID).Status)
	}
	if _, err := w.store.ChangeRun(t.Context(), r.ID, func(r *train.Run) error { r.Status = train.Failed; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Requeue(t.Context(), r.ID); err == nil || !strings.Contains(err.Error(), "its process "+strconv.Itoa(rank)+" is still there") {
		t.Error(err)
	}
	if _, err := w.store.ChangeRun(t.Context(), r.ID, func(r *train.Run) error { r.Status = train.Running; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Stop(context.Background(), r.ID); err != nil {
		t.Error(err)
	}
	w.until(func() bool { return Began(rank) == 0 })
}

// After another boot no process is the one that had its number and began at the same tick.
func TestABootHasItsOwnProcesses(t *testing.T) {
	seen := map[int64]bool{0: true}
	for _, boot := range []string{"", "a", "b"} {
		for _, ticks := range []int64{1, 2, 1 << 40} {
			if n := beganAt(boot, ticks); seen[n] || n < 0 || n != beganAt(boot, ticks) {
				t.Errorf("%q %d: %d", boot, ticks, n)
			} else {
				seen[n] = true
			}
		}
	}
	if pid := os.Getpid(); len(boot()) != 36 || Began(pid) == 0 || Began(pid) == Began(os.Getppid()) {
		t.Errorf("boot %q, began %d", boot(), Began(pid))
	}
}

// Nobody is kin who has no mark: not what began with the system, in the first tick of it,
// not who asks nor those that began it, and nothing that began before the trainer.
func TestWhoIsNoKin(t *testing.T) {
	self := os.Getpid()
	all := func() map[int]process {
		return map[int]process{
			1: {0, 1, 1, 0}, 2: {0, 0, 0, 0}, 5: {1, 5, 5, 0}, 6: {5, 5, 5, 7}, // the system's
			30: {1, 30, 30, 50}, self: {30, 30, 30, 60}, // who asks, in a shell
			70: {self, 70, 30, 80}, 71: {70, 71, 71, 81}, 72: {1, 71, 71, 82}, 73: {1, 73, 73, 83}, // the trainer's
			90: {1, 90, 90, 40}, 91: {30, 91, 30, 90}, // of others
		}
	}
	for _, c := range []struct {
		name   string
		leader int
		since  int64
		marked []int
		own    bool
		want   []int
	}{
		{"none is marked", 0, 0, nil, false, nil},
		{"all of the trainer", 70, 80, []int{70, 73}, true, []int{71, 72, 73}},
		{"its leader is not known", 0, 80, []int{71}, false, []int{71, 72}},
		{"a mark that others have", 70, 80, []int{70, 1, 30, self, 90}, true, []int{71, 72}},
		{"nothing noted", 0, 0, []int{1, 30, self}, false, nil},
	} {
		k := newKin("", c.since)
		for range 2 { // the second time by what is known
			own, others := k.among(all(), c.leader, func(pid int) bool { return slices.Contains(c.marked, pid) })
			if own != c.own || !slices.Equal(others, c.want) {
				t.Errorf("%s: %v %v", c.name, own, others)
			}
		}
	}
	if k := newKin("", 0); k.marked(self) {
		t.Error("no mark is a mark")
	}
}

// Of what was found before it is known that it is kin, also when who began it is gone; not of
// another process that has its number.
func TestKinIsRemembered(t *testing.T) {
	k := newKin("", 0)
	none := func(int) bool { return false }
	if _, others := k.among(map[int]process{70: {1, 70, 70, 5}, 71: {70, 71, 71, 6}, 72: {70, 72, 72, 7}}, 70, none); len(others) != 2 {
		t.Error(others)
	}
	if _, others := k.among(map[int]process{71: {1, 71, 71, 6}, 72: {1, 72, 72, 8}}, 70, none); !slices.Equal(others, []int{71}) {
		t.Error(others)
	}
}

// A group that has the number of a trainer which is gone is not its, unless somebody is in it
// who is kin.
func TestAGroupIsItsLeaders(t *testing.T) {
	others := map[int]process{75: {1, 70, 70, 200}, 76: {1, 70, 70, 201}}
	for name, c := range map[string]struct {
		leader, marked int
		ticks          int64
		own            bool
	}{
		"its leader is gone":         {0, 0, 0, false},
		"another one has its number": {70, 0, 190, false},
		"it is there":                {70, 0, 80, true},
		"one is marked":              {0, 76, 0, true},
	} {
		all := maps.Clone(others)
		if c.leader != 0 {
			all[c.leader] = process{1, 70, 70, c.ticks}
		}
		own, rest := newKin("", 80).among(all, 70, func(pid int) bool { return pid == c.marked })
		if own != c.own || len(rest) > 0 {
			t.Errorf("%s: %v, %v", name, own, rest)
		}
	}
}

// What ends when it is asked to was not killed, also if its worker is gone; its checkpoint
// is known then.
func TestAStopSaysWhatItDid(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	r := w.queued(func(r *train.Run) { r.Status, r.Started = train.Running, w.Now() })
	w.do(os.MkdirAll(filepath.Join(w.Place(r.ID).Out(), "checkpoint-8"), 0o700))
	cmd := exec.Command("sleep", "60")
	cmd.Env = append(os.Environ(), w.marked(r.ID))
	apart(cmd)
	w.do(cmd.Start())
	go cmd.Wait()
	got, err := w.Stop(t.Context(), r.ID)
	if err != nil || got.Error != "" || filepath.Base(got.Checkpoint) != "checkpoint-8" || Began(cmd.Process.Pid) != 0 {
		t.Errorf("%v, %+v", err, got)
	}
}

// A number that a foreign group has now is no run's.
func TestAForeignGroupIsNoRun(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	cmd := exec.Command(os.Args[0], "child="+w.child, "fail=at once")
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1")
	apart(cmd)
	_ = cmd.Run()
	foreign := number(t, w.child)
	defer func() { _ = syscall.Kill(foreign, syscall.SIGKILL) }()
	r := w.queued(func(r *train.Run) { r.Status, r.PID, r.PIDBegan = train.Running, cmd.Process.Pid, 12345 })
	if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != train.Lost {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
	r = w.queued(func(r *train.Run) { r.Status, r.PID, r.PIDBegan = train.Running, cmd.Process.Pid, 12345 })
	if _, err := w.Stop(t.Context(), r.ID); err != nil || Began(foreign) == 0 {
		t.Errorf("%v: a foreign process was ended", err)
	}
}
