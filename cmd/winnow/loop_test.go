package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/train"
	"winnow/core/train/work"
	"winnow/store"
)

// lesson is a session of a model, as it was made up.
type lesson struct {
	model  string
	calls  []string // tools
	failed int      // of them
}

// lessons imports sessions of models in turn, and returns them by what was asked in them.
// Some call no tool.
func (s *school) lessons(name string, n int, models ...string) map[string]lesson {
	s.t.Helper()
	random, all := rand.New(rand.NewPCG(9, uint64(n))), map[string]lesson{}
	word := func() string { return fmt.Sprintf("w%05d", random.IntN(1e5)) }
	var lines strings.Builder
	for i := range n {
		l, asked := lesson{model: models[i%len(models)]}, fmt.Sprintf("Fix %s and %s in module %d of %s", word(), word(), i, name)
		said := []map[string]any{{"role": "user", "content": asked}}
		for range i % 5 {
			tool := []string{"read", "read", "read", "bash", "bash", "edit"}[random.IntN(6)]
			said = append(said, map[string]any{"role": "assistant", "content": word(), "tool_calls": []any{map[string]any{
				"id": word(), "type": "function", "function": map[string]any{"name": tool, "arguments": fmt.Sprintf(`{"path":%q}`, word())}}}})
			answer := "it says " + word()
			if l.calls = append(l.calls, tool); random.IntN(4) == 0 {
				l.failed, answer = l.failed+1, "Error: no such file "+word()
			}
			call := said[len(said)-1]["tool_calls"].([]any)[0].(map[string]any)
			said = append(said, map[string]any{"role": "tool", "tool_call_id": call["id"], "content": answer})
		}
		said = append(said, map[string]any{"role": "assistant", "content": "All of it is done: " + word() + " and " + word() + " are as they should be."})
		line, err := json.Marshal(map[string]any{"messages": said, "model": l.model})
		if err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
		all[asked] = l
	}
	s.ok("import", s.file("in/"+name+".jsonl", lines.String()))
	return all
}

// listed is a row of "list --json".
type listed struct {
	ID, Topic, Verdict string
	Score              *float64
	Type               string `json:"task_type"`
}

// list are the segments that a filter lets through.
func (s *school) list(filter string) (rows []listed) {
	s.t.Helper()
	for line := range strings.Lines(s.ok("list", "--json", "--limit", "1000", "--filter", filter)) {
		var r listed
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			s.t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// judge gives some segments a verdict by a command.
func (s *school) judge(verdict string, rows ...listed) {
	s.t.Helper()
	args := []string{verdict}
	for _, r := range rows {
		args = append(args, r.ID)
	}
	s.ok(args...)
}

// learned is what a table of the tools is to cost after an epoch, in bits a call.
func learned(calls map[string]int, epoch int) (loss float64) {
	all := 0
	for _, n := range calls {
		all += n
	}
	for _, n := range calls {
		loss += float64(n) / float64(all) * math.Log2(float64(epoch*all+len(calls)+1)/float64(epoch*n+1))
	}
	return loss
}

// holds has trainers wait after an epoch, and those that wait elsewhere go on.
func (s *school) holds(epoch int) {
	s.t.Helper()
	if err := os.WriteFile(s.hold+".new", []byte(strconv.Itoa(epoch)), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.hold+".new", s.hold); err != nil {
		s.t.Fatal(err)
	}
}

// reaches waits until the database has so many losses of a run.
func (s *school) reaches(id int64, epochs int) {
	s.t.Helper()
	s.until(func() bool { return len(s.points(id, "loss")) == epochs })
}

// points are those of a metric.
func (s *school) points(id int64, name string) (list []train.Point) {
	s.t.Helper()
	s.with(func(db *store.Store) (err error) {
		list, err = db.Points(context.Background(), id)
		return err
	})
	return slices.DeleteFunc(list, func(p train.Point) bool { return p.Name != name })
}

// worker is the process that has the lease of a run, 0 if none does.
func (s *school) worker(id int64) (pid int) {
	s.t.Helper()
	s.with(func(db *store.Store) error {
		list, err := db.Leases(context.Background())
		for _, l := range list {
			if _, number, is := strings.Cut(l.Holder, "pid "); is && l.Name == work.LeaseName(id) && l.Until.After(time.Now()) {
				pid, _ = strconv.Atoi(number)
			}
		}
		return err
	})
	return pid
}

// works waits until a run has a worker, and returns its process.
func (s *school) works(id int64) (pid int) {
	s.t.Helper()
	s.until(func() bool { pid = s.worker(id); return pid > 1 })
	return pid
}

// kill ends a process at once, if it is there.
func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil && pid > 1 {
		_ = p.Kill()
	}
}

// there reports whether anything of a process is there: one that has ended may have
// threads that have not, and they have its files.
func there(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// is waits until a run has a status; that it is lost is found by who looks.
func (s *school) is(id int64, status train.Status) (r train.Run) {
	s.t.Helper()
	s.until(func() bool {
		if status == train.Lost && s.worker(id) == 0 {
			s.ok("runs")
		}
		list := s.runs()
		r = list[len(list)-int(id)]
		return r.Status == status
	})
	return r
}

// curve checks that the screen of a run draws how its loss fell.
func (d *driven) curve(first, last float64, steps int) {
	d.t.Helper()
	for _, size := range []tea.WindowSizeMsg{{Width: 200, Height: 60}, {Width: 80, Height: 24}} {
		d.send(size)
		rows := strings.Split(d.screen(), "\n")
		at := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(r, fmt.Sprintf("%7.4g │", first)) })
		end := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(strings.TrimSpace(r), "└──") })
		if at < 0 || end < at+4 || !strings.HasPrefix(rows[end-1], fmt.Sprintf("%7.4g │", last)) || !strings.Contains(rows[end+1], "step 1 ") || !strings.HasSuffix(strings.TrimSpace(rows[end+1]), fmt.Sprint(" ", steps)) {
			d.t.Fatalf("at %d×%d no curve from %.4g to %.4g:\n%s", size.Width, size.Height, first, last, d.screen())
		}
		for column, lowest := 9, at; column < size.Width; column++ { // it falls, and never rises
			for i := at; i < end; i++ {
				if r := []rune(rows[i]); column >= len(r) || r[column] <= 0x2800 || r[column] > 0x28ff {
					continue
				}
				if i < lowest-1 {
					d.t.Fatalf("at %d×%d it rises in column %d:\n%s", size.Width, size.Height, column, d.screen())
				}
				lowest = max(lowest, i)
			}
			if column == size.Width-8 && lowest != end-1 {
				d.t.Fatalf("at %d×%d it does not come down:\n%s", size.Width, size.Height, d.screen())
			}
		}
	}
}

// TestTheLoopCloses goes round once: segments are approved until a run is due, the screen
// begins it and is closed, what trains is stopped and killed and goes on, and what the new
// model writes is judged beside the others.
func TestTheLoopCloses(t *testing.T) {
	t.Parallel() // mostly it waits
	const epochs = 6
	s := emptySchool(t, time.Second, fmt.Sprint("epochs=", epochs))
	s.env.start = func(log string, args ...string) (<-chan error, error) {
		argv := []string{"env"}
		for name, value := range s.vars {
			argv = append(argv, name+"="+value)
		}
		return work.Spawn(log, append(append(argv, s.hasty), args...)...)
	}
	for name, value := range map[string]string{"SPLIT": "train=1", "MIN_TOTAL": "50", "COOLDOWN": "0s"} {
		s.vars["WINNOW_TRAIN_"+name] = value
	}
	all := s.lessons("first", 104, "tiny", "other")
	rows := s.list("status:pending")
	checks := func(want string) {
		t.Helper()
		if out := s.ok("train", "--check"); !strings.HasSuffix(out, "\n"+want+"\n") {
			t.Errorf("no %q: %s", want, out)
		}
	}
	s.judge("approve", rows[:99]...)
	checks("99 of 100 new samples")
	s.judge("approve", rows[99])
	checks("due: 100 new samples")
	calls := map[string]int{}
	for _, r := range rows[:100] {
		for _, tool := range all[r.Topic].calls {
			calls[tool]++
		}
	}

	// The screen begins it and is closed; it is stopped and goes on by the screen, too.
	s.holds(1)
	s.drive(func(d *driven) {
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.press("P e")
		d.wants("due         100 new samples", "100 samples · 100 of them new")
		d.press("enter")
		d.wants("run 1", "running")
	})
	s.holds(3)
	s.reaches(1, 3)
	s.drive(func(d *driven) {
		d.press("P")
		d.wants("run 1 is at it: it is running; due: 100 new samples")
		d.press("J J enter")
		d.wants("run 1", "running")
		d.curve(learned(calls, 1), learned(calls, 3), 3)
		if out := s.ok("jobs"); !strings.Contains(out, "train:1") {
			t.Error(out)
		}
		trainer := s.runs()[0].PID
		d.press("x x")
		d.rest()
		d.wants("cancelled", "checkpoint-3")
		if trainer < 2 || work.Began(trainer) != 0 {
			t.Errorf("trainer %d is there since %d", trainer, work.Began(trainer))
		}
		s.holds(4)
		d.press("=")
		s.reaches(1, 4)
		d.rest()
		d.wants("running")
	})

	// Without its worker the trainer ends with the next word that it says; without either
	// nothing is left that could tell. Both times it is lost, and found again.
	worker := s.works(1)
	kill(worker)
	s.until(func() bool { return !there(worker) }) // it listens no more
	s.holds(5)
	if r := s.is(1, train.Lost); r.Error != "its worker ended without a word" || filepath.Base(r.Checkpoint) != "checkpoint-4" {
		t.Errorf("%+v", r)
	}
	s.ok("runs", "resume", "1")
	s.reaches(1, 5)
	kill(s.works(1))
	kill(s.runs()[0].PID)
	if r := s.is(1, train.Lost); filepath.Base(r.Checkpoint) != "checkpoint-5" {
		t.Errorf("%+v", r)
	}
	s.ok("runs", "resume", "1")
	done := s.is(1, train.Succeeded)
	if done.Samples != 100 || done.New != 100 || math.Abs(done.Metrics["loss"]-learned(calls, epochs)) > 1e-9 {
		t.Errorf("%+v, want a loss of %v", done, learned(calls, epochs))
	}
	losses, epoch := s.points(1, "loss"), s.points(1, "epoch")
	log := s.ok("runs", "log", "1")
	for i := range epochs {
		n := i + 1
		if len(losses) != epochs || math.Abs(losses[i].Value-learned(calls, n)) > 1e-4 || losses[i].Step != n || epoch[i].Value != float64(n) {
			t.Fatalf("losses %v in epochs %v, want %v after %d", losses, epoch, learned(calls, n), n)
		}
		if strings.Count(log, fmt.Sprintf("'epoch': %d.0", n)) != 1 {
			t.Errorf("epoch %d is not once in\n%s", n, log)
		}
	}
	s.drive(func(d *driven) {
		d.press("P J enter")
		d.wants("run 1", "succeeded")
		d.curve(learned(calls, 1), learned(calls, epochs), epochs)
	})

	// What is approved late counts, and what is scored late once it is: it passes no filter
	// of scores before. What the new model writes is judged beside the others.
	s.vars["WINNOW_TRAIN_FILTER"], s.vars["WINNOW_TRAIN_WHEN"] = "score>=0", "2"
	s.judge("approve", rows[100:102]...)
	for asked, l := range s.lessons("second", 30, done.Model) {
		all[asked] = l
	}
	next := s.list("status:pending topic:second")
	s.judge("approve", next[:18]...)
	checks("due: 2 new samples")
	s.ok("score")
	checks("due: 20 new samples")
	s.judge("reject", append(next[18:25:25], rows[102], rows[103], rows[7])...)
	s.judge("unsure", next[25:27]...)
	if out := s.ok("runs", "show", "1"); !strings.Contains(out, "\nwithdrawn   "+rows[7].ID[:8]+" "+rows[7].Topic+": rejected\n") {
		t.Error(out)
	}
	s.compared(all, map[string]string{"tiny": "tiny (base)", "other": "other", done.Model: "run 1"})
	s.ok("doctor")
}
