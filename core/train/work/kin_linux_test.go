package work

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"winnow/core/train"
)

// launch begins processes as launchers do, in sessions of their own, that do not end when
// they are asked to: for an argument "apart=FILE" one, "bare=FILE" one without the
// environment of the run. Their numbers go into the files.
func launch(args []string) error {
	for _, arg := range args {
		name, path, _ := strings.Cut(arg, "=")
		if name != "apart" && name != "bare" {
			continue
		}
		cmd := exec.Command(os.Args[0], "deaf=")
		if name == "bare" {
			cmd.Env = []string{"WINNOW_TEST_TRAINER=1"}
		}
		Detach(cmd)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func init() { launching = launch }

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
	if got, err := w.Stop(t.Context(), r.ID); err != nil || got.Status != train.Cancelled {
		t.Errorf("%v, %s", err, got.Status)
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
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1", w.Place(r.ID).mark())
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
